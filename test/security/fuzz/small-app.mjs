import { join } from 'node:path'
import { createTestApp } from '../../../dist/core/index.js'
import { createLog } from '../../../dist/core/log.js'
import { draftAndPublish } from '../../../dist/plugins/draft-and-publish/index.js'
import { i18n } from '../../../dist/plugins/i18n/index.js'
import { upload } from '../../../dist/plugins/upload/index.js'

/** A server with something of every kind; `more` are plugins beside those of content, and `permissions` theirs. */
export async function smallApp(dialect, folder, { more = [], permissions } = {}) {
  const relation = (kind, target, more = {}) => ({
    type: 'relation',
    relation: kind,
    target: `api::${target}.${target}`,
    ...more,
  })
  const localized = { pluginOptions: { i18n: { localized: true } } }
  const secret = { type: 'string', private: true }
  const app = await createTestApp({
    types: {
      article: {
        ...localized,
        options: { draftAndPublish: true, populateCreatorFields: true },
        attributes: {
          title: { type: 'string', ...localized },
          views: { type: 'integer' },
          released: { type: 'date' },
          extra: { type: 'json' },
          secret,
          author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
          tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
          anything: { type: 'relation', relation: 'morphToMany' },
          cover: { type: 'media' },
          seo: { type: 'component', component: 'shared.seo' },
          blocks: { type: 'dynamiczone', components: ['shared.seo'] },
        },
      },
      author: {
        attributes: {
          name: { type: 'string' },
          secret,
          articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
        },
      },
      tag: {
        attributes: {
          name: { type: 'string' },
          secret,
          articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
        },
      },
    },
    components: { 'shared.seo': { attributes: { title: { type: 'string' }, secret } } },
    plugins: [[i18n, { locales: ['fr'] }], draftAndPublish, [upload, { folder: join(folder, dialect) }], ...more],
    config: { ...(permissions && { permissions }), api: { rest: { dialect, maxParameters: 200 } } },
    log: createLog('silent'),
  })
  const hide = { secret: 'TOPSECRET' }
  const { id: author } = await app.entries('api::author.author').create({ name: 'a', ...hide })
  const { id: tag } = await app.entries('api::tag.tag').create({ name: 'b', ...hide })
  for (let index = 0; index < 4; index += 1)
    await app.entries('api::article.article').create({
      ...{
        title: 'ab'[index % 2],
        views: index,
        released: '2024-01-01',
        extra: { a: 1 },
        author,
        tags: [tag],
        ...hide,
      },
      ...{ anything: [{ id: tag, __type: 'api::tag.tag' }], seo: { title: 'a', ...hide } },
      blocks: [{ __component: 'shared.seo', title: 'b', ...hide }],
    })
  return app
}

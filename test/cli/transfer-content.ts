import assert from 'node:assert/strict'
import { change } from '../../core/index.js'
import type { App } from '../../core/kernel.js'
import type { Files } from './transfer-app.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const type = (name: string, attributes: object, more: object = {}) => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
  ...more,
})

const component = (table: string, attributes: object) => ({
  collectionName: table,
  info: { displayName: table },
  attributes,
})

/** An app that has one of everything: kinds of values, relations, components, zones, files, languages, drafts, accounts. */
export const appFiles: Files = {
  'content-types/article.json': type(
    'article',
    {
      title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
      slug: { type: 'uid' },
      body: { type: 'richtext' },
      kind: { type: 'enumeration', enum: ['news', 'essay'] },
      mail: { type: 'email' },
      secret: { type: 'password' },
      minutes: { type: 'integer' },
      views: { type: 'biginteger' },
      price: { type: 'decimal' },
      weight: { type: 'float' },
      open: { type: 'boolean' },
      day: { type: 'date' },
      hour: { type: 'time' },
      moment: { type: 'datetime' },
      tick: { type: 'timestamp' },
      extra: { type: 'json' },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      related: relation('oneToMany', 'article'),
      sequel: relation('oneToOne', 'article'),
      owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
      seo: { type: 'component', component: 'shared.seo' },
      links: { type: 'component', component: 'shared.link', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['blocks.text', 'blocks.pictures'] },
      cover: { type: 'media', allowedTypes: ['images', 'files'] },
      gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'files'] },
    },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  ),
  'content-types/author.json': type('author', {
    name: { type: 'string', unique: true },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
  }),
  'content-types/tag.json': type('tag', {
    name: { type: 'string' },
    articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
    pinned: { type: 'relation', relation: 'morphToOne' },
    seen: { type: 'relation', relation: 'morphToMany' },
  }),
  'content-types/page.json': {
    ...type('page', { headline: { type: 'string' }, link: { type: 'component', component: 'shared.link' } }),
    kind: 'singleType',
  },
  'content-types/components/shared/seo.json': component('components_shared_seos', {
    description: { type: 'text' },
    picture: { type: 'media', allowedTypes: ['images', 'files'] },
    link: { type: 'component', component: 'shared.link' },
  }),
  'content-types/components/shared/link.json': component('components_shared_links', {
    label: { type: 'string' },
    author: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  }),
  'content-types/components/blocks/text.json': component('components_blocks_texts', { text: { type: 'text' } }),
  'content-types/components/blocks/pictures.json': component('components_blocks_pictures', {
    pictures: { type: 'media', multiple: true, allowedTypes: ['images', 'files'] },
  }),
  'content-types/plugins/users-permissions/user.json': {
    attributes: {
      avatar: { type: 'media', allowedTypes: ['images', 'files'] },
      address: { type: 'component', component: 'shared.link' },
    },
  },
  'config/permissions.json': { roles: { authenticated: { article: ['find'] } } },
  'config/plugins.json': {
    'users-permissions': true,
    'api-tokens': true,
    'draft-and-publish': true,
    i18n: { config: { locales: ['de'] } },
    upload: { config: { allow: ['*/*'] } },
  },
}

const text = (length: number): string =>
  Array.from({ length }, (_, index) => 'ÄÖ🎈 line\tof "text"\\\n'[index % 18] ?? ' ').join('')

/** Fills such an app, as people would over months. */
export async function fillApp(app: App): Promise<void> {
  const files: number[] = []
  for (const name of ['hill.txt', 'sea.txt', 'face.txt']) files.push(await sendFile(app, name))
  const [hill = 0, sea = 0, face = 0] = files
  const entries = (name: string) => app.entries(`api::${name}.${name}`)
  const authors: number[] = []
  for (const name of ['Ada', 'Ben', 'Çelik']) authors.push(Number((await entries('author').create({ name })).id))
  const tags: number[] = []
  for (let index = 1; index <= 6; index += 1)
    tags.push(Number((await entries('tag').create({ name: `tag ${index}` })).id))
  const users = app.entries('plugin::users-permissions.user')
  const user = await users.create({
    ...{ username: 'ada', email: 'ada@example.test', password: 'pass-word-1', provider: 'local', confirmed: true },
    ...{ role: 1, avatar: face, address: { label: 'at home', author: authors[0] } },
  })
  const made: number[] = []
  for (let index = 1; index <= 12; index += 1)
    made.push(Number((await entries('article').create(article(index, { authors, tags, hill, sea, user: user.id }))).id))
  const german = await entries('article').create({ title: 'Ohne Inhalt', locale: 'de' })
  await translated(app, made[0] ?? 0, Number(german.id))
  await entries('article').update(made[0] ?? 0, { related: [made[3], made[1], made[2]], sequel: made[5] })
  await entries('article').update(made[1] ?? 0, { tags: [tags[4], tags[0], tags[2]] })
  await entries('tag').update(tags[0] ?? 0, { pinned: { __type: 'api::author.author', id: authors[1] } })
  await entries('page').create({ headline: 'Home', link: { label: 'start' } })
  await app.entries('admin::api-token').create({ name: 'robot', type: 'custom', accessKey: 'f'.repeat(128) })
  await app.entries('admin::api-token-permission').create({ action: 'api::article.article.find', token: 1 })
  // An id that was given once is never given again: also not by a database that never saw the entry.
  const last = await entries('author').create({ name: 'gone' })
  await entries('author').delete(Number(last.id))
}

/** As the layout has it: each of a family leads to all others. */
async function translated({ store }: App, one: number, other: number): Promise<void> {
  const pairs = [
    { article_id: one, inv_article_id: other, article_order: 1 },
    { article_id: other, inv_article_id: one, article_order: 1 },
  ]
  await store.transaction(async session => {
    for (const pair of pairs) await change(session, store.knex('articles_localizations_links').insert(pair))
  })
}

interface Others {
  readonly authors: readonly number[]
  readonly tags: readonly number[]
  readonly hill: number
  readonly sea: number
  readonly user: unknown
}

function article(index: number, { authors, tags, hill, sea, user }: Others) {
  if (index === 12) return { title: 'nothing else' }
  return {
    ...{ title: `Größe ${index} 🎈`, slug: `article-${index}`, body: text(index * 700), kind: 'essay' },
    ...{
      mail: `a${index}@example.test`,
      secret: 'open sesame',
      minutes: index - 6,
      views: `${9_007_199_254_740_993n * BigInt(index)}`,
    },
    ...{ price: [0, 12.5, -3.07, 99999.99][index % 4], weight: [0.1, 1e-12, 123456.789, -2][index % 4] },
    ...{ open: [true, false, null][index % 3], day: '2024-02-29', hour: `07:30:00.${100 + index}` },
    ...{ moment: `2024-05-0${(index % 9) + 1}T10:00:00.123Z`, tick: '2001-09-09T01:46:40.000Z' },
    extra: [{ a: 1.5, bb: ['x', null, { c: ' two  spaces ' }] }, [1, 2], 'a word', 7, true, null][index % 6],
    ...{ author: authors[index % 3], tags: [tags[index % 6], tags[(index + 3) % 6]], owner: user },
    seo: { description: `about ${index}`, picture: hill, link: { label: 'deep', author: authors[1] } },
    links: [{ label: 'one' }, { label: 'two', author: authors[2] }],
    blocks: [
      { __component: 'blocks.text', text: text(30) },
      { __component: 'blocks.pictures', pictures: [sea, hill] },
      { __component: 'blocks.text', text: 'the end' },
    ],
    ...{ cover: hill, gallery: [sea, hill], publishedAt: index % 2 === 0 ? null : '2024-01-01T00:00:00.000Z' },
  }
}

async function sendFile(app: App, name: string): Promise<number> {
  const service = (await import('../../plugins/upload/content-types.js')).fileUid
  const { writeFile, mkdir } = await import('node:fs/promises')
  const { join } = await import('node:path')
  const folder = join(app.config.appDir, 'public/uploads')
  await mkdir(folder, { recursive: true })
  const content = `this is ${name}\n`.repeat(500)
  const [stem = '', ext = ''] = name.split('.')
  await writeFile(join(folder, name), content)
  const row = { name, hash: stem, ext: `.${ext}`, mime: 'text/plain', url: `/uploads/${name}`, provider: 'local' }
  const { id } = await app.entries(service).create({ ...row, size: content.length / 1000, folderPath: '/' })
  assert.equal(typeof id, 'number')
  return Number(id)
}

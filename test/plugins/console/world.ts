import type { TestApp } from '../../../core/index.js'
import { admin } from '../../../plugins/admin/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import type { World } from '../../support/contract.js'
import { command } from '../admin/world.js'
import { Editor } from './project.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})

/** Articles lead to authors and tags, by themselves and by components, in zones as well. */
export const world = {
  types: {
    article: {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
        author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        related: relation('oneToMany', 'article'),
        about: { type: 'relation', relation: 'morphToOne' },
        quote: { type: 'component', component: 'shared.quote' },
        blocks: { type: 'dynamiczone', components: ['shared.quote', 'shared.list'] },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
      },
    },
    homepage: {
      kind: 'singleType',
      attributes: { headline: { type: 'string' }, star: relation('oneToOne', 'author') },
    },
  },
  components: {
    'shared.quote': { attributes: { text: { type: 'string' }, author: relation('manyToOne', 'author') } },
    'shared.list': {
      attributes: {
        author: relation('manyToOne', 'author'),
        quotes: { type: 'component', repeatable: true, component: 'shared.quote' },
      },
    },
  },
  plugins: [draftAndPublish, i18n, [admin, { ratelimit: { enabled: false } }], contentConsole],
} satisfies World

const password = 'eleven elephants'

/** Makes an account with a role, and signs it in. */
export async function signIn(app: TestApp, role: 'Super Admin' | 'Editor' | 'Author', email: string): Promise<Editor> {
  await command(app, 'admin create', [email], { password, role, firstname: role })
  return Editor.of({ send: options => app.inject(options) as never }, { email, password })
}

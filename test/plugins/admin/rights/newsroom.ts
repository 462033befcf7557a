import type { TestApp } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { contentAction, type PermissionRow } from '../../../../plugins/admin/rights/permissions.js'
import { bulk } from '../../../../plugins/bulk/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { graphql } from '../../../../plugins/graphql/index.js'
import { i18n } from '../../../../plugins/i18n/index.js'
import { nestedCreate } from '../../../../plugins/nested-create/index.js'
import { patch } from '../../../../plugins/patch/index.js'
import { trash } from '../../../../plugins/trash/index.js'
import { upload } from '../../../../plugins/upload/index.js'
import { versions } from '../../../../plugins/versions/index.js'
import type { World } from '../../../support/contract.js'
import { byHeader } from './world.js'

export const article = 'api::article.article'
export const author = 'api::author.author'
export const tag = 'api::tag.tag'
export const page = 'api::page.page'

const drafts = { options: { draftAndPublish: true } }
const localized = { pluginOptions: { i18n: { localized: true } } }

type Values = Readonly<Record<string, unknown>>

/** A row of a role: in all languages unless it says otherwise. */
export const may = (
  right: string,
  subject: string,
  { conditions = [], ...properties }: Values = {},
): PermissionRow => ({
  action: contentAction(right),
  subject,
  properties: { locales: null, ...properties },
  conditions,
})

/** The rights of a role to a type, all with the same limits. */
export const mayAll = (actions: readonly string[], subject: string, limits: Values = {}): PermissionRow[] =>
  actions.map(action => may(action, subject, limits))

export const own = 'admin::is-creator'
const written = ['title', 'body', 'code', 'author', 'tags', 'cards.text', 'card.text', 'children']

/** What editors may by their roles; their accounts have the ids 1, 2, ... in this order. */
export const roles = {
  chief: [article, author, tag, page].flatMap(uid => mayAll(['create', 'read', 'update', 'delete', 'publish'], uid)),
  writer: [
    ...mayAll(['create', 'read', 'update', 'delete'], article, { fields: written }),
    ...mayAll(['create', 'read', 'update'], page),
    ...mayAll(['read'], tag, { fields: ['name'] }),
    ...mayAll(['read', 'create'], author, { fields: ['name'] }),
  ],
  reporter: [...mayAll(['create', 'read', 'update', 'delete', 'publish'], article, { conditions: [own] })],
  publisher: [
    ...mayAll(['create', 'read', 'update'], article),
    may('publish', article, { conditions: [own] }),
    may('publish', page),
  ],
  translator: [
    may('read', article, { locales: ['de', 'en'] }),
    ...mayAll(['create', 'update'], article, { locales: ['de'], fields: ['title', 'body'] }),
  ],
  guest: [] as PermissionRow[],
} satisfies Readonly<Record<string, readonly PermissionRow[]>>

export type RoleName = keyof typeof roles
export const editors = Object.fromEntries(Object.keys(roles).map((name, index) => [name, index + 1])) as Readonly<
  Record<RoleName, number>
>

export async function makeRole(app: Pick<TestApp, 'entries'>, name: string, rows: readonly PermissionRow[]) {
  const { id } = await app.entries('admin::role').create({ name, code: name })
  for (const row of rows) await app.entries('admin::permission').create({ ...row, role: Number(id) })
  return Number(id)
}

export const makeEditor = async (app: Pick<TestApp, 'entries'>, name: string, of: readonly number[]) => {
  const account = { email: `${name}@example.test`, firstname: name, isActive: true, blocked: false, roles: of }
  return Number((await app.entries('admin::user').create(account)).id)
}

export const as = (name: RoleName) => ({ 'x-editor': String(editors[name]) })

/** Types with drafts, plans, languages, components and every way of writing that there is. */
export const newsroom = {
  types: {
    article: {
      ...drafts,
      ...localized,
      attributes: {
        title: { type: 'string', required: true, ...localized },
        body: { type: 'text', ...localized },
        code: { type: 'string', unique: true },
        memo: { type: 'string', private: true },
        secret: { type: 'password' },
        author: { type: 'relation', relation: 'manyToOne', target: author, inversedBy: 'articles' },
        tags: { type: 'relation', relation: 'manyToMany', target: tag },
        children: { type: 'relation', relation: 'oneToMany', target: article },
        card: { type: 'component', component: 'shared.card' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        cover: { type: 'media' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        email: { type: 'email' },
        articles: { type: 'relation', relation: 'oneToMany', target: article, mappedBy: 'author' },
      },
    },
    tag: { attributes: { name: { type: 'string' }, weight: { type: 'integer' } } },
    page: { kind: 'singleType', ...drafts, attributes: { headline: { type: 'string' } } },
  },
  components: {
    'shared.card': {
      attributes: { text: { type: 'string' }, hint: { type: 'string' }, note: { type: 'string', private: true } },
    },
  },
  plugins: [
    admin,
    byHeader,
    [draftAndPublish, { scheduling: true }],
    [i18n, { locales: ['en', 'de', 'fr'] }],
    bulk,
    patch,
    nestedCreate,
    [versions, { all: true }],
    [trash, { all: true }],
    upload,
    graphql,
  ],
  async rows(app) {
    for (const [name, rows] of Object.entries(roles)) await makeEditor(app, name, [await makeRole(app, name, rows)])
  },
} as const satisfies World

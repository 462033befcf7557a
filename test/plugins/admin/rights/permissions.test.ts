import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type Filters, type TestApp } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { contentAction, type PermissionRow } from '../../../../plugins/admin/rights/permissions.js'
import { RoleRights } from '../../../../plugins/admin/rights/role-rights.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../../plugins/i18n/index.js'
import { upload } from '../../../../plugins/upload/index.js'

const article = 'api::article.article'
const note = 'api::note.note'

const types = {
  article: {
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string' },
      body: { type: 'text' },
      secret: { type: 'password' },
      memo: { type: 'string', private: true },
      notes: { type: 'relation', relation: 'oneToMany', target: note },
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.card'] },
    },
  },
  note: { attributes: { text: { type: 'string' }, hint: { type: 'string' } } },
} as const

const components = {
  'shared.seo': {
    attributes: { title: { type: 'string' }, social: { type: 'component', component: 'shared.card' } },
  },
  'shared.card': { attributes: { text: { type: 'string' }, hidden: { type: 'string', private: true } } },
} as const

const own = 'admin::is-creator'
const sameRole = 'admin::has-same-role-as-creator'

/** A row as Strapi writes it: `read`, of articles in all languages unless it says otherwise. */
const row = (right: string, more: object = {}, subject: string = article): PermissionRow => {
  const { conditions = [], actionParameters = {}, ...properties } = more as Record<string, unknown>
  return {
    action: contentAction(right),
    subject,
    properties: subject === article ? { locales: null, ...properties } : properties,
    conditions,
    actionParameters,
  }
}

describe('rows of admin_permissions', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ types, components, plugins: [admin, draftAndPublish, i18n, upload] })
  })
  afterAll(() => app.close())

  const rights = (rows: readonly PermissionRow[], isSuper = false) =>
    new RoleRights({ ids: [4, 7], isSuper, rows }, app.types)

  /** Filters with a word in place of the account's id. */
  const plain = (filters: Filters | undefined): unknown =>
    filters === undefined
      ? undefined
      : JSON.parse(JSON.stringify(filters, (_, value) => (isLate(value) ? 'me' : value)))
  const isLate = (value: unknown) => typeof (value as { of?: unknown } | null)?.of === 'function'

  const mine = { createdBy: { id: { $eq: 'me' } } }
  const ours = { createdBy: { roles: { id: { $in: [4, 7] } } } }
  const none = { id: { $null: true } }
  const locales = (...codes: string[]) => ({ locale: { $in: codes } })

  describe('say which entries are meant', () => {
    const cases: readonly (readonly [string, string, readonly PermissionRow[], unknown, string?])[] = [
      ['none limits nothing', 'find', [row('read')], undefined],
      ['an own entry', 'find', [row('read', { conditions: [own] })], mine],
      ['one of an account with a role of the caller', 'find', [row('read', { conditions: [sameRole] })], ours],
      [
        'several conditions are alternatives',
        'find',
        [row('read', { conditions: [own, sameRole] })],
        { $or: [mine, ours] },
      ],
      ['an unknown condition is met by none', 'find', [row('read', { conditions: ['api::x.y'] })], none],
      ['an unknown one beside another adds nothing', 'find', [row('read', { conditions: ['api::x.y', own] })], mine],
      ['languages', 'find', [row('read', { locales: ['fr', 'en'] })], locales('en', 'fr')],
      ['no languages', 'find', [row('read', { locales: [] })], none],
      ['languages that are missing are none', 'find', [row('read', { locales: undefined })], none],
      [
        'languages of a type that has none do not count',
        'find',
        [row('read', { locales: ['en'] }, note)],
        undefined,
        note,
      ],
      [
        'language and condition together',
        'find',
        [row('read', { locales: ['de'], conditions: [own] })],
        { $and: [locales('de'), mine] },
      ],
      [
        'several rows are alternatives',
        'find',
        [row('read', { locales: ['de'] }), row('read', { conditions: [own] })],
        { $or: [locales('de'), mine] },
      ],
      ['one without a limit opens all', 'find', [row('read', { conditions: [own] }), row('read')], undefined],
      [
        'a row with parameters of an action grants nothing',
        'find',
        [row('read', { actionParameters: { a: 1 } })],
        none,
      ],
      ['other actions of reading', 'versions', [row('read', { conditions: [own] })], mine],
      ['an action that is unknown reaches no entry', 'explode', [row('read')], none],
      ['a new entry is the own one', 'create', [row('create', { locales: ['de'], conditions: [own] })], locales('de')],
      ['a new entry of an unknown condition is none', 'create', [row('create', { conditions: ['api::x.y'] })], none],
      [
        'what is changed is shown, and so has to be readable',
        'update',
        [row('update'), row('read', { conditions: [own] })],
        mine,
      ],
      [
        'what is readable at least as widely limits nothing further',
        'delete',
        [row('delete', { locales: ['de'] }), row('read', { locales: ['de', 'en'] })],
        locales('de'),
      ],
      ['what cannot be read at all is changed blindly', 'update', [row('update', { conditions: [own] })], mine],
      [
        'a localization is made of an entry that can be read',
        'createLocalization',
        [row('read', { locales: ['en'] })],
        locales('en'),
      ],
    ]
    for (const [says, action, rows, gives, uid = article] of cases)
      it(says, () => assert.deepEqual(plain(rights(rows).rows?.(action, uid)), gives))

    it('files of an entry are shown with it, and listed as the rows say', () => {
      const { rows, can } = rights([
        { action: 'plugin::upload.read', subject: null, properties: {}, conditions: [own] },
      ])
      const file = 'plugin::upload.file'
      assert.equal(rows?.('find', file), undefined)
      assert.deepEqual(plain(rows?.('library', file)), mine)
      assert.deepEqual(plain(rows?.('update', file)), none)
      const actions = ['find', 'findOne', 'upload', 'destroy']
      assert.deepEqual(
        actions.map(action => can(action, 'plugin::upload.content-api')),
        [true, true, false, false],
      )
    })
  })

  describe('say which attributes may be named', () => {
    const usual = ['createdAt', 'createdBy', 'locale', 'localizations', 'publishedAt', 'updatedAt', 'updatedBy']
    const all = ['blocks', 'body', 'memo', 'notes', 'secret', 'seo', 'title']
    const cases: readonly (readonly [string, string, readonly PermissionRow[], readonly string[]])[] = [
      [
        'listed ones, private ones too',
        'find',
        [row('read', { fields: ['title', 'memo'] })],
        ['title', 'memo', ...usual],
      ],
      ['no list is all', 'find', [row('read')], [...all, ...usual]],
      ['an empty list is none but the usual', 'find', [row('read', { fields: [] })], usual],
      ['no row is nothing at all', 'find', [], []],
      [
        'names that are gone count for nothing',
        'find',
        [row('read', { fields: ['title', 'gone', 'seo.gone'] })],
        ['title', ...usual],
      ],
      ['parts of components', 'update', [row('update', { fields: ['title', 'seo.title'] })], ['title', 'seo.title']],
      [
        'all parts of a component are the component',
        'update',
        [row('update', { fields: ['seo.title', 'seo.social.text', 'seo.social.hidden'] })],
        ['seo'],
      ],
      [
        'a part that is a component is all of it',
        'update',
        [row('update', { fields: ['seo.social'] })],
        ['seo.social.hidden', 'seo.social.text'],
      ],
      ['a zone', 'update', [row('update', { fields: ['blocks'] })], ['blocks']],
      [
        'rows for the same entries add up',
        'find',
        [row('read', { fields: ['title'] }), row('read', { fields: ['body'] })],
        ['title', 'body', ...usual],
      ],
      [
        'a row for some entries adds nothing for all',
        'find',
        [row('read', { fields: ['title'] }), row('read', { fields: ['title', 'body'], conditions: [own] })],
        ['title', ...usual],
      ],
      [
        'of rows for different entries there is what they share, by parts',
        'update',
        [
          row('update', { fields: ['title', 'seo.title'], locales: ['de'] }),
          row('update', { fields: ['body', 'seo', 'title'], locales: ['en'] }),
        ],
        ['seo.title', 'title'],
      ],
      [
        'a row that means no entry takes nothing away',
        'find',
        [row('read', { fields: ['title'] }), row('read', { fields: ['body'], conditions: ['api::x.y'] })],
        ['title', ...usual],
      ],
      [
        'rows for own entries and for all are the same for a new one',
        'create',
        [row('create', { fields: ['title'] }), row('create', { fields: ['body'], conditions: [own] })],
        ['body', 'title'],
      ],
      ['publication is never written with the rest', 'update', [row('update'), row('publish')], all],
      ['nor where it is listed', 'create', [row('create', { fields: ['publishedAt', 'title'] })], ['title']],
      ['publishing is all that the action does', 'publish', [row('publish')], ['publishedAt']],
    ]
    for (const [says, action, rows, gives] of cases)
      it(says, () => assert.deepEqual([...(rights(rows).fields(action, article) ?? ['*'])].sort(), [...gives].sort()))

    it('components have what the type that has them says, creators their names', () => {
      const { fields } = rights([row('read')])
      assert.deepEqual([...(fields('find', 'shared.card') ?? [])], ['text', 'hidden'])
      assert.deepEqual([...(fields('find', 'admin::user') ?? [])], ['firstname', 'lastname', 'username'])
    })
  })

  describe('say what may be done', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['read', ['find', 'findOne', 'preview', 'versions', 'trash']],
      ['create', ['create']],
      ['update', ['update', 'restoreVersion']],
      ['delete', ['delete', 'restore']],
      ['publish', ['publish', 'unpublish']],
    ]
    const everything = [...cases.flatMap(([, actions]) => actions), 'createLocalization', 'purge', 'deletedVersions']
    for (const [right, actions] of cases)
      it(`${right}: ${actions}`, () => {
        const { can } = rights([row(right)])
        assert.deepEqual(
          everything.filter(action => can(action, article)),
          actions,
        )
        assert.deepEqual(
          everything.filter(action => can(action, note)),
          [],
        )
      })

    it('a localization takes the right to create and the one to read', () =>
      assert.equal(rights([row('create'), row('read')]).can('createLocalization', article), true))

    it('Super Admins may everything, whatever the rows are', () => {
      const { can, rows } = rights([], true)
      assert.deepEqual(
        everything.filter(action => can(action, note)),
        everything,
      )
      assert.equal(rows, undefined)
    })

    it('settings by the names of the panel', () => {
      const { can } = rights([
        { action: 'admin::users.read', subject: null },
        { action: 'plugin::i18n.locale.create', subject: null },
      ])
      assert.equal(can('read', 'admin::users'), true)
      assert.equal(can('create', 'admin::users'), false)
      assert.equal(can('createLocale', 'plugin::i18n.locales'), true)
      assert.equal(can('deleteLocale', 'plugin::i18n.locales'), false)
      assert.equal(can('listLocales', 'plugin::i18n.locales'), true)
    })
  })

  it('the server sets who wrote an entry, and makes a new one a draft', () => {
    const { sets } = rights([])
    const named = (action: string, uid: string) => Object.keys(sets(action, uid) ?? {})
    assert.deepEqual(named('create', article), ['createdBy', 'updatedBy', 'publishedAt'])
    assert.deepEqual(named('createLocalization', article), ['createdBy', 'updatedBy', 'publishedAt'])
    assert.equal(sets('create', article)?.publishedAt, null)
    assert.deepEqual(named('create', note), ['createdBy', 'updatedBy'])
    assert.deepEqual(named('update', article), ['updatedBy'])
    assert.deepEqual(named('publish', article), ['updatedBy'])
  })

  it('rows that differ have another scope', () => {
    const scopes = [rights([row('read')]), rights([row('read', { fields: ['title'] })]), rights([], true)].map(
      one => one.scope,
    )
    assert.equal(new Set(scopes).size, 3)
    assert.equal(rights([row('read'), row('create')]).scope, rights([row('create'), row('read')]).scope)
  })
})

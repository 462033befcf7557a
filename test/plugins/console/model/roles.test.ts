import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { readEditors } from '../../../../plugins/admin/rights/declared.js'
import { editorsText } from '../../../../plugins/console/model/roles/code.js'
import {
  changesOf,
  type Draft,
  type Drafts,
  fieldRows,
  lacking,
  newDraft,
} from '../../../../plugins/console/model/roles/drafts.js'
import { actionOf, keyOf, type Right, type Role, type RoleType } from '../../../../plugins/console/model/roles/types.js'
import { newsroom } from '../../admin/rights/newsroom.js'

const article: RoleType = {
  ...{
    uid: 'api::article.article',
    name: 'Article',
    key: 'article',
    localized: true,
    drafts: true,
  },
  fields: ['title', 'seo.text', 'seo.card.title', 'blocks'],
  required: ['title', 'seo', 'seo.card', 'seo.card.title', 'blocks.text'],
  rights: ['create', 'read', 'update', 'delete', 'publish'],
}
const limits = { fields: null, locales: null, where: null }
const may = (right: Right) => ({ action: actionOf(right), subject: article.uid })
const role: Role = {
  ...{ id: 5, code: 'translator', name: "Ann's", description: null, accounts: 0, isSuper: false, isDeclared: false },
  ...{ stamp: '', permissions: [], kept: [], types: [article], parts: [] },
  gives: [
    { ...may('create'), ...limits, fields: ['title', 'blocks.text'], where: ['own', 'role'] },
    { ...may('read'), ...limits },
    { ...may('delete'), ...limits, locales: ['de'] },
  ],
}
const draft = (right: Right, more: Partial<Draft> = {}): Draft => ({
  ...{ ...may(right), fields: article.fields, parts: [], locales: null, where: [], otherConditions: [] },
  ...more,
})
const drafts = (...list: Draft[]): Drafts => new Map(list.map(one => [keyOf(one), one]))

describe('a role of editors in its form', () => {
  it('begins with what the account may give', () => {
    assert.deepEqual(
      newDraft(role, may('create'), drafts()),
      draft('create', { fields: ['title', 'blocks'], where: ['own'] }),
    )
    const german = drafts(draft('create', { locales: ['de'] }))
    assert.deepEqual(newDraft(role, may('read'), german), draft('read', { locales: ['de'] }))
    assert.deepEqual(newDraft(role, may('delete'), drafts())?.locales, ['de'])
    assert.equal(newDraft(role, may('publish'), drafts()), undefined)
  })

  it('sends what was changed, and nothing else', () => {
    const before = drafts(draft('read', { fields: null }), draft('delete', { fields: null, where: ['own'] }))
    assert.deepEqual(changesOf(before, before, [article]), [])
    const after = drafts(draft('read', { fields: null, locales: ['de'] }), draft('publish', { fields: null }))
    assert.deepEqual(changesOf(before, after, [article]), [
      { ...may('read'), grant: { locales: ['de'] } },
      { ...may('delete'), grant: null },
      { ...may('publish'), grant: { locales: null } },
    ])
    const turned = drafts(draft('read', { fields: [...article.fields].reverse() }))
    assert.deepEqual(changesOf(drafts(draft('read')), turned, [article]), [])
    const freed = drafts(draft('delete', { fields: null }))
    assert.deepEqual(
      changesOf(drafts(draft('delete', { fields: null, where: ['own'] })), freed, [{ ...article, localized: false }]),
      [{ ...may('delete'), grant: { where: [] } }],
    )
  })

  it('knows which required attributes new entries would lack', () => {
    assert.deepEqual(lacking(article, undefined), [])
    assert.deepEqual(lacking(article, draft('create')), [])
    assert.deepEqual(lacking(article, draft('create', { fields: null })), [])
    assert.deepEqual(lacking(article, draft('create', { fields: [] })), ['title', 'seo'])
    assert.deepEqual(lacking(article, draft('create', { fields: ['title', 'seo.text'] })), ['seo.card'])
    assert.deepEqual(lacking(article, draft('create', { fields: ['title', 'seo.card.title'] })), [])
  })

  it('shows attributes as a tree', () => {
    assert.deepEqual(
      fieldRows(article.fields).map(({ path, depth, names }) => [path, depth, names.length]),
      [
        ['title', 0, 1],
        ['seo', 0, 2],
        ['seo.text', 1, 1],
        ['seo.card', 1, 1],
        ['seo.card.title', 2, 1],
        ['blocks', 0, 1],
      ],
    )
  })
})

describe('a role of editors as code', () => {
  let app: TestApp
  beforeAll(async () => {
    const { types, components, plugins } = newsroom
    app = await createTestApp({ types, components, plugins })
  })
  afterAll(() => app.close())

  it('is what config/permissions takes, and means the same', () => {
    const [all] = readEditors({ editors: { x: { article: ['read'] } } }, app.outline)
    const { fields = [] } = Object(all?.rows[0]?.properties) as { fields?: string[] }
    const known = { ...article, fields }
    const some = fields.slice(0, 1)
    const text = editorsText(
      {
        ...role,
        types: [known],
        kept: [
          { action: 'plugin::upload.assets.download', subject: null, isPlain: true },
          { action: 'plugin::gone.thing', subject: 'api::gone.gone', isPlain: false },
        ],
      },
      drafts(
        draft('create', { fields: some, locales: ['de', 'en'], where: ['own', 'role'] }),
        draft('read', { fields, where: ['own'] }),
        draft('update', { fields, otherConditions: ['plugin::mine.weekend'] }),
        draft('delete', { fields: null }),
        { ...draft('read'), action: 'plugin::upload.read', subject: null, where: ['own'], fields: null },
        { ...draft('read'), action: 'admin::users.read', subject: null, fields: null },
      ),
    )
    assert.equal(
      text,
      `editors: {
  translator: {
    name: 'Ann\\'s',
    article: {
      create: { fields: ['${some[0]}'], locales: ['de', 'en'], where: ['own', 'role'] },
      read: { where: 'own' },
      delete: true,
    },
    'plugin::upload': {
      read: { where: 'own' },
      'assets.download': true,
    },
    'admin::users': ['read'],
    // in the database, and not written here: article.update: the condition plugin::mine.weekend
    // in the database, and not written here: plugin::gone.thing on api::gone.gone
  },
},
`,
    )
    const [read] = readEditors(new Function(`return { ${text} }`)(), app.outline)
    assert.deepEqual([read?.code, read?.name], ['translator', "Ann's"])
    assert.deepEqual(
      read?.rows.map(({ action, properties, conditions }) => [action, properties, conditions]),
      [
        [
          actionOf('create'),
          { fields: some, locales: ['de', 'en'] },
          ['admin::is-creator', 'admin::has-same-role-as-creator'],
        ],
        [actionOf('read'), { fields, locales: null }, ['admin::is-creator']],
        [actionOf('delete'), { locales: null }, []],
        ['plugin::upload.read', {}, ['admin::is-creator']],
        ['plugin::upload.assets.download', {}, []],
        ['admin::users.read', {}, []],
      ],
    )
  })
})

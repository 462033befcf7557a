import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { Account } from '../../../plugins/admin/accounts/accounts.js'
import { type Api, contract } from '../../support/contract.js'
import { Tab } from './sessions/tab.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'
const explorer = (right: string) => `plugin::content-manager.explorer.${right}`
const article = 'api::article.article'
const note = 'api::note.note'

/** Ada may everything, Mia manages roles and has the rights of authors, Cleo is an editor. */
async function people({ app }: Pick<Api, 'app'>): Promise<void> {
  const manager = await app.entries('admin::role').create({ name: 'Manager', code: 'manager' })
  for (const action of ['read', 'create', 'update', 'delete'])
    await app.entries('admin::permission').create({ action: `admin::roles.${action}`, role: Number(manager.id) })
  await command(app, 'admin create', ['ada@example.test'], { password })
  await command(app, 'admin create', ['mia@example.test'], { password, role: 'Manager,Author' })
  await command(app, 'admin create', ['cleo@example.test'], { password, role: 'Editor' })
}

const declared = { permissions: { editors: { chief: { name: 'Chief', note: ['read'] } } } }

contract('roles of editors over HTTP', { ...world, config: declared, rows: app => people({ app } as Api) }, api => {
  const tabs = new Map<string, Tab>()
  const as = async (name: string, method: string, path: string, body?: unknown) => {
    const tab = tabs.get(name) ?? new Tab()
    if (!tabs.has(name)) await tab.signIn(api.app, `${name}@example.test`)
    tabs.set(name, tab)
    return tab.ask(api.app, method, `/console/roles${path}`, body)
  }
  const said = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
    ...[status, body?.error?.message],
  ]
  const rowsOf = (role: number) =>
    api.app.entries('admin::permission').find({ where: { role: { id: { $eq: role } } }, sort: 'id' })
  const change = async (who: string, role: number, permissions: unknown, more: object = {}) => {
    const { stamp } = (await as(who, 'GET', `/${role}`)).body
    return as(who, 'PUT', `/${role}`, { stamp, permissions, ...more })
  }
  const may = (right: string, grant: unknown, subject = article) => ({ action: explorer(right), subject, grant })

  it('are listed with the accounts that have them', async () => {
    const { body } = await as('mia', 'GET', '')
    assert.deepEqual(
      body.roles.map(({ name, accounts, isSuper }: Record<string, unknown>) => [name, accounts, isSuper]),
      [
        ['Super Admin', 1, true],
        ['Editor', 1, false],
        ['Author', 1, false],
        ['Manager', 1, false],
      ],
    )
    assert.equal((await as('mia', 'GET', '/99')).status, 404)
  })

  it('are closed to editors without the right, and to requests without a session', async () => {
    const asks: [string, string, object?][] = [
      ['GET', ''],
      ['GET', '/2'],
      ['POST', '', { name: 'Eve' }],
      ['PUT', '/3', { stamp: '', permissions: [] }],
      ['DELETE', '/3'],
      ['POST', '/3/try', { type: article }],
    ]
    for (const [method, path, body] of asks) {
      assert.equal((await as('cleo', method, path, body)).status, 403, `${method} ${path}`)
      assert.equal(
        (await new Tab().ask(api.app, method, `/console/roles${path}`, body)).status,
        401,
        `${method} ${path}`,
      )
    }
  })

  it('say what they may, and what the editor could give them', async () => {
    const { body } = await as('mia', 'GET', '/3')
    const read = body.permissions.find(({ action }: { action: string }) => action === explorer('read'))
    assert.deepEqual(read, {
      ...{ action: explorer('read'), subject: article, fields: ['title', 'seo.metaTitle', 'seo.metaText'] },
      ...{ otherFields: [], parts: [], locales: null, where: ['own'], otherConditions: [], mayGive: true },
    })
    const type = body.types.find(({ uid }: { uid: string }) => uid === article)
    assert.deepEqual(type, {
      ...{ uid: article, name: 'article', key: 'article', localized: false, drafts: true },
      ...{ fields: ['title', 'seo.metaTitle', 'seo.metaText'], required: ['title'] },
      rights: ['create', 'read', 'update', 'delete', 'publish'],
    })
    const given = body.gives.filter(({ subject }: { subject: string }) => subject === article)
    assert.deepEqual(
      given.map(({ action, where }: Record<string, unknown>) => [action, where]),
      ['create', 'read', 'update', 'delete'].map(right => [explorer(right), ['own']]),
    )
    assert.equal(
      (await as('ada', 'GET', '/3')).body.gives.some(
        ({ action }: { action: string }) => action === explorer('publish'),
      ),
      true,
    )
  })

  it('are made, renamed, given permissions, and deleted', async () => {
    const made = await as('mia', 'POST', '', { name: ' Über Setzer ', description: 'of texts' })
    assert.equal(made.status, 201, made.text)
    const { id, code, name, description } = made.body
    assert.deepEqual([code, name, description, made.body.permissions], ['uber-setzer', 'Über Setzer', 'of texts', []])
    assert.equal((await as('mia', 'POST', '', { name: 'Über-Setzer' })).body.code, 'uber-setzer-2')
    assert.equal((await as('mia', 'POST', '', { name: 'Über Setzer' })).status, 400)
    assert.equal((await as('mia', 'POST', '', { name: 'chief' })).body.code, 'chief-2')

    const given = await change('mia', id, [may('read', { fields: ['title', 'seo'], where: ['own'] })], {
      name: 'Reader',
    })
    assert.equal(given.status, 200, given.text)
    assert.equal(given.body.name, 'Reader')
    const [row, ...others] = await rowsOf(id)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [row?.action, row?.subject, row?.properties, row?.conditions],
      [...[explorer('read'), article, { fields: ['title', 'seo.metaTitle', 'seo.metaText'] }, ['admin::is-creator']]],
    )
    const fewer = await change('mia', id, [may('read', { fields: ['title'] })])
    assert.deepEqual(fewer.body.permissions[0].fields, ['title'])
    assert.deepEqual([(await rowsOf(id))[0]?.id, (await rowsOf(id))[0]?.conditions], [row?.id, ['admin::is-creator']])
    assert.deepEqual((await change('mia', id, [may('read', null)])).body.permissions, [])
    assert.equal((await as('mia', 'DELETE', `/${id}`)).status, 204)
    assert.equal((await as('mia', 'GET', `/${id}`)).status, 404)
    const held = await as('ada', 'DELETE', '/3')
    assert.deepEqual(said(held), [400, 'Accounts that have the role Author: 1. Give them others first'])
    assert.equal((await rowsOf(3)).length > 0, true)
  })

  it('get and lose nothing that the editor lacks', async () => {
    const { id } = (await as('mia', 'POST', '', { name: 'Helper' })).body
    for (const permission of [
      may('publish', {}),
      may('read', {}),
      may('read', { where: ['role'] }),
      { action: 'admin::users.create', subject: null, grant: {} },
    ])
      assert.equal((await change('mia', id, [permission])).status, 403, JSON.stringify(permission))
    assert.equal((await change('mia', id, [{ action: 'admin::roles.read', subject: null, grant: {} }])).status, 200)
    assert.equal((await change('mia', 2, [may('publish', null)])).status, 403)
    assert.equal((await change('mia', 2, [may('read', { where: ['own'] })])).status, 403)
    assert.equal(
      (await rowsOf(2)).some(({ action }) => action === explorer('publish')),
      true,
    )
    assert.equal((await change('ada', 1, [may('read', {})])).status, 403)
    assert.deepEqual(said(await as('ada', 'DELETE', '/1')), [400, 'The role Super Admin cannot be deleted'])
    const editors = await api.app.entries('admin::role').create({ name: 'Publishers', code: 'publishers' })
    const row = { action: explorer('publish'), subject: article, role: Number(editors.id) }
    await api.app.entries('admin::permission').create(row)
    assert.equal((await as('mia', 'DELETE', `/${editors.id}`)).status, 403)
    assert.equal((await as('ada', 'DELETE', `/${editors.id}`)).status, 204)
    assert.equal(
      await api.app
        .entries('admin::permission')
        .count({ action: { $eq: explorer('publish') }, role: { id: { $null: true } } }),
      0,
    )
  })

  it('keep what is not understood', async () => {
    const { id } = (await as('ada', 'POST', '', { name: 'Old' })).body
    const strange = [
      { action: 'plugin::gone.thing', subject: null, properties: { x: 1 }, conditions: ['a'] },
      { action: explorer('read'), subject: 'api::gone.gone', properties: { fields: ['a'] }, conditions: [] },
      { action: explorer('delete'), subject: note, properties: {}, conditions: [], actionParameters: { a: 1 } },
    ]
    const known = {
      ...{ action: explorer('read'), subject: article, conditions: ['plugin::mine.weekend'] },
      properties: { fields: ['title', 'gone'], more: { a: 1 } },
    }
    for (const row of [...strange, known]) await api.app.entries('admin::permission').create({ ...row, role: id })
    const before = await rowsOf(id)
    const read = (await as('ada', 'GET', `/${id}`)).body
    assert.deepEqual(
      read.kept,
      strange.map(({ action, subject }) => ({ action, subject, isPlain: false })),
    )
    assert.deepEqual(read.permissions, [
      {
        ...{
          action: explorer('read'),
          subject: article,
          fields: ['title'],
          otherFields: ['gone'],
          parts: [],
          locales: null,
        },
        ...{ where: [], otherConditions: ['plugin::mine.weekend'], mayGive: true },
      },
    ])
    const changed = await change('ada', id, [may('read', { fields: ['title', 'seo.metaText'], where: ['own'] })])
    assert.equal(changed.status, 200, changed.text)
    const after = await rowsOf(id)
    assert.deepEqual(after.slice(0, 3), before.slice(0, 3))
    assert.deepEqual(after[3]?.properties, { fields: ['title', 'seo.metaText', 'gone'], more: { a: 1 } })
    assert.deepEqual(after[3]?.conditions, ['admin::is-creator', 'plugin::mine.weekend'])
    const kept = await change('ada', id, [may('delete', null, note)])
    assert.deepEqual([kept.status, /is kept as it is$/.test(kept.body.error.message)], [400, true])
  })

  it('are changed by one after another', async () => {
    const { id, stamp } = (await as('ada', 'POST', '', { name: 'Shared' })).body
    assert.equal((await as('ada', 'PUT', `/${id}`, { stamp, permissions: [may('read', {})] })).status, 200)
    const late = await as('ada', 'PUT', `/${id}`, { stamp, permissions: [may('read', null)] })
    assert.deepEqual(said(late), [412, 'This role was changed meanwhile; read it again'])
    assert.equal((await rowsOf(id)).length, 1)
  })

  it('are changed by what the editor may once it is its turn', async () => {
    const { accounts } = adminOf(api.app)
    const inTurn = accounts.inTurn.bind(accounts)
    const mia = (await accounts.byEmail('mia@example.test')) as Account
    const put = (roles: readonly number[]) => api.app.entries('admin::user').update(mia.id, { roles })
    const { id } = (await as('mia', 'POST', '', { name: 'Readers' })).body
    const { stamp } = (await change('mia', id, [may('read', { fields: ['title'], where: ['own'] })])).body
    const asks: [string, object?][] = [['PUT', { stamp, permissions: [may('read', null)] }], ['DELETE']]
    for (const [method, body] of asks) {
      accounts.inTurn = async work => {
        await put(mia.roles.filter(role => role !== 3))
        return inTurn(work)
      }
      assert.equal((await as('mia', method, `/${id}`, body)).status, 403, method)
      accounts.inTurn = inTurn
      await put(mia.roles)
    }
    assert.equal((await rowsOf(id)).length, 1)
    assert.equal((await as('mia', 'DELETE', `/${id}`)).status, 204)
  })

  it('that config/permissions declares are changed there', async () => {
    const chief = await api.app.entries('admin::role').create({ name: 'Chief editor', code: 'chief' })
    const read = (await as('ada', 'GET', `/${chief.id}`)).body
    assert.equal(read.isDeclared, true)
    const refused = [400, 'The role Chief editor is declared in config/permissions, and changed there']
    assert.deepEqual(said(await as('ada', 'PUT', `/${chief.id}`, { stamp: read.stamp, permissions: [] })), refused)
    assert.deepEqual(said(await as('ada', 'DELETE', `/${chief.id}`)), refused)
  })

  it('say all that is wrong with a change at once', async () => {
    const permissions = [
      1,
      may('read', { fields: ['nothing'], where: ['mine'], locales: ['de'], x: 1 }),
      may('delete', { fields: ['title'] }),
      may('fly', {}),
      may('publish', {}),
      may('publish', null),
      { ...may('create', undefined), more: 1 },
    ]
    const { status, body } = await as('ada', 'PUT', '/3', { permissions, name: '', code: 'x' })
    const paths = body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.')).sort()
    assert.equal(status, 400)
    assert.deepEqual(paths, [
      ...['code', 'name'],
      ...['permissions.0', 'permissions.1.grant.fields', 'permissions.1.grant.locales', 'permissions.1.grant.where'],
      ...['permissions.1.grant.x', 'permissions.2.grant.fields', 'permissions.3', 'permissions.5'],
      ...['permissions.6.grant', 'permissions.6.more', 'stamp'],
    ])
    assert.equal((await as('ada', 'POST', '', { description: 1 })).body.error.details.errors.length, 2)
  })

  it('are tried with changes that are not stored', async () => {
    const { id } = (await as('ada', 'POST', '', { name: 'Tried' })).body
    const articles = api.app.entries(article)
    for (const [title, createdBy] of [
      ['One', 1],
      ['Two', 2],
      ['Three', 3],
    ] as const)
      await articles.create({ title, createdBy }, { given: true })
    const trial = async (who: string, permissions: unknown) => {
      const { status, body } = await as(who, 'POST', `/${id}/try`, { type: article, permissions })
      if (status !== 200) return status
      return [body.seen, body.of, body.fields, body.ofFields, body.entries.map(({ title }: { title: string }) => title)]
    }
    assert.deepEqual(await trial('ada', []), [0, 3, 0, 3, []])
    assert.deepEqual(await trial('ada', [may('read', {})]), [3, 3, 3, 3, ['One', 'Two', 'Three']])
    assert.deepEqual(await trial('ada', [may('read', { where: ['own'], fields: ['title'] })]), [1, 3, 1, 3, ['One']])
    assert.deepEqual(await trial('mia', [may('read', {})]), [1, 1, 3, 3, ['Two']])
    assert.equal((await rowsOf(id)).length, 0)
    const same = await trial('ada', [may('read', { where: ['role'] })])
    assert.deepEqual(same, [0, 3, 3, 3, []])
    const unread = await as('mia', 'POST', `/${id}/try`, { type: 'api::nothing.nothing' })
    assert.equal(unread.status, 400)
  })
})

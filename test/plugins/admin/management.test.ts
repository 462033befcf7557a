import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Api, contract } from '../../support/contract.js'
import { Tab } from './sessions/tab.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'

/** Ada may everything, Mia manages accounts and has the rights of authors, Ben is an author, Cleo an editor. */
async function people({ app }: Pick<Api, 'app'>): Promise<void> {
  const manager = await app.entries('admin::role').create({ name: 'Manager', code: 'manager' })
  for (const action of ['read', 'create', 'update', 'delete'])
    await app.entries('admin::permission').create({ action: `admin::users.${action}`, role: Number(manager.id) })
  await command(app, 'admin create', ['ada@example.test'], { password })
  await command(app, 'admin create', ['mia@example.test'], { password, role: 'Manager,Author' })
  await command(app, 'admin create', ['ben@example.test'], { password, role: 'Author' })
  await command(app, 'admin create', ['cleo@example.test'], { password, role: 'Editor' })
}

contract('accounts over HTTP', { ...world, rows: app => people({ app } as Api) }, api => {
  const tabs = new Map<string, Tab>()
  const as = async (name: string, method: string, path: string, body?: unknown) => {
    const tab = tabs.get(name) ?? new Tab()
    if (!tabs.has(name)) await tab.signIn(api.app, `${name}@example.test`)
    tabs.set(name, tab)
    return tab.ask(api.app, method, `/console/accounts${path}`, body)
  }
  const said = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
    status,
    body?.error?.message,
  ]
  const author = { id: 3, code: 'strapi-author', name: 'Author' }

  it('are listed for those who may', async () => {
    const { status, body } = await as('mia', 'GET', '')
    assert.equal(status, 200)
    assert.deepEqual(
      body.accounts.map(({ email, state }: Record<string, unknown>) => [email, state]),
      ['ada', 'mia', 'ben', 'cleo'].map(name => [`${name}@example.test`, 'active']),
    )
    assert.deepEqual((await as('mia', 'GET', '/3')).body, {
      ...{ id: 3, email: 'ben@example.test', firstname: null, lastname: null, username: null, language: null },
      ...{ state: 'active', roles: [author], invitedUntil: null, lastSignIn: null, isLast: false, mayChange: true },
    })
    const told = body.accounts.map(({ isLast, mayChange, lastSignIn }: Record<string, unknown>) => [
      ...[isLast, mayChange, typeof lastSignIn],
    ])
    assert.deepEqual(told, [
      [true, false, 'object'],
      [false, true, 'string'],
      [false, true, 'object'],
      [false, false, 'object'],
    ])
    assert.deepEqual(
      body.roles.map(({ name, mayGive }: Record<string, unknown>) => [name, mayGive]),
      [
        ['Super Admin', false],
        ['Editor', false],
        ['Author', true],
        ['Manager', true],
      ],
    )
    assert.equal(body.linksAreSent, false)
    assert.doesNotMatch(JSON.stringify(body), /password|\$2b\$|oken/)
    assert.equal((await as('mia', 'GET', '/99')).status, 404)
    assert.equal((await as('mia', 'GET', '/x')).status, 404)
  })

  it('are closed to editors without the right, and to requests without a session', async () => {
    const asks: [string, string, object?][] = [
      ['GET', ''],
      ['GET', '/3'],
      ['POST', '', { email: 'eve@example.test', roles: [3] }],
      ['PUT', '/3', { firstname: 'Eve' }],
      ['POST', '/3/link'],
      ['DELETE', '/3/sessions'],
      ['DELETE', '/3'],
    ]
    for (const [method, path, body] of asks) {
      assert.equal((await as('cleo', method, path, body)).status, 403, `${method} ${path}`)
      const heard = await new Tab().ask(api.app, method, `/console/accounts${path}`, body)
      assert.equal(heard.status, 401, `${method} ${path}`)
    }
    assert.equal((await adminOf(api.app).accounts.all()).length, 4)
  })

  it('are invited with roles that the editor may give', async () => {
    const { status, body } = await as('mia', 'POST', '', { email: 'Dora@example.test', firstname: 'Dora', roles: [3] })
    assert.equal(status, 201, JSON.stringify(body))
    assert.match(body.address, /^http:\/\/localhost:1337\/console\/invitation#[\w-]{43}$/)
    const { email, state, roles, invitedUntil } = body.account
    assert.deepEqual([email, state, roles, invitedUntil], ['dora@example.test', 'invited', [author], body.expires])
    const beyond = await as('mia', 'POST', '', { email: 'eve@example.test', roles: [2] })
    assert.deepEqual(said(beyond), [403, 'The role Editor is given by those who have all of its permissions'])
    const over = await as('mia', 'POST', '', { email: 'eve@example.test', roles: [1] })
    assert.deepEqual(said(over), [403, 'The role Super Admin is given by Super Admins only'])
    const none = await as('mia', 'POST', '', { email: 'eve@example.test', roles: [77] })
    assert.deepEqual(said(none), [400, 'roles: there is no role 77'])
    const taken = await as('mia', 'POST', '', { email: 'BEN@example.test', roles: [3] })
    assert.deepEqual(said(taken), [400, 'There is an account ben@example.test already, and it is active'])
    assert.equal(await adminOf(api.app).accounts.byEmail('eve@example.test'), undefined)
  })

  it('are changed, blocked, which ends their sessions, and given links', async () => {
    const { body } = await as('mia', 'PUT', '/3', { firstname: 'Ben', email: 'Benjamin@example.test', language: 'de' })
    assert.deepEqual([body.firstname, body.email, body.language], ['Ben', 'benjamin@example.test', 'de'])
    const ben = new Tab()
    await ben.signIn(api.app, 'benjamin@example.test')
    assert.equal((await as('mia', 'PUT', '/3', { blocked: true })).body.state, 'blocked')
    assert.equal(await ben.status(api.app), 401)
    const cleo = new Tab()
    await cleo.signIn(api.app, 'cleo@example.test')
    assert.equal((await as('mia', 'DELETE', '/4/sessions')).status, 403)
    assert.equal(await cleo.status(api.app), 200)
    assert.equal((await as('ada', 'DELETE', '/4/sessions')).status, 204)
    assert.equal(await cleo.status(api.app), 401)
    assert.deepEqual(said(await as('mia', 'POST', '/3/link')), [400, 'benjamin@example.test is blocked'])
    assert.equal((await as('mia', 'PUT', '/3', { blocked: false })).body.state, 'active')
    const link = await as('mia', 'POST', '/3/link')
    assert.match(link.body.address, /\/console\/password#[\w-]{43}$/)
  })

  it('are neither taken over nor raised by editors who may less', async () => {
    const beyond = 'Accounts with the role Editor are changed by those who have all of its permissions'
    for (const [method, path, body] of [
      ['PUT', '/4', { email: 'mia2@example.test' }],
      ['PUT', '/4', { blocked: true }],
      ['POST', '/4/link'],
      ['DELETE', '/4'],
    ] as const)
      assert.deepEqual(said(await as('mia', method, path, body)), [403, beyond], `${method} ${path}`)
    const above = 'Accounts of Super Admins are changed by Super Admins only'
    assert.deepEqual(said(await as('mia', 'POST', '/1/link')), [403, above])
    const raised = await as('mia', 'PUT', '/3', { roles: [3, 2] })
    assert.deepEqual(said(raised), [403, 'The role Editor is given by those who have all of its permissions'])
    assert.deepEqual(said(await as('mia', 'PUT', '/2', { roles: [3] })), [403, 'Your own roles are changed by others'])
    const own = await as('ada', 'PUT', '/1', { roles: [1, 2] })
    assert.deepEqual(said(own), [403, 'Your own roles are changed by others'])
    const last = await as('ada', 'DELETE', '/1')
    assert.deepEqual([last.status, /last active Super Admin/.test(last.text)], [400, true])
  })

  it('say all that is wrong with a body at once', async () => {
    const paths = ({ body }: { body: { error: { details: { errors: { path: string[] }[] } } } }) =>
      body.error.details.errors.map(({ path }) => path[0])
    const made = await as('ada', 'POST', '', { firstname: 1, password: 'eleven elephants' })
    assert.deepEqual([made.status, paths(made)], [400, ['email', 'roles', 'firstname', 'password']])
    const wish = { email: 1, roles: [], blocked: 'yes', isActive: true, username: 2, id: 7 }
    const changed = await as('ada', 'PUT', '/4', wish)
    assert.deepEqual([changed.status, paths(changed)], [400, Object.keys(wish)])
    const twice = await as('ada', 'PUT', '/4', { roles: [2, 2] })
    assert.deepEqual([twice.status, paths(twice)], [400, ['roles']])
    assert.equal((await as('ada', 'PUT', '/4', [])).status, 400)
    const none = await as('ada', 'PUT', '/4', { roles: [] })
    assert.deepEqual(said(none), [400, 'roles must not be empty: an account needs at least one role'])
  })

  it('are deleted', async () => {
    const gone = await as('ada', 'DELETE', '/4')
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal((await as('ada', 'GET', '/4')).status, 404)
    assert.equal((await as('ada', 'DELETE', '/4')).status, 404)
  })
})

import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { contentConsole } from '../../../plugins/console/index.js'
import { contract } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { run } from '../../support/run.js'
import { Tab } from './sessions/tab.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'
const over = { name: 'ApplicationError', message: 'This link is no longer valid; run: stele admin create' }

/** Stands for the page that takes the link. */
const page = definePlugin({
  name: 'page',
  routes: [{ method: 'GET', path: '/console', at: 'root', action: null, run: () => 'a page' }],
})
const withPage = { ...world, plugins: [...world.plugins, page] }

contract('the first account of an editor', withPage, api => {
  const codeOf = async () => {
    const [, , , line = ''] = await adminOf(api.app).tell()
    return /^ {2}http:\/\/localhost:1337\/console\/first-account#([\w-]{43})$/.exec(line)?.[1] ?? ''
  }

  it('is made by the link that a terminal shows, and by no other', async () => {
    const { firstAccount } = adminOf(api.app)
    const data = { email: 'Ada@example.test', password, firstname: 'Ada' }
    await assert.rejects(firstAccount.take('', data), over)
    const former = await codeOf()
    const code = await codeOf()
    await assert.rejects(firstAccount.take(former, data), over)
    await assert.rejects(firstAccount.take(code, { ...data, password: 'password123' }), /most used/)
    const made = await Promise.allSettled([
      firstAccount.take(code, data),
      firstAccount.take(code, { ...data, email: 'eve@example.test' }),
    ])
    assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const { rows } = await command(api.app, 'admin list')
    assert.deepEqual(
      rows.map(({ roles, state }) => [roles, state]),
      [['Super Admin', 'active']],
    )
    await assert.rejects(firstAccount.take(code, { ...data, email: 'fay@example.test' }), over)
    assert.deepEqual(await adminOf(api.app).tell(), [])
  })

  it('is a request that needs all of it, and signs in', async () => {
    const tab = new Tab()
    const send = (body: object) => tab.ask(api.app, 'POST', '/console/first-account', body)
    const missing = await send({})
    assert.equal(missing.status, 400)
    assert.deepEqual(
      missing.body.error.details.errors.map(({ path }: { path: string[] }) => path[0]),
      ['code', 'email', 'password'],
    )
    const wrong = await send({ code: 'x', email: 'gil@example.test', password, firstname: 1 })
    assert.deepEqual([wrong.status, wrong.body.error.details.errors[0].path], [400, ['firstname']])
    const late = await send({ code: 'x', email: 'gil@example.test', password })
    assert.deepEqual([late.status, late.body.error.message, late.cookie], [400, over.message, undefined])
    await run(api.database, 'update admin_users set blocked = true')
    const whole = { email: 'Gil@example.test', password, firstname: 'Gil', lastname: 'Green' }
    const made = await send({ code: await codeOf(), ...whole })
    assert.deepEqual([made.status, made.body.account?.name], [200, 'Gil Green'], made.text)
    assert.equal(await tab.status(api.app), 200)
    const { rows } = await command(api.app, 'admin list')
    assert.deepEqual(
      rows.map(({ name, state }) => [name, state]),
      [
        ['Ada', 'blocked'],
        ['Gil Green', 'active'],
      ],
    )
  })

  it('stores nothing of the link', async () => {
    assert.equal(await api.count('stele_admin_stamps'), 0)
  })
})

onSqlite('a terminal without a page for the link', () => {
  it('is told the command', async () => {
    const app = await createTestApp(world)
    onTestFinished(() => app.close())
    const lines = ['No account yet that may edit everything. Run: stele admin create']
    assert.deepEqual(await adminOf(app).tell(), lines)
    await command(app, 'admin create', ['ada@example.test'], { password })
    await command(app, 'admin create', ['ben@example.test'], { password, role: 'Super Admin' })
    await command(app, 'admin block', ['ada@example.test'])
    assert.deepEqual(await adminOf(app).tell(), [])
  })
})

onSqlite('a server with the console', () => {
  it('has the routes of accounts before the views of the page', async () => {
    const app = await createTestApp({ ...world, plugins: [...world.plugins, contentConsole] })
    onTestFinished(() => app.close())
    const [, , , line = ''] = await adminOf(app).tell()
    const tab = new Tab()
    const code = line.split('#')[1]
    const made = await tab.ask(app, 'POST', '/console/first-account', { code, email: 'ada@example.test', password })
    assert.equal(made.status, 200, made.text)
    const { status, body } = await tab.ask(app, 'GET', '/console/accounts')
    assert.deepEqual([status, body.accounts.length], [200, 1])
    const { address } = (await tab.ask(app, 'POST', '/console/accounts', { email: 'ben@example.test', roles: [3] }))
      .body
    assert.match(address, /\/console\/invitation#/)
  })
})

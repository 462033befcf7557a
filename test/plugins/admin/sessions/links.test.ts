import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { mailbox } from '../../users-permissions/people.js'
import { adminOf, world } from '../world.js'
import { editor, password, Tab } from './tab.js'

const chosen = 'thirteen elephants'

async function started(settings: object = {}, mail: object = {}): Promise<TestApp> {
  const users = [usersPermissions, { jwtSecret: 'a secret of tests', ...mail }]
  const app = await createTestApp({
    ...(world as object),
    plugins: [users, [admin, settings], draftAndPublish] as never,
  })
  onTestFinished(() => app.close())
  await editor(app, 'ada@example.test')
  return app
}

const codeIn = (text = ''): string => /#([\w-]{43})/.exec(text)?.[1] ?? ''

describe('links for passwords, over HTTP,', () => {
  it('of an invitation greet its owner, take a password, and sign in', async () => {
    const app = await started()
    const { address } = await adminOf(app).links.invite({ email: 'ben@example.test', firstname: 'Ben', roles: [3] })
    const code = codeIn(address)
    const tab = new Tab()
    const greeted = await tab.ask(app, 'POST', '/console/invitation/owner', { code })
    assert.deepEqual(greeted.body, { account: { email: 'ben@example.test', firstname: 'Ben', lastname: null } })
    const refused = await tab.ask(app, 'POST', '/console/invitation', { code, password: 'short' })
    assert.deepEqual([refused.status, refused.cookie], [400, undefined])
    const { status, body } = await tab.ask(app, 'POST', '/console/invitation', { code, password, lastname: 'Okafor' })
    assert.deepEqual([status, body.account.name], [200, 'Ben Okafor'])
    assert.equal(await tab.status(app), 200)
    for (const path of ['/console/invitation', '/console/invitation/owner', '/console/password/new']) {
      const late = await new Tab().ask(app, 'POST', path, { code, password: chosen })
      assert.deepEqual(
        [late.status, late.body.error.message, late.cookie],
        [400, 'This link is no longer valid; ask for a new one', undefined],
      )
    }
  })

  it('of a new password end the sessions with the former one', async () => {
    const app = await started()
    const before = new Tab()
    await before.signIn(app)
    const code = codeIn((await adminOf(app).links.renewPassword(1)).address)
    const tab = new Tab()
    assert.equal((await tab.ask(app, 'POST', '/console/password/new/owner', { code })).status, 200)
    assert.equal((await tab.ask(app, 'POST', '/console/invitation', { code, password: chosen })).status, 400)
    const { status } = await tab.ask(app, 'POST', '/console/password/new', { code, password: chosen, firstname: 'Eve' })
    assert.equal(status, 200)
    assert.deepEqual([await tab.status(app), await before.status(app)], [200, 401])
    assert.equal((await tab.ask(app, 'GET', '/console/session')).body.account.firstname, 'Ada')
  })

  it('are mailed to who has forgotten a password; the response tells nothing', async () => {
    const box = mailbox()
    const app = await started({}, { email: box.email })
    await editor(app, 'blocked@example.test', { blocked: true })
    const forget = (email: unknown) => new Tab().ask(app, 'POST', '/console/password/forgotten', { email })
    for (const email of ['nowhere@example.test', 'blocked@example.test', 'Ada@example.test']) {
      const { status, body } = await forget(email)
      assert.deepEqual([status, body], [200, { ok: true }])
    }
    const { text } = await box.to('ada@example.test')
    const { status } = await new Tab().ask(app, 'POST', '/console/password/new', {
      code: codeIn(text),
      password: chosen,
    })
    assert.equal(status, 200)
    await adminOf(app).later.settled()
    assert.deepEqual(
      box.read().map(({ to }) => to),
      ['ada@example.test'],
    )
    assert.equal((await forget(undefined)).status, 400)
  })

  it('cannot be asked for where no mail is sent', async () => {
    const app = await started()
    for (const email of ['ada@example.test', 'nowhere@example.test']) {
      const { status, body } = await new Tab().ask(app, 'POST', '/console/password/forgotten', { email })
      assert.deepEqual([status, body.error.message], [400, 'Ask an administrator for a link.'])
    }
  })

  it('are tried and asked for so often, with the time to wait', async () => {
    const app = await started({ ratelimit: { max: 3, mails: { max: 2 } } }, { email: mailbox().email })
    const last = async (path: string, body: object, count: number) => {
      let heard = await new Tab().ask(app, 'POST', path, body)
      for (let more = 1; more < count; more += 1) {
        assert.ok(heard.status < 429, heard.text)
        heard = await new Tab().ask(app, 'POST', path, body)
      }
      return [heard.status, Number(heard.headers['retry-after']) > 0]
    }
    const body = { code: 'x', password }
    assert.deepEqual(await last('/console/invitation', body, 4), [429, true])
    assert.deepEqual(await last('/console/invitation/owner', body, 1), [429, true])
    assert.deepEqual(await last('/console/password/new', body, 4), [429, true])
    assert.deepEqual(await last('/console/password/forgotten', { email: 'ada@example.test' }, 3), [429, true])
  })
})

describe('without an account that may edit everything', () => {
  it('the response to a page without a session says how to make one', async () => {
    const app = await createTestApp(world as never)
    onTestFinished(() => app.close())
    const ask = () => new Tab().ask(app, 'GET', '/console/session')
    const { status, body } = await ask()
    assert.deepEqual(
      [status, body.error.name, body.error.message],
      [401, 'NoAccountError', 'No account yet. Run: stele admin create'],
    )
    await editor(app, 'ada@example.test')
    const later = await ask()
    assert.deepEqual([later.status, later.body.error.name], [401, 'UnauthorizedError'])
  })
})

import assert from 'node:assert/strict'
import bcrypt from '@node-rs/bcrypt'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../../core/index.js'
import { accountUid } from '../../../../plugins/admin/content-types.js'
import { admin } from '../../../../plugins/admin/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { world } from '../world.js'
import { editor, type Heard, password, Tab, watched } from './tab.js'

const { statements, log } = watched()

async function started(settings: object = {}): Promise<TestApp> {
  const plugins = [[admin, settings], draftAndPublish]
  const app = await createTestApp({ ...(world as object), plugins: plugins as never, log })
  onTestFinished(() => app.close())
  await editor(app, 'ada@example.test')
  await editor(app, 'blocked@example.test', { blocked: true })
  await editor(app, 'idle@example.test', { isActive: false })
  await editor(app, 'new@example.test', { password: null })
  return app
}

const signIn = (app: TestApp, email: string, given = password, from?: string): Promise<Heard> =>
  new Tab(from === undefined ? {} : { 'x-forwarded-for': from }).ask(app, 'POST', '/console/session', {
    ...{ email, password: given },
  })

describe('signing in as an editor', () => {
  it('is refused alike, and for the same work, whatever is wrong', async () => {
    const app = await started({ ratelimit: { max: 100 } })
    const verify = vi.spyOn(bcrypt, 'verify')
    onTestFinished(() => verify.mockRestore())
    const cases: readonly (readonly [string, string])[] = [
      ['ada@example.test', 'twelve elephants'],
      ['nowhere@example.test', password],
      ['blocked@example.test', password],
      ['blocked@example.test', 'twelve elephants'],
      ['idle@example.test', password],
      ['new@example.test', password],
      ['new@example.test', ' '],
      ['ada@example.test', `${password}${'a'.repeat(72)}`],
      ['ada@example.test', `${password}\0`],
      ['nowhere', password],
    ]
    const seen = []
    for (const [email, given] of cases) {
      statements.length = 0
      verify.mockClear()
      const { status, text, headers } = await signIn(app, email, given)
      const names = Object.keys(headers).filter(name => name !== 'date')
      // Roles are read once a second, whatever is asked.
      const work = statements.filter(sql => sql.includes('admin_users'))
      seen.push({ status, text, names, work, compared: verify.mock.calls.length })
    }
    const [first] = seen
    assert.deepEqual([first?.status, first?.compared, first?.work.length], [400, 1, 1])
    assert.match(String(first?.text), /This e-mail and password do not belong together, or the account is blocked\./)
    for (const [index, one] of seen.entries()) assert.deepEqual(one, first, String(cases[index]))
  })

  it('is refused with a password that is changed while it is compared', async () => {
    const app = await started()
    const verify = vi.spyOn(bcrypt, 'verify').mockImplementationOnce(async () => {
      await app.entries(accountUid).update(1, { password: 'thirteen elephants' })
      return true
    })
    onTestFinished(() => verify.mockRestore())
    const { status, cookie } = await signIn(app, 'ada@example.test')
    assert.deepEqual([status, cookie], [400, undefined])
  })

  it('takes the address in any case of letters, and with blanks around it', async () => {
    const app = await started()
    for (const email of ['Ada@Example.test', ' ada@example.test ']) assert.equal((await signIn(app, email)).status, 200)
  })

  const bodies: readonly (readonly [unknown, RegExp])[] = [
    [{}, /2 errors occurred/],
    [[], /2 errors occurred/],
    [{ email: 'ada@example.test' }, /password is required/],
    [{ email: { $ne: null }, password }, /email must be a string/],
    [{ email: 'a\0', password }, /email must not contain a null byte/],
    [{ email: 'ada@example.test', password: 7 }, /password must be a string/],
    [{ email: 'ada@example.test', password, keep: 'yes' }, /keep must be true or false/],
  ]
  it('names what is wrong with the body', async () => {
    const app = await started()
    for (const [body, message] of bodies) {
      const { status, body: said } = await new Tab().ask(app, 'POST', '/console/session', body)
      assert.deepEqual([status, message.test(said.error.message)], [400, true], JSON.stringify(said))
    }
  })

  it('is slowed down for an address, with the time to wait', async () => {
    const app = await started({ ratelimit: { max: 3 } })
    for (let times = 0; times < 3; times += 1)
      assert.equal((await signIn(app, 'ada@example.test', 'wrong one')).status, 400)
    const { status, headers, body } = await signIn(app, 'ada@example.test')
    assert.deepEqual([status, body.error.name], [429, 'RateLimitError'])
    assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60)
    assert.equal(headers['cache-control'], 'private, no-store')
  })

  it('is slowed down for an account, from wherever it is tried, until its owner has signed in', async () => {
    const app = await started({ ratelimit: { max: 1000, account: { max: 3 } } })
    const fail = async (times: number) => {
      for (let count = 0; count < times; count += 1)
        assert.equal((await signIn(app, 'ADA@example.test', 'wrong one')).status, 400)
    }
    await fail(2)
    assert.equal((await signIn(app, 'ada@example.test')).status, 200)
    await fail(3)
    assert.equal((await signIn(app, 'ada@example.test')).status, 429)
    assert.equal((await signIn(app, 'nowhere@example.test')).status, 400)
  })

  it('counts in the database with a secret alone, which a start asks for', async () => {
    const config = { environment: 'production' }
    const start = (settings: object) =>
      createTestApp({
        ...(world as object),
        plugins: [[admin, settings] as never, draftAndPublish],
        config: config as never,
      })
    await assert.rejects(
      start({ ratelimit: { store: 'database' } }),
      /it needs a secret to hash the attempts at signing in with: set ADMIN_JWT_SECRET, or admin\.config\.secret/,
    )
    await (await start({})).close()
  })

  it('tries the old password of an editor as often as any other', async () => {
    const app = await started({ ratelimit: { max: 1000, account: { max: 3 } } })
    const tab = new Tab()
    await tab.signIn(app)
    const change = (current: string) =>
      tab.ask(app, 'POST', '/console/password', { current, password: 'thirteen elephants' })
    for (let times = 0; times < 3; times += 1) assert.equal((await change('wrong one')).status, 400)
    assert.equal((await change(password)).status, 429)
  })
})

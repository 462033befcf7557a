import { strict as assert } from 'node:assert'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { BootError, createTestApp, definePlugin, UnauthorizedError } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { bearerOf, secretOf } from '../../core/plugin-kit.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'

describe('the word of an Authorization header', () => {
  const cases = [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER \t abc ', 'abc'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['', undefined],
    ['abc', undefined],
    ['Token abc', undefined],
    ['Basic YTpi', undefined],
    ['Bearer a b', undefined],
    ['Bearer, abc', undefined],
    [undefined, undefined],
  ] as const
  for (const [header, word] of cases)
    it(`${JSON.stringify(header)} has ${word ?? 'none'}`, () =>
      assert.equal(bearerOf({ headers: header === undefined ? {} : { authorization: header } }), word))
})

describe('a route that needs credentials', () => {
  const keeper = definePlugin({
    name: 'keeper',
    authenticate: ctx => (bearerOf(ctx) === 'right' ? { scope: 'known', can: () => true } : undefined),
    routes: [
      { method: 'GET', path: '/mine', action: 'mine', credentials: 'needed', run: ({ caller }) => caller.scope },
      { method: 'GET', path: '/ours', action: 'ours', run: ({ caller }) => caller.scope },
    ],
  })
  it('asks visitors for them, even where visitors may do everything', async () => {
    const app = await createTestApp({ plugins: [keeper] })
    onTestFinished(() => app.close())
    const ask = (url: string, authorization?: string) =>
      app.inject({ url, headers: authorization === undefined ? {} : { authorization } })
    assert.equal((await ask('/api/ours')).body, '"public"')
    const refused = await ask('/api/mine')
    assert.equal(refused.statusCode, 401)
    assert.equal(refused.json().error.message, 'Missing or invalid credentials')
    assert.equal((await ask('/api/mine', 'Basic right')).statusCode, 401)
    assert.equal((await ask('/api/mine', 'Bearer wrong')).statusCode, 401)
    assert.equal((await ask('/api/mine', 'Bearer right')).body, '"known"')
  })
})

describe('a plugin that knows callers before the others', () => {
  const asked: string[] = []
  const knows = (name: string, header: string) => (ctx: { get(name: string): string }) => {
    asked.push(name)
    const value = ctx.get(header)
    if (value === 'ended') throw new UnauthorizedError()
    return value === '' ? undefined : { scope: `${name} scope`, id: 1, can: () => true }
  }
  const visitors = definePlugin({ name: 'visitors', authenticate: () => ({ scope: 'visitor', can: () => true }) })
  const panel = definePlugin({
    name: 'panel',
    register: () => knows('panel', 'x-session'),
    authenticate: { before: 'others', run: (ctx, service) => service(ctx) },
  })
  const second = definePlugin({
    name: 'second',
    authenticate: { before: 'others', run: async ctx => knows('second', 'x-second')(ctx) },
  })
  const who = definePlugin({
    name: 'who',
    routes: [{ method: 'GET', path: '/who', action: 'who', run: ({ caller }) => caller.scope }],
  })

  it('is asked before plugins that take every request, wherever it stands', async () => {
    const app = await createTestApp({ plugins: [visitors, panel, second, who] })
    onTestFinished(() => app.close())
    const ask = async (headers = {}) => {
      asked.length = 0
      const { statusCode, body } = await app.inject({ url: '/api/who', headers })
      return [statusCode === 200 ? body : statusCode, ...asked]
    }
    assert.deepEqual(await ask(), ['"visitor"', 'panel', 'second'])
    assert.deepEqual(await ask({ 'x-session': 'a' }), ['"panel scope"', 'panel'])
    assert.deepEqual(await ask({ 'x-second': 'a' }), ['"second scope"', 'panel', 'second'])
    assert.deepEqual(await ask({ 'x-session': 'ended' }), [401, 'panel'], 'a session that has ended is no visitor')
  })

  it('leaves requests without a session to accounts and tokens', async () => {
    const app = await createTestApp({
      types: { note: { attributes: {} } },
      plugins: [usersPermissions, panel],
      config: { permissions: { roles: { public: { note: ['find'] } } } },
    })
    onTestFinished(() => app.close())
    const ask = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode
    assert.equal(await ask('/api/notes'), 200)
    assert.equal(await ask('/api/notes/1'), 403)
    assert.equal(await ask('/api/notes/1', { 'x-session': 'a' }), 404)
    assert.equal(await ask('/api/users/me', { 'x-session': 'a' }), 401, 'the id of another plugin is no account')
    assert.equal(await ask('/api/notes', { authorization: 'Bearer wrong' }), 401)
  })
})

describe('a secret', () => {
  const asked = {
    configured: undefined,
    variable: 'STELE_TEST_SECRET',
    setting: 'mine.config.secret',
    purpose: 'to test with',
    file: 'test-secret',
  }
  const place = () => {
    const folder = mkdtempSync(join(tmpdir(), 'stele-secret-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }
  const ask = async (environment: string, appDir: string, configured?: string, allowWeakSecrets = false) => {
    const lines: string[] = []
    const log = createLog('info', { destination: { write: (line: string) => void lines.push(line) } })
    const app = { environment, appDir, server: { allowWeakSecrets } }
    return { secret: await secretOf({ ...asked, configured }, app as never, log), lines }
  }

  it('is what the settings say before what the environment says', async () => {
    process.env.STELE_TEST_SECRET = 'of the environment'
    onTestFinished(() => void delete process.env.STELE_TEST_SECRET)
    assert.equal((await ask('production', '/nowhere', 'set in the settings')).secret, 'set in the settings')
    assert.equal((await ask('production', '/nowhere', '')).secret, 'of the environment')
  })
  it('may stand in a file that a variable names', async () => {
    const file = join(place(), 'secret')
    writeFileSync(file, 'a secret that is long enough, of a file\n')
    process.env.STELE_TEST_SECRET_FILE = file
    onTestFinished(() => void delete process.env.STELE_TEST_SECRET_FILE)
    assert.equal((await ask('production', '/nowhere')).secret, 'a secret that is long enough, of a file')
  })
  it('is asked for in production, with the words to write', async () => {
    await assert.rejects(ask('production', '/nowhere'), error => {
      assert.ok(error instanceof BootError)
      assert.match(error.message, /a secret to test with.*STELE_TEST_SECRET.*mine\.config\.secret/)
      return true
    })
  })
  for (const weak of ['abc', 'tobemodified', 'abababababababababab'])
    it(`is refused in production where it is as weak as ${weak}, unless the settings allow that`, async () => {
      await assert.rejects(ask('production', '/nowhere', weak), error => {
        assert.ok(error instanceof BootError)
        assert.match(error.message, /^the secret to test with (has|is|repeats) /)
        assert.match(
          error.message,
          /set STELE_TEST_SECRET, or mine\.config\.secret.*randomBytes.*server\.allowWeakSecrets/,
        )
        assert.ok(!error.message.includes(`"${weak}"`))
        return true
      })
      const allowed = await ask('production', '/nowhere', weak, true)
      assert.equal(allowed.secret, weak)
      assert.match(allowed.lines.join(), /"level":"warn".*server\.allowWeakSecrets accepts that; set STELE_TEST_SECRET/)
    })
  it('that is weak is a warning while an app is developed', async () => {
    const { secret, lines } = await ask('development', '/nowhere', 'abc')
    assert.equal(secret, 'abc')
    assert.match(lines.join(), /"level":"warn".*has 3 characters only: production refuses to start with it/)
  })
  it('is made once while an app is developed, and kept for its owner alone', async () => {
    const folder = place()
    const first = await ask('development', folder)
    const file = join(folder, '.tmp', 'test-secret')
    assert.match(first.secret, /^[\w+/]{43}=$/)
    assert.equal(readFileSync(file, 'utf8'), first.secret)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(first.lines.join(), /generated a secret to test with/)
    assert.ok(!first.lines.join().includes(first.secret))
    const second = await ask('development', folder)
    assert.equal(second.secret, first.secret)
    assert.deepEqual(second.lines, [])
  })
  it('is the same for all that start at once', async () => {
    const folder = place()
    const secrets = await Promise.all(Array.from({ length: 8 }, () => ask('development', folder)))
    assert.equal(new Set(secrets.map(({ secret }) => secret)).size, 1)
    assert.equal(secrets.filter(({ lines }) => lines.length > 0).length, 1)
  })
  it('is not an empty file', async () => {
    const folder = place()
    await ask('development', folder)
    writeFileSync(join(folder, '.tmp', 'test-secret'), '\n')
    await assert.rejects(ask('development', folder), /is empty; delete it, or set STELE_TEST_SECRET/)
  })
})

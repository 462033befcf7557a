import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { stele as command } from '../../support/command.js'
import { type Api, contract } from '../../support/contract.js'
import * as terminals from '../../support/terminal.js'
import { login, world } from './people.js'

const types = { article: { attributes: { title: { type: 'string' } } } }

contract('commands', world({ types }), api => {
  it('make accounts with a role, which can sign in', async () => {
    const said = await call(api, 'user create', ['alice', 'Alice@example.test'], { password: 'alice-pass-1' })
    assert.deepEqual(said.lines, ['made the account alice with the role authenticated'])
    const { status, body } = await login(api, 'alice')
    assert.deepEqual([status, body.user.email, body.user.confirmed], [200, 'alice@example.test', true])
  })

  it('make a password where none is given, and say it once', async () => {
    const { rows } = await call(api, 'user create', ['bob', 'bob@example.test'], { role: 'public' }, true)
    const [{ password, ...row } = { password: '' }] = rows
    assert.deepEqual(row, { id: row.id, username: 'bob', email: 'bob@example.test', role: 'public' })
    assert.match(String(password), /^[\w-]{20}$/)
    assert.equal((await login(api, 'bob', String(password))).status, 200)
  })

  it('list accounts without their secrets', async () => {
    const { rows } = await call(api, 'user list')
    assert.deepEqual(
      rows.map(({ username, role, blocked }) => [username, role, blocked]),
      [
        ['alice', 'authenticated', false],
        ['bob', 'public', false],
      ],
    )
    assert.ok(!JSON.stringify(rows).includes('$2b$'))
  })

  it('block, unblock and find an account by name, address or id', async () => {
    await call(api, 'user block', ['alice@example.test'])
    assert.match((await login(api, 'alice')).body.error.message, /blocked/)
    assert.deepEqual((await call(api, 'user unblock', ['1'])).lines, ['alice is not blocked'])
    assert.equal((await login(api, 'alice')).status, 200)
  })

  it('set passwords and roles', async () => {
    await call(api, 'user password', ['alice'], { password: 'other-pass-1' })
    assert.equal((await login(api, 'alice', 'other-pass-1')).status, 200)
    await call(api, 'user role', ['alice', 'public'])
    assert.equal((await call(api, 'user list')).rows[0]?.role, 'public')
    await call(api, 'user role', ['alice', 'authenticated'])
  })

  it('make roles, grant and revoke, and the next request knows', async () => {
    await call(api, 'role create', ['Chief Editor'], { description: 'Edits.' })
    await call(api, 'user role', ['alice', 'chief_editor'])
    const { jwt } = (await login(api, 'alice', 'other-pass-1')).body
    const get = () => api.get('/articles', { authorization: `Bearer ${jwt}` })
    assert.equal((await get()).status, 403)
    const granted = await call(api, 'role grant', [
      'chief_editor',
      'api::article.article.find',
      'api::article.article.create',
    ])
    assert.deepEqual(granted.lines, [
      'chief_editor  + api::article.article.find',
      'chief_editor  + api::article.article.create',
    ])
    assert.equal((await get()).status, 200)
    assert.deepEqual((await call(api, 'role show', ['chief_editor'])).rows, [
      { action: 'api::article.article.create', rows: 'all' },
      { action: 'api::article.article.find', rows: 'all' },
    ])
    const [, , role] = (await call(api, 'role list')).rows
    assert.deepEqual(
      [role?.type, role?.name, role?.description, role?.users, role?.actions],
      ['chief_editor', 'Chief Editor', 'Edits.', 1, 2],
    )
    await call(api, 'role revoke', ['chief_editor', 'api::article.article.find'])
    assert.equal((await get()).status, 403)
    await call(api, 'role delete', ['chief_editor'])
    assert.equal((await call(api, 'user list')).rows[0]?.role, 'public')
  })

  it('list what can be granted', async () => {
    const { rows } = await call(api, 'permissions list')
    const actions = rows.map(({ action }) => action)
    for (const action of ['api::article.article.find', 'plugin::users-permissions.user.me'])
      assert.ok(actions.includes(action))
  })

  const mistakes: [string, string[], Record<string, string>, RegExp][] = [
    [
      'user create',
      ['al', 'al@example.test'],
      { password: 'x' },
      /username must be at least 3 characters\npassword must be/,
    ],
    [
      'user create',
      ['carl', 'carl@example.test'],
      { role: 'nosuch' },
      /no role "nosuch"; there are authenticated, public/,
    ],
    ['user create', ['alice', 'other@example.test'], {}, /^username must be unique/],
    ['user create', ['carl', 'alice@example.test'], {}, /Email already taken/],
    ['user block', ['nobody'], {}, /there is no account "nobody"/],
    ['user password', ['alice'], { password: 'x'.repeat(73) }, /at most 72 bytes/],
    [
      'role grant',
      ['public', 'api::article.article.fnd'],
      {},
      /there is no action "api::article\.article\.fnd"; did you mean "api::article\.article\.find"\?/,
    ],
    [
      'role grant',
      ['public', 'artcle.find'],
      {},
      /there is no action "artcle\.find"; did you mean "api::article\.article\.find"\?/,
    ],
    ['role grant', ['public', 'nonsense'], {}, /there is no action "nonsense"; `stele permissions list` shows those/],
    ['role revoke', ['public', 'api::article.article.find'], {}, /is not granted "api::article\.article\.find"/],
    ['role delete', ['public'], {}, /stays/],
    ['role create', ['Public'], {}, /must be unique/],
    ['permissions plan', [], {}, /declares no roles/],
  ]
  for (const [name, args, options, message] of mistakes)
    it(`${name} ${args.join(' ').slice(0, 40)} says what is wrong`, async () => {
      await assert.rejects(call(api, name, args, options), { name: 'BootError', message })
    })
})

interface CommandLines {
  readonly lines: string[]
  readonly rows: Record<string, unknown>[]
}

async function call(
  api: Api,
  name: string,
  args: string[] = [],
  options: Record<string, string> = {},
  json = false,
): Promise<CommandLines> {
  const said: CommandLines = { lines: [], rows: [] }
  const command = api.app.commands.find(one => one.name === name)
  assert.ok(command, `there is no command ${name}`)
  await command.run({
    ...{ args, options, json, interactive: false },
    print: line => said.lines.push(line),
    table: rows => said.rows.push(...rows),
  })
  return said
}

const user = join('content-types', 'plugins', 'users-permissions', 'user.json')

describe('in the terminal', () => {
  function appOf(files: Record<string, unknown> = {}): string {
    const folder = mkdtempSync(join(inject('folder'), 'users-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const all = { 'config/plugins.json': { 'users-permissions': true }, ...files }
    for (const [name, value] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), JSON.stringify(value))
    }
    return folder
  }
  const stele = (folder: string, args: readonly string[], env: Record<string, string> = {}, stdin = '') =>
    command([...args, '--app', folder], { env, stdin })
  /** Commands in a process, for plugins that read its variables. */
  const inProcess = (folder: string, args: readonly string[], env: Record<string, string> = {}) =>
    terminals.stele([...args, '--app', folder], { env })

  it('an account is made, and listed as JSON', async () => {
    const folder = appOf()
    const made = await stele(folder, [
      'user',
      'create',
      'alice',
      'alice@example.test',
      '--password',
      'alice-pass-1',
      '--role',
      'public',
    ])
    assert.equal(made.status, 0, made.stderr)
    assert.match(made.stdout, /made the account alice with the role public/)
    const [row] = JSON.parse((await stele(folder, ['user', 'list', '--json'])).stdout.trim().split('\n').at(-1) ?? '')
    assert.deepEqual([row.username, row.role], ['alice', 'public'])
    const wrong = await stele(folder, ['user', 'block', 'nobody'])
    assert.deepEqual([wrong.status, wrong.stdout], [65, ''])
    assert.equal(wrong.stderr, 'there is no account "nobody"; `stele user list` shows them\n')
  })

  it('a password comes from standard input, where other programs do not see it', async () => {
    const folder = appOf()
    const make = (stdin: string) =>
      stele(folder, ['user', 'create', 'alice', 'alice@example.test', '--password', '-'], {}, stdin)
    assert.match((await make('')).stderr, /^--password - reads one line from standard input, and there is none\n$/)
    assert.match((await make('one-line-1\ntwo-lines-2\n')).stderr, /and there are several\n$/)
    const made = await make('alice-pass-1\n')
    assert.equal(made.status, 0, made.stderr)
    assert.doesNotMatch(made.stdout, /password/)
    const app = await createTestApp({
      app: folder,
      config: { database: { client: 'sqlite', filename: join(folder, '.tmp/data.db') } },
    })
    onTestFinished(() => app.close())
    const signIn = (password: string) =>
      app.inject({ method: 'POST', url: '/api/auth/local', payload: { identifier: 'alice', password } })
    assert.equal((await signIn('alice-pass-1')).statusCode, 200)
    assert.equal((await signIn('-')).statusCode, 400)
  })

  it('a command does not apply config/permissions, unless it is the one that does', async () => {
    const folder = appOf({ 'config/permissions.json': { roles: { author: { name: 'Author' } } } })
    assert.match((await stele(folder, ['permissions', 'plan'])).stdout, /author {2}\+ role "Author"/)
    assert.match((await stele(folder, ['permissions', 'plan'])).stdout, /author {2}\+ role "Author"/)
    assert.match((await stele(folder, ['permissions', 'apply'])).stdout, /author {2}\+ role "Author"/)
    assert.match(
      (await stele(folder, ['permissions', 'plan'])).stdout,
      /the roles are as config\/permissions declares them/,
    )
  })

  it('a secret is made and kept, readable by its owner only', async () => {
    const folder = appOf()
    // A process: its log has a way of its own to standard error.
    const first = terminals.stele(['role', 'list', '--app', folder])
    assert.match(first.stderr, /generated a secret to sign tokens with, stored in .*jwt-secret; set JWT_SECRET/)
    const place = join(folder, '.tmp/jwt-secret')
    assert.equal(statSync(place).mode & 0o777, 0o600)
    const secret = readFileSync(place, 'utf8')
    assert.ok(secret.length >= 40)
    assert.doesNotMatch((await stele(folder, ['role', 'list'])).stderr, /generated a secret/)
    assert.equal(readFileSync(place, 'utf8'), secret)
  })

  it('a production without a secret does not start, and says what to do', async () => {
    const { status, stdout } = await stele(appOf(), ['start', '--port', '0'], { NODE_ENV: 'production' })
    assert.equal(status, 78)
    assert.match(
      stdout,
      /users-permissions.*set JWT_SECRET, or users-permissions\.config\.jwtSecret in config\/plugins/,
    )
    const given = inProcess(appOf(), ['role', 'list'], {
      NODE_ENV: 'production',
      JWT_SECRET: 'given to this test alone',
    })
    assert.equal(given.status, 0, given.stderr)
  })

  it('a production with a weak secret does not start, unless that is allowed, and then it warns', () => {
    const weak = { NODE_ENV: 'production', JWT_SECRET: 'abc' }
    const refused = inProcess(appOf(), ['start', '--port', '0'], weak)
    assert.equal(refused.status, 78)
    assert.match(refused.stdout, /the secret to sign tokens with has 3 characters only; set JWT_SECRET/)
    const allowed = inProcess(appOf(), ['role', 'list'], { ...weak, STELE_ALLOW_WEAK_SECRETS: 'true' })
    assert.equal(allowed.status, 0, allowed.stderr)
    assert.match(allowed.stderr, /"level":"warn".*the secret to sign tokens with has 3 characters only, and server/)
    const configured = inProcess(appOf({ 'config/server.json': { allowWeakSecrets: true } }), ['role', 'list'], weak)
    assert.equal(configured.status, 0, configured.stderr)
  })

  it('fields that an app adds to accounts can be variables of rules, and cannot show what is secret', async () => {
    const extended = { attributes: { nickname: { type: 'string' } } }
    const rule = {
      roles: { public: { 'plugin::users-permissions.user': { find: { nickname: '$caller.nickname' } } } },
    }
    const good = await stele(appOf({ [user]: extended, 'config/permissions.json': rule }), ['permissions', 'plan'])
    assert.equal(good.status, 0, good.stderr)
    const bad = await stele(appOf({ [user]: { attributes: { resetPasswordToken: { type: 'string' } } } }), [
      'role',
      'list',
    ])
    assert.equal(bad.status, 78)
    assert.match(bad.stderr, /resetPasswordToken.*must stay private/)
  })
})

it('settings that do not exist are named', async () => {
  await assert.rejects(
    createTestApp({ plugins: [[usersPermissions, { jwtSecrt: 'x' }]] }),
    /users-permissions\.config\.jwtSecrt is not a setting/,
  )
})

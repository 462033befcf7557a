import assert from 'node:assert/strict'
import { it } from 'vitest'
import { isPassword } from '../../../plugins/users-permissions/index.js'
import { contract } from '../../support/contract.js'
import { run } from '../../support/run.js'
import { command, world } from './world.js'

const password = 'eleven elephants'

contract('accounts of editors', world, api => {
  it('begin with a Super Admin, in the columns of Strapi 4', async () => {
    const made = await command(api.app, 'admin create', [' Ada@Example.test '], {
      ...{ password, firstname: 'Ada', lastname: 'Lind' },
    })
    assert.deepEqual(made.lines, ['made the account ada@example.test, Super Admin'])
    const [row] = await run(api.database, 'select * from admin_users')
    const { id, password: hash, created_at, updated_at, ...rest } = row as Record<string, unknown>
    assert.deepEqual(
      { ...rest, is_active: Boolean(rest.is_active), blocked: Boolean(rest.blocked) },
      {
        ...{ firstname: 'Ada', lastname: 'Lind', username: null, email: 'ada@example.test', prefered_language: null },
        ...{ reset_password_token: null, registration_token: null, is_active: true, blocked: false },
        ...{ created_by_id: null, updated_by_id: null },
      },
    )
    assert.equal(await isPassword(password, String(hash)), true)
    assert.ok(created_at !== null && updated_at !== null)
    assert.equal(await api.count('admin_users'), id)
  })

  it('get several roles in the order that is given, each behind the earlier accounts of the role', async () => {
    await command(api.app, 'admin create', ['ben@example.test'], { password, role: 'author' })
    await command(api.app, 'admin create', ['cleo@example.test'], { password, role: 'Editor, strapi-author' })
    const links = await api.rows('admin_users_roles_links', ['user_id', 'role_id', 'role_order', 'user_order'])
    assert.deepEqual(
      links.map(link => Object.values(link).map(Number)),
      [
        [1, 1, 1, 1],
        [2, 3, 1, 1],
        [3, 2, 1, 1],
        [3, 3, 2, 2],
      ],
    )
  })

  it('are listed without secrets', async () => {
    const { rows } = await command(api.app, 'admin list')
    assert.deepEqual(rows, [
      {
        id: 1,
        email: 'ada@example.test',
        name: 'Ada Lind',
        roles: 'Super Admin',
        state: 'active',
        'invited until': null,
      },
      { id: 2, email: 'ben@example.test', name: '', roles: 'Author', state: 'active', 'invited until': null },
      { id: 3, email: 'cleo@example.test', name: '', roles: 'Editor, Author', state: 'active', 'invited until': null },
    ])
  })

  it('get a password that is printed once where none is given', async () => {
    const { rows } = await command(api.app, 'admin create', ['dora@example.test'], { role: 'Author', json: true })
    const [{ password: made, ...row } = { password: '' }] = rows
    assert.deepEqual(row, { id: 4, email: 'dora@example.test', roles: ['Author'] })
    const [stored] = await api.rows('admin_users', ['password'], { id: 4 })
    assert.equal(await isPassword(String(made), String(stored?.password)), true)
  })

  it('are asked for at a terminal, the password without being shown', async () => {
    const asked: unknown[] = []
    const ask = async (question: string, options?: object) => {
      asked.push([question, options])
      return asked.length === 1 ? 'gus@example.test' : password
    }
    const { lines } = await command(api.app, 'admin create', [], { role: 'Author' }, ask)
    assert.deepEqual(lines, ['made the account gus@example.test, Author'])
    assert.deepEqual(asked, [
      ['E-mail: ', undefined],
      ['Password, or nothing to have one made: ', { hidden: true }],
    ])
    const made = await command(api.app, 'admin password', ['gus@example.test'], {}, async () => '')
    assert.match(made.lines.join(), /^gus@example\.test has a new password; its password is \S{20}$/)
    await assert.rejects(command(api.app, 'admin create', [], { role: 'Author' }), {
      message: /e-mail address is missing/,
    })
  })

  const mistakes: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['BEN@example.test', { role: 'Author' }, /^There is an account ben@example\.test already$/],
    ['nowhere', { role: 'Author' }, /email must be a valid email/],
    ['eve@example.test', {}, /needs a role: --role takes "Super Admin", "Editor", "Author"/],
    ['eve@example.test', { role: 'Chief' }, /no role "Chief"; there are "Super Admin", "Editor", "Author"/],
    ['eve@example.test', { role: 'Author', password: 'short' }, /password must be at least 10 characters/],
    ['eve@example.test', { role: 'Author', password: 'Password2024!' }, /one of the most used/],
  ]
  for (const [email, options, message] of mistakes)
    it(`are refused: ${email} ${JSON.stringify(options)}`, async () => {
      const before = await api.count('admin_users')
      await assert.rejects(command(api.app, 'admin create', [email], { password, ...options }), {
        ...{ name: 'BootError', message },
      })
      assert.equal(await api.count('admin_users'), before)
    })

  it('of two that take one address at once, one is made', async () => {
    const make = (email: string) => command(api.app, 'admin create', [email], { password, role: 'Author' })
    const outcomes = await Promise.allSettled([make('fay@example.test'), make('Fay@example.test')])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await api.rows('admin_users', ['id'], { email: 'fay@example.test' })).length, 1)
  })

  it('have no address of their own', async () => {
    for (const path of ['/users', '/roles', '/permissions']) assert.equal((await api.get(path)).status, 404)
  })
})

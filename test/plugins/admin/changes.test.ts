import assert from 'node:assert/strict'
import { it } from 'vitest'
import { isPassword } from '../../../plugins/users-permissions/index.js'
import { type Api, contract } from '../../support/contract.js'
import { run } from '../../support/run.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'

const rows = async ({ app }: Api) => {
  await command(app, 'admin create', ['ada@example.test'], { password })
  await command(app, 'admin create', ['ben@example.test'], { password, role: 'Author' })
  await command(app, 'admin create', ['cleo@example.test'], { password, role: 'Editor,Author' })
}

contract('changes of accounts', { ...world, rows: app => rows({ app } as Api) }, api => {
  const say = async (name: string, args: string[], options = {}) => (await command(api.app, name, args, options)).lines
  const row = async (email: string) => {
    const [found] = await run(api.database, `select * from admin_users where email = '${email}'`)
    return found as Record<string, unknown>
  }
  const links = async (user: number) => {
    const columns = ['user_id', 'role_id', 'role_order', 'user_order']
    const found = await api.rows('admin_users_roles_links', columns)
    return found.map(link => Object.values(link).map(Number)).filter(([id]) => id === user)
  }
  const refusal = { name: 'BootError', message: /^ada@example\.test is the last active Super Admin and cannot be/ }

  it('block, so that Strapi does not let the account in either, and unblock', async () => {
    assert.deepEqual(await say('admin block', ['BEN@example.test']), ['ben@example.test is blocked'])
    const blocked = await row('ben@example.test')
    assert.deepEqual([blocked.is_active, blocked.blocked].map(Boolean), [false, true])
    assert.deepEqual(await say('admin unblock', ['2']), ['ben@example.test is active'])
    const active = await row('ben@example.test')
    assert.deepEqual([active.is_active, active.blocked].map(Boolean), [true, false])
  })

  it('set passwords, given ones and those that are printed once', async () => {
    await say('admin password', ['ben@example.test'], { password: 'twelve elephants' })
    assert.equal(await isPassword('twelve elephants', String((await row('ben@example.test')).password)), true)
    const [line = ''] = await say('admin password', ['ben@example.test'])
    const [, made = ''] = /^ben@example\.test has a new password; its password is (\S{20})$/.exec(line) ?? []
    assert.equal(await isPassword(made, String((await row('ben@example.test')).password)), true)
  })

  it('are refused where the password is among the most used, and nothing changes', async () => {
    const before = await row('ben@example.test')
    await assert.rejects(say('admin password', ['ben@example.test'], { password: 'Sunshine2024' }), /most used/)
    assert.deepEqual(await row('ben@example.test'), before)
  })

  it('give other roles, in their order', async () => {
    assert.deepEqual(await say('admin role', ['cleo@example.test', 'Author', 'Editor']), [
      'cleo@example.test has the roles Author, Editor',
    ])
    const found = await links(3)
    assert.deepEqual(
      found.map(([, role, order]) => [role, order]).sort(([, one = 0], [, other = 0]) => one - other),
      [
        [3, 1],
        [2, 2],
      ],
    )
  })

  it('leave the last active Super Admin', async () => {
    const before = await row('ada@example.test')
    await assert.rejects(say('admin block', ['ada@example.test']), refusal)
    await assert.rejects(say('admin role', ['ada@example.test', 'Editor']), refusal)
    await assert.rejects(adminOf(api.app).accounts.delete(1), { name: 'ApplicationError', message: refusal.message })
    assert.deepEqual(await row('ada@example.test'), before)
    assert.deepEqual(await links(1), [[1, 1, 1, 1]])
  })

  it('count neither blocked nor invited Super Admins, and of two that are left one', async () => {
    await say('admin create', ['dora@example.test'], { password, role: 'Super Admin' })
    await say('admin block', ['dora@example.test'])
    await say('admin invite', ['eve@example.test'], { role: 'Super Admin' })
    await assert.rejects(say('admin block', ['ada@example.test']), refusal)
    await say('admin unblock', ['dora@example.test'])
    const outcomes = await Promise.allSettled([
      say('admin block', ['ada@example.test']),
      say('admin block', ['dora@example.test']),
    ])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    for (const email of ['ada@example.test', 'dora@example.test']) await say('admin unblock', [email])
  })

  it('delete an account with its links; entries of its own lose their maker', async () => {
    const id = await api.make('/notes', { text: 'by Ben' })
    await run(api.database, `update notes set created_by_id = 2 where id = ${id}`)
    assert.equal((await adminOf(api.app).accounts.delete(2)).email, 'ben@example.test')
    assert.equal(await row('ben@example.test'), undefined)
    assert.deepEqual(await links(2), [])
    const [note] = await api.rows('notes', ['created_by_id'], { id })
    assert.equal(note?.created_by_id, null)
  })

  it('name accounts that there are', async () => {
    await assert.rejects(say('admin block', ['nowhere@example.test']), {
      message: 'there is no account "nowhere@example.test"; `stele admin list` shows them',
    })
  })
})

import assert from 'node:assert/strict'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { isPassword } from '../../../plugins/users-permissions/index.js'
import { type Api, contract } from '../../support/contract.js'
import { run } from '../../support/run.js'
import { mailServer } from '../users-permissions/mail/mail-server.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'
const [day, hour] = [24 * 60 * 60 * 1000, 60 * 60 * 1000]

const linksOf = ({ app }: Pick<Api, 'app'>) => adminOf(app).links

const codeOf = (lines: readonly string[]): string => /#([\w-]{43})$/.exec(lines.join('\n'))?.[1] ?? ''

contract('links for passwords', world, api => {
  const say = async (name: string, args: string[], options = {}) => (await command(api.app, name, args, options)).lines
  const row = async (address: string) => {
    const [found] = await run(api.database, `select * from admin_users where email = '${address}'`)
    return found as Record<string, unknown>
  }
  const stateOf = async (address: string) => {
    const { rows } = await command(api.app, 'admin list')
    return rows.find(one => one.email === address)?.state
  }

  it('invite where no mail can be sent by a link that is shown, of which only a hash is stored', async () => {
    await say('admin create', ['ada@example.test'], { password })
    const lines = await say('admin invite', ['Ben@example.test'], { role: 'Author', firstname: 'Ben' })
    assert.match(
      lines.join('\n'),
      /^invited ben@example\.test; the link, valid once until 20\S+Z:\nhttp:\/\/localhost:1337\/console\/invitation#/,
    )
    const code = codeOf(lines)
    const [stamp] = await run(api.database, 'select * from stele_admin_stamps')
    assert.ok(!JSON.stringify(stamp).includes(code))
    const { password: hash, is_active, registration_token } = await row('ben@example.test')
    assert.deepEqual([hash, Boolean(is_active), registration_token], [null, false, null])
    assert.equal(await stateOf('ben@example.test'), 'invited')
    const { rows } = await command(api.app, 'admin list')
    const until = Date.parse(String(rows.find(one => one.email === 'ben@example.test')?.['invited until']))
    assert.ok(Math.abs(until - Date.now() - 7 * day) < hour)
  })

  it('are taken once, with names', async () => {
    const code = codeOf(await say('admin invite', ['ben@example.test']))
    const links = linksOf(api)
    assert.equal((await links.accountOf('invitation', code))?.email, 'ben@example.test')
    await assert.rejects(links.take('invitation', code, { password: 'too short' }), /at least 10 characters/)
    const account = await links.take('invitation', code, { password, firstname: 'Benjamin', lastname: 'Okafor' })
    assert.deepEqual(
      [account.state, account.firstname, account.lastname, account.roles],
      ['active', 'Benjamin', 'Okafor', [3]],
    )
    assert.equal(await isPassword(password, String((await row('ben@example.test')).password)), true)
    assert.equal(await links.accountOf('invitation', code), undefined)
    await assert.rejects(links.take('invitation', code, { password: 'twelve elephants' }), {
      ...{ name: 'ApplicationError', message: 'This link is no longer valid; ask for a new one' },
    })
    assert.equal(await api.count('stele_admin_stamps'), 0)
  })

  it('of two that take one at once, one does', async () => {
    const code = codeOf(await say('admin invite', ['cleo@example.test'], { role: 'Author' }))
    const taken = await Promise.allSettled(
      ['twelve elephants', 'thirteen elephants'].map(one => linksOf(api).take('invitation', code, { password: one })),
    )
    assert.deepEqual(taken.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  it('are void after a newer one, after a password, and for a blocked account', async () => {
    const invite = async (address: string) => codeOf(await say('admin invite', [address], { role: 'Author' }))
    const links = linksOf(api)
    const [first, second] = [await invite('dora@example.test'), await invite('dora@example.test')]
    assert.equal(await links.accountOf('invitation', first), undefined)
    assert.equal((await links.accountOf('invitation', second))?.email, 'dora@example.test')
    await say('admin block', ['dora@example.test'])
    assert.equal(await links.accountOf('invitation', second), undefined)
    await say('admin unblock', ['dora@example.test'])
    assert.equal(await stateOf('dora@example.test'), 'invited')
    const third = await invite('dora@example.test')
    await say('admin password', ['dora@example.test'], { password })
    assert.equal(await links.accountOf('invitation', third), undefined)
    await assert.rejects(invite('dora@example.test'), /dora@example\.test already, and it is active/)
  })

  it('give a new password within an hour, and are no invitations', async () => {
    const links = linksOf(api)
    const lines = await say('admin password', ['ben@example.test'], { link: true })
    assert.match(lines.join('\n'), /^ben@example\.test may choose .*\nhttp:\/\/localhost:1337\/console\/password#/)
    const code = codeOf(lines)
    assert.equal(await links.accountOf('invitation', code), undefined)
    await links.take('password', code, { password: 'fourteen elephants', firstname: 'not taken' })
    const { password: hash, firstname } = await row('ben@example.test')
    assert.equal(await isPassword('fourteen elephants', String(hash)), true)
    assert.equal(firstname, 'Benjamin')
    await assert.rejects(links.renewPassword(99), { name: 'NotFoundError', message: 'There is no account 99' })
  })

  it('expire', async () => {
    const links = linksOf(api)
    const invitation = codeOf(await say('admin invite', ['eve@example.test'], { role: 'Author' }))
    const renewal = codeOf(await say('admin password', ['ben@example.test'], { link: true }))
    const later = async (time: number, work: () => Promise<unknown>) => {
      vi.useFakeTimers({ now: Date.now() + time, toFake: ['Date'] })
      try {
        return await work()
      } finally {
        vi.useRealTimers()
      }
    }
    const [almost, over] = [hour - 60_000, hour + 60_000]
    assert.ok(await later(almost, () => links.accountOf('password', renewal)))
    assert.equal(await later(over, () => links.accountOf('password', renewal)), undefined)
    assert.ok(await later(7 * day - 60_000, () => links.accountOf('invitation', invitation)))
    assert.equal(await later(7 * day + 60_000, () => links.accountOf('invitation', invitation)), undefined)
  })
})

describe('links where the settings of `email` name a mail server', () => {
  /** With a mail server on this port; nothing listens on port 9. */
  const open = async (port: number) => {
    const config = { provider: 'nodemailer', providerOptions: { host: '127.0.0.1', port } }
    const app = await createTestApp({ ...world, config: { plugins: { email: { config } } } })
    onTestFinished(() => app.close())
    await command(app, 'admin create', ['ada@example.test'], { password })
    return app
  }

  it('are sent, and not shown', async () => {
    const { port, deliveries } = await mailServer()
    const app = await open(port)
    const said = await command(app, 'admin invite', ['ben@example.test'], { role: 'Author' })
    assert.deepEqual(said.lines, ['invited ben@example.test; the link was sent'])
    const [{ to, message } = { to: [], message: '' }, ...others] = deliveries
    assert.deepEqual([to, others], [['ben@example.test'], []])
    const text = message.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const code = /console\/invitation#([\w-]{43})/.exec(text)?.[1] ?? ''
    assert.equal((await linksOf({ app }).accountOf('invitation', code))?.email, 'ben@example.test')
    assert.match(text, /valid once, until 20\d\d-\d\d-\d\d \d\d:\d\d UTC/)
  })

  it('say where a mail could not be sent; the account waits for another', async () => {
    const app = await open(9)
    await assert.rejects(command(app, 'admin invite', ['ben@example.test'], { role: 'Author' }), {
      ...{ name: 'BootError', message: 'The mail could not be sent, try again later' },
    })
    const { rows } = await command(app, 'admin list')
    assert.equal(rows.find(one => one.email === 'ben@example.test')?.state, 'invited')
  })
})

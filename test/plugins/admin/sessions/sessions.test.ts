import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, it, vi } from 'vitest'
import { accountUid } from '../../../../plugins/admin/content-types.js'
import { type Api, contract } from '../../../support/contract.js'
import { run } from '../../../support/run.js'
import { passTime } from '../../../support/time.js'
import { editor, password, Tab, unthrottled, watched } from './tab.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const { statements, log } = watched()
const people = {
  ...unthrottled,
  log,
  async rows(app: Api['app']) {
    await editor(app, 'ada@example.test')
    await editor(app, 'ben@example.test')
  },
}

afterEach(() => void vi.useRealTimers())
/** Dates go on, and with them what is cached for a second. */
const later = async (time: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + time })
  await passTime(second)
}

contract('sessions of editors', people, api => {
  const signedIn = async (email?: string, more?: object) => {
    const tab = new Tab()
    await tab.signIn(api.app, email, more)
    return tab
  }
  const rowOf = async ({ cookie = '' }: Tab) => {
    const hash = createHash('sha256')
      .update(cookie.split('=')[1] as string)
      .digest('hex')
    const columns = ['id', 'account', 'seen', 'ends', 'created', 'renewed', 'used']
    return (await api.rows('stele_admin_sessions', columns, { hash }))[0]
  }
  /** Uses a new token, and waits until that is recorded. */
  const isTaken = async (tab: Tab) => {
    assert.equal((await rowOf(tab))?.used, null)
    assert.equal(await tab.status(api.app), 200)
    await vi.waitFor(async () => assert.notEqual((await rowOf(tab))?.used, null))
  }
  /** As another program changes the database. */
  const outside = async (sql: string) => {
    await run(api.database, sql)
    await passTime(second)
  }

  it('begin with a cookie that no script reads and no other site sends, for the console alone', async () => {
    const { cookie, body } = await new Tab().signIn(api.app)
    const { value, ...attributes } = cookie ?? { value: '' }
    assert.deepEqual(attributes, { name: 'stele', path: '/console', httponly: '', samesite: 'strict' })
    assert.match(value, /^[\w-]{43}$/)
    const { account, session } = body
    assert.deepEqual(account, {
      ...{ id: 1, name: 'Ada Lind', email: 'ada@example.test', firstname: 'Ada', lastname: 'Lind' },
      ...{ username: null, language: null },
    })
    assert.equal(Date.parse(session.ends) - Date.parse(session.created), 12 * hour)
  })

  it('are secure over TLS, and refused without it on another machine', async () => {
    const tls = { origin: 'https://cms.example.test' }
    const { cookie } = await new Tab(tls).signIn(api.app)
    const { value: _, ...attributes } = cookie ?? { value: '' }
    assert.deepEqual(attributes, {
      ...{ name: '__Secure-stele', path: '/console', httponly: '', samesite: 'strict', secure: '' },
    })
    const plain = new Tab({ origin: 'http://10.0.0.5:1337', host: '10.0.0.5:1337' })
    const { status, body } = await plain.ask(api.app, 'POST', '/console/session', {
      email: 'ada@example.test',
      password,
    })
    assert.equal(status, 403)
    assert.match(
      body.error.message,
      /^Signing in needs https: over http:\/\/10\.0\.0\.5:1337 the session could be stolen/,
    )
  })

  it('last until the browser is closed, or longer if that is asked for', async () => {
    assert.equal((await new Tab().signIn(api.app)).cookie?.['max-age'], undefined)
    const { cookie, body } = await new Tab().signIn(api.app, undefined, { keep: true })
    const age = Number(cookie?.['max-age'])
    assert.ok(age > 30 * 24 * 3600 - 60 && age <= 30 * 24 * 3600, String(age))
    assert.equal(Date.parse(body.session.ends) - Date.parse(body.session.created), 30 * day)
  })

  it('stand in the database without anything that could be sent in', async () => {
    const tab = await signedIn()
    const rows = JSON.stringify(await run(api.database, 'select * from stele_admin_sessions'))
    assert.ok(!rows.includes(tab.cookie?.split('=')[1] as string))
    assert.equal(Number((await rowOf(tab))?.account), 1)
  })

  it('are found again by their cookie, and end when the editor signs out', async () => {
    const tab = await signedIn()
    const copy = tab.another()
    const { status, body, headers } = await tab.ask(api.app, 'GET', '/console/session')
    assert.deepEqual([status, body.account.email], [200, 'ada@example.test'])
    assert.equal(headers['cache-control'], 'private, no-store')
    const out = await tab.ask(api.app, 'DELETE', '/console/session')
    assert.deepEqual([out.status, out.cookie?.value, out.cookie?.['max-age']], [204, '', '0'])
    assert.equal(await copy.status(api.app), 401)
    assert.equal((await copy.ask(api.app, 'DELETE', '/console/session')).status, 204, 'it may be said twice')
  })

  it('are one for each browser: signing in again ends the one before', async () => {
    const tab = await signedIn()
    const before = tab.another()
    await tab.signIn(api.app, 'ben@example.test')
    assert.deepEqual([await tab.status(api.app), await before.status(api.app)], [200, 401])
    const failed = await tab.ask(api.app, 'POST', '/console/session', { email: 'ada@example.test', password: 'wrong' })
    assert.deepEqual([failed.status, await tab.status(api.app)], [400, 200])
  })

  it('get a new token every hour; the one before is good for requests that were sent before the new one was used', async () => {
    const tab = await signedIn()
    await later(hour - second)
    assert.equal((await tab.ask(api.app, 'GET', '/console/session')).cookie, undefined)
    await later(second)
    const [before, row] = [tab.another(), await rowOf(tab)]
    const { cookie } = await tab.ask(api.app, 'GET', '/console/session')
    assert.equal(cookie?.name, 'stele')
    assert.notEqual(tab.cookie, before.cookie)
    assert.equal((await rowOf(tab))?.id, row?.id, 'it is the same session')
    await isTaken(tab)
    await later(59 * second)
    const late = await before.ask(api.app, 'GET', '/console/session')
    assert.deepEqual([late.status, late.cookie], [200, undefined])
    await later(second)
    assert.equal(await before.status(api.app), 401)
    assert.equal(await tab.status(api.app), 200)
  })

  it('go on in a browser that has lost the response with the new token, until it has used one', async () => {
    const tab = await signedIn()
    await later(hour)
    const lost = tab.another()
    assert.ok((await lost.ask(api.app, 'GET', '/console/session')).cookie)
    await later(hour - minute)
    const again = await tab.ask(api.app, 'GET', '/console/session')
    assert.deepEqual([again.status, again.cookie], [200, undefined])
    await later(minute)
    const before = tab.another()
    const { cookie } = await tab.ask(api.app, 'GET', '/console/session')
    assert.ok(cookie, 'it is given another one an hour after the one that was lost')
    assert.equal(await lost.status(api.app), 401, 'the lost one is none any more')
    await isTaken(tab)
    await later(minute)
    assert.deepEqual([await before.status(api.app), await tab.status(api.app)], [401, 200])
  })

  it('end in a browser whose token another one has exchanged and used', async () => {
    const tab = await signedIn()
    await later(hour)
    const thief = tab.another()
    await thief.ask(api.app, 'GET', '/console/session')
    await isTaken(thief)
    await later(minute)
    assert.equal(await tab.status(api.app), 401)
  })

  it('give one new token to requests that come at once, and serve all of them', async () => {
    const tab = await signedIn()
    await later(hour)
    const tabs = Array.from({ length: 8 }, () => tab.another())
    const heard = await Promise.all(tabs.map(one => one.ask(api.app, 'GET', '/console/session')))
    assert.deepEqual(
      heard.map(({ status }) => status),
      Array(8).fill(200),
    )
    assert.equal(heard.filter(({ cookie }) => cookie !== undefined).length, 1)
  })

  it('end when they are not used for 12 hours', async () => {
    const tab = await signedIn()
    for (let times = 0; times < 3; times += 1) {
      await later(12 * hour - second)
      assert.equal(await tab.status(api.app), 200)
    }
    await later(12 * hour)
    assert.equal(await tab.status(api.app), 401)
  })

  const longest = [
    { days: 30, more: {}, every: 12 * hour - second },
    { days: 90, more: { keep: true }, every: 30 * day - second },
  ]
  for (const { days, more, every } of longest)
    it(`end after ${days} days however much they are used: ${JSON.stringify(more)}`, async () => {
      const tab = await signedIn('ada@example.test', more)
      const times = Math.ceil((days * day) / every)
      for (let time = 1; time < times; time += 1) {
        await later(every)
        assert.equal(await tab.status(api.app), 200, `after ${(time * every) / day} days`)
      }
      await later(days * day - (times - 1) * every - second)
      assert.equal(await tab.status(api.app), 200)
      await later(second)
      assert.equal(await tab.status(api.app), 401)
    })

  it('that are kept end when they are not used for 30 days', async () => {
    const tab = await signedIn('ada@example.test', { keep: true })
    await later(30 * day - second)
    assert.equal(await tab.status(api.app), 200)
    await later(30 * day)
    assert.equal(await tab.status(api.app), 401)
  })

  it('that have ended are removed when another one begins', async () => {
    await signedIn()
    await later(100 * day)
    await signedIn()
    assert.equal(await api.count('stele_admin_sessions'), 1)
  })

  it('are read once a second, and written once a minute', async () => {
    const tab = await signedIn()
    const costs = async () => {
      statements.length = 0
      assert.equal(await tab.status(api.app), 200)
      await new Promise(setImmediate)
      return statements.filter(sql => /stele_admin_sessions|admin_users/.test(sql)).map(sql => sql.split(' ')[0])
    }
    await passTime(second)
    assert.ok((await costs()).length > 0)
    assert.deepEqual(await costs(), [])
    await later(59 * second)
    assert.ok(!(await costs()).includes('update'))
    const { seen } = (await rowOf(tab)) ?? {}
    await later(second)
    await costs()
    await vi.waitFor(async () => assert.ok(Number((await rowOf(tab))?.seen) > Number(seen)))
    await later(second)
    assert.ok(!(await costs()).includes('update'))
  })

  it('are listed for their owner, who ends one or all of them', async () => {
    await run(api.database, 'delete from stele_admin_sessions')
    const phone = new Tab({ 'user-agent': 'a phone' })
    await phone.signIn(api.app)
    await later(minute)
    const laptop = new Tab({ 'user-agent': 'a laptop' })
    await laptop.signIn(api.app)
    const other = await signedIn('ben@example.test')
    const { body } = await laptop.ask(api.app, 'GET', '/console/sessions')
    assert.deepEqual(
      body.sessions.map((one: { agent: string; isCurrent: boolean; address: string }) => [
        one.agent,
        one.isCurrent,
        one.address,
      ]),
      [
        ['a laptop', true, '127.0.0.1'],
        ['a phone', false, '127.0.0.1'],
      ],
    )
    const path = `/console/sessions/${body.sessions[1].id}`
    assert.equal((await other.ask(api.app, 'DELETE', path)).status, 404, 'it is that of another account')
    assert.equal(await phone.status(api.app), 200)
    assert.equal((await laptop.ask(api.app, 'DELETE', path)).status, 204)
    assert.equal(await phone.status(api.app), 401)
    await phone.signIn(api.app)
    const { status, cookie } = await laptop.ask(api.app, 'DELETE', '/console/sessions')
    assert.deepEqual([status, cookie?.value], [204, ''])
    assert.deepEqual([await phone.status(api.app), await other.status(api.app)], [401, 200])
  })

  it('end with the password that they began with; the browser in which it was changed has a new one', async () => {
    const id = await editor(api.app, 'cleo@example.test')
    const [tab, other] = [await signedIn('cleo@example.test', { keep: true }), await signedIn('cleo@example.test')]
    const change = (body: object) => tab.ask(api.app, 'POST', '/console/password', body)
    const wrong = await change({ current: 'twelve elephants', password: 'thirteen elephants' })
    assert.deepEqual([wrong.status, wrong.body.error.message], [400, 'current is not the current password'])
    assert.equal((await change({ current: password, password: 'short' })).status, 400)
    assert.equal(await other.status(api.app), 200)
    const { status, cookie } = await change({ current: password, password: 'thirteen elephants' })
    assert.deepEqual([status, Number(cookie?.['max-age']) > 29 * 24 * 3600], [200, true])
    assert.deepEqual([await tab.status(api.app), await other.status(api.app)], [200, 401])
    await api.app.entries(accountUid).update(id, { password })
    assert.equal(await tab.status(api.app), 401)
  })

  const ends: readonly (readonly [string, (id: number) => Promise<unknown>])[] = [
    ['is blocked', id => api.app.entries(accountUid).update(id, { blocked: true })],
    ['is not active any more', id => api.app.entries(accountUid).update(id, { isActive: false })],
    ['is deleted', id => api.app.entries(accountUid).delete(id)],
  ]
  for (const [index, [says, change]] of ends.entries())
    it(`end at once when the account ${says}`, async () => {
      const email = `end${index}@example.test`
      const id = await editor(api.app, email)
      const tab = await signedIn(email)
      await change(id)
      assert.equal(await tab.status(api.app), 401)
      assert.equal((await api.rows('stele_admin_sessions', ['id'], { account: id })).length, 0)
    })

  it('stay ended when the account is let in again', async () => {
    const id = await editor(api.app, 'dora@example.test')
    const tab = await signedIn('dora@example.test')
    await api.app.entries(accountUid).update(id, { blocked: true })
    await api.app.entries(accountUid).update(id, { blocked: false })
    assert.equal(await tab.status(api.app), 401)
  })

  it('end within a second when another program changes the account', async () => {
    const changes = ['blocked = true', 'is_active = false', "password = '$2b$10$abcdefghijklmnopqrstuv'"]
    for (const [index, change] of changes.entries()) {
      const email = `other${index}@example.test`
      const id = await editor(api.app, email)
      const tab = await signedIn(email)
      assert.equal(await tab.status(api.app), 200)
      await outside(`update admin_users set ${change} where id = ${id}`)
      assert.equal(await tab.status(api.app), 401, change)
      await outside(`update admin_users set blocked = false, is_active = true where id = ${id}`)
      assert.equal(await tab.status(api.app), 401, `${change}, and back`)
    }
  })

  it('show the names of the account as they are', async () => {
    const tab = await signedIn('ben@example.test')
    await api.app.entries(accountUid).update(2, { firstname: 'Benedikt' })
    assert.equal((await tab.ask(api.app, 'GET', '/console/session')).body.account.name, 'Benedikt Lind')
  })

  it('are none by two cookies of one name, by garbage, or by the cookie of another server', async () => {
    const tab = await signedIn()
    const cookies = [
      `${tab.cookie}; stele=${'a'.repeat(43)}`,
      `stele=${'a'.repeat(43)}`,
      'stele=',
      'stele',
      `stele=${'a'.repeat(10_000)}`,
      `xstele=${tab.cookie?.slice(6)}`,
    ]
    for (const cookie of cookies) {
      const { status } = await new Tab({ cookie }).ask(api.app, 'GET', '/console/session')
      assert.equal(status, 401, cookie.slice(0, 60))
    }
    const plain = new Tab({ cookie: tab.cookie, host: 'cms.example.test' })
    assert.equal(await plain.status(api.app), 401, 'a cookie that any machine could have set')
    assert.equal(await new Tab({ cookie: `a=b; ${tab.cookie}; c=d` }).status(api.app), 200)
  })
})

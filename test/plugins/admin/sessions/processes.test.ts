import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, it, vi } from 'vitest'
import { accountUid } from '../../../../plugins/admin/content-types.js'
import { admin } from '../../../../plugins/admin/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import type { FreshDatabase } from '../../../support/engines.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { type Server, startOn } from '../../../support/server.js'
import { passTime } from '../../../support/time.js'
import { world } from '../world.js'
import { editor, Tab } from './tab.js'

const hour = 3600_000
const ratelimit = { store: 'database', max: 1000, account: { max: 4 } }
/** Attempts are counted by the hour: none begins while the tests run. */
const time = () => 1_700_000_000_000
const shared = {
  ...world,
  time,
  plugins: [[admin, { ratelimit, secret: 'a secret of tests' }], draftAndPublish],
} as const

onEveryEngine('sessions of editors in two processes', engine => {
  let fresh: FreshDatabase
  let one: Server
  let other: Server
  beforeAll(async () => {
    fresh = await engine.fresh()
    one = await startOn(fresh.database, shared as never)
    other = await startOn(fresh.database, shared as never)
    for (const name of ['ada', 'ben', 'cleo', 'dora']) await editor(one.app, `${name}@example.test`)
  })
  afterAll(async () => {
    await Promise.all([one, other].map(server => server?.app.close()))
    await fresh?.drop()
  })
  afterEach(() => void vi.useRealTimers())

  const statuses = async (tab: Tab) => [await tab.status(one.app), await tab.status(other.app)]
  const known = async (email: string) => {
    const tab = new Tab()
    await tab.signIn(one.app, email)
    assert.deepEqual(await statuses(tab), [200, 200])
    return tab
  }

  it('get one new token for requests that come to both at once, all of which are served', async () => {
    const tab = await known('ada@example.test')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hour })
    await passTime(1000)
    const asked = Array.from({ length: 8 }, (_, index) => {
      const again = tab.another()
      return again.ask(index % 2 ? one.app : other.app, 'GET', '/console/session').then(heard => ({ again, heard }))
    })
    const all = await Promise.all(asked)
    assert.deepEqual(
      all.map(({ heard }) => heard.status),
      Array(8).fill(200),
    )
    const renewed = all.filter(({ heard }) => heard.cookie !== undefined)
    assert.equal(renewed.length, 1)
    await passTime(1000)
    for (const { again } of all) assert.deepEqual(await statuses(again), [200, 200])
    const used = () => one.rows('stele_admin_sessions', ['used'], { account: 1 })
    await vi.waitFor(async () => assert.notEqual((await used())[0]?.used, null))
    vi.setSystemTime(Date.now() + 60_000)
    await passTime(1000)
    for (const { again, heard } of all)
      assert.deepEqual(await statuses(again), heard.cookie ? [200, 200] : [401, 401], 'the token before is over')
  })

  const ends: readonly (readonly [string, (tab: Tab) => Promise<unknown>])[] = [
    ['signs out', tab => tab.another().ask(one.app, 'DELETE', '/console/session')],
    ['signs out everywhere', tab => tab.another().ask(one.app, 'DELETE', '/console/sessions')],
    ['gets a new password', () => one.app.entries(accountUid).update(2, { password: 'thirteen elephants' })],
  ]
  for (const [says, end] of ends)
    it(`end at once in one, and within a second in the other, when the editor ${says}`, async () => {
      const tab = await known('ben@example.test')
      await end(tab)
      assert.equal(await tab.status(one.app), 401)
      await passTime(1000)
      assert.equal(await tab.status(other.app), 401)
    })

  it('end in both when the account is blocked, and are not there again when it is let in', async () => {
    const tab = await known('cleo@example.test')
    await one.app.entries(accountUid).update(3, { blocked: true })
    await one.app.entries(accountUid).update(3, { blocked: false })
    await passTime(1000)
    assert.deepEqual(await statuses(tab), [401, 401])
  })

  it('count attempts together, in rows that tell no account', async () => {
    const fail = (server: Server) =>
      new Tab().ask(server.app, 'POST', '/console/session', { email: 'dora@example.test', password: 'wrong one' })
    const seen = []
    for (const server of [one, other, one, other, one, other]) seen.push((await fail(server)).status)
    assert.deepEqual(seen, [400, 400, 400, 400, 429, 429])
    const names = (await one.rows('stele_counts', ['name'])).map(({ name }) => String(name))
    assert.ok(names.length > 0)
    for (const name of names) assert.match(name, /^admin\/attempts\/[0-9a-f]{64}\/\d+\/\d+$/)
  })
})

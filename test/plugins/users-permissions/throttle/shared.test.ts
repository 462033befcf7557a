import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import type { FreshDatabase } from '../../../support/engines.js'
import { onEveryEngine } from '../../../support/every-engine.js'
import { run } from '../../../support/run.js'
import { type Server, startOn } from '../../../support/server.js'
import { type People, world } from '../people.js'

const minute = 60_000
const hour = 60 * minute
const ratelimit = { store: 'database', account: { max: 12 } }
const wrong = { identifier: 'alice', password: 'wrong-pass' }
const right = { identifier: 'alice', password: 'alice-pass-1' }
const table = 'stele_counts'

onEveryEngine('attempts that all instances count together', engine => {
  let fresh: FreshDatabase
  let one: Server
  let other: Server
  /** The clock of all instances, a while before the next interval. */
  let now = 1_700_000_000_000
  const boot = (people: People = {}) =>
    startOn(fresh.database, { ...world({ settings: { ratelimit }, ...people }), time: () => now })

  beforeAll(async () => {
    fresh = await engine.fresh()
    one = await boot({ accounts: { alice: {}, bob: {} } })
    other = await boot()
  })
  afterAll(async () => {
    await Promise.all([one, other].map(server => server?.app.close()))
    await fresh?.drop()
  })

  const from = async ({ app }: Server, remoteAddress: string, payload: object) => {
    const { statusCode, headers } = await app.inject({ method: 'POST', url: '/api/auth/local', remoteAddress, payload })
    return { status: statusCode, headers }
  }
  const statusOf = async (server: Server, address: string, body: object) => (await from(server, address, body)).status
  const names = async () => (await one.rows(table, ['name'])).map(({ name }) => String(name))

  it('let exactly as many pass as the limit says, whichever of them is asked at the same time', async () => {
    const body = { ...wrong, identifier: 'bob' }
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => statusOf(index % 2 ? one : other, '192.0.2.1', body)),
    )
    assert.deepEqual(
      [all.filter(status => status === 400).length, all.filter(status => status === 429).length],
      [10, 40],
    )
    const refused = await from(other, '192.0.2.1', { ...right })
    assert.equal(refused.status, 429)
    assert.deepEqual(
      [refused.headers['x-ratelimit-limit'], refused.headers['x-ratelimit-remaining'], refused.headers['retry-after']],
      ['10', '0', String(Math.ceil((minute - (now % minute)) / 1000))],
    )
  })

  it('cost one statement for each limit, and none where the address was refused before', async () => {
    const counting = async (payload: object) => {
      const { statements } = await one.send('POST', '/auth/local', payload)
      return statements.filter(sql => sql.includes(table)).map(sql => sql.split(' ')[0])
    }
    now += 2 * minute
    const address = '127.0.0.1'
    // Old rows are removed once a minute, by the attempt that comes first.
    assert.equal(await statusOf(one, '203.0.113.9', { ...wrong, identifier: 'x' }), 400)
    assert.deepEqual(await counting({ ...wrong, identifier: 'carol' }), ['insert', 'insert'])
    assert.deepEqual(await counting(right), ['insert', 'insert'])
    for (let index = 0; index < 8; index += 1)
      assert.equal(await statusOf(one, address, { ...wrong, identifier: 'x' }), 400)
    assert.deepEqual(await counting(right), ['insert'])
    assert.deepEqual(await counting(right), [])
  })

  it('at one account are limited wherever they come from, and forgotten everywhere when the owner signs in', async () => {
    now += hour
    const attempts = async (count: number, network: string) => {
      const statuses: number[] = []
      for (let index = 0; index < count; index += 1)
        statuses.push(await statusOf(index % 2 ? one : other, `${network}.${index}`, wrong))
      return statuses
    }
    assert.deepEqual(await attempts(11, '198.51.100'), Array(11).fill(400))
    assert.equal(await statusOf(one, '203.0.113.1', right), 200)
    assert.deepEqual(await attempts(13, '198.51.101'), [...Array(12).fill(400), 429])
    assert.equal(await statusOf(one, '203.0.113.2', right), 429)
  })

  it('are still counted after a restart, and by instances that join', async () => {
    await one.app.close()
    one = await boot()
    assert.equal(await statusOf(one, '203.0.113.3', right), 429)
  })

  it('leave rows that tell neither addresses nor accounts', async () => {
    const all = await names()
    assert.ok(all.length > 10)
    for (const name of all) assert.match(name, /^users-permissions\/attempts\/[0-9a-f]{64}\/\d+\/\d+$/)
  })

  it('begin anew with the next interval, and rows of old ones are removed', async () => {
    now += hour
    assert.equal(await statusOf(one, '203.0.113.4', right), 200)
    now += 2 * hour
    await statusOf(one, '203.0.113.4', wrong)
    const left = await names()
    assert.equal(left.length, 2, left.join('\n'))
  })

  it('are refused where they cannot be counted: no password is looked at then', async () => {
    await run(fresh.database, `alter table ${table} rename to counts_elsewhere`)
    onTestFinished(() => run(fresh.database, `alter table counts_elsewhere rename to ${table}`).then(() => undefined))
    const { status, statements } = await one.send('POST', '/auth/local', right)
    assert.ok(status >= 500, String(status))
    assert.deepEqual(
      statements.filter(sql => sql.includes('up_users')),
      [],
    )
  })
})

describe('attempts that each process counts', () => {
  onEveryEngine('leave no table', engine => {
    it('in the database', async () => {
      const fresh = await engine.fresh()
      onTestFinished(() => fresh.drop())
      const { app } = await startOn(fresh.database, world({ settings: { ratelimit: {} } }))
      onTestFinished(() => app.close())
      assert.equal((await app.engine.introspect()).tables.has(table), false)
    })
  })
})

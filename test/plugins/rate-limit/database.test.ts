import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { rateLimit } from '../../../plugins/rate-limit/index.js'
import { onEveryEngine } from '../../support/every-engine.js'

/** Knows callers by a header. */
const known = definePlugin({
  name: 'known',
  authenticate: ctx => {
    const actor = ctx.get('x-actor')
    return actor === '' ? undefined : { scope: 'known', can: () => true, actor }
  },
})

onEveryEngine('requests that all machines count together', engine => {
  /** Two servers on one database. */
  const boot = async (config: object, time?: () => number) => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const lines: string[] = []
    const servers: TestApp[] = []
    for (let count = 0; count < 2; count += 1) {
      const app = await createTestApp({
        types: { note: { attributes: { text: { type: 'string' } } } },
        plugins: [known, [rateLimit, { store: 'database', ...config } as never]],
        config: { database: fresh.database, api: { rest: { public: { note: ['find'] } } } },
        log: createLog('warn', { destination: { write: line => void lines.push(line) } }),
        ...(time && { time }),
      })
      onTestFinished(() => app.close())
      servers.push(app)
    }
    const [one, other] = servers as [TestApp, TestApp]
    const ask = async (app: TestApp, headers: Record<string, string> = {}) => {
      const { statusCode, headers: sent } = await app.inject({
        url: '/api/notes',
        headers,
        remoteAddress: '203.0.113.7',
      })
      return { status: statusCode, limit: sent.ratelimit, policy: sent['ratelimit-policy'], after: sent['retry-after'] }
    }
    return { one, other, ask, lines }
  }

  it('pass as often as the limit says, whichever server they reach and however many come at once', async () => {
    const { one, other, ask } = await boot({ address: { max: 40, interval: 60 } }, () => 90_000)
    const all = await Promise.all(Array.from({ length: 160 }, (_, index) => ask(index % 2 === 0 ? one : other)))
    const statuses = all.map(({ status }) => status)
    assert.equal(statuses.filter(status => status === 200).length, 40)
    assert.equal(statuses.filter(status => status === 429).length, 120)
    assert.deepEqual(await ask(one), {
      status: 429,
      limit: '"address";r=0;t=30',
      policy: '"address";q=40;w=60',
      after: '30',
    })
  })

  it('leave what no server has reserved, and what this one has', async () => {
    const { one, other, ask } = await boot({ caller: { max: 40, interval: 60 } }, () => 90_000)
    const user = { 'x-actor': 'user 1' }
    const left = async (app: TestApp) => /r=\d+/.exec(String((await ask(app, user)).limit))?.[0]
    // A tenth of 40 is reserved by the first, and a tenth of 36 by what it reserves next.
    const seen = []
    for (let count = 0; count < 4; count += 1) seen.push(await left(one))
    assert.deepEqual(seen, ['r=39', 'r=38', 'r=37', 'r=36'])
    assert.equal(await left(other), 'r=35')
    assert.equal(await left(one), 'r=31')
    const { policy } = await ask(other, user)
    assert.equal(policy, '"caller";q=40;w=60')
    assert.equal((await ask(one, { 'x-actor': 'user 2' })).limit, '"caller";r=39;t=30')
  })

  it('begin anew when the interval is over', async () => {
    const { one, other, ask } = await boot({ address: { max: 1, interval: 1 } })
    const passes = async (app: TestApp) => (await ask(app)).status === 200
    const deadline = performance.now() + 20_000
    const untilBoth = async (expected: boolean) => {
      for (;;) {
        const both = [await passes(one), await passes(other)]
        if (both.some(passed => passed === expected)) return
        assert.ok(performance.now() < deadline, 'the interval does not end')
      }
    }
    await untilBoth(true)
    await untilBoth(false)
    await untilBoth(true)
  })

  it('are counted by each server for itself while the database cannot count', async () => {
    const { one, other, ask, lines } = await boot({ address: { max: 3, interval: 3600 } })
    await one.store.transaction(async session => void (await session.run('drop table stele_counts', [])))
    for (const app of [one, other]) {
      const statuses = []
      for (let count = 0; count < 5; count += 1) statuses.push((await ask(app)).status)
      assert.deepEqual(statuses, [200, 200, 200, 429, 429])
    }
    assert.deepEqual(
      lines.filter(line => line.includes('cannot be counted')).map(line => JSON.parse(line).level),
      ['warn', 'warn'],
    )
  })
})

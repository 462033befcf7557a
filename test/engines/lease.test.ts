import assert from 'node:assert/strict'
import { it, onTestFinished, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, RawRow, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { prepareState, stateTable } from '../../core/engines/server/state.js'
import { withLease } from '../../core/layout/lease.js'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('the lease of the layout', engine => {
  /** Engines on one database of their own. */
  async function engines(count: number): Promise<Engine[]> {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const all = await Promise.all(Array.from({ length: count }, () => openEngine(database, createLog('silent'))))
    onTestFinished(async () => {
      await Promise.all(all.map(one => one.close()))
      await fresh.drop()
    })
    return all
  }

  // SQLite's one writer keeps all others out from its first look on.
  it.skipIf(engine.name === 'sqlite')('is waited for where another process was a moment quicker', async () => {
    const [mine, other] = (await engines(2)) as [Engine, Engine]
    await prepareState(other)
    const at = Date.now() + 5_000
    const takes = `insert into ${stateTable} (name, value, time) values ('lease', 'another process', ${at})`
    let isOvertaken = false
    const late = overtaken(mine, async () => {
      if (isOvertaken) return
      isOvertaken = true
      await other.transaction(session => Promise.resolve(session.run(takes, [])))
    })
    const said: string[] = []
    const onWait = async () => {
      said.push('waits')
      await other.transaction(session => Promise.resolve(session.run(`update ${stateTable} set time = 0`, [])))
    }
    await withLease(late, { maxWait: 20_000, onWait }, async () => {
      said.push('works')
    })
    assert.deepEqual(said, ['waits', 'works'])
    assert.deepEqual((await mine.reader.all(`select name from ${stateTable}`, [])).map(String), ['lease'])
  })

  // SQLite keeps the lock of its one writer for as long as the work takes.
  it.skipIf(engine.name === 'sqlite')('is renewed while the work goes on, and known to be lost', async () => {
    const [mine, other] = (await engines(2)) as [Engine, Engine]
    const until = async () =>
      Number((await other.reader.all(`select time from ${stateTable} where name = 'lease'`, []))[0]?.[0])
    const tell = (...statements: string[]) =>
      other.altering(async session => {
        for (const sql of statements) await session.run(sql, [])
      })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let renewals = 0
    const watched: Engine = {
      ...mine,
      transaction: work =>
        mine.transaction(work).finally(() => {
          renewals += 1
        }),
    }
    /** The renewal that is due, and its end. */
    const renewal = async () => {
      const before = renewals
      vi.advanceTimersByTime(5_000)
      await vi.waitUntil(() => renewals > before, { timeout: 20_000 })
    }
    await assert.rejects(
      withLease(watched, { maxWait: 0 }, async lease => {
        await tell(`update ${stateTable} set time = 1 where name = 'lease'`)
        await renewal()
        assert.ok((await until()) > Date.now())
        lease.check()
        // A renewal that fails is not the end: the next one may succeed.
        await tell(`alter table ${stateTable} rename to elsewhere`)
        await renewal()
        await tell(`alter table elsewhere rename to ${stateTable}`)
        lease.check()
        await renewal()
        lease.check()
        await tell(`update ${stateTable} set value = 'another process', time = time + 5000`)
        await renewal()
        lease.check()
      }),
      /another process has begun to change the layout of the database meanwhile/,
    )
    assert.equal((await other.reader.all(`select value from ${stateTable}`, [])).map(String).join(), 'another process')
  })

  it('is not waited for where the database refuses it for another reason', async () => {
    const [mine] = (await engines(1)) as [Engine]
    await mine.alter([`create table ${stateTable} (id integer, name varchar(10))`])
    const work = () => assert.fail('it has no lease')
    await assert.rejects(withLease(mine, { maxWait: 60_000 }, work), /value|time|column/i)
  })
})

/** An engine in whose transactions something happens elsewhere after each look that finds nothing. */
function overtaken(engine: Engine, happens: () => Promise<void>): Engine {
  const looking = (session: Session): Session => ({
    run: (sql, values) => session.run(sql, values),
    async all(sql, values): Promise<readonly RawRow[]> {
      const rows = await session.all(sql, values)
      if (rows.length === 0) await happens()
      return rows
    },
  })
  return { ...engine, transaction: work => engine.transaction(session => work(looking(session))) }
}

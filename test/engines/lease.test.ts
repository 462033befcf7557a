import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/config/load.js'
import { createLog } from '../../core/log.js'
import type { Engine, RawRow, Session } from '../../core/store/engine.js'
import { withLease } from '../../core/store/lease.js'
import { openEngine } from '../../core/store/open.js'
import { prepareState, stateTable } from '../../core/store/state.js'
import { onEveryEngine } from '../support/engines.js'

onEveryEngine('the lease of the layout', engine => {
  // One writer of SQLite keeps all others out from its first look on.
  it.skipIf(engine.name === 'sqlite')('is waited for where another process was a moment quicker', async () => {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const [mine, other] = [
      await openEngine(database, createLog('silent')),
      await openEngine(database, createLog('silent')),
    ]
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
    await withLease(late, { patience: 20_000, onWait }, async () => {
      said.push('works')
    })
    assert.deepEqual(said, ['waits', 'works'])
    assert.deepEqual((await mine.reader.all(`select name from ${stateTable}`, [])).map(String), ['lease'])
    await Promise.all([mine.close(), other.close()])
    await fresh.drop()
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

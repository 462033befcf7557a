import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('a database', engine => {
  it('is crowded while as many wait for a connection as there are', async () => {
    const fresh = await engine.fresh()
    const overrides = { database: { pool: { min: 0, max: 2 } } }
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env, overrides })
    const store = await openEngine(database, createLog('silent'))
    // A text that has not been seen to be quick waits for other slow ones first.
    await store.reader.all('select 1', [])
    const seen: (boolean | undefined)[] = []
    let ends = () => {}
    const end = new Promise<void>(done => {
      ends = done
    })
    let held = 0
    // Snapshots are lent half of a pool; transactions of SQLite run one after the other.
    const hold = engine.name === 'sqlite' ? store.snapshot : store.transaction
    const work: Promise<unknown>[] = []
    const begun = new Promise<void>(resolve => {
      for (let count = 0; count < 2; count += 1)
        work.push(
          hold(async () => {
            held += 1
            if (held === 2) resolve()
            await end
          }),
        )
    })
    await begun
    seen.push(store.isCrowded?.())
    for (let count = 0; count < 2; count += 1) {
      work.push(Promise.resolve(store.reader.all('select 1', [])))
      seen.push(store.isCrowded?.())
    }
    ends()
    await Promise.all(work)
    seen.push(store.isCrowded?.())
    // SQLite has no pool, so no request waits for a connection.
    assert.deepEqual(seen, engine.name === 'sqlite' ? Array(4).fill(undefined) : [false, false, true, false])
    await store.close()
    await fresh.drop()
  })
})

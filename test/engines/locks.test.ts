import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { openEngine } from '../../core/engines/open.js'
import { transact } from '../../core/engines/transaction.js'
import { change, rowsOf } from '../../core/index.js'
import { prepareLocks, prepareSteps, stepsTable } from '../../core/layout/marks.js'
import { createLog } from '../../core/log.js'
import { lockOf } from '../../core/plugin/services.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('transactions that lock a name of a plugin', engine => {
  it('run one after the other', async () => {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const store = await openEngine(database, createLog('silent'))
    const { knex, reader } = store
    const spec = { name: 'counter', shares: { locks: ['count'] } }
    const lock = lockOf(store, spec)
    const count = async (session = reader) =>
      Number((await rowsOf(session, knex(stepsTable).select('time').where({ name: 'count' })))[0]?.[0])
    try {
      await prepareLocks(store, {
        registry: { types: new Map() },
        unindexed: { isEmpty: true },
        dialect: { madeUids: false },
        plugins: [{ spec }],
      })
      const { tables } = await store.introspect()
      assert.equal(tables.has(stepsTable), engine.name !== 'sqlite', 'one writer needs no rows to wait at')
      await prepareSteps(store)
      await transact(store, session => change(session, knex(stepsTable).insert({ name: 'count', time: 0 })))
      const add = () =>
        transact(store, async session => {
          await lock(session, 'count')
          const time = (await count(session)) + 1
          await change(session, knex(stepsTable).where({ name: 'count' }).update({ time }))
        })
      await Promise.all(Array.from({ length: 6 }, add))
      assert.equal(await count(), 6)
      await assert.rejects(lock(reader, 'other'), /plugin counter declares no lock "other"/)
    } finally {
      await store.close()
      await fresh.drop()
    }
  })
})

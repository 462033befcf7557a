import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryServer } from '../support/every-engine.js'
import { isMysqlItself } from '../support/servers.js'

const waiting = { mysql: 'do sleep(1.2)', postgres: 'select pg_sleep(1.2)' } as const

onEveryServer('a slow change of the layout', server => {
  const sleep = waiting[server.name as 'mysql' | 'postgres']
  let fresh: FreshDatabase
  let engine: Engine
  beforeAll(async () => {
    fresh = await server.fresh()
    // A single connection does everything: its settings must not stay on it.
    const database = { ...fresh.database, statementTimeout: 500, pool: { min: 0, max: 1 } }
    const config = await loadConfig(process.cwd(), { bare: true, env: {}, overrides: { database } as never })
    engine = await openEngine(config.database, createLog('silent'))
  })
  afterAll(async () => {
    await engine?.close()
    await fresh?.drop()
  })

  // An index on millions of rows takes minutes.
  it('takes longer than other statements may', () => engine.alter([sleep]))
  it('may be several in one go', () =>
    engine.altering(async session => {
      await session.run(sleep, [])
    }))
  it('leaves the limit of all others as it was', async () => {
    // MySQL ends a sleep at its limit, and says no more of it.
    if (isMysqlItself(server)) assert.deepEqual(await engine.reader.all('select @@max_execution_time', []), [['500']])
    else await assert.rejects(async () => engine.reader.all(sleep.replace('do', 'select'), []))
  })
})

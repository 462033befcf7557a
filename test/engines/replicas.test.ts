import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { RawRow } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { withReplicas } from '../../core/engines/server/replicas.js'
import { traced } from '../../core/engines/traced.js'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'
import { isMysqlItself } from '../support/servers.js'

onEveryEngine('a database that nothing can follow', engine => {
  // PostgreSQL always writes the log that copies follow.
  const reason = {
    sqlite: undefined,
    mysql: isMysqlItself(engine) ? /gtid_mode has to be ON/ : /no binary log/,
    postgres: undefined,
  }[engine.name]
  it.skipIf(reason === undefined)('is read itself, and the log says why its replicas are not', async () => {
    const fresh = await engine.fresh()
    const lines: string[] = []
    const log = createLog('warn', { destination: { write: line => void lines.push(line) } })
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const { host, port, user, password, database: name } = database
    const copy = {
      host,
      port,
      user,
      password,
      database: name,
      ssl: database.ssl,
    } as (typeof database)['replicas'][number]
    const open = (config: typeof database) => openEngine({ ...config, replicas: [] }, log)
    const followed = await withReplicas(await open(database), { ...database, replicas: [copy] }, open, log)
    assert.deepEqual(await followed.notes?.(), ['1 of 1 replicas of the database cannot be read from'])
    assert.deepEqual(numbersOf(await followed.relaxed?.().all('select 1', [])), [1])
    assert.match(lines.join(''), reason as RegExp)
    const traces = createLog('trace', { destination: { write: line => void lines.push(line) } })
    assert.deepEqual(numbersOf(await traced(followed, traces).relaxed?.().all('select 2', [])), [2])
    assert.match(lines.at(-1) ?? '', /"sql":"select 2"/)
    await followed.close()
    await fresh.drop()
  })
})

/** A number in a statement is of the widest type on MySQL, and arrives as text. */
const numbersOf = (rows: readonly RawRow[] = []): number[] => rows.map(([value]) => Number(value))

import type { DatabaseConfig } from '../../config/types.js'
import { ofDriver } from '../driver-errors.js'
import { tooMany } from '../engine.js'
import { Connection } from './connection.js'
import { loadSqlite } from './driver.js'

/** A function that opens connections to the file, all with the same settings. */
export async function opener(
  filename: string,
  config: Pick<DatabaseConfig, 'synchronous' | 'statementTimeout'>,
): Promise<() => Connection> {
  const { DatabaseSync: Database } = await loadSqlite()
  const open = () => {
    // The wait for another process's lock is done between attempts, not inside SQLite, where it would stop every request.
    const db = new Database(filename, { timeout: 20 })
    db.exec(`pragma foreign_keys = on; pragma synchronous = ${config.synchronous}; pragma temp_store = memory;`)
    db.exec('pragma cache_size = -65536; pragma mmap_size = 268435456;')
    db.function(tooMany, () => {
      throw new Error(tooMany)
    })
    db.function('digits', { deterministic: true }, (number: unknown) => (number === null ? null : String(number)))
    return new Connection(db, config.statementTimeout)
  }
  return () => ofDriver(open)
}

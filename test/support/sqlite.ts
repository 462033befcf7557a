import { loadSqlite } from '../../core/engines/sqlite/driver.js'

/**
 * The SQLite library of the server under test. A second library in one process would release the file locks of the
 * first whenever it closes a file that both have open.
 */
export const { DatabaseSync } = await loadSqlite()

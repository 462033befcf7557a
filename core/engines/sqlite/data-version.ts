import type { LocalState } from '../../cache/local-versions.js'
import { ofDriver } from '../driver-errors.js'
import type { RawRow } from '../session.js'
import type { Connection } from './connection.js'
import type { SqliteWriter } from './writing.js'

/** A trigger changes other tables than the statement names, and a view reads them; search indexes are only read with their tables. */
const hidden =
  "select 1 from sqlite_master where type in ('trigger', 'view') and name not like 'stele\\_search\\_%' escape '\\' limit 1"

/**
 * The pragma tells the connection that writes of commits of all others; its own are known by their changes, which wait until they
 * are asked for here.
 */
export function dataVersion(writer: Connection, { committed }: Pick<SqliteWriter, 'committed'>): LocalState {
  const read = (sql: string) => {
    const statement = ofDriver(() => writer.db.prepare(sql))
    statement.setReturnArrays(true)
    return () => ofDriver(() => statement.get() as RawRow | undefined)?.[0]
  }
  return {
    by: 'data_version',
    name: read('pragma data_version'),
    committed: () => (committed.length > 0 ? committed.splice(0) : committed),
    isPlain: () => read(hidden)() === undefined,
  }
}

import { anything, type Change, Changes } from '../../cache/changes.js'
import type { Versions } from '../../cache/versions.js'
import type { RawRow } from '../session.js'
import type { Connection } from './connection.js'

/**
 * The pragma tells the connection that writes of commits of all others; its own are known by what they have written, which
 * waits until it is looked at here.
 */
export function dataVersion(writer: Connection, committed: Change[]): Versions {
  const commits = new Changes()
  const read = (sql: string) => {
    const statement = writer.db.prepare(sql)
    statement.setReturnArrays(true)
    return () => (statement.get() as RawRow | undefined)?.[0]
  }
  const version = read('pragma data_version')
  /** A trigger changes other tables than the statement names, and a view reads them; search indexes are only read with their tables. */
  const schema = () =>
    read(
      "select 1 from sqlite_master where type in ('trigger', 'view') and name not like 'stele\\_search\\_%' escape '\\' limit 1",
    )()
  let known = version()
  let isAsked = false
  let schemaAt = -1
  let hasHidden = false
  const forget = () => {
    isAsked = false
  }
  const look = () => {
    if (committed.length > 0) commits.add(committed.splice(0))
  }
  return {
    isRemote: false,
    now() {
      look()
      if (isAsked) return commits.moment
      const found = version()
      if (found !== known) {
        known = found
        commits.add([{ table: anything }])
      }
      // Requests of one event-loop turn arrived together: another process's write that falls between them came later.
      isAsked = true
      setImmediate(forget)
      return commits.moment
    },
    changed(read, since) {
      look()
      if (schemaAt !== commits.ofAnything) {
        hasHidden = schema() !== undefined
        schemaAt = commits.ofAnything
      }
      return hasHidden ? commits.moment : commits.last(read, since)
    },
    proof: () => 'cached responses and totals are checked by data_version',
  }
}

import type { RawRow } from '../session.js'
import type { Versions } from '../versions.js'
import { anything } from '../written-tables.js'
import type { Connection } from './connection.js'

/** What the connection that writes has committed, by the moment of the last change. */
export interface Commits {
  moment: number
  /** By table, in small letters; `anything` stands for all of them. */
  readonly tables: Map<string, number>
}

/** The pragma tells the connection that writes of commits of all others; its own are known by their tables. */
export function dataVersion(writer: Connection, commits: Commits): Versions {
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
  const { tables } = commits
  let known = version()
  let isAsked = false
  let schemaAt = -1
  let hasHidden = false
  const forget = () => {
    isAsked = false
  }
  return {
    isRemote: false,
    now() {
      if (isAsked) return commits.moment
      const found = version()
      if (found !== known) {
        known = found
        commits.moment += 1
        tables.set(anything, commits.moment)
      }
      // Requests of one event-loop turn arrived together: another process's write that falls between them came later.
      isAsked = true
      setImmediate(forget)
      return commits.moment
    },
    changed(names) {
      let last = tables.get(anything) ?? 0
      if (schemaAt !== last) {
        hasHidden = schema() !== undefined
        schemaAt = last
      }
      if (hasHidden) return commits.moment
      for (const name of names) last = Math.max(last, tables.get(name) ?? 0)
      return last
    },
    proof: () => 'cached responses and totals are checked by data_version',
  }
}

import { type Names, namesIn } from './changes.js'

/** Where statements run: a session of an engine. */
interface Session<Rows, Changed> {
  all(sql: string, values: readonly unknown[]): Rows
  run(sql: string, values: readonly unknown[]): Changed
}

/** A session, and the names in what is read through it; `note` is called with statements whose result was cached. */
export function recorded<Rows, Changed>(session: Session<Rows, Changed>) {
  const statements = new Set<string>()
  const note = (sql: string): void => void statements.add(sql)
  const noting: Session<Rows, Changed> = {
    all(sql, values) {
      note(sql)
      return session.all(sql, values)
    },
    run: (sql, values) => session.run(sql, values),
  }
  const names = (): readonly Names[] => Array.from(statements, namesIn)
  return { session: noting, note, names }
}

import { type Names, namesIn } from './dependency.js'

type Rows = readonly (readonly unknown[])[]

interface RunResult {
  readonly changes: number
  readonly id: number
}

/** A connection for statements: the methods that every session of an engine has. */
export interface Session {
  all(sql: string, values: readonly unknown[]): Rows | Promise<Rows>
  run(sql: string, values: readonly unknown[]): RunResult | Promise<RunResult>
}

/** A session that records the names in its statements; `note` is called with statements whose result was cached. */
export function recording(session: Session) {
  const statements = new Set<string>()
  const note = (sql: string): void => void statements.add(sql)
  const noting: Session = {
    all(sql, values) {
      note(sql)
      return session.all(sql, values)
    },
    run: (sql, values) => session.run(sql, values),
  }
  const names = (): readonly Names[] => Array.from(statements, namesIn)
  return { session: noting, note, names }
}

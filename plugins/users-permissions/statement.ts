import type { Changed, RawRow, Session } from '../../core/index.js'

/** A statement of the query builder, as a session takes it. */
interface Statement {
  toSQL(): { toNative(): { readonly sql: string; readonly bindings: readonly unknown[] } }
}

/** Runs a statement that changes rows; how many tells whether this one came first. */
export async function change(session: Session, statement: Statement): Promise<Changed> {
  const { sql, bindings } = statement.toSQL().toNative()
  return session.run(sql, bindings)
}

/** The first row of a statement that reads. */
export async function firstRow(session: Session, statement: Statement): Promise<RawRow | undefined> {
  const { sql, bindings } = statement.toSQL().toNative()
  return (await session.all(sql, bindings))[0]
}

import { rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'

/** The highest id that a table ever gave: a new entry must not get the id of a deleted one. */
export async function lastId({ ddl, knex }: Engine, session: Session, table: string): Promise<number> {
  const given = await ddl.lastId(session, table)
  const [highest] = await rowsOf(session, knex(table).max('id'))
  return Math.max(given, Number(highest?.[0] ?? 0))
}

/** New rows get ids beyond this one. */
export async function raiseLastId(engine: Engine, session: Session, table: string, id: number): Promise<void> {
  const last = Math.max(id, await lastId(engine, session, table))
  if (last > 0) await engine.ddl.raiseLastId(session, table, last)
}

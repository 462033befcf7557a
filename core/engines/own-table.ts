import type { Knex } from 'knex'
import { sqlOf } from './ddl.js'
import type { Engine } from './engine.js'

/** Makes a table that only this server knows, if it is missing, even if other processes do so at the same time. */
export async function makeOwnTable(
  engine: Engine,
  name: string,
  columns: (builder: Knex.CreateTableBuilder) => void,
  { hasId = true } = {},
): Promise<void> {
  if ((await engine.introspect()).tables.has(name)) return
  await engine.locked(async () => {
    if ((await engine.introspect()).tables.has(name)) return
    try {
      await engine.alter(ownTable(engine, name, columns, { hasId }))
    } catch (error) {
      // A lock is known to one node of a cluster only: another process may be faster on another one.
      if (!(await engine.introspect()).tables.has(name)) throw error
    }
  })
}

/** The statements that create such a table. Without an id, one of its columns is the primary key. */
export function ownTable(
  engine: Engine,
  name: string,
  columns: (builder: Knex.CreateTableBuilder) => void,
  { hasId = true } = {},
): string[] {
  const statements = engine.knex.schema.createTable(name, builder => {
    if (hasId) builder.increments('id')
    columns(builder)
    engine.ddl.inTransactions?.(builder)
  })
  return sqlOf(statements)
}

/** A column of names that occur once: the rule exists as soon as the table does, without a second statement. */
export function uniqueName(builder: Knex.CreateTableBuilder, column: string, length: number): void {
  builder.specificType(column, `varchar(${length}) not null unique`)
}

import type { Knex } from 'knex'
import type { Engine } from '../../engines/engine.js'

/** The number of rows that a query of `count` finds. */
export async function countOf({ reader }: Pick<Engine, 'reader'>, query: Knex.QueryBuilder): Promise<number> {
  const { sql, bindings } = query.toSQL().toNative()
  const [row] = await reader.all(sql, bindings)
  return Number(row?.[0] ?? 0)
}

export const countRows = (engine: Engine, table: string): Promise<number> => countOf(engine, engine.knex(table).count())

export const countValues = (engine: Engine, table: string, column: string): Promise<number> =>
  countOf(engine, engine.knex(table).count().whereNotNull(column))

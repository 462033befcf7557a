import { change, rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'
import { transact } from '../../engines/transaction.js'
import { stepsTable } from '../../layout/marks.js'

export const settingsTable = 'strapi_core_store_settings'
const key = 'core_persisted_tables'

/**
 * Strapi 4 drops the tables that it does not know when its schema files have changed, except for those that are listed
 * here. Indexes cannot be listed: they are made again when they are found missing.
 */
export async function protect(engine: Engine, tables: readonly string[]): Promise<void> {
  const { knex } = engine
  await transact(engine, async session => {
    const { id, tables: known } = await read(engine, session)
    const missing = [...tables, stepsTable].filter(table => !known.includes(table))
    if (missing.length === 0) return
    const value = JSON.stringify([...known, ...missing])
    const query = id
      ? knex(settingsTable).where({ id }).update({ value })
      : knex(settingsTable).insert({ key, value, type: 'object', environment: null, tag: null })
    await change(session, query)
  })
}

/** The tables that are listed there. */
export async function protectedTables(engine: Engine, session: Session): Promise<readonly string[]> {
  return (await read(engine, session)).tables
}

async function read({ knex }: Engine, session: Session): Promise<{ id?: number; tables: readonly string[] }> {
  const [row] = await rowsOf(session, knex(settingsTable).select('id', 'value').where({ key }).limit(1))
  if (!row) return { tables: [] }
  const listed: unknown = JSON.parse(String(row[1]))
  return { id: Number(row[0]), tables: Array.isArray(listed) ? listed : [] }
}

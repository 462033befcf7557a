import type { Engine } from './engine.js'
import { stepsTable } from './steps.js'
import { transact } from './transaction.js'

const settings = 'strapi_core_store_settings'
const key = 'core_persisted_tables'

/**
 * Strapi 4 drops the tables that it does not know when its schema files have changed, except for those that are listed
 * here. Indexes cannot be listed: they are made again when they are found missing.
 */
export async function persistTables(engine: Engine, tables: readonly string[]): Promise<void> {
  const { knex } = engine
  await transact(engine, async session => {
    const look = knex(settings).select('id', 'value').where({ key }).limit(1).toSQL().toNative()
    const [row] = await session.all(look.sql, look.bindings)
    const listed: unknown = row ? JSON.parse(String(row[1])) : []
    const known = Array.isArray(listed) ? listed : []
    const missing = [...tables, stepsTable].filter(table => !known.includes(table))
    if (missing.length === 0) return
    const value = JSON.stringify([...known, ...missing])
    const query = row
      ? knex(settings).where({ id: row[0] }).update({ value })
      : knex(settings).insert({ key, value, type: 'object', environment: null, tag: null })
    const { sql, bindings } = query.toSQL().toNative()
    await session.run(sql, bindings)
  })
}

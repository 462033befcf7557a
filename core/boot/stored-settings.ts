import { change, rowsOf } from '../engines/built.js'
import type { Engine, Session } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import type { WantedTable } from '../layout/layout.js'
import type { RawPlugin } from '../plugin/arrange.js'
import type { StoredSettings } from '../plugin/parts.js'

/** The table of settings that plugins keep in the database. */
export const settingsTable = (engine: Engine, name: string): WantedTable => ({
  name,
  columns: [
    { name: 'key', as: 'text', type: engine.columnType('text') },
    { name: 'value', as: 'longtext', type: engine.columnType('longtext') },
    { name: 'type', as: 'text', type: engine.columnType('text') },
    { name: 'environment', as: 'text', type: engine.columnType('text') },
    { name: 'tag', as: 'text', type: engine.columnType('text') },
  ],
  indexes: [],
})

/** The key of a plugin's stored setting in the table. */
export const settingKey = (plugin: string, name: string): string => `plugin_${plugin}_${name}`

type Values = Readonly<Record<string, unknown>>

/** The stored settings of one plugin; a key without a row has the value that the plugin declares. */
export function storedSettings(
  { name: plugin, shares: { stored: initial = {} } = {} }: Pick<RawPlugin, 'name' | 'shares'>,
  engine: Engine,
  table: string,
): StoredSettings<Values> {
  const { knex } = engine
  const keyOf = (name: string) => {
    if (!Object.hasOwn(initial, name)) throw new Error(`plugin ${plugin} declares no stored setting "${name}"`)
    return settingKey(plugin, name)
  }
  const rowOf = async (key: string, session: Session) => {
    const rows = knex(table).select('id', 'value').where({ key }).orderBy('id').limit(1)
    return (await rowsOf(session, rows))[0]
  }
  return {
    async get(name, session = engine.reader) {
      const row = await rowOf(keyOf(name), session)
      return row ? read(row[1], initial[name]) : initial[name]
    },
    async set(name, value, session) {
      const key = keyOf(name)
      const store = async (session: Session) => {
        const row = await rowOf(key, session)
        const columns = { value: JSON.stringify(value), type: Array.isArray(value) ? 'array' : typeof value }
        const query = row
          ? knex(table).where({ id: row[0] }).update(columns)
          : knex(table).insert({ key, ...columns, environment: null, tag: null })
        await change(session, query)
      }
      await (session?.afterCommit ? store(session) : transact(engine, store))
    },
  }
}

/** An object that was stored before a part of it existed has that part as it was declared. */
function read(text: unknown, initial: unknown): unknown {
  const value: unknown = JSON.parse(String(text))
  return isPlain(value) && isPlain(initial) ? { ...initial, ...value } : value
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

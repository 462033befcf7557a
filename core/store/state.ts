import type { Engine, Session } from './engine.js'
import { makeOwnTable, uniqueName } from './own-table.js'

/** Where the server keeps what it has to know about the layout of the database, by name. */
export const stateTable = 'stele_schema'

export const prepareState = (engine: Engine): Promise<void> =>
  makeOwnTable(engine, stateTable, builder => {
    uniqueName(builder, 'name', 190)
    builder.specificType('value', engine.columnType('longtext'))
    builder.bigInteger('time')
  })

export async function readState({ knex }: Engine, session: Session, name: string): Promise<string | undefined> {
  const { sql, bindings } = knex(stateTable).select('value').where({ name }).toSQL().toNative()
  const [row] = await session.all(sql, bindings)
  return row === undefined ? undefined : String(row[0])
}

export async function writeState({ knex }: Engine, session: Session, name: string, value: string): Promise<void> {
  const row = { value, time: Date.now() }
  const renew = knex(stateTable).where({ name }).update(row).toSQL().toNative()
  if ((await session.run(renew.sql, renew.bindings)).changes > 0) return
  const { sql, bindings } = knex(stateTable)
    .insert({ name, ...row })
    .toSQL()
    .toNative()
  await session.run(sql, bindings)
}

import { change, rowsOf } from '../built.js'
import type { Engine, Session } from '../engine.js'
import { makeOwnTable, uniqueName } from '../own-table.js'

/** The table in which the server keeps its knowledge about the layout of the database, by name. */
export const stateTable = 'stele_schema'

export const prepareState = (engine: Engine): Promise<void> =>
  makeOwnTable(engine, stateTable, builder => {
    uniqueName(builder, 'name', 190)
    builder.specificType('value', engine.columnType('longtext'))
    builder.bigInteger('time')
  })

export async function readState({ knex }: Engine, session: Session, name: string): Promise<string | undefined> {
  const [row] = await rowsOf(session, knex(stateTable).select('value').where({ name }))
  return row === undefined ? undefined : String(row[0])
}

export async function writeState({ knex }: Engine, session: Session, name: string, value: string): Promise<void> {
  const row = { value, time: Date.now() }
  const { changes } = await change(session, knex(stateTable).where({ name }).update(row))
  if (changes === 0) await change(session, knex(stateTable).insert({ name, ...row }))
}

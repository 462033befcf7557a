import { BootError } from '../errors.js'
import { change, rowsOf } from '../store/built.js'
import type { Engine, Session } from '../store/engine.js'
import { makeOwnTable, uniqueName } from '../store/own-table.js'
import { transact } from '../store/transaction.js'

/** How far an import has come. */
export interface Place {
  /** The number of the member that is next or half done; -1 while former rows are still being removed. */
  readonly member: number
  /** The last id of it that is there; while rows are removed, how many are gone. */
  readonly last: number
}

const table = 'stele_imports'

/** What the database itself knows of the import that goes on: it is written together with the rows, and gone with the last of them. */
export class ImportRecord {
  readonly archive: string
  readonly #engine: Engine
  #place: Place

  private constructor(engine: Engine, archive: string, place: Place) {
    this.#engine = engine
    this.archive = archive
    this.#place = place
  }

  /** The import that was begun and did not end. */
  static async find(engine: Engine): Promise<ImportRecord | undefined> {
    if (!(await engine.introspect()).tables.has(table)) return undefined
    const [row] = await rowsOf(engine.reader, engine.knex(table).select('archive', 'member', 'last').limit(1))
    return row && new ImportRecord(engine, String(row[0]), { member: Number(row[1]), last: Number(row[2]) })
  }

  /** Begins to remember an import, in place of any other. */
  static async begin(engine: Engine, archive: string): Promise<ImportRecord> {
    const { knex } = engine
    await makeOwnTable(engine, table, builder => {
      uniqueName(builder, 'archive', 36)
      builder.bigInteger('member').notNullable()
      builder.bigInteger('last').notNullable()
    })
    const place = { member: -1, last: 0 }
    await transact(engine, async session => {
      await change(session, knex(table).delete())
      await change(session, knex(table).insert({ archive, ...place }))
    })
    return new ImportRecord(engine, archive, place)
  }

  get place(): Place {
    return this.#place
  }

  /** Does a piece of work together with the note that it is done. */
  async step(place: Place, work: (session: Session) => Promise<void>): Promise<void> {
    const former = this.#place
    const note = this.#engine.knex(table).where({ archive: this.archive, ...former })
    await transact(this.#engine, async session => {
      // First of all, as it is what another process that imports the same would wait for.
      if ((await change(session, note.clone().update({ ...place }))).changes !== 1)
        throw new BootError('another process imports into this database: wait for it, or stop it')
      await work(session)
    })
    this.#place = place
  }

  /** All is there: nothing has to be remembered any more. */
  async end(): Promise<void> {
    const { knex } = this.#engine
    await this.#engine.locked(() => this.#engine.alter([knex.raw('drop table ??', [table]).toString()]))
  }
}

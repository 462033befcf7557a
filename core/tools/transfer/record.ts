import { change, rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'
import { makeOwnTable, uniqueName } from '../../engines/own-table.js'
import { transact } from '../../engines/transaction.js'
import { BootError } from '../../errors.js'

/** The progress of an import. */
export interface ImportProgress {
  /** The number of the member that is next or half done; -1 while former rows are still being removed. */
  readonly member: number
  /** The last id of it that is there; while rows are removed, how many are gone. */
  readonly last: number
}

const table = 'stele_imports'

/** An archive by its id, the file it was read from, and the command that reads it. */
export interface ImportSource {
  readonly archive: string
  readonly file: string
  readonly command: 'import' | 'restore'
}

/** The database's own record of a running import: it is written together with the rows, and removed with the last of them. */
export class ImportRecord {
  readonly archive: string
  readonly file: string
  readonly command: ImportSource['command']
  readonly #engine: Engine
  #place: ImportProgress

  private constructor(engine: Engine, { archive, file, command }: ImportSource, place: ImportProgress) {
    this.#engine = engine
    this.archive = archive
    this.file = file
    this.command = command
    this.#place = place
  }

  /** The import that was begun and did not end. */
  static async find(engine: Engine): Promise<ImportRecord | undefined> {
    const found = await columnsIn(engine)
    if (!found) return undefined
    const exists = async () => (await columnsIn(engine)) !== undefined
    // An earlier version records imports without their command.
    const columns = ['archive', 'file', 'member', 'last', ...(found.has('command') ? ['command'] : [])]
    const rows = await rowsOf(engine.reader, engine.knex(table).select(columns).limit(1)).catch(async error => {
      // The import of another process has ended in between, and taken the table away.
      if (await exists()) throw error
      return []
    })
    const [row] = rows
    if (!row) return undefined
    const [archive, file, member, last, typed] = row
    const place = { member: Number(member), last: Number(last) }
    const command = typed === 'restore' ? typed : 'import'
    return new ImportRecord(engine, { archive: String(archive), file: String(file), command }, place)
  }

  /** Begins to remember an import, in place of any other. */
  static async begin(engine: Engine, source: ImportSource): Promise<ImportRecord> {
    const { knex } = engine
    // A record of an earlier version counts no longer.
    if ((await columnsIn(engine))?.has('command') === false) await drop(engine)
    await makeOwnTable(engine, table, builder => {
      uniqueName(builder, 'archive', 36)
      builder.specificType('file', engine.columnType('longtext')).notNullable()
      builder.bigInteger('member').notNullable()
      builder.bigInteger('last').notNullable()
      builder.specificType('command', 'varchar(16)').notNullable()
    })
    const place = { member: -1, last: 0 }
    await transact(engine, async session => {
      await change(session, knex(table).delete())
      await change(session, knex(table).insert({ ...source, ...place }))
    })
    return new ImportRecord(engine, source, place)
  }

  get place(): ImportProgress {
    return this.#place
  }

  /** True if rows of the archive are there already: other writes would take their places. */
  get hasRows(): boolean {
    return this.#place.member >= 0
  }

  /** Explains the state of a database with such a record, and the remedy. */
  get explanation(): string {
    const { command, file } = this
    return (
      `the database is half ${command === 'restore' ? 'restored' : 'imported'}: the ${command} of ${file} was stopped, or is still running. ` +
      `\`stele ${command} ${file}\` goes on with it, and \`stele import <another archive> --replace\` begins anew`
    )
  }

  /** Does a piece of work together with the note that it is done. */
  async step(place: ImportProgress, work: (session: Session) => Promise<void>): Promise<void> {
    const former = this.#place
    const note = this.#engine.knex(table).where({ archive: this.archive, ...former })
    await transact(this.#engine, async session => {
      // This update is the first, as another process with the same import would wait for it.
      if ((await change(session, note.clone().update({ ...place }))).changes !== 1)
        throw new BootError('another process imports into this database: wait for it, or stop it', { kind: 'busy' })
      await work(session)
    })
    this.#place = place
  }

  /** All is there: nothing has to be remembered any more. */
  async end(): Promise<void> {
    await drop(this.#engine)
  }
}

/** The columns of the record; undefined where there is none. */
const columnsIn = async (engine: Engine) => (await engine.introspect()).tables.get(table)

const drop = (engine: Engine): Promise<void> =>
  engine.locked(() => engine.alter([engine.knex.raw('drop table ??', [table]).toString()]))

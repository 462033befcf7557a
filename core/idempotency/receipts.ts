import { change, rowsOf } from '../engines/built.js'
import type { Engine, Session } from '../engines/engine.js'
import { ownTable, uniqueName } from '../engines/own-table.js'
import { transact } from '../engines/transaction.js'
import { RequestError, UnavailableError } from '../errors.js'
import type { ForeignLayout } from '../layout/foreign.js'
import { unlessTaken } from '../layout/marks.js'
import { grantAdvice, isDenied } from '../layout/rights.js'
import type { Log } from '../log.js'

/** The record of a write that was done, under the name of its request. */
export interface Receipt {
  /** A hash of the sent data. */
  readonly print: string
  /** The scope of the caller who was answered: another one may not see the same. */
  readonly scope: string
  readonly entry: number
  /** The body of the response; undefined if it was too large to be kept. */
  readonly answer: string | undefined
}

export interface ReceiptLimits {
  /** Seconds for which they are kept. */
  readonly maxAge: number
  /** The longest response that is kept, in characters. */
  readonly answer: number
}

const table = 'stele_requests'

/** The number of rows looked at when old ones are removed, and the milliseconds between two times. */
const batch = 200
const pause = 60_000

/** The rows that tell whether a request was served already, written in the transaction of its work. */
export class Receipts {
  readonly #engine: Engine
  readonly #limits: ReceiptLimits
  readonly #log: Log
  readonly #foreign: ForeignLayout
  #prepared: Promise<void> | undefined
  #nextSweep = 0

  constructor(engine: Engine, limits: ReceiptLimits, log: Log, foreign: ForeignLayout) {
    this.#engine = engine
    this.#limits = limits
    this.#log = log
    this.#foreign = foreign
  }

  async find(name: string): Promise<Receipt | undefined> {
    await this.#prepare()
    const { knex, reader } = this.#engine
    const query = knex(table).select('print', 'scope', 'entry', 'answer', 'time').where({ name })
    const [row] = await rowsOf(reader, query)
    if (!row) return undefined
    const [print, scope, entry, answer, time] = row
    if (Number(time) < this.#oldest()) {
      await change(reader, knex(table).where({ name }).where('time', '<', this.#oldest()).delete())
      return undefined
    }
    return {
      print: String(print),
      scope: String(scope),
      entry: Number(entry),
      answer: answer === null ? undefined : String(answer),
    }
  }

  /** Takes a name for this transaction. Where another one has it, this waits for its end; false says that it stands. */
  async claim(session: Session, name: string, print: string): Promise<boolean> {
    const row = this.#engine.knex(table).insert({ name, print, time: Date.now() })
    return (await unlessTaken(this.#engine, () => change(session, row))) !== undefined
  }

  /** Notes the result of a claim, at the end of its transaction. */
  async keep(session: Session, name: string, { scope, entry, answer }: Omit<Receipt, 'print'>): Promise<void> {
    const kept = answer === undefined || answer.length > this.#limits.answer ? null : answer
    await change(session, this.#engine.knex(table).where({ name }).update({ scope, entry, answer: kept }))
  }

  /** Notes results in words of the work's own, however many: nothing else tells which entries were made. */
  async note(session: Session, name: string, note: string): Promise<void> {
    await change(session, this.#engine.knex(table).where({ name }).update({ scope: '', entry: 0, answer: note }))
  }

  /**
   * Removes some that are too old. It comes with the writes that make new ones, so it keeps up with them and no clock is
   * needed; the oldest have the lowest ids.
   */
  async sweep(): Promise<void> {
    const now = performance.now()
    if (now < this.#nextSweep) return
    this.#nextSweep = now + pause
    const { knex, reader } = this.#engine
    try {
      const rows = await rowsOf(reader, knex(table).select('id', 'time').orderBy('id').limit(batch))
      const old = rows.filter(([, time]) => Number(time) < this.#oldest()).map(([id]) => Number(id))
      if (old.length > 0)
        await transact(this.#engine, session => change(session, knex(table).whereIn('id', old).delete()))
      if (old.length === batch) this.#nextSweep = 0
    } catch (error) {
      this.#log.debug({ err: error }, 'old idempotency keys are left for the next time')
    }
  }

  #oldest(): number {
    return Date.now() - this.#limits.maxAge * 1000
  }

  #prepare(): Promise<void> {
    this.#prepared ??= prepareReceipts(this.#engine, this.#foreign).catch(error => {
      this.#prepared = undefined
      // Errors that come before a first write have their own words.
      if (error instanceof RequestError || !isDenied(this.#engine, error)) throw error
      this.#log.error({ err: error }, `requests with an Idempotency-Key need the table ${table}; ${grantAdvice}`)
      throw Object.assign(new UnavailableError('Idempotency keys cannot be kept right now'), { cause: error })
    })
    return this.#prepared
  }
}

/**
 * Makes the table with the first key that is ever used, while other requests write: in one statement, and without a lock
 * of the layout, which on SQLite is that of all writes.
 */
export async function prepareReceipts(engine: Engine, foreign: ForeignLayout): Promise<void> {
  const { tables } = await engine.introspect()
  if (tables.has(table)) return
  const statements = ownTable(engine, table, builder => {
    uniqueName(builder, 'name', 80)
    builder.specificType('print', 'varchar(64)').notNullable()
    builder.specificType('scope', 'varchar(64)')
    builder.bigInteger('entry')
    builder.specificType('answer', engine.columnType('longtext'))
    builder.bigInteger('time').notNullable()
  })
  try {
    for (const sql of statements) await engine.reader.run(sql, [])
  } catch (error) {
    // Another process was faster.
    if (!(await engine.introspect()).tables.has(table)) throw error
  }
  if (foreign.isHere({ tables })) await foreign.protect(engine, [table])
}

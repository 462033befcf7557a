import { change, rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'
import { makeOwnTable, uniqueName } from '../../engines/own-table.js'
import { transact } from '../../engines/transaction.js'
import type { ForeignLayout } from '../../layout/foreign.js'
import { unlessTaken } from '../../layout/marks.js'

/** A row for each job: its due time, the process that runs it, and the results of its last runs. Archives leave it out. */
export const jobsTable = 'stele_jobs'

/** A job as the database has it. */
export interface JobRow {
  readonly name: string
  readonly schedule: string
  readonly due: number
  /** The process that runs it, if any. */
  readonly holder: string | undefined
  /** Rises with every change of who holds it and with every renewal: a holder whose beat stands still is gone. */
  readonly beat: number
  /** The number of runs in a row that have failed, and the reason of the last. */
  readonly failures: number
  readonly error: string | undefined
}

const columns = ['name', 'schedule', 'due', 'holder', 'beat', 'failures', 'error'] as const

export async function prepareJobs(engine: Engine, foreign: ForeignLayout): Promise<void> {
  const { tables } = await engine.introspect()
  if (tables.has(jobsTable)) return
  await makeOwnTable(engine, jobsTable, builder => {
    uniqueName(builder, 'name', 190)
    builder.specificType('schedule', 'varchar(255)')
    builder.bigInteger('due').notNullable()
    builder.specificType('holder', 'varchar(80)')
    builder.bigInteger('beat').notNullable()
    builder.integer('failures').notNullable()
    builder.specificType('error', engine.columnType('longtext'))
    builder.bigInteger('finished')
  })
  if (foreign.isHere({ tables })) await foreign.protect(engine, [jobsTable])
}

/** The rows of jobs. Each change names the state that it read, so it does nothing if another process was faster. */
export class JobTable {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async rows(names: readonly string[], session: Session = this.#engine.reader): Promise<Map<string, JobRow>> {
    const query = this.#engine
      .knex(jobsTable)
      .select(...columns)
      .whereIn('name', [...names])
    const rows = await rowsOf(session, query)
    return new Map(
      rows.map(([name, schedule, due, holder, beat, failures, error]) => [
        String(name),
        {
          ...{ name: String(name), schedule: String(schedule), due: Number(due), beat: Number(beat) },
          ...{ holder: textOf(holder), failures: Number(failures), error: textOf(error) },
        },
      ]),
    )
  }

  /** Adds the row of a new job, or gives one whose schedule has changed its first turn. */
  async declare(name: string, schedule: string, due: number): Promise<void> {
    const { knex } = this.#engine
    await unlessTaken(this.#engine, () =>
      transact(this.#engine, async session => {
        const row = (await this.rows([name], session)).get(name)
        if (row?.schedule === schedule) return
        const next = { schedule, due }
        if (row)
          await change(
            session,
            knex(jobsTable)
              .where({ name, beat: row.beat })
              .update({ ...next, beat: row.beat + 1 }),
          )
        else await change(session, knex(jobsTable).insert({ name, ...next, beat: 0, failures: 0 }))
      }),
    )
  }

  /** Takes a job that is not running, or whose process is gone. */
  take({ name, beat }: JobRow, holder: string): Promise<boolean> {
    return this.#change(name, beat, { holder, beat: beat + 1 })
  }

  /** Schedules the next run of a job that is not running. */
  move({ name, beat }: JobRow, due: number): Promise<boolean> {
    return this.#change(name, beat, { due, beat: beat + 1 })
  }

  /** Says that the holder is still there; false where it is not the holder any more. */
  renew(name: string, holder: string): Promise<boolean> {
    return this.#held(name, holder, { beat: this.#engine.knex.raw('beat + 1') })
  }

  /** Ends a run; without a row it leaves the turn to the next process. */
  release(name: string, holder: string, row: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    return this.#held(name, holder, { ...row, holder: null, beat: this.#engine.knex.raw('beat + 1') })
  }

  #change(name: string, beat: number, row: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#run({ name, beat }, row)
  }

  #held(name: string, holder: string, row: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#run({ name, holder }, row)
  }

  async #run(found: Readonly<Record<string, unknown>>, row: Readonly<Record<string, unknown>>): Promise<boolean> {
    const query = this.#engine.knex(jobsTable).where(found).update(row)
    const { changes } = await transact(this.#engine, async session => change(session, query))
    return changes > 0
  }
}

const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : String(value)

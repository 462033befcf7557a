import { LRUCache } from 'lru-cache'
import { change, rowsOf } from '../../engines/built.js'
import type { Engine } from '../../engines/engine.js'
import { makeOwnTable } from '../../engines/own-table.js'
import { transact } from '../../engines/transaction.js'
import type { ForeignLayout } from '../../layout/foreign.js'
import type { Log } from '../../log.js'
import type { CountState, Counts, CountsParts, CountsStore } from '../../plugin/processes/counts.js'

/** A row for each key in each interval. Archives leave it out. */
export const countsTable = 'stele_counts'

/** Milliseconds between two sweeps, and for how long a row stays after its interval: the clock of another machine may be late. */
const pause = 60_000
const spare = 3_600_000
/** Rows that are removed in one transaction. */
const batch = 500
/** Counts above their most that are remembered. */
const remembered = 20_000

export async function prepareCounts(engine: Engine, foreign: ForeignLayout): Promise<void> {
  const { tables } = await engine.introspect()
  if (tables.has(countsTable)) return
  const columns = (builder: Parameters<Parameters<typeof makeOwnTable>[2]>[0]) => {
    // Each addition to a row that is there would use up an id.
    builder.specificType('name', 'varchar(190) not null primary key')
    builder.integer('count').notNullable()
    builder.bigInteger('ends').notNullable().index('stele_counts_ends')
  }
  await makeOwnTable(engine, countsTable, columns, { hasId: false })
  if (foreign.isHere({ tables })) await foreign.protect(engine, [countsTable])
}

/** The counts of one name. */
class SharedCounts implements Counts {
  readonly #engine: Engine
  readonly #name: string
  readonly #log: Log
  readonly #now: () => number
  readonly #full = new LRUCache<string, true>({ max: remembered })
  #nextSweep = 0

  constructor(name: string, { engine, log, time }: CountsParts) {
    this.#engine = engine
    this.#name = name
    this.#log = log
    this.#now = time
  }

  async add(key: string, interval: number, most = Number.POSITIVE_INFINITY, by = 1): Promise<CountState> {
    const { name, ends } = this.#row(key, interval)
    const left = ends - this.#now()
    if (this.#full.get(name)) return { count: most + 1, left }
    const engine = this.#engine
    const count = await transact(engine, session => engine.add(session, countsTable, { name, ends, count: by }))
    if (count > most) this.#full.set(name, true)
    await this.#sweep()
    return { count, left }
  }

  async forget(key: string, interval: number): Promise<void> {
    const { name } = this.#row(key, interval)
    this.#full.delete(name)
    await this.#remove([name])
  }

  #row(key: string, interval: number) {
    const number = Math.floor(this.#now() / interval)
    return { name: `${this.#name}/${key}/${interval}/${number}`, ends: (number + 1) * interval }
  }

  /** Removes rows of past intervals. It runs with inserts, so it keeps up with them. */
  async #sweep(): Promise<void> {
    const now = this.#now()
    if (now < this.#nextSweep) return
    this.#nextSweep = now + pause
    const { knex, reader } = this.#engine
    try {
      const old = knex(countsTable)
        .select('name')
        .where('ends', '<', now - spare)
        .orderBy('ends')
        .limit(batch)
      const names = (await rowsOf(reader, old)).map(([name]) => String(name))
      if (names.length > 0) await this.#remove(names)
      if (names.length === batch) this.#nextSweep = 0
    } catch (error) {
      this.#log.debug({ err: error }, 'old counts are left for the next time')
    }
  }

  async #remove(names: readonly string[]): Promise<void> {
    const rows = this.#engine.knex(countsTable).whereIn('name', [...names])
    await transact(this.#engine, session => change(session, rows.delete()))
  }
}

/** The counts in the database. */
export const countsStore: CountsStore = {
  prepare: prepareCounts,
  open: (name, parts) => new SharedCounts(name, parts),
}

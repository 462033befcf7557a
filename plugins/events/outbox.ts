import { type Caller, change, type Host, rowsOf, type Session } from '../../core/index.js'
import { actorOf, type TransactionSession } from '../../core/plugin-kit.js'
import { eventUid } from './content-types.js'
import { textOf } from './ends.js'
import type { Change, StoredEvent } from './event.js'

/** The name of the lock under which events get their positions. */
export const order = 'order'

/** Events that get their places in one transaction, and that are read at once. */
const atOnce = 500
/** Rows in a statement: few different texts, so that each stays prepared. */
const portions = [100, 10, 1]

/** Recorded columns of a write, in the order of the statement's values. */
const recorded = ['at', 'event', 'uid', 'entry', 'locale', 'actor', 'requestId', 'trace', 'changed', 'ends', 'gone']

interface About {
  readonly at: Date
  readonly caller: Caller
  readonly requestId?: string | undefined
  readonly trace?: string | undefined
}

/** An insert of the values that there are, whose text is made once: building one costs more than running it. */
interface Insert {
  readonly sql: string
  /** Index into the recorded columns of the value at each position of a statement. */
  readonly order: readonly number[]
}

/**
 * The table of events. A row is written without a position in the order of events: ids are given before a commit, so a
 * row with a small one may appear after rows with larger ones. Readers first give positions to the rows without one, one
 * reader after the other, and then read by position: no row can appear before a position that was read.
 */
export class Outbox {
  readonly #host: Host
  readonly #table: string
  readonly #columns: ReadonlyMap<string, string>
  /** The attributes in the order in which they are read. */
  readonly #names: readonly string[]
  /** Inserts by the values that are present, a bit for each recorded column. */
  readonly #inserts = new Map<number, Insert>()

  constructor(host: Host) {
    this.#host = host
    const { table, fields, attributes } = host.types.get(eventUid)
    this.#table = table
    this.#columns = new Map([...fields.values()].map(({ name, column }) => [name, column]))
    this.#names = ['id', ...Object.keys(attributes)]
  }

  /** Records a change in the transaction that makes it. */
  add({ batch }: TransactionSession, change: Change, { at, caller, requestId, trace }: About): void {
    const { event, uid, entry, locale, changed, ends, gone } = change
    const values: unknown[] = [this.#encode('datetime', at.getTime()), event, uid, entry, locale]
    values.push(actorOf(caller), requestId, trace)
    values.push(this.#json(changed), ends && this.#encode('json', textOf(ends)), this.#json(gone))
    let given = 0
    for (let index = 0; index < values.length; index += 1) if (values[index] !== undefined) given |= 1 << index
    const { sql, order } = this.#inserts.get(given) ?? this.#prepare(given)
    void batch.run(
      sql,
      order.map(index => values[index]),
    )
  }

  #prepare(given: number): Insert {
    const there = recorded.map((name, index) => [this.#columns.get(name), index]).filter((_, at) => given & (1 << at))
    const { sql, bindings } = this.#knex(this.#table).insert(Object.fromEntries(there)).toSQL().toNative()
    const insert = { sql, order: bindings.map(Number) }
    this.#inserts.set(given, insert)
    return insert
  }

  /** True if there is no event, or the table does not exist yet. */
  async isEmpty(): Promise<boolean> {
    return (await this.#host.entries(eventUid).first({ fields: ['id'] })) === undefined
  }

  /** True if there are events without a position. */
  async hasUnplaced(session: Session = this.#host.store.reader): Promise<boolean> {
    return (await rowsOf(session, this.#unplaced().limit(1))).length > 0
  }

  #unplaced() {
    return this.#knex(this.#table).select('id').whereNull('position')
  }

  /** Gives places to the events that have none yet; tells whether there were more than fit into one transaction. */
  async arrange(): Promise<boolean> {
    const { store } = this.#host
    if (!(await this.hasUnplaced())) return false
    return store.transaction(async session => {
      // A concurrent reader continues from here: rows that it finds are new.
      await this.#host.shares.lock(session, order)
      const ids = (await rowsOf(session, this.#unplaced().orderBy('id').limit(atOnce))).map(([id]) => Number(id))
      let last = (await this.#bounds(session)).last
      for (let at = 0; at < ids.length; ) {
        const size = portions.find(portion => portion <= ids.length - at) as number
        await this.#place(session, ids.slice(at, at + size), last)
        at += size
        last += size
      }
      return ids.length === atOnce
    })
  }

  async #place(session: Session, ids: readonly number[], last: number): Promise<void> {
    const cases = ids.map((_, index) => `when ? then ${index + 1}`).join(' ')
    // The zero of a column tells every database that the sum is as large a number as that column holds.
    const to = this.#knex.raw(`entry - entry + ? + case id ${cases} end`, [last, ...ids])
    await change(
      session,
      this.#knex(this.#table)
        .whereIn('id', [...ids])
        .whereNull('position')
        .update({ position: to }),
    )
  }

  /** Events behind a place, in their order. */
  async after(position: number, limit = atOnce): Promise<StoredEvent[]> {
    const query = this.#knex(this.#table)
      .select(this.#names.map(name => this.#columns.get(name) ?? name))
      .where('position', '>', position)
      .orderBy('position')
      .limit(limit)
    const rows = await rowsOf(this.#host.store.reader, query)
    return rows.map(row => this.#eventOf(row))
  }

  /** Time of the oldest event behind a position, in milliseconds since 1970; events without a position come last. */
  async oldest(position: number): Promise<number | undefined> {
    const behind = this.#knex(this.#table).select('at').where('position', '>', position).orderBy('position').limit(1)
    const unplaced = this.#knex(this.#table).select('at').whereNull('position').orderBy('id').limit(1)
    const { reader, decode } = this.#host.store
    const [row] = [...(await rowsOf(reader, behind)), ...(await rowsOf(reader, unplaced))]
    return row === undefined ? undefined : Date.parse(String(decode('datetime', row[0])))
  }

  /** The first place that is still there, and the last one; both 0 while there is none. */
  bounds(): Promise<{ readonly first: number; readonly last: number }> {
    return this.#bounds(this.#host.store.reader)
  }

  async #bounds(session: Session): Promise<{ readonly first: number; readonly last: number }> {
    const at = async (way: 'asc' | 'desc') => {
      const query = this.#knex(this.#table)
        .select('position')
        .whereNotNull('position')
        .orderBy('position', way)
        .limit(1)
      return Number((await rowsOf(session, query))[0]?.[0] ?? 0)
    }
    return { first: await at('asc'), last: await at('desc') }
  }

  /** Deletes events that are older than a time. The last one stays, as the next place is counted from it. */
  async prune(before: Date, signal: AbortSignal): Promise<void> {
    while (await this.arrange()) signal.throwIfAborted()
    const { last } = await this.bounds()
    const { store } = this.#host
    const oldest = this.#knex(this.#table)
      .select('id', 'at')
      .where('position', '<', last)
      .orderBy('position')
      .limit(atOnce)
    for (;;) {
      signal.throwIfAborted()
      const rows = await rowsOf(store.reader, oldest)
      const ids = rows
        .filter(([, at]) => Date.parse(String(store.decode('datetime', at))) < before.getTime())
        .map(([id]) => Number(id))
      if (ids.length > 0)
        await store.transaction(session => change(session, this.#knex(this.#table).whereIn('id', ids).delete()))
      if (ids.length < atOnce) return
    }
  }

  #eventOf(row: readonly unknown[]): StoredEvent {
    const fields = this.#host.types.get(eventUid).fields
    const value = (name: string): unknown => {
      const raw = row[this.#names.indexOf(name)]
      const as = fields.get(name)?.type.as
      return raw === null || raw === undefined || as === undefined ? raw : this.#host.store.decode(as, raw)
    }
    const text = (name: string) => (value(name) ?? undefined) as string | undefined
    return {
      ...{ id: Number(row[0]), position: Number(value('position')), at: String(value('at')) },
      ...{ event: String(value('event')), uid: String(value('uid')), entry: Number(value('entry')) },
      ...{ locale: text('locale'), actor: text('actor'), requestId: text('requestId'), trace: text('trace') },
      changed: (value('changed') ?? undefined) as StoredEvent['changed'],
      ends: (value('ends') ?? undefined) as StoredEvent['ends'],
      gone: value('gone') ?? undefined,
    }
  }

  get #knex() {
    return this.#host.store.knex
  }

  #json(value: unknown): unknown {
    return value === undefined ? undefined : this.#encode('json', JSON.stringify(value))
  }

  #encode(as: 'json' | 'datetime', value: unknown): unknown {
    return this.#host.store.encode(as, value)
  }
}

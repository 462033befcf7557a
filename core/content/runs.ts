import type { Ask, Call, Caller, Entry } from '../hooks.js'
import type { Meta } from '../plugin-parts.js'
import type { PageAsked } from '../query/pagination.js'
import type { Filters } from '../query/where.js'
import type { ContentType } from '../schema/types.js'
import { Breath } from '../store/breath.js'
import type { Session } from '../store/engine.js'
import { fetchAll, fetchWhole, metaOf, nest, objectShape, type Run, textShape } from '../store/fetch.js'
import { type LongText, listed } from '../store/long-text.js'
import type { Prepared } from '../store/plan.js'
import { bind } from '../store/statement.js'
import type { Asked, Asking } from './asked.js'
import type { ContentParts } from './parts.js'
import { Unchanged } from './unchanged.js'

/** The body of an answer, ready to be sent. */
export type Body = string | Buffer | LongText

/** What of a query its run depends on. */
export type Running = Pick<Asked, 'ask' | 'prepared'>

/** Characters of SQL under which totals are kept. */
const keptTotals = 5_000_000

/** Runs plans and writes what they find: pages, single entries, totals, and whether a caller's rules reach an entry. */
export class Runs {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #totals: Unchanged<number>

  constructor(parts: ContentParts, asking: Asking) {
    this.#parts = parts
    this.#asking = asking
    this.#totals = new Unchanged(parts.engine, keptTotals, (_, key) => key.length)
  }

  /** The body of a list. */
  async page(asked: Asked, caller: Caller, session: Session): Promise<Body> {
    const { type } = asked.ask
    const page = asked.page as PageAsked
    const run = this.#start(asked, caller, session)
    const total = page.withCount ? await this.total(asked, caller, session) : undefined
    const meta: Meta = { pagination: paginationOf(page, total) }
    if (asked.prepared.plan.asText) {
      const frame = { head: '{"data":[', tail: `],"meta":${JSON.stringify(meta)}}` }
      const whole = page.limit === null ? undefined : await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? frame.head + frame.tail
      const items = await fetchAll(asked.prepared, run, this.#text)
      return listed(items, frame, run.breath)
    }
    const format = this.#parts.format(type)
    const entries = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    const body = format ? format.many(entries, meta) : { data: entries.map(entry => this.#envelope(entry)), meta }
    return JSON.stringify(body)
  }

  /** The body of one entry; undefined where there is none. */
  async one(
    asked: Running & Pick<Asked, 'several'>,
    caller: Caller,
    session: Session,
    id: number | undefined,
  ): Promise<Body | undefined> {
    const run = this.#start(asked, caller, session, id)
    const { several = false } = asked
    if (asked.prepared.plan.asText) {
      const frame = several ? severalFrame : oneFrame
      const whole = await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? undefined
      const items = await fetchAll(asked.prepared, run, this.#text)
      return items.length === 0 ? undefined : listed(items, frame, run.breath)
    }
    const format = this.#parts.format(asked.ask.type)
    const entries = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    const [entry] = entries
    if (!entry) return undefined
    if (format) return JSON.stringify(several ? format.many(entries, {}) : format.one(entry, {}))
    const data = several ? entries.map(one => this.#envelope(one)) : this.#envelope(entry)
    return JSON.stringify({ data, meta: {} })
  }

  /** How many entries a list has in all. */
  async total({ ask, prepared }: Running, caller: Caller, session: Session): Promise<number> {
    const { engine } = this.#parts
    if (!prepared.plan.count) return 0
    const run = this.#start({ ask, prepared }, caller, session)
    const { sql, values } = bind(engine, prepared.plan.count, prepared.values, { moment: run.moment })
    const count = async () => Number((await run.session.all(sql, values))[0]?.[0])
    return this.#totals.get(`${sql}\n${values.map(keyOf).join()}`, count)
  }

  /** The entries that a plan finds, as flat objects. */
  async entries(running: Running, caller: Caller, session: Session, id?: number): Promise<Entry[]> {
    return fetchAll(running.prepared, this.#start(running, caller, session, id), objectShape('plain'))
  }

  /** The same for the server's own use: no hook sees them. */
  async unseen(prepared: Prepared, ask: Ask, caller: Caller, session: Session, id?: number): Promise<Entry[]> {
    const run = { ...this.#start({ ask, prepared }, caller, session, id), see: undefined } as Run
    return fetchAll(prepared, run, objectShape('plain'))
  }

  /** The caller has no rules for the action, or they let it be done to the entry. */
  async isRuled(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    return rulesOf(ask, caller) === undefined || this.reaches(ask, id, session, caller)
  }

  /** The entry exists, and the caller's rules let the action be done to it. */
  async reaches(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    const prepared = this.#asking.entryWithin(ask, rulesOf(ask, caller) ?? {})
    return (await this.unseen(prepared, ask, caller, session, id)).length > 0
  }

  /** Those of some entries that the caller's rules let be found; undefined where there are no rules. */
  async seen(
    ask: Ask,
    caller: Caller,
    type: ContentType,
    ids: readonly number[],
    session: Session,
  ): Promise<ReadonlySet<number> | undefined> {
    const rules = caller.rows?.('find', type.uid)
    if (!rules) return undefined
    const prepared = this.#asking.someWithin(ask, type, { $and: [{ id: { $in: ids } }, rules] })
    return new Set((await this.unseen(prepared, ask, caller, session)).map(({ id }) => Number(id)))
  }

  /** What hooks are told of a request that runs. */
  call(ask: Ask, caller: Caller, session: Session, now: Date): Call {
    return { ...ask, caller, session, now, reaches: id => this.reaches(ask, id, session, caller) }
  }

  #start({ ask, prepared }: Running, caller: Caller, session: Session, entryId?: number): Run {
    const { engine, limits } = this.#parts
    const run: Run = {
      engine,
      session,
      moment: { caller, entryId },
      values: prepared.values,
      room: limits.entries,
      roomInAll: limits.entries,
      breath: new Breath(),
    }
    if (prepared.plan.asText) return run
    let call: Call | undefined
    return {
      ...run,
      see: async (type, entries) => {
        const { afterFind, serialize } = this.#parts.hooks(type)
        if (afterFind) {
          call ??= this.call(ask, caller, session, new Date())
          await afterFind(entries, { ...call, type })
        }
        if (serialize) for (const entry of entries) serialize(entry, ask)
      },
    }
  }

  get #text() {
    return this.#parts.dialect.entryMeta ? textWithMeta : textPlain
  }

  #envelope(entry: Entry): Entry {
    if (!this.#parts.dialect.entryMeta) return nest(entry)
    return { ...nest(entry), meta: (entry as { [metaOf]?: unknown })[metaOf] ?? { availableLocales: [] } }
  }
}

const rulesOf = (ask: Ask, caller: Caller): Filters | undefined =>
  caller.rows?.(ask.permission ?? ask.action, ask.type.uid)

/** No two values are written alike, nor any two lists of them. */
const keyOf = (value: unknown): string => JSON.stringify(typeof value === 'bigint' ? { big: String(value) } : value)

const oneFrame = { head: '{"data":', tail: ',"meta":{}}' }
const severalFrame = { head: '{"data":[', tail: '],"meta":{}}' }
const textWithMeta = textShape(',"meta":{"availableLocales":[]}')
const textPlain = textShape('')

function paginationOf(page: PageAsked, total: number | undefined): Record<string, number> {
  if (page.form === 'page') {
    const pageSize = page.limit as number
    const asked = { page: Math.floor(page.start / pageSize) + 1, pageSize }
    return total === undefined ? asked : { ...asked, pageCount: Math.ceil(total / pageSize), total }
  }
  const limit = page.limit ?? total
  const asked = { start: page.start, ...(limit !== undefined && { limit }) }
  return total === undefined ? asked : { ...asked, total }
}

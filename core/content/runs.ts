import { NextTimes } from '../cache/next-times.js'
import { keyOf, Totals } from '../cache/totals.js'
import type { Session } from '../engines/engine.js'
import { inOnePiece } from '../engines/together.js'
import type { Sql } from '../engines/words.js'
import type { Body } from '../loop/long-text.js'
import { listed } from '../loop/long-text.js'
import { TimeSlice } from '../loop/time-slice.js'
import { type Ask, type Caller, type Entry, type Row, rowsFor } from '../query/ask.js'
import type { Filters } from '../query/filters.js'
import type { PageAsked } from '../query/pagination.js'
import type { PageTurner } from '../query/tree.js'
import type { ContentType } from '../schema/types.js'
import { type Alone, fetchAll, fetchEach, objectShape, type Run, type Shape, textShape } from '../sql/fetch.js'
import type { Prepared } from '../sql/plan.js'
import { bind, type Frame, fetchWhole, type Moment } from '../sql/statement.js'
import type { Sight } from '../write/targets.js'
import type { Asking } from './asked.js'
import { systemCaller } from './entries.js'
import type { Meta } from './format.js'
import type { Call } from './hooks.js'
import type { ContentParts } from './parts.js'
import { paginationOf, turnerOf } from './reads.js'
import type { About, Asked, Found, Known, RunFor, Running } from './request.js'
import { Showing } from './showing.js'

/** Runs plans and writes what they find: pages, single entries, totals, and whether a caller's rules reach an entry. */
export class Runs {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #totals: Totals
  readonly #text: Shape<string>
  readonly nextTimes: NextTimes
  readonly showing: Showing

  constructor(parts: ContentParts, asking: Asking) {
    this.#parts = parts
    this.#asking = asking
    this.#text = textShape(parts.emptyMeta && JSON.stringify(parts.emptyMeta))
    this.showing = new Showing(parts, this)
    this.nextTimes = new NextTimes(parts.engine, parts.registry)
    this.#totals = new Totals(parts.engine.versions, this.nextTimes)
  }

  /** The body of a list. */
  async page(asked: Asked, target: RunFor): Promise<Body> {
    const turner = turnerOf(asked.keyset, asked.prepared.plan)
    if (turner) return this.#pageFirst(asked, target, turner)
    const page = asked.page as PageAsked
    const run = this.#start(asked, target)
    const { plan } = asked.prepared
    if (page.withCount && plan.asText && target.session.together) {
      const sliced = inSlices(run)
      const [meta, items] = await inOnePiece(target.session, session =>
        Promise.all([
          this.#pageMeta(asked, { ...target, session }),
          fetchAll(asked.prepared, { ...sliced, session }, this.#text),
        ]),
      )
      return listed(items, frameOf(true, meta), sliced.slice)
    }
    const meta = await this.#pageMeta(asked, target)
    if (plan.asText) {
      const frame = frameOf(true, meta)
      const whole = page.limit === null ? undefined : await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? frame.head + frame.tail
      const sliced = inSlices(run)
      return listed(await fetchAll(asked.prepared, sliced, this.#text), frame, sliced.slice)
    }
    return this.showing.shown(asked, target, {
      entries: await this.showing.objects(asked, run, target),
      meta,
      many: true,
    })
  }

  /** The body of a list whose rows tell its meta. */
  async #pageFirst(asked: Asked, target: RunFor, turner: PageTurner): Promise<Body> {
    if (!asked.prepared.plan.asText)
      return this.showing.shown(asked, target, (await this.found(asked, target)) as Found)
    const run = inSlices({ ...this.#start(asked, target), ...turner })
    const items = await fetchAll(asked.prepared, run, this.#text)
    return listed(items, frameOf(true, await this.#pageMeta(asked, target, turner)), run.slice)
  }

  /** The body of one entry; undefined where there is none. */
  async one(asked: Running & Pick<Asked, 'several'>, target: RunFor): Promise<Body | undefined> {
    const run = this.#start(asked, target)
    const { several = false } = asked
    if (asked.prepared.plan.asText) {
      const hasMeta = this.#parts.hooks(asked.ask.type).meta ?? target.meta
      const plain = several ? severalFrame : oneFrame
      const frame = hasMeta ? frameOf(several, await this.#meta(asked, target, several, {})) : plain
      const whole = await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? undefined
      const sliced = inSlices(run)
      const items = await fetchAll(asked.prepared, sliced, this.#text)
      return items.length === 0 ? undefined : listed(items, frame, sliced.slice)
    }
    const entries = await this.showing.objects(asked, run, target)
    if (entries.length === 0) return undefined
    return this.showing.shown(asked, target, {
      entries,
      meta: await this.#meta(asked, target, several, {}),
      many: several,
    })
  }

  /** The bodies of several entries, each as the response to a request for it alone. */
  async each(asked: Asked, target: RunFor): Promise<Alone<string>[]> {
    const run = this.#start(asked, target)
    const hasMeta = this.#parts.hooks(asked.ask.type).meta
    const metaOf = (id: number) => this.#meta(asked, { ...target, id }, false, {})
    const bodies: Alone<string>[] = []
    if (asked.prepared.plan.asText) {
      const { list: _, ...shape } = this.#text
      for (const { item, ...one } of await fetchEach(asked.prepared, inSlices(run), shape)) {
        const { head, tail } = hasMeta ? frameOf(false, await metaOf(one.id)) : oneFrame
        bodies.push({ ...one, item: head + item + tail })
      }
      return bodies
    }
    const found = await this.showing.each(asked, run, target)
    await this.showing.see(
      asked,
      target,
      found.map(({ item }) => item),
    )
    for (const { item, ...one } of found) {
      const shown = { entries: [item], meta: await metaOf(one.id), many: false }
      bodies.push({ ...one, item: await this.showing.written(asked, shown) })
    }
    return bodies
  }

  /** One entry is read in one statement, and nothing that is done with it can fail. */
  readsOnce({ ask, prepared: { plan } }: Running): boolean {
    return plan.asText && !plan.whole && plan.root.children.length === 0 && !this.#parts.hooks(ask.type).meta
  }

  /** What a query finds, before the hooks of its type have seen it; undefined where there is no entry to return. */
  async found(asked: Asked, target: RunFor): Promise<Found | undefined> {
    const { page, several = false } = asked
    const turner = turnerOf(asked.keyset, asked.prepared.plan)
    const entries = await this.showing.objects(asked, { ...this.#start(asked, target), ...turner }, target)
    const meta = page ? await this.#pageMeta(asked, target, turner) : await this.#meta(asked, target, several, {})
    return entries.length === 0 && !page ? undefined : { entries, meta, many: page !== undefined || several }
  }

  async #pageMeta(asked: Asked, target: RunFor, turner?: PageTurner): Promise<Meta> {
    const page = asked.page as PageAsked
    const total = page.withCount ? (turner?.total ?? (await this.total(asked, target))) : undefined
    return this.#meta(asked, target, true, { pagination: paginationOf(page, total, turner) })
  }

  /** What stands beside the entries, with what hooks add. */
  #meta({ ask }: Running, { session, id, meta: own }: RunFor, many: boolean, found: Meta): Meta | Promise<Meta> {
    const hook = this.#parts.hooks(ask.type).meta
    const meta = own ? { ...found, ...own() } : found
    return hook ? hook(meta, { ...ask, session, id, many }) : meta
  }

  /** How many entries a list has in all. */
  async total({ prepared }: Pick<Running, 'prepared'>, target: RunFor): Promise<number> {
    const { engine } = this.#parts
    if (!prepared.plan.count) return 0
    const { session, moment } = this.#start({ prepared }, target)
    const bound = (at: Moment) => bind(engine, prepared.plan.count as Sql, prepared.values, { moment: at })
    const { text, values } = bound(moment)
    const count = async () => Number((await session.all(text, values))[0]?.[0])
    // A transaction sees what it has not stored yet.
    if (session.afterCommit) return count()
    const { timed, plan } = prepared
    const key = keyOf(text, timed ? bound({ ...moment, now: 0 }).values : values)
    return this.#totals.get(
      { session, state: target.at, note: target.note, text, key, timed, rows: { reach: plan.reach }, now: moment.now },
      count,
    )
  }

  /** The entries that a plan finds, as flat objects. */
  async entries(running: Running, target: RunFor): Promise<Entry[]> {
    const see = this.showing.hooks(running.ask, target)
    return fetchAll(running.prepared, { ...inSlices(this.#start(running, target)), see }, objectShape('plain'))
  }

  /** The same for the server's own use: no hook sees them. */
  async unseen(prepared: Prepared, target: RunFor): Promise<Entry[]> {
    return fetchAll(prepared, inSlices(this.#start({ prepared }, target)), objectShape('plain'))
  }

  /** An entry as its columns have it, except secrets; frozen, as several hooks are shown it. */
  async row(type: ContentType, id: number, session: Session): Promise<Row> {
    const [row] = await this.unseen(this.#asking.byCode.rowOf(type), { caller: systemCaller, session, id })
    return Object.freeze({ ...row, id })
  }

  /** The caller may not do the action to every entry. */
  hasRules(ask: Ask, caller: Caller): boolean {
    return rulesOf(ask, caller) !== undefined
  }

  /** The caller has no rules for the action, or they let it be done to the entry. */
  async isRuled(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    return !this.hasRules(ask, caller) || this.reaches(ask, id, session, caller)
  }

  /** The entry exists, and the caller's rules let the action be done to it. */
  async reaches(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    const prepared = this.#asking.byCode.entryWithin(ask, rulesOf(ask, caller) ?? {})
    return (await this.unseen(prepared, { caller, session, id })).length > 0
  }

  /** Tells those of some entries that the caller's rules let be found; undefined where there are no rules. */
  sight(ask: Ask, caller: Caller): Sight {
    return async (type, ids, session) => {
      const rules = rowsFor(caller, 'find', type.uid)
      if (!rules) return undefined
      const prepared = this.#asking.byCode.someWithin(ask, type, { $and: [{ id: { $in: ids } }, rules] })
      return new Set((await this.unseen(prepared, { caller, session })).map(({ id }) => Number(id)))
    }
  }

  /** What hooks are given of a request that runs. Each property has its own line: copies of objects take longer than a statement. */
  call<More extends Partial<Known> = object>(ask: Ask, about: About, session: Session, more?: More): Call & More {
    const call: { readonly [Name in keyof Required<Call & Known>]: (Call & Partial<Known>)[Name] } = {
      type: ask.type,
      action: ask.action,
      permission: ask.permission,
      byValue: ask.byValue,
      scope: ask.scope,
      params: ask.params,
      dialect: ask.dialect,
      can: ask.can,
      narrow: ask.narrow,
      populated: ask.populated,
      view: ask.view,
      mayName: ask.mayName,
      selected: ask.selected,
      caller: about.caller,
      now: about.now,
      requestId: about.requestId,
      among: about.among,
      session,
      reaches: id => this.reaches(ask, id, session, about.caller),
      before: more?.before,
      write: more?.write,
      create: more?.create,
    }
    return call as Call & More
  }

  #start(
    { prepared, statements }: Pick<Running, 'prepared' | 'statements'>,
    { caller, session, id: entryId, now }: RunFor,
  ): Omit<Run, 'slice'> {
    const { engine, limits, time } = this.#parts
    return {
      engine,
      session,
      moment: { caller, entryId, now: now ?? time() },
      values: prepared.values,
      room: limits.entries,
      roomInAll: limits.entries,
      // Code may ask for as much as it likes.
      possible: statements === undefined ? Number.POSITIVE_INFINITY : limits.statements - statements,
      possibleInAll: limits.statements,
    }
  }
}

/** Rows that are assembled here take turns with other work. */
const inSlices = (run: Omit<Run, 'slice'>): Run => ({ slice: new TimeSlice(), ...run })

const rulesOf = (ask: Ask, caller: Caller): Filters | undefined =>
  rowsFor(caller, ask.permission ?? ask.action, ask.type.uid)

const frameOf = (many: boolean, meta: Meta): Frame => {
  const tail = `,"meta":${JSON.stringify(meta)}}`
  return many ? { head: '{"data":[', tail: `]${tail}` } : { head: '{"data":', tail }
}
const oneFrame = frameOf(false, {})
const severalFrame = frameOf(true, {})

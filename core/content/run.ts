import { NextTimes } from '../cache/next-times.js'
import { keyOf, Totals } from '../cache/totals.js'
import { inOnePiece, takesPieces } from '../engines/batch.js'
import { isApart } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import { type Body, listed } from '../loop/long-text.js'
import type { Ask, Entry } from '../query/ask.js'
import { withHighlights } from '../query/search/highlights.js'
import type { PageRequest, PageTurner } from '../query/tree.js'
import {
  fetchAll,
  fetchEach,
  fetchWhole,
  metaOf,
  nest,
  objectShape,
  type Run,
  type Shape,
  type SingleEntry,
  textShape,
  typeOf,
} from '../sql/fetch.js'
import type { PreparedPlan } from '../sql/plan.js'
import { bind, type Frame, type Moment } from '../sql/statement.js'
import { type FormatAbout, type Meta, pageLinks } from './format.js'
import type { HookRunner } from './hooks/runner.js'
import type { ContentParts } from './parts.js'
import type { Query } from './query.js'
import type { RunContext } from './request.js'
import { inSlices, runOf } from './rights/access.js'

/** Entries as objects, and the parts beside them in the response. */
export interface ReadResult {
  readonly entries: Entry[]
  readonly meta: Meta
  /** The response is a list. */
  readonly many: boolean
}

/** Runs queries and writes their results: pages, single entries, and totals. */
export class QueryRunner {
  readonly #parts: ContentParts
  readonly #hooks: HookRunner
  readonly #totals: Totals
  readonly #text: Shape<string>
  readonly nextTimes: NextTimes

  constructor(parts: ContentParts, hooks: HookRunner) {
    this.#parts = parts
    this.#hooks = hooks
    this.#text = textShape(parts.emptyMeta && JSON.stringify(parts.emptyMeta))
    this.nextTimes = new NextTimes(parts.engine, parts.registry)
    this.#totals = new Totals(parts.engine.versions, this.nextTimes)
  }

  /** The body of a list. */
  async page(query: Query, context: RunContext): Promise<Body> {
    const { page, prepared } = query as Query & { readonly page: PageRequest }
    if (!prepared.plan.asText) return this.shown(query, context, (await this.found(query, context)) as ReadResult)
    const turner = turnerOf(query)
    const run = runOf(this.#parts, query, context)
    if (page.withCount && !turner && takesPieces(context.session)) {
      const sliced = inSlices(run)
      const [meta, items] = await inOnePiece(context.session, session =>
        Promise.all([
          this.#pageMeta(query, { ...context, session }),
          fetchAll(prepared, { ...sliced, session }, this.#text),
        ]),
      )
      return listed(items, frameOf(true, meta), sliced.slice)
    }
    const known = turner ? undefined : await this.#pageMeta(query, context)
    if (known && page.limit !== null) {
      const frame = frameOf(true, known)
      const whole = await fetchWhole(prepared, run, frame)
      if (whole !== undefined) return whole ?? frame.head + frame.tail
    }
    const sliced = inSlices({ ...run, ...turner })
    const items = await fetchAll(prepared, sliced, this.#text)
    const meta = known ?? (await this.#pageMeta(query, context, turner))
    return listed(items, frameOf(true, meta), sliced.slice)
  }

  /** The body of one entry; undefined if there is none. */
  async one(query: Query, context: RunContext): Promise<Body | undefined> {
    const { several = false, prepared } = query
    if (!prepared.plan.asText) {
      const found = await this.found(query, context)
      return found && this.shown(query, context, found)
    }
    const run = runOf(this.#parts, query, context)
    const hasMeta = this.#parts.hooks(query.ask.type).meta ?? context.meta
    const plain = several ? severalFrame : oneFrame
    const frame = hasMeta ? frameOf(several, await this.#meta(query, context, several, {})) : plain
    const whole = await fetchWhole(prepared, run, frame)
    if (whole !== undefined) return whole ?? undefined
    const sliced = inSlices(run)
    const items = await fetchAll(prepared, sliced, this.#text)
    return items.length === 0 ? undefined : listed(items, frame, sliced.slice)
  }

  /** The bodies of several entries, each as the response to a request for it alone. */
  async each(query: Query, context: RunContext): Promise<SingleEntry<string>[]> {
    const { ask, prepared } = query
    const run = runOf(this.#parts, query, context)
    const hasMeta = this.#parts.hooks(ask.type).meta
    const metaOfOne = (id: number) => this.#meta(query, { ...context, id }, false, {})
    const bodies: SingleEntry<string>[] = []
    if (prepared.plan.asText) {
      const { list: _, ...shape } = this.#text
      for (const { item, ...one } of await fetchEach(prepared, inSlices(run), shape)) {
        const { head, tail } = hasMeta ? frameOf(false, await metaOfOne(one.id)) : oneFrame
        bodies.push({ ...one, item: head + item + tail })
      }
      return bodies
    }
    const found = await fetchEach(prepared, this.#watched(query, context, run), shapeOf(query))
    const entries = found.map(({ item }) => item)
    await this.see(query, context, entries)
    for (const { item, ...one } of found) {
      const alone = { entries: [item], meta: await metaOfOne(one.id), many: false }
      bodies.push({ ...one, item: await this.written(query, alone) })
    }
    return bodies
  }

  /** One entry is read in one statement, and nothing that is done with it can fail. */
  readsOnce({ ask, prepared: { plan } }: Query): boolean {
    return plan.asText && !plan.whole && plan.root.children.length === 0 && !this.#parts.hooks(ask.type).meta
  }

  /** The entries of a query, before the hooks of its type have seen them; undefined if there is no entry to return. */
  async found(query: Query, context: RunContext): Promise<ReadResult | undefined> {
    const { page, several = false, prepared } = query
    const turner = turnerOf(query)
    const run = this.#watched(query, context, { ...runOf(this.#parts, query, context), ...turner })
    const entries = await fetchAll(prepared, run, shapeOf(query))
    if (entries.length === 0 && !page) return undefined
    const meta = await (page ? this.#pageMeta(query, context, turner) : this.#meta(query, context, several, {}))
    return { entries, meta, many: page !== undefined || several }
  }

  /** The text of a result, once the hooks of its type have seen it. */
  async shown(query: Query, context: RunContext, found: ReadResult): Promise<string> {
    await this.see(query, context, found.entries)
    return this.written(query, found)
  }

  /** Shows entries to the hooks of the type that was asked for. */
  see({ ask }: Query, { caller, session }: RunContext, entries: Entry[]): void | Promise<void> {
    return this.#hooks.watcher(ask, caller, session)(ask.type, entries)
  }

  /** The text of a result, in the format of the query. */
  async written({ format, marks, page, text }: Query, found: ReadResult): Promise<string> {
    const { entries, meta, many } = marks ? await withHighlights(marks, found) : found
    const [entry] = entries
    if (format) {
      const about: FormatAbout = {
        typeOf,
        get pages() {
          if (!many || !page || text === undefined) return {}
          return pageLinks({ text, page, pagination: meta.pagination, count: entries.length })
        },
      }
      return JSON.stringify(many ? format.many(entries, meta, about) : format.one(entry ?? null, meta, about))
    }
    const data = many ? entries.map(one => this.#envelope(one)) : entry ? this.#envelope(entry) : null
    return JSON.stringify({ data, meta })
  }

  /** The number of entries that a list has in all. */
  async total({ prepared }: Pick<Query, 'prepared'>, context: RunContext): Promise<number> {
    const { engine } = this.#parts
    if (!prepared.plan.count) return 0
    const { session, state, note } = context
    const { moment } = runOf(this.#parts, { prepared }, context)
    const bound = (at: Moment) => bind(engine, prepared.plan.count as Sql, prepared.values, { moment: at })
    const { text, values } = bound(moment)
    const count = async () => Number((await session.all(text, values))[0]?.[0])
    if (isApart(session)) return count()
    const { timed, plan } = prepared
    const key = keyOf(text, timed ? bound({ ...moment, now: 0 }).values : values)
    return this.#totals.get(
      { session, state, note, text, key, timed, rows: { reach: plan.reach }, now: moment.now },
      count,
    )
  }

  /** The entries of a plan as flat objects, which hooks have seen. */
  async entries(ask: Ask, prepared: PreparedPlan, context: RunContext): Promise<Entry[]> {
    const see = this.#hooks.watcher(ask, context.caller, context.session)
    return fetchAll(prepared, { ...inSlices(runOf(this.#parts, { prepared }, context)), see }, objectShape('plain'))
  }

  /** A run in which hooks see populated entries: those of the root are shown to them later. */
  #watched({ ask }: Query, { caller, session }: RunContext, run: Omit<Run, 'slice'>): Run {
    const watcher = this.#hooks.watcher(ask, caller, session)
    const see: Run['see'] = (type, entries, place) => (place === 'root' ? undefined : watcher(type, entries, place))
    return { ...inSlices(run), see }
  }

  async #pageMeta(query: Query, context: RunContext, turner?: PageTurner): Promise<Meta> {
    const page = query.page as PageRequest
    const total = page.withCount ? (turner?.total ?? (await this.total(query, context))) : undefined
    return this.#meta(query, context, true, { pagination: paginationOf(page, total, turner) })
  }

  /** The meta of a response, with the meta of hooks. */
  #meta({ ask }: Query, { session, id, meta: own }: RunContext, many: boolean, found: Meta): Meta | Promise<Meta> {
    const hook = this.#parts.hooks(ask.type).meta
    const meta = own ? { ...found, ...own() } : found
    return hook ? hook(meta, { ...ask, session, id, many }) : meta
  }

  #envelope(entry: Entry): Entry {
    const { emptyMeta } = this.#parts
    if (!emptyMeta) return nest(entry)
    return { ...nest(entry), meta: (entry as { [metaOf]?: unknown })[metaOf] ?? emptyMeta }
  }
}

const shapeOf = ({ format }: Query) =>
  objectShape(format?.entry ?? 'nested', { idText: format?.idText, isTyped: format !== undefined })

const frameOf = (many: boolean, meta: Meta): Frame => {
  const tail = `,"meta":${JSON.stringify(meta)}}`
  return many ? { head: '{"data":[', tail: `]${tail}` } : { head: '{"data":', tail }
}
const oneFrame = frameOf(false, {})
const severalFrame = frameOf(true, {})

/** The part of a run that has to see the rows of a page before its meta can be written. */
function turnerOf({ keyset, prepared }: Query): PageTurner | undefined {
  if (keyset) return keyset.turner()
  if (!prepared.plan.isTotalled) return undefined
  const turner: PageTurner = {
    cut(rows) {
      // Behind the last page there is no row that could tell.
      if (rows[0]) turner.total = Number(rows[0].at(-1))
      return rows
    },
  }
  return turner
}

/** The `pagination` in the meta of a list. */
function paginationOf(page: PageRequest, total: number | undefined, turner?: PageTurner): Required<Meta>['pagination'] {
  if (turner?.cursors) return { limit: page.limit, ...turner.cursors, ...(total !== undefined && { total }) }
  if (page.form === 'page') {
    const pageSize = page.limit as number
    const number = Math.floor(page.start / pageSize) + 1
    if (total === undefined) return { page: number, pageSize }
    return { page: number, pageSize, pageCount: Math.ceil(total / pageSize), total }
  }
  const limit = page.limit ?? total
  const offset = { start: page.start, ...(limit !== undefined && { limit }) }
  return total === undefined ? offset : { ...offset, total }
}

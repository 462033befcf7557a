import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Dialect } from './dialect.js'
import { InvalidParameter, NotFoundError, RequestError, UnavailableError, ValidationError } from './errors.js'
import type { Action, Ask, Call, Caller, Entry, FoldedHooks, Write } from './hooks.js'
import type { Log } from './log.js'
import type { Format, Meta } from './plugin.js'
import { Budget, type Limits } from './query/budget.js'
import { nodeParams, readNode } from './query/node.js'
import { type PageAsked, readPagination, refuseTopLevelPaging } from './query/pagination.js'
import type { Paging, Param, Place } from './query/params.js'
import { parseRaw, type Raw } from './query/raw.js'
import { all, type Compare, type Condition, idField, type QueryNode } from './query/tree.js'
import { Visitor } from './query/visitor.js'
import { type Filters, where } from './query/where.js'
import type { Registry } from './schema/registry.js'
import type { ContentType, Link } from './schema/types.js'
import type { Engine, Session } from './store/engine.js'
import { type EntryQuery, systemCaller } from './store/entries.js'
import { fetchAll, fetchWhole, nest, objectShape, type Run, textShape } from './store/fetch.js'
import type { Planner, Prepared } from './store/plan.js'
import { EntryId } from './store/sql.js'
import { bind } from './store/statement.js'
import { transact } from './store/transaction.js'
import { readDraft } from './write/draft.js'
import { seal, type Writer } from './write/writer.js'

/** What the content service stands on; all of it is made once at boot. */
export interface ContentParts {
  readonly registry: Registry
  readonly engine: Engine
  readonly planner: Planner
  readonly writer: Writer
  readonly dialect: Dialect
  readonly hooks: (type: ContentType) => FoldedHooks
  /** The parameters of plugins, by name, as far as they apply to a type. */
  readonly params: (type: ContentType) => ReadonlyMap<string, Param>
  readonly format: (type: ContentType) => Format | undefined
  readonly paging: Paging
  readonly limits: Limits
  readonly maxParameters: number
  readonly log: Log
}

/** A query that was read, checked and planned: ready to run any number of times. */
interface Asked {
  readonly ask: Ask
  readonly prepared: Prepared
  readonly page?: PageAsked
  /** Tells it from every other query of this process. */
  readonly number: number
}

/** What leaves the service: the text of a body. */
export interface Answer {
  readonly body: string | Buffer
}

/** The answer to a read, with what it may be recognised by; or only that, where the client has it already. */
export type Reading = (Answer & { readonly tag: string | undefined }) | { readonly unchanged: string }
export type Knows = (tag: string) => boolean
const never: Knows = () => false

/** Versions count from the start of a process: tags of another one mean nothing here. */
const instance = randomBytes(4).toString('base64url')
const keptPlans = 5000
const keptTotals = 10_000

/** What is kept grows with the text it is kept under: a few long queries count for many, and endless ones for none. */
const sized = (most: number) => ({
  maxSize: most * 500,
  maxEntrySize: 10_000,
  sizeCalculation: (_: unknown, key: string) => key.length,
})

/** Reads and writes entries: every generated route ends here, and nothing else reaches the store with a request in hand. */
export class Content {
  readonly #parts: ContentParts
  readonly #asked = new LRUCache<string, Asked>({ max: keptPlans, ...sized(keptPlans) })
  readonly #totals = new LRUCache<string, number>({ max: keptTotals, ...sized(keptTotals) })
  #totalsOf: string | undefined
  #queries = 0

  constructor(parts: ContentParts) {
    this.#parts = parts
  }

  /** A page of a collection. `knows` says whether the client has the answer with a tag already. */
  async find(type: ContentType, text: string, caller: Caller, knows: Knows = never): Promise<Reading> {
    try {
      return await this.#find(type, text, caller, knows)
    } catch (error) {
      throw this.#explain(type, error, false)
    }
  }

  async #find(type: ContentType, text: string, caller: Caller, knows: Knows): Promise<Reading> {
    const asked = this.#remember(type, 'find', text, caller)
    const tag = this.#tag(asked, '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    const page = asked.page as PageAsked
    const run = this.#run(asked, caller, this.#parts.engine.reader)
    const total = page.withCount ? await this.#total(asked, run) : undefined
    const meta: Meta = { pagination: paginationOf(page, total) }
    if (asked.prepared.plan.asText) {
      const frame = { head: '{"data":[', tail: `],"meta":${JSON.stringify(meta)}}` }
      const whole = page.limit === null ? undefined : await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return { body: whole ?? frame.head + frame.tail, tag }
      const items = await fetchAll(asked.prepared, run, this.#text)
      return { body: `${frame.head}${items.join(',')}${frame.tail}`, tag }
    }
    const format = this.#parts.format(type)
    const entries = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    const body = format ? format.many(entries, meta) : { data: entries.map(entry => this.#envelope(entry)), meta }
    return { body: JSON.stringify(body), tag }
  }

  /** One entry by its id, or the entry of a single type. */
  async findOne(
    type: ContentType,
    id: number | undefined,
    text: string,
    caller: Caller,
    knows: Knows = never,
  ): Promise<Reading> {
    const asked = this.#remember(type, 'findOne', text, caller)
    const tag = this.#tag(asked, id ?? '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    try {
      const body = await this.#one(asked, caller, this.#parts.engine.reader, id)
      if (body === undefined) throw new NotFoundError()
      return { body, tag }
    } catch (error) {
      throw this.#explain(type, error, false)
    }
  }

  async create(type: ContentType, data: unknown, text: string, caller: Caller): Promise<Answer> {
    return this.#write(type, { action: 'create', data: data as Write['data'] }, text, caller)
  }

  async update(type: ContentType, id: number, data: unknown, text: string, caller: Caller): Promise<Answer> {
    return this.#write(type, { action: 'update', data: data as Write['data'], id }, text, caller)
  }

  async delete(type: ContentType, id: number, text: string, caller: Caller): Promise<Answer> {
    return this.#write(type, { action: 'delete', data: {}, id }, text, caller)
  }

  /** PUT of a single type changes its entry, or makes it. First writes take turns, so that it is made once. */
  async put(type: ContentType, data: unknown, text: string, caller: Caller): Promise<Answer> {
    const change = async (): Promise<Answer | undefined> => {
      const id = await this.idOfSingle(type, text, caller)
      return id === undefined ? undefined : this.update(type, id, data, text, caller)
    }
    const changed = await change()
    if (changed) return changed
    const turn = (this.#firstWrites.get(type.uid) ?? Promise.resolve()).then(
      async () => (await change()) ?? this.create(type, data, text, caller),
    )
    this.#firstWrites.set(
      type.uid,
      turn.catch(() => undefined),
    )
    return turn
  }

  readonly #firstWrites = new Map<string, Promise<unknown>>()

  /** The id of the one entry of a single type, as far as the query lets it be seen. */
  async idOfSingle(type: ContentType, text: string, caller: Caller): Promise<number | undefined> {
    const asked = this.#remember(type, 'findOne', text, caller)
    const run = this.#run(asked, caller, this.#parts.engine.reader)
    const [entry] = await fetchAll(
      { ...asked.prepared, plan: { ...asked.prepared.plan, root: { ...asked.prepared.plan.root, children: [] } } },
      { ...run, see: undefined } as Run,
      { entry: row => Number(row[0]), attribute: () => 0, count: () => 0 },
    )
    return entry
  }

  /** A tag that is the same exactly while the answer is; undefined where the store cannot tell. */
  #tag({ prepared, number }: Asked, id: number | ''): string | undefined {
    if (prepared.isLate || !prepared.plan.asText) return undefined
    const version = this.#parts.engine.version()
    return version === undefined ? undefined : `${instance}.${version}.${number}.${id}`
  }

  get #text() {
    return this.#parts.dialect.entryMeta ? textWithMeta : textPlain
  }

  #envelope(entry: Entry): Entry {
    return this.#parts.dialect.entryMeta ? { ...nest(entry), meta: { availableLocales: [] } } : nest(entry)
  }

  #run({ ask, prepared }: Asked, caller: Caller, session: Session, entryId?: number): Run {
    const { engine, limits } = this.#parts
    const run: Run = {
      engine,
      session,
      moment: { caller, entryId },
      values: prepared.values,
      room: limits.entries,
      roomInAll: limits.entries,
    }
    if (prepared.plan.asText) return run
    let call: Call | undefined
    return {
      ...run,
      see: async (type, entries) => {
        const { afterFind, serialize } = this.#parts.hooks(type)
        if (afterFind) {
          call ??= { ...ask, caller, session, now: new Date() }
          await afterFind(entries, { ...call, type })
        }
        if (serialize) for (const entry of entries) serialize(entry, ask)
      },
    }
  }

  async #one(
    asked: Asked,
    caller: Caller,
    session: Session,
    id: number | undefined,
  ): Promise<string | Buffer | undefined> {
    const run = this.#run(asked, caller, session, id)
    if (asked.prepared.plan.asText) {
      const whole = await fetchWhole(asked.prepared, run, oneFrame)
      if (whole !== undefined) return whole ?? undefined
      const [item] = await fetchAll(asked.prepared, run, this.#text)
      return item === undefined ? undefined : `{"data":${item},"meta":{}}`
    }
    const format = this.#parts.format(asked.ask.type)
    const [entry] = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    if (!entry) return undefined
    return JSON.stringify(format ? format.one(entry, {}) : { data: this.#envelope(entry), meta: {} })
  }

  async #total({ prepared }: Asked, run: Run): Promise<number> {
    const { engine } = this.#parts
    if (!prepared.plan.count) return 0
    const { sql, values } = bind(engine, prepared.plan.count, prepared.values, { moment: run.moment })
    const count = async () => Number((await run.session.all(sql, values))[0]?.[0])
    const version = engine.version()
    if (version === undefined) return count()
    if (version !== this.#totalsOf) {
      this.#totals.clear()
      this.#totalsOf = version
    }
    const key = `${sql}\n${values.map(String).join('\n')}`
    let total = this.#totals.get(key)
    if (total === undefined) {
      total = await count()
      // A write may have come between: then the total is right for this answer and not kept for the next.
      if (engine.version() === version) this.#totals.set(key, total)
    }
    return total
  }

  async #write(type: ContentType, write: Write, text: string, caller: Caller): Promise<Answer> {
    if (write.action !== 'delete' && (typeof write.data !== 'object' || write.data === null))
      throw new ValidationError('Missing "data" payload in the request body')
    const asked = this.#remember(type, write.action, text, caller)
    const body = await this.#store(asked, write, caller, (session, id) => this.#one(asked, caller, session, id))
    if (body === undefined) throw new NotFoundError()
    return { body }
  }

  /** The life of a write: hooks shape it, the schema checks it, one transaction stores it and reads the answer. */
  async #store<T>(
    asked: Asked,
    write: Write,
    caller: Caller,
    read: (session: Session, id: number) => Promise<T>,
    within?: Session,
  ): Promise<T> {
    const { engine, writer, dialect, log } = this.#parts
    const { type } = asked.ask
    const hooks = this.#parts.hooks(type)
    const now = new Date()
    const about = { ...asked.ask, caller, now }
    const outer = within?.afterCommit ? within : undefined
    const shaped = hooks.beforeWrite
      ? await hooks.beforeWrite(write, { ...about, session: outer ?? engine.reader })
      : write
    const { action, id } = shaped
    const draft =
      action === 'delete'
        ? undefined
        : await seal(
            readDraft(type, shaped.data, {
              mode: action,
              incomplete: shaped.incomplete ?? false,
              engine: engine.name,
              dialect,
              mayLink: link => this.#mayLink(link, asked.ask),
            }),
          )
    const work = async (session: Session): Promise<T> => {
      const call: Call = { ...about, session }
      if (id !== undefined) await this.#lock(asked, type, id, session, caller)
      const written = draft ? (id ?? (await writer.create(session, draft, now))) : (id as number)
      if (draft && id !== undefined) await writer.update(session, draft, id, now)
      const row = { ...shaped.data, id: written }
      // What is deleted is read before it goes.
      const gone = draft ? undefined : await read(session, written)
      if (!draft) await writer.remove(session, type, written)
      await hooks.afterWrite?.(row, call)
      const { afterCommit } = hooks
      if (afterCommit)
        session.afterCommit?.(() =>
          afterCommit(row, { ...about, session: engine.reader }).catch(error =>
            log.error({ err: error, type: type.uid }, 'a hook failed after the write was stored'),
          ),
        )
      return gone ?? (await read(session, written))
    }
    try {
      return await (outer ? work(outer) : transact(engine, work))
    } catch (error) {
      throw this.#explain(type, error, outer !== undefined)
    }
  }

  /** Entries as plain objects, for code: every right, hidden columns where they are named. */
  async findPlain(
    type: ContentType,
    query: EntryQuery,
    session: Session = this.#parts.engine.reader,
  ): Promise<Entry[]> {
    const { asked, node } = this.#plain(type, query)
    const prepared = this.#parts.planner.prepare(node, { asText: false, counted: false, entries: 0 })
    return fetchAll(prepared, this.#run({ ...asked, prepared }, systemCaller, session), objectShape('plain'))
  }

  async countPlain(type: ContentType, filters: Filters, session: Session = this.#parts.engine.reader): Promise<number> {
    const { node } = this.#plain(type, { where: filters })
    const prepared = this.#parts.planner.prepare(node, { asText: false, counted: true, entries: 0 })
    if (!prepared.plan.count) return 0
    const { sql, values } = bind(this.#parts.engine, prepared.plan.count, prepared.values, {
      moment: { caller: systemCaller },
    })
    return Number((await session.all(sql, values))[0]?.[0])
  }

  async writePlain(type: ContentType, write: Write, caller: Caller, within?: Session): Promise<Entry> {
    const { asked, node } = this.#plain(type, {}, write.action)
    const prepared = this.#parts.planner.prepare(byId(node), { asText: false, counted: false, entries: 0 })
    const readBack = async (session: Session, id: number) => {
      const run = this.#run({ ...asked, prepared }, caller, session, id)
      return (await fetchAll(prepared, run, objectShape('plain')))[0]
    }
    const entry = await this.#store({ ...asked, prepared }, write, caller, readBack, within)
    if (!entry) throw new NotFoundError()
    return entry
  }

  #plain(type: ContentType, { where: filters, fields, start, limit, ...raw }: EntryQuery, action: Action = 'find') {
    const { dialect, paging } = this.#parts
    const ask: Ask = {
      type,
      action,
      scope: systemCaller.scope,
      params: this.#readParams({}, type, action),
      dialect,
      can: () => true,
    }
    const visitor = new Visitor(ask, this.#rules(systemCaller), new Budget(unlimited))
    const read = readNode(raw as Raw, { type, depth: 0, path: [], visitor, paging }, 'root')
    const named = fields?.map(name => {
      const field = type.fields.get(name)
      if (!field) throw visitor.unknown(type, name, ['fields'])
      return field
    })
    const node: QueryNode = {
      ...(filters ? where(read, filters) : read),
      ...(named && { fields: named }),
      ...((start !== undefined || limit !== undefined) && { page: { start: start ?? 0, limit: limit ?? null } }),
    }
    return { asked: { ask } as Asked, node }
  }

  /** The entry must exist, and the caller's rules must let it be changed. */
  async #lock(asked: Asked, type: ContentType, id: number, session: Session, caller: Caller): Promise<void> {
    const found = await this.#parts.writer.lock(session, type, id)
    if (found === undefined) throw new NotFoundError()
    const rules = caller.rows?.(asked.ask.action, type.uid)
    if (!rules) return
    const node = where(
      byId(new Visitor(asked.ask, noRules, new Budget(this.#parts.limits)).enter(type, 'root', 0)),
      rules,
    )
    const prepared = this.#parts.planner.prepare({ ...node, fields: [] }, { asText: false, counted: false, entries: 0 })
    const run: Run = { ...this.#run(asked, caller, session, id), values: prepared.values, see: undefined } as Run
    const rows = await fetchAll(prepared, run, objectShape('plain'))
    if (rows.length === 0) throw new NotFoundError()
  }

  #mayLink(link: Link, ask: Ask): boolean {
    return link.open === true || link.targets === undefined || link.targets.some(uid => ask.can('find', uid))
  }

  /** What the database refused, in words that are meant for the client. */
  #explain(type: ContentType, error: unknown, inner: boolean): unknown {
    if (error instanceof RequestError) return error
    const failure = this.#parts.engine.classify(error)
    // Whoever opened the transaction must see that it can be tried again.
    if (!failure || (inner && failure.kind !== 'unique' && failure.kind !== 'value')) return error
    return this.#parts.writer.explain(type, failure) ?? Object.assign(new UnavailableError(), { cause: error })
  }

  /** The plan of a query text: made once for all callers of a scope. */
  #remember(type: ContentType, action: Action, text: string, caller: Caller): Asked {
    // A line break stands in no URL, and scopes are checked for it.
    const key = `${type.uid}\n${action}\n${caller.scope}\n${text}`
    let asked = this.#asked.get(key)
    if (!asked) {
      const { maxParameters, dialect } = this.#parts
      asked = this.#ask(type, action, parseRaw(text, { maxParameters, strict: dialect.strictParams }), caller)
      this.#asked.set(key, asked)
    }
    return asked
  }

  #ask(type: ContentType, action: Action, sent: Raw, caller: Caller): Asked {
    const { dialect, paging, limits, planner } = this.#parts
    const hooks = this.#parts.hooks(type)
    const first: Ask = { type, action, scope: caller.scope, params: {}, dialect, can: caller.can }
    const raw = hooks.parseQuery ? hooks.parseQuery(sent, first) : sent
    const ask: Ask = { ...first, params: this.#readParams(raw, type, action) }
    const visitor = new Visitor(ask, this.#rules(caller), new Budget(limits))
    visitor.budget.spend('statements', [])
    const place: Place = { type, depth: 0, path: [], visitor, paging }
    const list = action === 'find'
    const page = list ? this.#readPage(raw, visitor) : undefined
    let node = readNode(raw, place, 'root')
    if (page) node = { ...node, page: { start: page.start, limit: page.limit } }
    else if (action === 'findOne' && type.kind === 'singleType') node = { ...node, page: { start: 0, limit: 1 } }
    // Where one entry is asked for, filters and sort are checked like everywhere, and then have nothing to choose from.
    else {
      const again = { ...place, visitor: new Visitor(ask, this.#rules(caller), new Budget(limits)) }
      node = byId(readNode(without(raw, ['filters', 'sort', '_q']), again, 'root'))
    }
    const asText = this.#parts.format(type) === undefined && untouched(node, this.#parts.hooks)
    const prepared = planner.prepare(node, { asText, counted: page?.withCount ?? false, entries: limits.entries })
    this.#queries += 1
    return { ask, prepared, number: this.#queries, ...(page && { page }) }
  }

  #readPage(raw: Raw, visitor: Visitor): PageAsked {
    const { paging, dialect } = this.#parts
    refuseTopLevelPaging(raw)
    if (!dialect.populateWithPagination && raw.pagination !== undefined && raw.populate !== undefined)
      throw new InvalidParameter(['pagination'], 'cannot be combined with populate')
    const page = readPagination(raw.pagination, paging, dialect.strictParams)
    if (page.withCount) visitor.budget.spend('statements', [])
    return page
  }

  /** The typed values of the plugins' parameters; a name that nobody declared is refused or ignored. */
  #readParams(raw: Raw, type: ContentType, action: Action): Readonly<Record<string, unknown>> {
    const params = new Map([...this.#parts.params(type)].filter(([, { actions }]) => actions?.includes(action) ?? true))
    const values: Record<string, unknown> = {}
    for (const [name, { read, default: fallback }] of params)
      values[name] = Object.hasOwn(raw, name) ? read(raw[name], { path: [name], type }) : fallback
    if (this.#parts.dialect.strictParams)
      for (const name of Object.keys(raw))
        if (
          !Object.hasOwn(nodeParams, name) &&
          name !== 'pagination' &&
          !params.has(name) &&
          !pageWords.includes(name)
        ) {
          const known = [...Object.keys(nodeParams), 'pagination', ...params.keys()].join(', ')
          throw new InvalidParameter(
            [name.slice(0, 100)],
            `is not a parameter of ${type.uid}; there are ${known}`,
            name,
          )
        }
    return values
  }

  #rules(caller: Caller) {
    const { registry, hooks } = this.#parts
    return {
      anyTarget: [...registry.types.values()].filter(({ kind }) => kind !== 'component'),
      narrow: (node: QueryNode, ask: Ask): QueryNode => {
        // What a write answers is the entry that was written, whatever lists would show.
        const isAnswer = node.use === 'root' && ask.action !== 'find' && ask.action !== 'findOne'
        const rows = isAnswer ? undefined : caller.rows?.(node.use === 'root' ? ask.action : 'find', node.type.uid)
        const ruled = rows ? where(node, rows) : node
        const { beforeFind } = hooks(node.type)
        const shaped = beforeFind ? beforeFind(ruled, ask) : ruled
        return isAnswer ? { ...shaped, where: node.where } : shaped
      },
    }
  }
}

const unlimited: Limits = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: 2_147_483_646 }
const noRules = { anyTarget: [], narrow: (node: QueryNode) => node }
const pageWords = ['page', 'pageSize', 'start', 'limit']
const oneFrame = { head: '{"data":', tail: ',"meta":{}}' }
const textWithMeta = textShape(',"meta":{"availableLocales":[]}')
const textPlain = textShape('')

const thisEntry: Compare = { kind: 'compare', field: idField, operator: 'eq', values: [new EntryId()] }

const byId = (node: QueryNode): QueryNode => ({ ...node, where: all(thisEntry as Condition, node.where) })

const without = (raw: Raw, names: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))

/** No plugin wants to see the rows of any type in the answer. */
function untouched(node: QueryNode, hooks: (type: ContentType) => FoldedHooks): boolean {
  const { afterFind, serialize } = hooks(node.type)
  return !afterFind && !serialize && node.children.every(({ nodes }) => nodes.every(inner => untouched(inner, hooks)))
}

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

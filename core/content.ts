import { randomBytes } from 'node:crypto'
import { type Asked, Asking, byId } from './asked.js'
import type { Dialect } from './dialect.js'
import { ForbiddenError, NotFoundError, RequestError, UnavailableError, ValidationError } from './errors.js'
import type { Action, Ask, Call, Caller, Entry, FoldedHooks, Write, Written } from './hooks.js'
import type { Log } from './log.js'
import type { Format, Meta } from './plugin-parts.js'
import type { Limits } from './query/budget.js'
import type { PageAsked } from './query/pagination.js'
import type { Paging, Param } from './query/params.js'
import type { Filters } from './query/where.js'
import type { Registry } from './schema/registry.js'
import type { ContentType, Link } from './schema/types.js'
import type { Engine, Session } from './store/engine.js'
import { type EntryQuery, systemCaller } from './store/entries.js'
import { fetchAll, fetchWhole, metaOf, nest, objectShape, type Run, textShape } from './store/fetch.js'
import type { Planner } from './store/plan.js'
import { bind } from './store/statement.js'
import { transact } from './store/transaction.js'
import { Unchanged } from './unchanged.js'
import { checkComplete, wholeNode } from './write/complete.js'
import { copyNode, dataOf } from './write/copy.js'
import { notAnObject, readDraft } from './write/draft.js'
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
  /** Bytes of answers that are kept while nothing changes. */
  readonly keptAnswers: number
  readonly log: Log
}

/** What of a query its run depends on. */
type Running = Pick<Asked, 'ask' | 'prepared'>

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
/** Characters of SQL under which totals are kept. */
const keptTotals = 5_000_000
/** What an answer costs beside its bytes. */
const perAnswer = 500

/** How an action of a plugin's route differs from the generated endpoint. */
export interface Under {
  /** The right under which it is done. */
  readonly permission?: string
  readonly paging?: 'open'
}

/** Reads and writes entries: every generated route ends here, and nothing else reaches the store with a request in hand. */
export class Content {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #totals: Unchanged<number>
  readonly #answers: Unchanged<Buffer>

  constructor(parts: ContentParts) {
    this.#parts = parts
    this.#asking = new Asking(parts)
    this.#totals = new Unchanged(parts.engine, keptTotals, (_, key) => key.length)
    this.#answers = new Unchanged(parts.engine, parts.keptAnswers, ({ length }) => length + perAnswer)
  }

  /** Plans made so far no longer hold: something changed that hooks or parameters looked at. */
  forget(): void {
    this.#asking.forget()
  }

  /** A page of a collection. `knows` says whether the client has the answer with a tag already. */
  async find(
    type: ContentType,
    text: string,
    caller: Caller,
    knows: Knows = never,
    under: Under = {},
  ): Promise<Reading> {
    try {
      return await this.#find(this.#asking.remember(type, { action: 'find', ...under }, text, caller), caller, knows)
    } catch (error) {
      throw this.#explain(type, error, false)
    }
  }

  async #find(asked: Asked, caller: Caller, knows: Knows): Promise<Reading> {
    const tag = this.#tag(asked, '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    return { body: await this.#again(asked, tag, () => this.#page(asked, caller)), tag }
  }

  /** An answer that is asked again while nothing has changed is the same one; what is asked once is not kept. */
  async #again(asked: Asked, tag: string | undefined, read: () => Promise<string | Buffer>): Promise<string | Buffer> {
    const isNew = !asked.isAsked
    asked.isAsked = true
    if (tag === undefined || isNew) return read()
    return this.#answers.get(tag, async () => {
      const body = await read()
      return typeof body === 'string' ? Buffer.from(body) : body
    })
  }

  async #page(asked: Asked, caller: Caller): Promise<string | Buffer> {
    const { type } = asked.ask
    const page = asked.page as PageAsked
    const run = this.#run(asked, caller, this.#parts.engine.reader)
    const total = page.withCount ? await this.#total(asked, run) : undefined
    const meta: Meta = { pagination: paginationOf(page, total) }
    if (asked.prepared.plan.asText) {
      const frame = { head: '{"data":[', tail: `],"meta":${JSON.stringify(meta)}}` }
      const whole = page.limit === null ? undefined : await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? frame.head + frame.tail
      const items = await fetchAll(asked.prepared, run, this.#text)
      return `${frame.head}${items.join(',')}${frame.tail}`
    }
    const format = this.#parts.format(type)
    const entries = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    const body = format ? format.many(entries, meta) : { data: entries.map(entry => this.#envelope(entry)), meta }
    return JSON.stringify(body)
  }

  /** How many entries a list with these filters has in all. */
  async count(type: ContentType, text: string, caller: Caller, under: Under = {}): Promise<number> {
    try {
      const asked = this.#asking.remember(type, { action: 'find', ...under, paging: 'none' }, text, caller)
      return await this.#total(asked, this.#run(asked, caller, this.#parts.engine.reader))
    } catch (error) {
      throw this.#explain(type, error, false)
    }
  }

  /** One entry by its id, or the entry of a single type. */
  async findOne(
    type: ContentType,
    id: number | undefined,
    text: string,
    caller: Caller,
    knows: Knows = never,
    under: Under = {},
  ): Promise<Reading> {
    const asked = this.#asking.remember(type, { action: 'findOne', ...under }, text, caller)
    const tag = this.#tag(asked, id ?? '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    try {
      const body = await this.#again(asked, tag, async () => {
        const found = await this.#one(asked, caller, this.#parts.engine.reader, id)
        if (found === undefined) throw new NotFoundError()
        return found
      })
      return { body, tag }
    } catch (error) {
      throw this.#explain(type, error, false)
    }
  }

  async create(type: ContentType, data: unknown, text: string, caller: Caller, under?: Under): Promise<Answer> {
    return this.#write(type, { action: 'create', data: data as Write['data'] }, text, caller, under)
  }

  async update(
    type: ContentType,
    id: number,
    data: unknown,
    text: string,
    caller: Caller,
    under?: Under,
  ): Promise<Answer> {
    return this.#write(type, { action: 'update', data: data as Write['data'], id }, text, caller, under)
  }

  async delete(type: ContentType, id: number, text: string, caller: Caller, under?: Under): Promise<Answer> {
    return this.#write(type, { action: 'delete', data: {}, id }, text, caller, under)
  }

  /** PUT of a single type changes its entry, or makes it. First writes take turns, so that it is made once. */
  async put(type: ContentType, data: unknown, text: string, caller: Caller): Promise<Answer> {
    const change = async (): Promise<Answer | undefined> => {
      const id = await this.idOfSingle(type, 'update', text, caller)
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

  /** The id of the entry of a single type that the query's parameters mean, for an action on it. */
  async idOfSingle(
    type: ContentType,
    action: Action,
    text: string,
    caller: Caller,
    under: Under = {},
  ): Promise<number | undefined> {
    const asked = this.#asking.remember(type, { action, ...under, lookup: true }, text, caller)
    const run = { ...this.#run(asked, caller, this.#parts.engine.reader), see: undefined } as Run
    const [entry] = await fetchAll(asked.prepared, run, objectShape('plain'))
    return entry && Number(entry.id)
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
    if (!this.#parts.dialect.entryMeta) return nest(entry)
    return { ...nest(entry), meta: (entry as { [metaOf]?: unknown })[metaOf] ?? { availableLocales: [] } }
  }

  #run({ ask, prepared }: Running, caller: Caller, session: Session, entryId?: number): Run {
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
          call ??= this.#call(ask, caller, session, new Date())
          await afterFind(entries, { ...call, type })
        }
        if (serialize) for (const entry of entries) serialize(entry, ask)
      },
    }
  }

  async #one(
    asked: Running & Pick<Asked, 'several'>,
    caller: Caller,
    session: Session,
    id: number | undefined,
  ): Promise<string | Buffer | undefined> {
    const run = this.#run(asked, caller, session, id)
    const { several = false } = asked
    if (asked.prepared.plan.asText) {
      const frame = several ? severalFrame : oneFrame
      const whole = await fetchWhole(asked.prepared, run, frame)
      if (whole !== undefined) return whole ?? undefined
      const items = await fetchAll(asked.prepared, run, this.#text)
      return items.length === 0 ? undefined : frame.head + items.join(',') + frame.tail
    }
    const format = this.#parts.format(asked.ask.type)
    const entries = await fetchAll(asked.prepared, run, objectShape(format?.entry ?? 'nested'))
    const [entry] = entries
    if (!entry) return undefined
    if (format) return JSON.stringify(several ? format.many(entries, {}) : format.one(entry, {}))
    const data = several ? entries.map(one => this.#envelope(one)) : this.#envelope(entry)
    return JSON.stringify({ data, meta: {} })
  }

  async #total({ prepared }: Asked, run: Run): Promise<number> {
    const { engine } = this.#parts
    if (!prepared.plan.count) return 0
    const { sql, values } = bind(engine, prepared.plan.count, prepared.values, { moment: run.moment })
    const count = async () => Number((await run.session.all(sql, values))[0]?.[0])
    return this.#totals.get(`${sql}\n${values.map(String).join('\n')}`, count)
  }

  async #write(type: ContentType, write: Write, text: string, caller: Caller, under: Under = {}): Promise<Answer> {
    if (write.action !== 'delete' && (typeof write.data !== 'object' || write.data === null))
      throw new ValidationError('Missing "data" payload in the request body')
    const asked = this.#asking.remember(type, { action: write.action, ...under }, text, caller)
    if (Array.isArray(write.data)) throw notAnObject(write.data)
    const body = await this.#store(asked, write, caller, (session, id) => this.#one(asked, caller, session, id))
    if (body === undefined) throw new NotFoundError()
    return { body }
  }

  /** The life of a write: hooks shape it, the schema checks it, one transaction stores it and reads the answer. */
  async #store<T>(
    asked: Running,
    write: Write,
    caller: Caller,
    read: (session: Session, id: number) => Promise<T>,
    within?: Session,
  ): Promise<T> {
    const { engine, writer, dialect, log } = this.#parts
    const { type } = asked.ask
    const hooks = this.#parts.hooks(type)
    const now = new Date()
    const outer = within?.afterCommit ? within : undefined
    const callIn = (session: Session) => this.#call(asked.ask, caller, session, now)
    const shaped = hooks.beforeWrite ? await hooks.beforeWrite(write, callIn(outer ?? engine.reader)) : write
    const { action, id } = shaped
    const draft =
      action === 'delete'
        ? undefined
        : await seal(
            readDraft(type, shaped.data, {
              mode: action,
              incomplete: shaped.incomplete ?? false,
              set: shaped.set ?? {},
              engine: engine.name,
              dialect,
              mayLink: link => this.#mayLink(link, asked.ask),
            }),
          )
    const work = async (session: Session): Promise<T> => {
      const call: Written = { ...callIn(session), write: shaped }
      if (id !== undefined) await this.#lock(asked, type, id, session, caller)
      const written = draft ? (id ?? (await writer.create(session, draft, now))) : (id as number)
      if (draft && id !== undefined) await writer.update(session, draft, id, now)
      if (draft) await this.#stay(asked, written, session, caller)
      const row = { ...shaped.data, id: written }
      // What is deleted is read before it goes.
      const gone = draft ? undefined : await read(session, written)
      if (!draft) await writer.remove(session, type, written)
      await hooks.afterWrite?.(row, call)
      const { afterCommit } = hooks
      if (afterCommit)
        session.afterCommit?.(() =>
          afterCommit(row, { ...callIn(engine.reader), write: shaped }).catch(error =>
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
    const { ask, node } = this.#asking.plain(type, query)
    const prepared = this.#parts.planner.prepare(node, { asText: false, counted: false, entries: 0 })
    return fetchAll(prepared, this.#run({ ask, prepared }, systemCaller, session), objectShape('plain'))
  }

  async countPlain(type: ContentType, filters: Filters, session: Session = this.#parts.engine.reader): Promise<number> {
    const { node } = this.#asking.plain(type, { where: filters })
    const prepared = this.#parts.planner.prepare(node, { asText: false, counted: true, entries: 0 })
    if (!prepared.plan.count) return 0
    const { sql, values } = bind(this.#parts.engine, prepared.plan.count, prepared.values, {
      moment: { caller: systemCaller },
    })
    return Number((await session.all(sql, values))[0]?.[0])
  }

  /** Refuses an entry that lacks what a finished one has to have. */
  async checkPlain(type: ContentType, id: number, session: Session = this.#parts.engine.reader): Promise<void> {
    const { ask } = this.#asking.plain(type, {})
    const options = { asText: false, counted: false, entries: 0 }
    const prepared = this.#parts.planner.prepare(byId(wholeNode(type)), options)
    const run = { ...this.#run({ ask, prepared }, systemCaller, session, id), see: undefined } as Run
    const [entry] = await fetchAll(prepared, run, objectShape('plain'))
    if (!entry) throw new NotFoundError()
    checkComplete(type, entry)
  }

  /** What of an entry can be written again. */
  async copyPlain(
    type: ContentType,
    id: number,
    names?: readonly string[],
    session: Session = this.#parts.engine.reader,
  ): Promise<Record<string, unknown> | undefined> {
    const { ask } = this.#asking.plain(type, {})
    const anyTarget = [...this.#parts.registry.types.values()].filter(({ kind }) => kind !== 'component')
    const node = byId(copyNode(type, name => names?.includes(name) ?? true, anyTarget))
    const prepared = this.#parts.planner.prepare(node, { asText: false, counted: false, entries: 0 })
    const run = { ...this.#run({ ask, prepared }, systemCaller, session, id), see: undefined } as Run
    const [entry] = await fetchAll(prepared, run, objectShape('plain'))
    return entry && dataOf(type, entry)
  }

  async writePlain(type: ContentType, write: Write, caller: Caller, within?: Session): Promise<Entry> {
    const { ask, node } = this.#asking.plain(type, {}, write.action)
    const prepared = this.#parts.planner.prepare(byId(node), { asText: false, counted: false, entries: 0 })
    const readBack = async (session: Session, id: number) => {
      const run = this.#run({ ask, prepared }, caller, session, id)
      return (await fetchAll(prepared, run, objectShape('plain')))[0]
    }
    const entry = await this.#store({ ask, prepared }, write, caller, readBack, within)
    if (!entry) throw new NotFoundError()
    return entry
  }

  /** The entry must exist, and the caller's rules must let it be changed. */
  async #lock(asked: Running, type: ContentType, id: number, session: Session, caller: Caller): Promise<void> {
    const found = await this.#parts.writer.lock(session, type, id)
    if (found === undefined || !(await this.#isRuled(asked, id, session, caller))) throw new NotFoundError()
  }

  /** What a write leaves must be within the caller's rules as well: nothing is written out of one's own reach. */
  async #stay(asked: Running, id: number, session: Session, caller: Caller): Promise<void> {
    if (!(await this.#isRuled(asked, id, session, caller))) throw new ForbiddenError()
  }

  async #isRuled({ ask }: Running, id: number, session: Session, caller: Caller): Promise<boolean> {
    return rulesOf(ask, caller) === undefined || this.#reaches(ask, id, session, caller)
  }

  /** The entry exists, and the caller's rules let the action be done to it. */
  async #reaches(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    const prepared = this.#asking.entryWithin(ask, rulesOf(ask, caller) ?? {})
    const run = { ...this.#run({ ask, prepared }, caller, session, id), see: undefined } as Run
    return (await fetchAll(prepared, run, objectShape('plain'))).length > 0
  }

  #call(ask: Ask, caller: Caller, session: Session, now: Date): Call {
    return { ...ask, caller, session, now, reaches: id => this.#reaches(ask, id, session, caller) }
  }

  #mayLink(link: Link, { can }: Running['ask']): boolean {
    return link.open === true || link.targets === undefined || link.targets.some(uid => can('find', uid))
  }

  /** What the database refused, in words that are meant for the client. */
  #explain(type: ContentType, error: unknown, inner: boolean): unknown {
    if (error instanceof RequestError) return error
    const failure = this.#parts.engine.classify(error)
    // Whoever opened the transaction must see that it can be tried again.
    if (!failure || (inner && failure.kind !== 'unique' && failure.kind !== 'value')) return error
    return this.#parts.writer.explain(type, failure) ?? Object.assign(new UnavailableError(), { cause: error })
  }
}

const rulesOf = (ask: Ask, caller: Caller): Filters | undefined =>
  caller.rows?.(ask.permission ?? ask.action, ask.type.uid)

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

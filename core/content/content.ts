import { type Aggregate, Aggregates } from '../aggregate/aggregates.js'
import type { Session } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { ForbiddenError, NotFoundError, ValidationError } from '../errors.js'
import { goneSince, type Notable, type NotedClaim, type Retry } from '../idempotency/retries.js'
import type { Body } from '../loop/long-text.js'
import { type Ask, missingPermission, type Write } from '../query/ask.js'
import { withoutSets } from '../query/caller.js'
import { notAnObject } from '../write/checked-input.js'
import { nameable } from '../write/stray-names.js'
import { CodeQueries } from './code-queries.js'
import { CodeEntries } from './entries.js'
import type { Writing } from './hooks/hooks.js'
import { type CallContext, HookRunner } from './hooks/runner.js'
import { expectation } from './if-match.js'
import { NamedEntries } from './named-entries.js'
import { atOneState } from './one-state.js'
import type { ContentParts } from './parts.js'
import { type Query, QueryPlanner } from './query.js'
import { type Answer, Reads } from './reads.js'
import type { ContentRequest } from './request.js'
import { Access } from './rights/access.js'
import { type MoreRights, moreRights, namesOf } from './rights/more-rights.js'
import { QueryRunner } from './run.js'
import type { SeveralWrites } from './several/among.js'
import { limited, StatementLimit } from './several/limited.js'
import { WrittenEntries } from './several/written-entries.js'
import { SingleEntry } from './single-entry.js'
import { proposeUids } from './uid-proposals.js'
import { type Begin, type WriteOptions, Writes } from './writes.js'

/** The most names in the data of a write: no type has so many attributes, and a request with more is abuse. */
const mostNames = 2000

/** Reads and writes entries: every generated route ends here, and nothing else reaches the store with a request in hand. */
export class Content {
  readonly #parts: ContentParts
  readonly #planner: QueryPlanner
  readonly #access: Access
  readonly #hooks: HookRunner
  readonly #runner: QueryRunner
  readonly #writes: Writes
  readonly #reads: Reads
  readonly #aggregates: Aggregates
  /** The entries of all types, for code. */
  readonly entries: CodeEntries
  /** Entries by the values of unique attributes. */
  readonly named: NamedEntries
  /** The one entry of a single type. */
  readonly single: SingleEntry
  /** The entries of several writes. */
  readonly written: WrittenEntries

  constructor(parts: ContentParts) {
    const { engine, writer } = parts
    const queries = new CodeQueries(parts)
    const planner = new QueryPlanner(parts)
    const access = new Access(parts, queries)
    const hooks = new HookRunner(parts, access)
    const runner = new QueryRunner(parts, hooks)
    const writes = new Writes(parts, access, hooks, (context, session) => this.#createBeside(context, session))
    this.#parts = parts
    this.#planner = planner
    this.#access = access
    this.#hooks = hooks
    this.#runner = runner
    this.#writes = writes
    this.#reads = new Reads(parts, planner, runner)
    this.#aggregates = new Aggregates(parts)
    this.entries = new CodeEntries(parts, { access, queries, runner, writes })
    this.named = new NamedEntries(this, { planner, access, writer, reader: engine.reader })
    this.single = new SingleEntry(this, { engine, planner, access })
    this.written = new WrittenEntries(parts, { planner, runner })
  }

  /** Drops all plans: something changed that hooks or parameters looked at. */
  forget(): void {
    this.#planner.forget()
  }

  get plans(): { readonly cached: number; readonly made: number } {
    return this.#planner.plans
  }

  /** A page of a collection. */
  find(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('find', request)
  }

  /** The first entry of a collection that meets the query, as one entry. */
  first(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('find', { ...request, options: { ...request.options, paging: 'first' } })
  }

  /** One entry by its id, or the entry of a single type. */
  findOne(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('findOne', request)
  }

  /** The number of entries that a list with these filters has in all. */
  count(request: ContentRequest): Promise<number> {
    return this.#reads.count(request)
  }

  /** Reads that all show one state of the database, on the session that they are handed. */
  atOneState<T>(session: Session, reads: (session: Session) => Promise<T>): Promise<T> {
    return atOneState(this.#parts.engine, session, reads)
  }

  /** Numbers about the entries that a list would show. */
  aggregate(request: ContentRequest): Promise<Aggregate[]> {
    const { type, caller, options } = request
    return this.#aggregates.of(request, text =>
      this.#planner.query(type, { action: 'find', ...options, paging: 'none' }, text, caller),
    )
  }

  /** Free values for the attributes that can be made from others, for an entry with this data. */
  proposeUids(request: ContentRequest, data: unknown): Promise<Record<string, string>> {
    const services = { planner: this.#planner, hooks: this.#hooks, writes: this.#writes }
    return proposeUids(this.#parts, services, request, data)
  }

  /** `begin` runs first in the transaction, here and in other writes. */
  create(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'create', data: data as Write['data'] }, begin)
  }

  update(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'update', data: data as Write['data'], id: request.id as number }, begin)
  }

  delete(request: ContentRequest, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'delete', data: {}, id: request.id as number }, begin)
  }

  /** The attributes that the caller may name in an update of an entry; undefined for all. */
  async updatable({
    type,
    text,
    caller,
    id,
    options,
    session,
  }: ContentRequest): Promise<ReadonlySet<string> | undefined> {
    const { ask } = this.#planner.query(type, { action: 'update', ...options }, text, caller)
    return namesOf(ask, id as number, { access: this.#access, caller, session })
  }

  /** Work that is no write of one entry, done once for a key where the client gave one. */
  once<Answer>(retry: Retry | undefined, work: Notable<Answer>): Promise<Answer> {
    return retry ? this.#parts.retries.noted(retry, work) : work.write(unclaimed)
  }

  /** One transaction for several writes of a request, which have to be few enough; with `each`, every one of them has. */
  transaction<T>(work: SeveralWrites<T>, each = false): Promise<T> {
    const { engine, maxWrites } = this.#parts
    return transact(engine, session => {
      const limit = new StatementLimit(each ? Number.POSITIVE_INFINITY : maxWrites)
      return work(limited(session, limit), () => limit.spent)
    })
  }

  async #write(request: ContentRequest, sent: Write, begin?: Begin): Promise<Answer> {
    const { type, text, caller, options, retry, tally, requestId, within, among, meta } = request
    const { action, data, id } = sent
    if (action !== 'delete' && (typeof data !== 'object' || data === null)) throw ValidationError.missingData()
    const query = this.#planner.query(type, { action, ...options, tally }, text, caller)
    if (Array.isArray(data)) throw notAnObject(data)
    if (Object.keys(data).length > mostNames)
      throw new ValidationError(`The body names more than ${mostNames} attributes; send only those of the content type`)
    const { mayName, view = type } = query.ask
    const own = mayName ? withoutSets(data, query.ask, caller) : data
    const rights = query.ask.moreNamed && action !== 'delete' ? await this.#more(query.ask, own, request) : undefined
    const ask = rights?.ask ?? query.ask
    const holds = rights?.holds
    const expects = request.expects !== undefined && id !== undefined ? expectation(request.expects, view) : undefined
    const write = mayName ? { ...sent, data: nameable(own, ask) } : sent
    const read = request.onlyId
      ? async (_: Session, id: number) => `{"data":{"id":${id}},"meta":{}}`
      : (session: Session, id: number) => this.#runner.one(query, { caller, session, id, meta })
    const readsOnce = !request.onlyId && this.#runner.readsOnce(query)
    const most = this.#parts.maxWrites
    const body =
      retry && write.action === 'create'
        ? await this.#createOnce(retry, { query: { ...query, ask }, write, holds }, request)
        : await this.#writes.store(ask, write, caller, {
            read,
            readsOnce,
            holds,
            expects,
            begin,
            tally,
            requestId,
            within,
            among,
            most,
          })
    if (body === undefined) throw new NotFoundError()
    const mediaType = query.format?.mediaType
    return { text: body, ...(mediaType !== undefined && !request.onlyId && { type: mediaType }) }
  }

  /** The rights of a write to attributes of some entries. */
  #more(ask: Ask, data: Write['data'], { id, within, caller }: ContentRequest): Promise<MoreRights | undefined> {
    const session = within ?? this.#parts.engine.reader
    return moreRights(ask, data, ask.action === 'create' ? undefined : id, { access: this.#access, caller, session })
  }

  /** A create that a request with the same key may have done already. */
  #createOnce(retry: Retry, { query, write, holds }: ReadyCreate, request: ContentRequest): Promise<Body | undefined> {
    const { engine, retries, maxWrites: most } = this.#parts
    const { caller, tally, requestId, meta } = request
    return retries.once(retry, {
      scope: caller.scope,
      write: transaction => {
        const read = async (session: Session, id: number) => ({
          entry: id,
          answer: await this.#runner.one(query, { caller, session, id, meta }),
        })
        return this.#writes.store(query.ask, write, caller, { read, transaction, holds, tally, requestId, most })
      },
      read: async id => {
        const isSeen = await this.#access.isRuled(query.ask, id, engine.reader, caller)
        const body = isSeen ? await this.#runner.one(query, { caller, session: engine.reader, id }) : undefined
        if (body === undefined) throw goneSince()
        return body
      },
    })
  }

  /** Creates entries for hooks, within the write of another one. */
  #createBeside({ caller, requestId }: CallContext, session: Session): Writing['create'] {
    return async (uid, data) => {
      const type = this.#parts.registry.types.get(uid)
      if (!type || !caller.can('create', uid))
        throw new ForbiddenError().because(missingPermission(caller, 'create', uid))
      const request = { type, text: '', caller, session, within: session, onlyId: true, requestId }
      const { text } = (await this.create(request, data)) as { readonly text: Body }
      return Number(JSON.parse(String(text)).data.id)
    }
  }
}

/** A create, with the query of its response. */
interface ReadyCreate extends Pick<WriteOptions<Body | undefined>, 'holds'> {
  readonly query: Query
  readonly write: Write
}

/** The claim of a request that came without a key. */
const unclaimed: NotedClaim = { isNeeded: false, take: async () => undefined, keep: async () => undefined }

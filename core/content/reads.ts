import { type CacheableRead, type ReadRun, ResponseCache, type TaggedResponse } from '../cache/response-cache.js'
import { NotFoundError } from '../errors.js'
import type { Body } from '../loop/long-text.js'
import type { Action, Entry } from '../query/ask.js'
import type { ContentParts } from './parts.js'
import type { Query, QueryPlanner } from './query.js'
import { explained } from './refusals.js'
import type { ContentRequest, RunContext } from './request.js'
import type { Found, QueryRunner } from './run.js'

/** A response of the service. */
export type Answer = TaggedResponse & {
  /** The media type, where that is not the one of JSON. */
  readonly type?: string
  /** Headers of this response, names and values in turn. */
  readonly headers?: readonly string[]
}

/** Reads entries for requests: responses that are asked for again while nothing has changed are cached. */
export class Reads {
  readonly #parts: ContentParts
  readonly #planner: QueryPlanner
  readonly #runner: QueryRunner
  readonly #cache: ResponseCache<Found>

  constructor(parts: ContentParts, planner: QueryPlanner, runner: QueryRunner) {
    this.#parts = parts
    this.#planner = planner
    this.#runner = runner
    this.#cache = new ResponseCache(parts.engine.versions, runner.nextTimes, parts.responseCache)
  }

  /** Answers a request for a page or for one entry: at once, where the response is cached. */
  read(action: Action, sent: ContentRequest): Answer | Promise<Answer> {
    const { type, id, text, caller, options, tally } = sent
    const use = options ? { action, ...options, tally } : { action, tally }
    const query = this.#planner.query(type, use, text, caller)
    const fail = (error: unknown): never => {
      throw explained(error, { type, parts: this.#parts, read: query })
    }
    try {
      const read = new EntriesRead(this.#parts, this.#runner, query, sent)
      const answer = this.#cache.answer(`${query.number}.${id ?? ''}`, read)
      if (!(answer instanceof Promise)) return answerTo(query, sent, answer)
      return answer.then(later => answerTo(query, sent, later), fail)
    } catch (error) {
      return fail(error)
    }
  }

  /** The number of entries that a list with these filters has in all. */
  async count(request: ContentRequest): Promise<number> {
    const { type, text, caller, options } = request
    const query = this.#planner.query(type, { action: 'find', ...options, paging: 'none' }, text, caller)
    try {
      return await this.#runner.total(query, request)
    } catch (error) {
      throw explained(error, { type, parts: this.#parts, read: query })
    }
  }
}

/** With the headers and the media type of its query. */
function answerTo(
  { headers, format }: Query,
  { id, isVisitor = false }: ContentRequest,
  response: TaggedResponse,
): Answer {
  const type = format?.mediaType
  if (!headers) return type === undefined ? response : { ...response, type }
  const { lifetime = Number.POSITIVE_INFINITY } = response
  return { headers: headers({ id, isVisitor, lifetime }), ...response, ...(type !== undefined && { type }) }
}

/** The read of a request, as the cache knows it. */
class EntriesRead implements CacheableRead<Found> {
  readonly #parts: ContentParts
  readonly #runner: QueryRunner
  readonly #query: Query
  readonly #sent: ContentRequest

  constructor(parts: ContentParts, runner: QueryRunner, query: Query, sent: ContentRequest) {
    this.#parts = parts
    this.#runner = runner
    this.#query = query
    this.#sent = sent
  }

  /** Not where hooks see entries within entries, nor in a transaction, which sees what it has not stored yet. */
  get isCacheable() {
    const { prepared, watched } = this.#query
    return !prepared.isLate && watched !== 'below' && this.#sent.session.afterCommit === undefined
  }

  get timed() {
    return this.#query.prepared.timed
  }

  get sendsLifetime() {
    return this.#query.headers !== undefined
  }

  get reach() {
    const { ask, prepared } = this.#query
    const isPlain = prepared.plan.asText && !this.#sent.meta && !this.#parts.hooks(ask.type).meta
    return isPlain ? prepared.plan.reach : undefined
  }

  get session() {
    return this.#sent.session
  }

  get knows() {
    return this.#sent.knows
  }

  get tally() {
    return this.#sent.tally
  }

  get isHooked() {
    return this.#query.watched !== 'none'
  }

  time() {
    return this.#parts.time()
  }

  async body(run: ReadRun): Promise<Body> {
    const query = this.#query
    const context = contextOf(this.#sent, run)
    return (await (query.page ? this.#runner.page(query, context) : this.#runner.one(query, context))) ?? this.#refuse()
  }

  async result(run: ReadRun): Promise<Found> {
    return (await this.#runner.found(this.#query, contextOf(this.#sent, run))) ?? this.#refuse()
  }

  see(entries: Entry[]) {
    return this.#runner.see(this.#query, contextOf(this.#sent, { session: this.session }), entries)
  }

  written(result: Found) {
    return this.#runner.written(this.#query, result)
  }

  #refuse(): never {
    const { type, id } = this.#sent
    throw new NotFoundError().because(
      `there is no entry${id === undefined ? '' : ` ${id}`} of ${type.uid} that the caller and the parameters of the request let be seen`,
    )
  }
}

/** Property by property: a copy of a whole request takes longer than finding a cached response. */
const contextOf = (sent: ContentRequest, { session, state, note, now }: ReadRun): RunContext => ({
  caller: sent.caller,
  session,
  id: sent.id,
  state,
  note,
  meta: sent.meta,
  now,
})

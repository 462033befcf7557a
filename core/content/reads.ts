import { type CacheableRead, type ReadRun, ResponseCache, type TaggedResponse } from '../cache/response-cache.js'
import { isApart } from '../engines/engine.js'
import { NotFoundError } from '../errors.js'
import type { Action } from '../query/ask.js'
import type { ContentParts } from './parts.js'
import type { Query, QueryPlanner } from './query.js'
import { explained } from './refusals.js'
import type { ContentRequest, RunContext } from './request.js'
import type { QueryRunner, ReadResult } from './run.js'

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
  readonly #cache: ResponseCache<ReadResult>

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
      const answer = this.#cache.answer(`${query.number}.${id ?? ''}`, this.#cacheable(query, sent))
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
      const { versions } = this.#parts.engine
      // Asking a database server for its state costs as much as the total.
      const state = versions.isRemote ? undefined : await versions.state()
      return await this.#runner.total(query, { ...request, state })
    } catch (error) {
      throw explained(error, { type, parts: this.#parts, read: query })
    }
  }

  /** Nothing is cached if hooks see entries within entries, nor where other rows are seen than those that are stored now. */
  #cacheable(query: Query, sent: ContentRequest): CacheableRead<ReadResult> {
    const { ask, prepared, watched, page } = query
    const { session, meta, knows, tally } = sent
    const runner = this.#runner
    const isPlain = prepared.plan.asText && !meta && !this.#parts.hooks(ask.type).meta
    const body = (context: RunContext) => (page ? runner.page(query, context) : runner.one(query, context))
    const hooks: CacheableRead<ReadResult>['hooks'] = watched !== 'none' && {
      result: async run => (await runner.found(query, contextOf(sent, run))) ?? unseen(sent),
      see: entries => runner.see(query, contextOf(sent, { session }), entries),
      written: result => runner.written(query, result),
    }
    return {
      isCacheable: !prepared.isLate && watched !== 'below' && !isApart(session),
      timed: prepared.timed,
      sendsLifetime: query.headers !== undefined,
      reach: isPlain ? prepared.plan.reach : undefined,
      session,
      knows,
      tally,
      time: this.#parts.time,
      body: async run => (await body(contextOf(sent, run))) ?? unseen(sent),
      hooks,
    }
  }
}

/** The response with the headers and the media type of its query. */
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

function unseen({ type, id }: ContentRequest): never {
  throw new NotFoundError().because(
    `there is no entry${id === undefined ? '' : ` ${id}`} of ${type.uid} that the caller and the parameters of the request let be seen`,
  )
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

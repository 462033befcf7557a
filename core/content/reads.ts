import { type CacheableRead, type ReadRun, ResponseCache, type TaggedResponse } from '../cache/response-cache.js'
import { NotFoundError } from '../errors.js'
import type { Body } from '../loop/long-text.js'
import type { Action, Entry } from '../query/ask.js'
import type { PageAsked } from '../query/pagination.js'
import type { Keyset, PageTurner } from '../query/tree.js'
import type { ReadPlan } from '../sql/plan.js'
import type { Asking } from './asked.js'
import type { ContentParts } from './parts.js'
import type { Asked, ContentRequest, Found, RunFor } from './request.js'
import type { Runs } from './runs.js'
import type { Writes } from './writes.js'

/** What leaves the service: the text of a body and the tag it may be recognised by, or that the client has it already. */
export type Answer = Typed &
  ({ readonly text: Body; readonly tag?: string | undefined } | { readonly unchanged: string }) & {
    /** Of this response, names and values in turn. */
    readonly headers?: readonly string[]
  }

interface Typed {
  /** The media type, where that is not the one of JSON. */
  readonly type?: string
}

/** What reads of requests stand on. */
interface Services {
  readonly asking: Asking
  readonly runs: Runs
  readonly writes: Pick<Writes, 'explain'>
}

/** Reads entries for requests: responses that are asked for again while nothing has changed are cached. */
export class Reads {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #runs: Runs
  readonly #writes: Services['writes']
  readonly #cache: ResponseCache<Found>

  constructor(parts: ContentParts, { asking, runs, writes }: Services) {
    this.#parts = parts
    this.#asking = asking
    this.#runs = runs
    this.#writes = writes
    this.#cache = new ResponseCache(parts.engine.versions, runs.nextTimes, parts.responseCache)
  }

  /** Answers a request for a page or for one entry: at once, where the response is cached. */
  read(action: Action, sent: ContentRequest): Answer | Promise<Answer> {
    const { type, id, text, caller, under, tally } = sent
    const asked = this.#asking.remember(type, under ? { action, ...under, tally } : { action, tally }, text, caller)
    try {
      const read = new EntriesRead(this.#parts, this.#runs, asked, sent)
      const answer = this.#cache.answer(`${asked.number}.${id ?? ''}`, read)
      if (!(answer instanceof Promise)) return answerTo(asked, sent, answer)
      return answer.then(
        later => answerTo(asked, sent, later),
        error => {
          throw this.#writes.explain(type, error, asked)
        },
      )
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  /** How many entries a list with these filters has in all. */
  async count(request: ContentRequest): Promise<number> {
    const { type, text, caller, under } = request
    const asked = this.#asking.remember(type, { action: 'find', ...under, paging: 'none' }, text, caller)
    try {
      return await this.#runs.total(asked, request)
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }
}

/** With the headers and the media type of its query. */
function answerTo(
  { headers, format }: Asked,
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
  readonly #runs: Runs
  readonly #asked: Asked
  readonly #sent: ContentRequest

  constructor(parts: ContentParts, runs: Runs, asked: Asked, sent: ContentRequest) {
    this.#parts = parts
    this.#runs = runs
    this.#asked = asked
    this.#sent = sent
  }

  /** Not where hooks see entries within entries, nor in a transaction, which sees what it has not stored yet. */
  get isCacheable() {
    const { prepared, watched } = this.#asked
    return !prepared.isLate && watched !== 'below' && this.#sent.session.afterCommit === undefined
  }

  get timed() {
    return this.#asked.prepared.timed
  }

  get sendsLifetime() {
    return this.#asked.headers !== undefined
  }

  get reach() {
    const { ask, prepared } = this.#asked
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
    return this.#asked.watched !== 'none'
  }

  time() {
    return this.#parts.time()
  }

  async body(run: ReadRun): Promise<Body> {
    const asked = this.#asked
    const target = runFor(this.#sent, run)
    return (await (asked.page ? this.#runs.page(asked, target) : this.#runs.one(asked, target))) ?? this.#refuse()
  }

  async result(run: ReadRun): Promise<Found> {
    return (await this.#runs.found(this.#asked, runFor(this.#sent, run))) ?? this.#refuse()
  }

  see(entries: Entry[]) {
    return this.#runs.showing.see(this.#asked, runFor(this.#sent, { session: this.session }), entries)
  }

  written(result: Found) {
    return this.#runs.showing.written(this.#asked, result)
  }

  #refuse(): never {
    const { type, id } = this.#sent
    throw new NotFoundError().because(
      `there is no entry${id === undefined ? '' : ` ${id}`} of ${type.uid} that the caller and the parameters of the request let be seen`,
    )
  }
}

/** Property by property: a copy of a whole request takes longer than finding a cached response. */
const runFor = (sent: ContentRequest, { session, state, note, now }: ReadRun): RunFor => ({
  caller: sent.caller,
  session,
  id: sent.id,
  at: state,
  note,
  meta: sent.meta,
  now,
})

/** What has to see the rows of a page before its meta can be written. */
export function turnerOf(
  keyset: Keyset | undefined,
  { isTotalled }: Pick<ReadPlan, 'isTotalled'>,
): PageTurner | undefined {
  if (keyset) return keyset.turner()
  if (!isTotalled) return undefined
  const turner: PageTurner = {
    cut(rows) {
      // Behind the last page there is no row that could tell.
      if (rows[0]) turner.total = Number(rows[0].at(-1))
      return rows
    },
  }
  return turner
}

/** A page as the meta of its list tells of it. */
export function paginationOf(
  page: PageAsked,
  total: number | undefined,
  turner?: PageTurner,
): Readonly<Record<string, number | string | null>> {
  if (turner?.cursors) return { limit: page.limit, ...turner.cursors, ...(total !== undefined && { total }) }
  if (page.form === 'page') {
    const pageSize = page.limit as number
    const number = Math.floor(page.start / pageSize) + 1
    if (total === undefined) return { page: number, pageSize }
    return { page: number, pageSize, pageCount: Math.ceil(total / pageSize), total }
  }
  const limit = page.limit ?? total
  const asked = { start: page.start, ...(limit !== undefined && { limit }) }
  return total === undefined ? asked : { ...asked, total }
}

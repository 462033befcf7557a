import { hash, randomBytes } from 'node:crypto'
import { HookedResponses } from '../cache/hooked-responses.js'
import { recorded } from '../cache/recorded.js'
import { type Cached, type ReadOf, VersionedCache } from '../cache/versioned-cache.js'
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

/**
 * Versions count from the start of a process: tags of another one mean nothing here. Without the key a tag tells nothing of
 * what it is made of: how often there were writes, and when entries will be published that its client may not see.
 */
const tagKey = randomBytes(32).toString('base64url')
const tagLength = 22
/** What a response costs beside its bytes. */
const perAnswer = 1000
const never = Number.POSITIVE_INFINITY

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
  readonly #answers: VersionedCache<Buffer>
  readonly #hooked: HookedResponses<Found>

  constructor(parts: ContentParts, { asking, runs, writes }: Services) {
    this.#parts = parts
    this.#asking = asking
    this.#runs = runs
    this.#writes = writes
    const { engine, responseCache } = parts
    this.#answers = new VersionedCache(engine.versions, responseCache, body => perAnswer + (body?.length ?? 0))
    this.#hooked = new HookedResponses(engine.versions, responseCache, perAnswer)
  }

  /** Answers a request for a page or for one entry: at once, where the response is known. */
  read(action: Action, sent: ContentRequest): Answer | Promise<Answer> {
    const { type, text, caller, under, tally } = sent
    const asked = this.#asking.remember(type, under ? { action, ...under, tally } : { action, tally }, text, caller)
    const answer = this.#answer(asked, sent)
    const mediaType = asked.format?.mediaType
    if (mediaType === undefined) return answer
    return answer instanceof Promise
      ? answer.then(later => ({ ...later, type: mediaType }))
      : { ...answer, type: mediaType }
  }

  #answer(asked: Asked, sent: ContentRequest): Answer | Promise<Answer> {
    const { type, id, tally, isVisitor = false } = sent
    const key = `${asked.number}.${id ?? ''}`
    try {
      const found = this.#answers.find(key)
      const due = this.#moment(asked, sent, found !== undefined)
      const isCached = typeof due === 'number' && found?.value && !asked.prepared.timed && asked.watched === 'none'
      const known = isCached ? this.#known({ sent, at: due, key, found }, found) : undefined
      if (!known) return this.#later(asked, sent, { key, found, due })
      if (tally) tally.cached = 'hit'
      return asked.headers ? { headers: asked.headers({ id, isVisitor, lifetime: never }), ...known } : known
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  /** What is read, or depends on the time or on hooks. */
  async #later(asked: Asked, sent: ContentRequest, { key, found, due }: Due): Promise<Answer> {
    const { type, id, session, isVisitor = false } = sent
    try {
      const moment = due instanceof Promise ? await due : due
      const { timed } = asked.prepared
      const now = timed && this.#parts.time()
      const isEnding = timed && (moment !== undefined || asked.headers)
      const until = isEnding ? await this.#runs.moments.next(moment, timed, { session, now: now as number }) : never
      const answer =
        moment === undefined
          ? { text: await this.#body(asked, sent, runFor({ sent, now })) }
          : await this.#at(asked, { sent, now, at: moment, key: timed ? `${key}@${until}` : key, found })
      if (!asked.headers) return answer
      return { headers: asked.headers({ id, isVisitor, lifetime: until - (now ?? 0) }), ...answer }
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  #at(asked: Asked, at: At): Answer | Promise<Answer> {
    if (at.sent.tally) at.sent.tally.cached = 'hit'
    const found = asked.prepared.timed ? this.#answers.find(at.key) : at.found
    if (asked.watched !== 'none') return this.#watched(asked, at, found)
    return this.#known(at, found) ?? this.#read(asked, at)
  }

  /** What the client knows, or the cache. */
  #known(at: At, cached: At['found']): Answer | undefined {
    const tag = cached && this.#tagNow(at, cached)
    if (tag !== undefined && at.sent.knows?.(tag)) return { unchanged: tag }
    return cached?.value && { text: cached.value, tag }
  }

  /**
   * A response that is asked for again while nothing has changed is the same one. What was not asked for before is not cached;
   * where it was read is, as its tag depends on that.
   */
  async #read(asked: Asked, at: At): Promise<Answer> {
    const read = () => this.#noted(at, noting => this.#body(asked, at.sent, noting))
    if (!at.found) {
      const { value: text, names } = await read()
      return { text, tag: this.#tagOf(at, this.#answers.note(at.key, at.at, names)) }
    }
    const cached = await this.#answers.get(at.key, at.at, async () => {
      const { value: body, names } = await read()
      const value = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : body.toBuffer()
      const isKnown = asked.prepared.plan.asText && !at.sent.meta && !this.#parts.hooks(asked.ask.type).meta
      return { value, names, ...(isKnown && { rows: { reach: asked.prepared.plan.reach, body: value } }) }
    })
    return { text: cached.value, tag: this.#tagOf(at, cached) }
  }

  /** Reads, and notes where. */
  async #noted<T>(at: At, read: (noting: RunFor) => Promise<T>): Promise<ReadOf<T>> {
    const { tally } = at.sent
    if (tally?.cached) tally.cached = 'miss'
    const { session, note, names } = recorded(at.sent.session)
    return { value: await read(runFor(at, session, note)), names: names() }
  }

  async #body(asked: Asked, request: ContentRequest, target: RunFor): Promise<Body> {
    const body = await (asked.page ? this.#runs.page(asked, target) : this.#runs.one(asked, target))
    if (body === undefined) throw unseen(request)
    return body
  }

  /** A response that `afterFind` sees: what was found may be known, what hooks make of it is not. */
  async #watched(asked: Asked, at: At, known: At['found']): Promise<Answer> {
    const find = async () => {
      const { value, names } = await this.#noted(at, noting => this.#runs.found(asked, noting))
      if (value === undefined) throw unseen(at.sent)
      this.#answers.note(at.key, at.at, names)
      return { value, names }
    }
    if (!at.found) return { text: await this.#runs.showing.shown(asked, runFor(at), (await find()).value) }
    const tag = known && this.#tagNow(at, known)
    const { showing } = this.#runs
    const hooks = {
      see: (entries: Entry[]) => showing.see(asked, runFor(at), entries),
      written: (found: Found) => showing.written(asked, found),
    }
    const text = await this.#hooked.get(at, hooks, find)
    if (typeof text === 'string') return { text }
    return tag !== undefined && at.sent.knows?.(tag) ? { unchanged: tag } : { text, tag }
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

  /**
   * The moment of the request, if the response depends on nothing but the database; undefined where hooks see entries within
   * entries. `serialize` and formats know no caller and no clock. A transaction sees what it has not stored yet.
   */
  #moment({ prepared, watched }: Asked, { session }: ContentRequest, isRepeated: boolean) {
    const { versions } = this.#parts.engine
    const isOwn = prepared.isLate || watched === 'below' || session.afterCommit !== undefined
    return isOwn || (versions.isRemote && !isRepeated) ? undefined : versions.now()
  }

  /** The tag of what is known, as far as it is at the moment. */
  #tagNow(at: At, cached: Cached<Buffer>): string | undefined {
    this.#answers.check(cached, at.at)
    return this.#tagOf(at, cached)
  }

  /**
   * A tag that is known before entries are read, as soon as it is known where they are read. Where asking the database costs,
   * there is none: that of the content lasts longer.
   */
  #tagOf({ key, at }: At, cached: Cached<Buffer>): string | undefined {
    const { changed } = cached
    if (this.#parts.engine.versions.isRemote || changed > at) return undefined
    if (cached.tag?.changed !== changed) cached.tag = { changed, text: tagFor(`${changed}.${key}`) }
    return cached.tag.text
  }
}

const tagFor = (state: string): string => hash('sha256', `${tagKey}.${state}`, 'base64url').slice(0, tagLength)

/** A request for what may be cached, and the moment of the database, once it is known. */
interface Due extends Pick<At, 'key' | 'found'> {
  readonly due: number | undefined | Promise<number | undefined>
}

/** A request for what may be cached: under which key, and at which moment of the database. */
interface At extends Timed {
  readonly at: number
  readonly key: string
  /** What was known of the query when it was asked for. */
  readonly found: Cached<Buffer> | undefined
}

/** A request, and the time that what it asks is compared with. */
interface Timed extends Pick<RunFor, 'now' | 'at'> {
  readonly sent: ContentRequest
}

/** Property by property: a copy of a whole request takes longer than finding a cached response. */
const runFor = ({ sent, at, now }: Timed, session = sent.session, note?: RunFor['note']): RunFor => ({
  caller: sent.caller,
  session,
  id: sent.id,
  at,
  note,
  meta: sent.meta,
  now,
})

const unseen = ({ type: { uid }, id }: ContentRequest): NotFoundError =>
  new NotFoundError().because(
    `there is no entry${id === undefined ? '' : ` ${id}`} of ${uid} that the caller and the parameters of the request let be seen`,
  )

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

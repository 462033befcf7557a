import { hash, randomBytes } from 'node:crypto'
import type { Body } from '../loop/long-text.js'
import type { Field } from '../schema/types.js'
import type { Dependency, ReadValue } from './dependency.js'
import { HookedResponses, type HooksOnEntries, type QueryResult } from './hooked-responses.js'
import type { NextTimes } from './next-times.js'
import { recording, type Session } from './recording.js'
import { type CacheEntry, VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

/** A response with the tag by which clients recognise it, or the tag of the one that the client has already. */
export type TaggedResponse = Lifetime &
  ({ readonly text: Body; readonly tag?: string | undefined } | { readonly unchanged: string })

interface Lifetime {
  /** Milliseconds until it is another one although no row changes; absent if the time changes nothing. */
  readonly lifetime?: number
}

/** The session, the state and the time of a read. */
export interface ReadRun {
  readonly session: Session
  /** The state of the database for which it is cached. */
  readonly state?: number
  /** Called for statements whose result was cached. */
  readonly note?: (sql: string) => void
  /** The time that columns are compared with. */
  readonly now?: number | undefined
}

/** The read of a request, as far as the cache has to know it. */
export interface CacheableRead<R extends QueryResult> {
  /** The response depends on nothing but the key, the time, and the stored rows. */
  readonly isCacheable: boolean
  /** The columns that the query compares with the time. */
  readonly timed: readonly Field[] | undefined
  /** The lifetime of the response is sent to the client. */
  readonly sendsLifetime: boolean
  /** The rows that the response depends on, if its JSON shows them. */
  readonly reach: NonNullable<Dependency['rows']>['reach'] | undefined
  readonly session: Session
  /** True if the client already has the response with a tag. */
  readonly knows: ((tag: string) => boolean) | undefined
  readonly tally: { cached: 'hit' | 'miss' | undefined } | undefined
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** Reads the body of the response, as hooks leave it. */
  readonly body: (run: ReadRun) => Promise<Body>
  /** Present if hooks see the entries: their effect may differ from request to request. */
  readonly hooks: ResponseHooks<R> | false
}

/** The same in steps: the entries are read, hooks see them, and the response is written. */
export interface ResponseHooks<R extends QueryResult> extends HooksOnEntries<R> {
  readonly result: (run: ReadRun) => Promise<R>
}

/** A request whose response may be cached. */
interface CacheRequest<R extends QueryResult> {
  readonly read: CacheableRead<R>
  readonly key: string
  readonly entry: CacheEntry<Buffer> | undefined
  /** It was requested before: a response that is requested once is not worth caching. */
  readonly isRepeated: boolean
  readonly now?: number | undefined
}

/**
 * Versions count from the start of a process: tags of another one mean nothing here. The key keeps the content of a tag secret:
 * how often there were writes, and when entries will be published that its client may not see.
 */
const tagKey = randomBytes(32).toString('base64url')
const tagLength = 22
/** Bytes that a response takes beside its own. */
const perResponse = 1000

/** Caches responses that are requested again while nothing has changed where they were read. */
export class ResponseCache<R extends QueryResult> {
  readonly #versions: Versions
  readonly #nextTimes: NextTimes
  readonly #bodies: VersionedCache<Buffer>
  readonly #hooked: HookedResponses<R>

  constructor(versions: Versions, nextTimes: NextTimes, bytes: number) {
    this.#versions = versions
    this.#nextTimes = nextTimes
    this.#bodies = new VersionedCache(versions, bytes, body => perResponse + (body?.length ?? 0))
    this.#hooked = new HookedResponses(versions, bytes, perResponse)
  }

  /** The response to a read: at once where it is cached, and the engine can tell at once that nothing has changed. */
  answer(key: string, read: CacheableRead<R>): TaggedResponse | Promise<TaggedResponse> {
    const entry = this.#bodies.lookup(key)
    const request = { read, key, entry, isRepeated: entry !== undefined }
    // Asking a database server costs a round trip.
    const isChecked = read.isCacheable && (request.isRepeated || !this.#versions.isRemote)
    const state = isChecked ? this.#versions.state() : undefined
    return typeof state === 'number' && !read.timed ? this.#at(request, state) : this.#later(request, state)
  }

  async #later(request: CacheRequest<R>, asked: ReturnType<Versions['state']>): Promise<TaggedResponse> {
    const { session, timed, sendsLifetime, time } = request.read
    const state = await asked
    if (!timed) return this.#at(request, state)
    const now = time()
    if (state === undefined && !sendsLifetime) return this.#at({ ...request, now }, state)
    const until = await this.#nextTimes.next(state, timed, { session, now })
    const key = `${request.key}@${until}`
    const entry = state === undefined ? undefined : this.#bodies.lookup(key)
    return { ...(await this.#at({ ...request, key, entry, now }, state)), lifetime: until - now }
  }

  #at(request: CacheRequest<R>, state: number | undefined): TaggedResponse | Promise<TaggedResponse> {
    if (state === undefined) return this.#uncached(request)
    const { tally, hooks } = request.read
    if (tally) tally.cached = 'hit'
    return hooks
      ? this.#hookedResponse(request, state, hooks)
      : (this.#cached(request, state) ?? this.#read(request, state))
  }

  async #uncached({ read, now }: CacheRequest<R>): Promise<TaggedResponse> {
    return { text: await read.body({ session: read.session, now }) }
  }

  /** The response that the client has, or the cached one. */
  #cached(request: CacheRequest<R>, state: number): TaggedResponse | undefined {
    const { read, entry } = request
    const tag = this.#tagNow(request, state)
    if (tag !== undefined && read.knows?.(tag)) return { unchanged: tag }
    return entry?.value && { text: entry.value, tag }
  }

  /** Reads a response. The first request of a query is not cached; its tables are recorded, as its tag depends on them. */
  async #read({ read, key, isRepeated, now }: CacheRequest<R>, state: number): Promise<TaggedResponse> {
    if (!isRepeated) {
      const { value: text, names } = await record(read, { state, now }, read.body)
      return { text, tag: this.#tagOf(key, this.#bodies.track(key, state, names), state) }
    }
    const entry = await this.#bodies.get(key, state, async () => {
      const { value: body, names } = await record(read, { state, now }, read.body)
      const value = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : body.toBuffer()
      return { value, names, ...(read.reach && { rows: { reach: read.reach, body: value } }) }
    })
    return { text: entry.value, tag: this.#tagOf(key, entry, state) }
  }

  /** A response that hooks see each time: the result of the query may be cached, the work of the hooks is not. */
  async #hookedResponse(request: CacheRequest<R>, state: number, hooks: ResponseHooks<R>): Promise<TaggedResponse> {
    const { read, key, isRepeated, now } = request
    const find = async () => {
      const found = await record(read, { state, now }, hooks.result)
      this.#bodies.track(key, state, found.names)
      return found
    }
    if (!isRepeated) {
      const { value: result } = await find()
      await hooks.see(result.entries)
      return { text: await hooks.written(result) }
    }
    const tag = this.#tagNow(request, state)
    const text = await this.#hooked.get({ key, state }, hooks, find)
    if (typeof text === 'string') return { text }
    return tag !== undefined && read.knows?.(tag) ? { unchanged: tag } : { text, tag }
  }

  /** The tag of the cached response, as far as it is at the state. */
  #tagNow({ key, entry }: CacheRequest<R>, state: number): string | undefined {
    if (!entry) return undefined
    this.#bodies.revalidate(entry, state)
    return this.#tagOf(key, entry, state)
  }

  /**
   * A tag that is known before entries are read, as soon as it is known where they are read. Where asking the database costs,
   * there is none: that of the content lasts longer.
   */
  #tagOf(key: string, entry: CacheEntry<Buffer>, state: number): string | undefined {
    const { changed } = entry
    if (this.#versions.isRemote || changed > state) return undefined
    if (entry.tag?.changed !== changed) entry.tag = { changed, text: tagFor(`${changed}.${key}`) }
    return entry.tag.text
  }
}

/** Reads, and notes where. */
async function record<T>(
  { session, tally }: Pick<CacheableRead<never>, 'session' | 'tally'>,
  at: Pick<ReadRun, 'state' | 'now'>,
  work: (run: ReadRun) => Promise<T>,
): Promise<ReadValue<T>> {
  if (tally) tally.cached = 'miss'
  const { names, ...noting } = recording(session)
  return { value: await work({ ...noting, ...at }), names: names() }
}

const tagFor = (text: string): string => hash('sha256', `${tagKey}.${text}`, 'base64url').slice(0, tagLength)

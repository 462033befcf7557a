import { hash, randomBytes } from 'node:crypto'
import type { Body } from '../loop/long-text.js'
import type { Field } from '../schema/types.js'
import type { Dependency, ReadValue } from './dependency.js'
import { HookedResponses, type QueryResult, type ResponseHooks } from './hooked-responses.js'
import type { NextTimes } from './next-times.js'
import { recording, type Session } from './recording.js'
import { type CacheEntry, VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

/** A response with the tag by which clients recognise it, or the tag of the one that the client has already. */
export type TaggedResponse = Lasting &
  ({ readonly text: Body; readonly tag?: string | undefined } | { readonly unchanged: string })

interface Lasting {
  /** Milliseconds until it is another one although no row changes; absent where the time changes nothing. */
  readonly lifetime?: number
}

/** Where and when a read runs. */
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
export interface CacheableRead<R extends QueryResult> extends ResponseHooks<R> {
  /** The response depends on nothing but the key, the time, and what the database has stored. */
  readonly isCacheable: boolean
  /** The columns that the query compares with the time. */
  readonly timed: readonly Field[] | undefined
  /** The lifetime of the response is sent to the client. */
  readonly sendsLifetime: boolean
  /** On which rows the response depends, where its JSON shows them. */
  readonly reach: NonNullable<Dependency['rows']>['reach'] | undefined
  readonly session: Session
  /** Whether the client has the response with a tag already. */
  readonly knows: ((tag: string) => boolean) | undefined
  readonly tally: { cached: 'hit' | 'miss' | undefined } | undefined
  /** Hooks see the entries: what they do may differ from request to request. */
  readonly isHooked: boolean
  /** Milliseconds since 1970. */
  time(): number
  /** The body of the response, as hooks leave it. */
  body(run: ReadRun): Promise<Body>
  /** The entries, before hooks have seen them. */
  result(run: ReadRun): Promise<R>
}

/** A request for what may be cached. */
interface CacheRequest<R extends QueryResult> {
  readonly read: CacheableRead<R>
  readonly key: string
  readonly entry: CacheEntry<Buffer> | undefined
  /** It was requested before: what is requested once is not worth caching. */
  readonly isRepeated: boolean
  readonly now?: number | undefined
}

/** The same at a state of the database. */
interface RequestAt<R extends QueryResult> extends CacheRequest<R> {
  readonly state: number
}

/**
 * Versions count from the start of a process: tags of another one mean nothing here. Without the key a tag tells nothing of
 * what it is made of: how often there were writes, and when entries will be published that its client may not see.
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
    const isRepeated = entry !== undefined
    // Asking a database server costs a round trip.
    const isChecked = read.isCacheable && (isRepeated || !this.#versions.isRemote)
    const state = isChecked ? this.#versions.state() : undefined
    const request = { read, key, entry, isRepeated }
    return typeof state === 'number' && !read.timed ? this.#at({ ...request, state }) : this.#later(request, state)
  }

  async #later(request: CacheRequest<R>, asked: ReturnType<Versions['state']>): Promise<TaggedResponse> {
    const { read } = request
    const state = await asked
    if (!read.timed) return this.#inState(request, state)
    const now = read.time()
    if (state === undefined && !read.sendsLifetime) return this.#inState({ ...request, now }, state)
    const until = await this.#nextTimes.next(state, read.timed, { session: read.session, now })
    const key = `${request.key}@${until}`
    const entry = state === undefined ? undefined : this.#bodies.lookup(key)
    return { ...(await this.#inState({ ...request, key, entry, now }, state)), lifetime: until - now }
  }

  async #inState(request: CacheRequest<R>, state: number | undefined): Promise<TaggedResponse> {
    if (state !== undefined) return this.#at({ ...request, state })
    const { read, now } = request
    return { text: await read.body({ session: read.session, now }) }
  }

  #at(request: RequestAt<R>): TaggedResponse | Promise<TaggedResponse> {
    const { tally, isHooked } = request.read
    if (tally) tally.cached = 'hit'
    return isHooked ? this.#hookedResponse(request) : (this.#fromCache(request) ?? this.#read(request))
  }

  /** From what the client has, or from the cache. */
  #fromCache(request: RequestAt<R>): TaggedResponse | undefined {
    const { read, entry } = request
    const tag = this.#tagNow(request)
    if (tag !== undefined && read.knows?.(tag)) return { unchanged: tag }
    return entry?.value && { text: entry.value, tag }
  }

  /** What was not requested before is not cached; where it was read is, as its tag depends on that. */
  async #read(request: RequestAt<R>): Promise<TaggedResponse> {
    const { read, key, state, isRepeated } = request
    if (!isRepeated) {
      const { value: text, names } = await record(request, run => read.body(run))
      return { text, tag: this.#tagOf(request, this.#bodies.track(key, state, names)) }
    }
    const entry = await this.#bodies.get(key, state, async () => {
      const { value: body, names } = await record(request, run => read.body(run))
      const value = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : body.toBuffer()
      return { value, names, ...(read.reach && { rows: { reach: read.reach, body: value } }) }
    })
    return { text: entry.value, tag: this.#tagOf(request, entry) }
  }

  /** A response that hooks see each time: the result of the query may be cached, what hooks make of it is not. */
  async #hookedResponse(request: RequestAt<R>): Promise<TaggedResponse> {
    const { read, key, state } = request
    const find = async () => {
      const found = await record(request, run => read.result(run))
      this.#bodies.track(key, state, found.names)
      return found
    }
    if (!request.isRepeated) {
      const { value: result } = await find()
      await read.see(result.entries)
      return { text: await read.written(result) }
    }
    const tag = this.#tagNow(request)
    const text = await this.#hooked.get(request, read, find)
    if (typeof text === 'string') return { text }
    return tag !== undefined && read.knows?.(tag) ? { unchanged: tag } : { text, tag }
  }

  /** The tag of what is cached, as far as it is at the state. */
  #tagNow(request: RequestAt<R>): string | undefined {
    const { entry, state } = request
    if (!entry) return undefined
    this.#bodies.revalidate(entry, state)
    return this.#tagOf(request, entry)
  }

  /**
   * A tag that is known before entries are read, as soon as it is known where they are read. Where asking the database costs,
   * there is none: that of the content lasts longer.
   */
  #tagOf({ key, state }: RequestAt<R>, entry: CacheEntry<Buffer>): string | undefined {
    const { changed } = entry
    if (this.#versions.isRemote || changed > state) return undefined
    if (entry.tag?.changed !== changed) entry.tag = { changed, text: tagFor(`${changed}.${key}`) }
    return entry.tag.text
  }
}

/** Reads, and notes where. */
async function record<R extends QueryResult, T>(
  { read, state, now }: RequestAt<R>,
  work: (run: ReadRun) => Promise<T>,
): Promise<ReadValue<T>> {
  if (read.tally) read.tally.cached = 'miss'
  const { names, ...noting } = recording(read.session)
  return { value: await work({ ...noting, state, now }), names: names() }
}

const tagFor = (text: string): string => hash('sha256', `${tagKey}.${text}`, 'base64url').slice(0, tagLength)

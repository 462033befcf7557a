import { hash, randomBytes } from 'node:crypto'
import type { Body } from '../loop/long-text.js'
import type { Field } from '../schema/types.js'
import type { ReadFrom } from './changes.js'
import { type Found, type Hooked, HookedResponses } from './hooked-responses.js'
import type { Moments } from './moments.js'
import { recorded, type Session } from './recorded.js'
import { type Cached, type ReadOf, VersionedCache } from './versioned-cache.js'
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
export interface CacheableRead<F extends Found> extends Hooked<F> {
  /** The response depends on nothing but the key, the time, and what the database has stored. */
  readonly isCacheable: boolean
  /** The columns that the query compares with the time. */
  readonly timed: readonly Field[] | undefined
  /** The lifetime of the response is sent to the client. */
  readonly sendsLifetime: boolean
  /** On which rows the response depends, where its JSON shows them. */
  readonly reach: NonNullable<ReadFrom['rows']>['reach'] | undefined
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
  found(run: ReadRun): Promise<F>
}

/** A request for what may be cached. */
interface Wanted<F extends Found> {
  readonly read: CacheableRead<F>
  readonly key: string
  readonly cached: Cached<Buffer> | undefined
  /** It was requested before: what is requested once is not worth caching. */
  readonly isRepeated: boolean
  readonly now?: number | undefined
}

/** The same at a state of the database. */
interface WantedAt<F extends Found> extends Wanted<F> {
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
export class ResponseCache<F extends Found> {
  readonly #versions: Versions
  readonly #moments: Moments
  readonly #bodies: VersionedCache<Buffer>
  readonly #hooked: HookedResponses<F>

  constructor(versions: Versions, moments: Moments, bytes: number) {
    this.#versions = versions
    this.#moments = moments
    this.#bodies = new VersionedCache(versions, bytes, body => perResponse + (body?.length ?? 0))
    this.#hooked = new HookedResponses(versions, bytes, perResponse)
  }

  /** The response to a read: at once where it is cached, and the engine can tell at once that nothing has changed. */
  answer(key: string, read: CacheableRead<F>): TaggedResponse | Promise<TaggedResponse> {
    const cached = this.#bodies.find(key)
    const isRepeated = cached !== undefined
    // Asking a database server costs a round trip.
    const isChecked = read.isCacheable && (isRepeated || !this.#versions.isRemote)
    const state = isChecked ? this.#versions.now() : undefined
    const wanted = { read, key, cached, isRepeated }
    return typeof state === 'number' && !read.timed ? this.#at({ ...wanted, state }) : this.#later(wanted, state)
  }

  async #later(wanted: Wanted<F>, asked: ReturnType<Versions['now']>): Promise<TaggedResponse> {
    const { read } = wanted
    const state = await asked
    if (!read.timed) return this.#maybeAt(wanted, state)
    const now = read.time()
    if (state === undefined && !read.sendsLifetime) return this.#maybeAt({ ...wanted, now }, state)
    const until = await this.#moments.next(state, read.timed, { session: read.session, now })
    const key = `${wanted.key}@${until}`
    const cached = state === undefined ? undefined : this.#bodies.find(key)
    return { ...(await this.#maybeAt({ ...wanted, key, cached, now }, state)), lifetime: until - now }
  }

  #maybeAt(wanted: Wanted<F>, state: number | undefined): TaggedResponse | Promise<TaggedResponse> {
    return state === undefined ? this.#uncached(wanted) : this.#at({ ...wanted, state })
  }

  async #uncached({ read, now }: Wanted<F>): Promise<TaggedResponse> {
    return { text: await read.body({ session: read.session, now }) }
  }

  #at(wanted: WantedAt<F>): TaggedResponse | Promise<TaggedResponse> {
    const { tally, isHooked } = wanted.read
    if (tally) tally.cached = 'hit'
    return isHooked ? this.#seen(wanted) : (this.#known(wanted) ?? this.#read(wanted))
  }

  /** From what the client has, or from the cache. */
  #known(wanted: WantedAt<F>): TaggedResponse | undefined {
    const { read, cached } = wanted
    const tag = this.#tagNow(wanted)
    if (tag !== undefined && read.knows?.(tag)) return { unchanged: tag }
    return cached?.value && { text: cached.value, tag }
  }

  /** What was not requested before is not cached; where it was read is, as its tag depends on that. */
  async #read(wanted: WantedAt<F>): Promise<TaggedResponse> {
    const { read, key, state, isRepeated } = wanted
    if (!isRepeated) {
      const { value: text, names } = await recording(wanted, run => read.body(run))
      return { text, tag: this.#tagOf(wanted, this.#bodies.note(key, state, names)) }
    }
    const cached = await this.#bodies.get(key, state, async () => {
      const { value: body, names } = await recording(wanted, run => read.body(run))
      const value = typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : body.toBuffer()
      return { value, names, ...(read.reach && { rows: { reach: read.reach, body: value } }) }
    })
    return { text: cached.value, tag: this.#tagOf(wanted, cached) }
  }

  /** A response that hooks see each time: what was found may be cached, what hooks make of it is not. */
  async #seen(wanted: WantedAt<F>): Promise<TaggedResponse> {
    const { read, key, state } = wanted
    const find = async () => {
      const found = await recording(wanted, run => read.found(run))
      this.#bodies.note(key, state, found.names)
      return found
    }
    if (!wanted.isRepeated) {
      const { value: found } = await find()
      await read.see(found.entries)
      return { text: await read.written(found) }
    }
    const tag = this.#tagNow(wanted)
    const text = await this.#hooked.get(wanted, read, find)
    if (typeof text === 'string') return { text }
    return tag !== undefined && read.knows?.(tag) ? { unchanged: tag } : { text, tag }
  }

  /** The tag of what is cached, as far as it is at the state. */
  #tagNow(wanted: WantedAt<F>): string | undefined {
    const { cached, state } = wanted
    if (!cached) return undefined
    this.#bodies.check(cached, state)
    return this.#tagOf(wanted, cached)
  }

  /**
   * A tag that is known before entries are read, as soon as it is known where they are read. Where asking the database costs,
   * there is none: that of the content lasts longer.
   */
  #tagOf({ key, state }: WantedAt<F>, cached: Cached<Buffer>): string | undefined {
    const { changed } = cached
    if (this.#versions.isRemote || changed > state) return undefined
    if (cached.tag?.changed !== changed) cached.tag = { changed, text: tagFor(`${changed}.${key}`) }
    return cached.tag.text
  }
}

/** Reads, and notes where. */
async function recording<F extends Found, T>(
  { read, state, now }: WantedAt<F>,
  work: (run: ReadRun) => Promise<T>,
): Promise<ReadOf<T>> {
  if (read.tally) read.tally.cached = 'miss'
  const { names, ...noting } = recorded(read.session)
  return { value: await work({ ...noting, state, now }), names: names() }
}

const tagFor = (text: string): string => hash('sha256', `${tagKey}.${text}`, 'base64url').slice(0, tagLength)

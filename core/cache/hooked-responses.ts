import type { Entry } from '../query/ask.js'
import { type ReadOf, VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

/** What was found, and the response where hooks change nothing of it. */
interface Kept<Found> {
  readonly found: Found
  readonly body: Buffer
  readonly isSame: Same
  readonly copy: Copier<Entry[]>
}

/** Bytes in memory for each byte of JSON, as objects and as text. */
const objectCost = 5

/**
 * Responses that `afterFind` sees each time, as it may depend on the caller and the time: it is given a copy of what the
 * database answered, and a response that it leaves as it is is the one that is cached.
 */
export class HookedResponses<Found extends { readonly entries: Entry[] }> {
  readonly #cached: VersionedCache<Kept<Found>>

  constructor(versions: Versions, bytes: number, perResponse: number) {
    const sizeOf = (kept: Kept<Found> | undefined) => perResponse + (kept ? objectCost * kept.body.length : 0)
    this.#cached = new VersionedCache(versions, bytes, sizeOf)
  }

  /** The text of one, or the bytes of the cached one, where hooks have left it as it was. */
  async get(at: At, { see, written }: Hooks<Found>, find: () => Promise<ReadOf<Found>>): Promise<string | Buffer> {
    const { value: kept } = await this.#cached.get(at.key, at.at, async () => {
      const { value: found, names } = await find()
      const body = Buffer.from(await written(found))
      const { entries } = found
      return { value: { found, body, isSame: sameAs(entries), copy: copierOf(entries) }, names }
    })
    const entries = kept.copy()
    await see(entries)
    return kept.isSame(entries) ? kept.body : written({ ...kept.found, entries })
  }
}

/** What the hooks of a request do with entries, and how a response is written of them. */
interface Hooks<Found> {
  readonly see: (entries: Entry[]) => void | Promise<void>
  readonly written: (found: Found) => Promise<string>
}

/** Under which key it is cached, and at which moment of the database it is asked for. */
interface At {
  readonly key: string
  readonly at: number
}

/** Makes copies of data that share nothing with it: objects, lists, and values that cannot be changed. */
type Copier<T> = () => T

/** Where there is something to copy is found once. A spread copies fields faster than a loop, those under symbols too. */
function copierOf<T>(data: T): Copier<T> {
  if (typeof data !== 'object' || data === null) return () => data
  if (Array.isArray(data)) {
    const copies = data.map(copierOf)
    return () => copies.map(copy => copy()) as T
  }
  if (!isPlain(data)) return () => structuredClone(data)
  const parts = Object.entries(data).filter(([, value]) => typeof value === 'object' && value !== null)
  const copies = parts.map(([name, value]) => [name, copierOf(value)] as const)
  if (copies.length === 0) return () => ({ ...data })
  return () => {
    const copy = { ...data } as Record<string, unknown>
    for (const [name, part] of copies) copy[name] = part()
    return copy as T
  }
}

/** Tells whether something is still what it was when this was made. */
type Same = (data: unknown) => boolean

/** Names and values are listed once: comparing costs a tenth of what it costs between two objects. */
function sameAs(original: unknown): Same {
  if (typeof original !== 'object' || original === null) return data => data === original
  if (Array.isArray(original)) return sameList(original.map(sameAs))
  return isPlain(original) ? sameObject(original as Readonly<Record<string, unknown>>) : () => false
}

const sameList =
  (items: readonly Same[]): Same =>
  data => {
    if (!Array.isArray(data) || data.length !== items.length) return false
    for (let index = 0; index < items.length; index += 1) if (!items[index]?.(data[index])) return false
    return true
  }

function sameObject(original: Readonly<Record<string, unknown>>): Same {
  const names = Object.keys(original)
  const values = Object.values(original).map(value =>
    typeof value === 'object' && value !== null ? sameAs(value) : value,
  )
  return data => {
    if (typeof data !== 'object' || data === null || !isPlain(data)) return false
    let index = 0
    for (const name in data) {
      if (name !== names[index]) return false
      const value = (data as typeof original)[name]
      const was = values[index]
      if (value !== was && !(typeof was === 'function' && was(value))) return false
      index += 1
    }
    return index === names.length
  }
}

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

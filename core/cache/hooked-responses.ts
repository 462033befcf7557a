import type { Entry } from '../query/ask.js'
import type { ReadValue } from './dependency.js'
import { VersionedCache } from './versioned-cache.js'
import type { Versions } from './versions.js'

/** The result of a query as objects, which hooks may change. */
export interface QueryResult {
  readonly entries: Entry[]
}

/** The hooks of a request on entries, and the function that writes a response of them. */
export interface HooksOnEntries<R extends QueryResult> {
  readonly see: (entries: Entry[]) => void | Promise<void>
  readonly written: (result: R) => Promise<string>
}

/** The result of a query, and the response where hooks change nothing of it. */
interface HookedEntry<R extends QueryResult> {
  readonly result: R
  readonly body: Buffer
  readonly isSame: SameTest
  readonly copy: Copier<Entry[]>
}

/** Bytes in memory for each byte of JSON, as objects and as text. */
const objectCost = 5

/**
 * Responses that `afterFind` sees each time, as it may depend on the caller and the time: it is given a copy of the rows of the
 * database, and a response that it leaves as it is is the one that is cached.
 */
export class HookedResponses<R extends QueryResult> {
  readonly #cached: VersionedCache<HookedEntry<R>>

  constructor(versions: Versions, bytes: number, perResponse: number) {
    const sizeOf = (entry: HookedEntry<R> | undefined) => perResponse + (entry ? objectCost * entry.body.length : 0)
    this.#cached = new VersionedCache(versions, bytes, sizeOf)
  }

  /** The text of one, or the bytes of the cached one, where hooks have left it as it was. */
  async get(
    { key, state }: StateKey,
    hooks: HooksOnEntries<R>,
    find: () => Promise<ReadValue<R>>,
  ): Promise<string | Buffer> {
    const { value: cached } = await this.#cached.get(key, state, async () => {
      const { value: result, names } = await find()
      const body = Buffer.from(await hooks.written(result))
      const { entries } = result
      return { value: { result, body, isSame: sameAs(entries), copy: copierOf(entries) }, names }
    })
    const entries = cached.copy()
    await hooks.see(entries)
    return cached.isSame(entries) ? cached.body : hooks.written({ ...cached.result, entries })
  }
}

/** The key under which it is cached, and the state of the database. */
interface StateKey {
  readonly key: string
  readonly state: number
}

/** Makes copies of data that share nothing with it: objects, lists, and values that cannot be changed. */
type Copier<T> = () => T

/** Finds once which parts have to be copied. A spread copies fields faster than a loop, those under symbols too. */
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

/** Tells whether data has stayed as it was when this was made. */
type SameTest = (data: unknown) => boolean

/** Names and values are listed once: comparing them costs a tenth of comparing two objects. */
function sameAs(original: unknown): SameTest {
  if (typeof original !== 'object' || original === null) return data => data === original
  if (Array.isArray(original)) return sameList(original.map(sameAs))
  return isPlain(original) ? sameObject(original as Readonly<Record<string, unknown>>) : () => false
}

const sameList =
  (items: readonly SameTest[]): SameTest =>
  data => {
    if (!Array.isArray(data) || data.length !== items.length) return false
    for (let index = 0; index < items.length; index += 1) if (!items[index]?.(data[index])) return false
    return true
  }

function sameObject(original: Readonly<Record<string, unknown>>): SameTest {
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

import type { Bag, Loose } from '../types.js'
import { isPlain } from './where.js'

/** The parameters of `strapi.db.query`. */
export interface QueryParams {
  where?: Loose
  select?: Loose
  orderBy?: Loose
  limit?: Loose
  offset?: Loose
  populate?: Loose
  /** Further conditions, or a function that gives them for a model: those of populated relations as well. */
  filters?: Loose
  _q?: Loose
  data?: Loose
  page?: Loose
  pageSize?: Loose
  count?: Loose
}

/** The populated relations: a description for each name. */
export type Populate = ReadonlyMap<string, QueryParams & { on?: Bag }>

const none: Populate = new Map()

/** `populate` in any of its forms; names that lead nowhere are left to its reader. */
export function readPopulate(populate: Loose, links: Iterable<string>): Populate {
  if (populate === undefined || populate === null || populate === false) return none
  if (populate === true) return new Map([...links].map(name => [name, {}]))
  if (Array.isArray(populate)) return ofPaths(populate)
  if (!isPlain(populate)) throw new Error('Populate must be an object')
  const read = new Map<string, QueryParams>()
  for (const [name, value] of Object.entries(populate)) {
    if (value === false || value === undefined || value === null) continue
    read.set(name, value === true ? {} : isPlain(value) ? value : { populate: value })
  }
  return read
}

/** `['tags', 'tags.items']` */
function ofPaths(paths: readonly Loose[]): Populate {
  const read = new Map<string, QueryParams>()
  for (const path of paths) {
    const [name = '', ...rest] = String(path).split('.')
    const known = read.get(name) ?? {}
    if (rest.length > 0) known.populate = [...(Array.isArray(known.populate) ? known.populate : []), rest.join('.')]
    read.set(name, known)
  }
  return read
}

export interface Order {
  /** The names of links and, last, of an attribute. */
  readonly path: readonly string[]
  readonly isDescending: boolean
}

/** `'title'`, `{ title: 'asc' }`, `['count', { id: 'desc' }]`, `{ main: { name: 'desc' } }` */
export function readOrder(order: Loose, path: readonly string[] = []): readonly Order[] {
  if (order === undefined || order === null) return []
  if (typeof order === 'string') return [{ path: [...path, ...order.split('.')], isDescending: false }]
  if (Array.isArray(order)) return order.flatMap(one => readOrder(one, path))
  if (!isPlain(order)) throw new Error('Invalid order')
  return Object.entries(order).flatMap(([name, way]): readonly Order[] => {
    const own = [...path, ...name.split('.')]
    if (isPlain(way)) return readOrder(way, own)
    return [{ path: own, isDescending: String(way).toLowerCase() === 'desc' }]
  })
}

/** A limit; none, 0 and -1 are none. */
export function readLimit(limit: Loose): number | undefined {
  if (limit === undefined || limit === null) return undefined
  const number = Number(limit)
  return Number.isInteger(number) && number > 0 ? number : undefined
}

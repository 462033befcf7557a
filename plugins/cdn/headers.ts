import type { CachedQuery, CachedRead, Caching } from '../../core/index.js'
import type { Lifetime, Settings } from './settings.js'

/** The key of responses that depend on more than fits into a header. */
export const many = 'many'
/** The key of one entry; its response depends on no other entry of the type, unless it has the key of the type as well. */
export const keyOf = (uid: string, id: number): string => `${uid}:${id}`

const closed = { 'Cache-Control': 'private, no-cache' }
const closedList = Object.entries(closed).flat()

/** Caching instructions: the lifetime of visitors' responses, and the keys by which they are purged. */
export const cachingOf = (settings: Settings): Caching => ({
  otherwise: closed,
  // A cache must not give visitors' responses to accounts, nor the other way round.
  varies: ['Authorization'],
  read: query => {
    const lifetime = query.isShared ? lifetimeOf(query, settings) : undefined
    if (!lifetime) return () => closedList
    const keys = keysOf(query, settings)
    const always = controlOf(lifetime)
    return read => {
      if (!read.isVisitor) return closedList
      const control = read.lifetime === Number.POSITIVE_INFINITY ? always : controlOf(upTo(lifetime, read.lifetime))
      return [...control, ...keys(read)]
    }
  },
})

/** The shortest of the times of all types that the response depends on; undefined where one of them must not be cached. */
function lifetimeOf({ type, uids }: CachedQuery, settings: Settings): Lifetime | undefined {
  const all = [...new Set([type.uid, ...uids])].map(uid => settings.types[uid] ?? settings.default)
  const some = all.filter(one => one !== false)
  if (some.length < all.length) return undefined
  const least = (name: keyof Lifetime) =>
    Math.min(...some.map(one => one[name] ?? (name === 'sMaxAge' ? one.maxAge : 0)))
  return { maxAge: least('maxAge'), sMaxAge: least('sMaxAge'), staleWhileRevalidate: least('staleWhileRevalidate') }
}

/** No longer than the response stays right by itself, in whole seconds. */
function upTo({ maxAge, sMaxAge = maxAge, staleWhileRevalidate = 0 }: Lifetime, milliseconds: number): Lifetime {
  const left = Math.max(0, Math.floor(milliseconds / 1000))
  const shared = Math.min(sMaxAge, left)
  return {
    maxAge: Math.min(maxAge, left),
    sMaxAge: shared,
    staleWhileRevalidate: Math.min(staleWhileRevalidate, left - shared),
  }
}

function controlOf({ maxAge, sMaxAge = maxAge, staleWhileRevalidate = 0 }: Lifetime): string[] {
  const said = ['public', `max-age=${maxAge}`]
  if (sMaxAge !== maxAge) said.push(`s-maxage=${sMaxAge}`)
  if (staleWhileRevalidate > 0) said.push(`stale-while-revalidate=${staleWhileRevalidate}`)
  return ['Cache-Control', said.join(', ')]
}

function keysOf({ type, uids }: CachedQuery, { mostKeys }: Settings): (read: CachedRead) => string[] {
  const fits = uids.join(' ').length <= mostKeys
  const keys = fits ? uids : [many]
  const headers = (all: readonly string[]) => ['Surrogate-Key', all.join(' '), 'Cache-Tag', all.join(',')]
  const always = headers(keys)
  return ({ id }) => (id === undefined ? always : headers([...keys, keyOf(type.uid, id)]))
}

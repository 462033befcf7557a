import { InvalidParameter } from '../errors.js'
import { foldable, type Raw } from './raw.js'

/**
 * The query string that means the same as an object. Both are planned, cached and tagged once, as the text is the key under which
 * all of it is cached.
 */
export const queryText = (query: Raw): string =>
  Object.entries(query)
    .flatMap(([name, value]) => {
      if (!/^[^[\]]+$/.test(name))
        throw new InvalidParameter([name.slice(0, 100)], 'is not a name; write objects within objects')
      const isJson = typeof value === 'object' && value !== null && foldable.includes(name)
      return isJson ? [`${encoded(name, name)}=${encoded(JSON.stringify(value), name)}`] : pairs(value, name, name)
    })
    .join('&')

/** Parameters of plugins have no JSON text: `tag[0]=new`. */
function pairs(value: unknown, place: string, name: string): string[] {
  if (value === undefined) return []
  if (value === null) return [encoded(place, name)]
  if (typeof value !== 'object') return [`${encoded(place, name)}=${encoded(String(value), name)}`]
  const inner = Object.entries(value)
  // An empty object is written as an empty value: the parameter itself says whether it accepts that.
  return inner.length === 0
    ? pairs('', place, name)
    : inner.flatMap(([key, one]) => pairs(one, `${place}[${key}]`, name))
}

/** JSON stays short and readable: only characters that would end the text or mean something else are encoded. */
function encoded(text: string, name: string): string {
  try {
    return encodeURI(text).replace(/[&+#=]/g, encodeURIComponent)
  } catch {
    throw new InvalidParameter([name.slice(0, 100)], 'is not valid Unicode')
  }
}

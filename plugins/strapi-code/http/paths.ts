import type { Route } from '../../../core/index.js'

/** A path in the router's notation, with what its parameters have to match. */
export interface RoutedPath {
  readonly path: string
  readonly matches?: Readonly<Record<string, RegExp>>
}

/** A part of a pattern that is no plain text. */
interface Part {
  readonly slash?: string
  readonly escaped?: string
  readonly name?: string
  readonly pattern?: string
  readonly group?: string
  readonly star?: string
  readonly sign?: string
}

/** A pattern in parentheses, with one level of others in it. */
const inner = String.raw`(?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))+`
const parts = new RegExp(
  String.raw`(?<slash>\/)?(?:\\(?<escaped>.)|:(?<name>\w+)(?:\((?<pattern>${inner})\))?|\((?<group>${inner})\)|(?<star>\*))(?<sign>[?*+])?`,
  'g',
)

/**
 * A path as routers of Koa had it in the time of Strapi 4: `/items/:id(\\d+)`, `/:slug?`, `/files/(.*)`, `/:path*`. What a
 * pattern in parentheses matches becomes a condition, a group without a name one of its own.
 */
export function readPath(given: string): RoutedPath {
  const matches: Record<string, RegExp> = {}
  let groups = 0
  const replaced = (part: Part): string => {
    const { slash = '', escaped, name, pattern, group, star, sign = '' } = part
    if (escaped !== undefined) return `${slash}\\${escaped}${sign}`
    const called = name ?? `group${groups++}`
    const source = pattern ?? group
    if (star !== undefined || source === '.*') return `${slash}{*${called}}`
    const isMany = sign === '*' || sign === '+'
    if (source !== undefined) matches[called] = new RegExp(`^(?:${isMany ? `${source}(?:/${source})*` : source})$`, 'i')
    if (sign === '?') return `{${slash}:${called}}`
    if (sign === '*') return `{${slash}*${called}}`
    return `${slash}${isMany ? '*' : ':'}${called}`
  }
  const path = given.replace(parts, (_, ...more) => replaced(more.at(-1) as Part))
  const known = path.startsWith('/') ? path : `/${path}`
  return Object.keys(matches).length > 0 ? { path: known, matches } : { path: known }
}

/** The requests that a route takes, as text. */
export function keyOf({ method, path: at, at: root = 'api', matches = {} }: Route): string {
  const named = Object.keys(matches).length > 0 ? at : at.replace(/:\w+/g, ':')
  return [method, root, named.toLowerCase(), ...Object.values(matches)].join(' ')
}

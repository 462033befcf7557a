import { InvalidParameter } from '../errors.js'
import type { ContentType, Link } from '../schema/types.js'
import { readNode } from './node.js'
import { integer } from './pagination.js'
import { type Place, readTruth } from './params.js'
import { asList, isObject, type Raw } from './raw.js'
import type { Child, QueryNode } from './tree.js'

/** What one populated attribute was asked with: `true`, or an object of parameters. */
type Wish = true | Raw

/** `populate=*`, `populate=a,b.c`, `populate[0]=a`, `populate[a][fields]=...`: the children of a node. */
export function readPopulate(raw: unknown, place: Place): Child[] {
  const children: Child[] = []
  const wishes = readWishes(raw, place)
  // Populated attributes are answered in the order of the schema, whatever the order of the query.
  for (const link of place.type.links.values()) {
    const wish = wishes.get(link.name)
    if (wish === undefined) continue
    const at = { ...place, path: [...place.path, link.name] }
    const shown = place.visitor.linkToShow(place.type, link.name, at.path)
    if (shown) children.push(readChild(shown, wish, at))
    else if (place.visitor.ask.dialect.checkHidden) readChild(link, wish, at)
  }
  return children
}

/** The names that are wanted, each with its parameters; unknown ones are refused or dropped as the dialect says. */
function readWishes(raw: unknown, place: Place): Map<string, Wish> {
  const wishes = new Map<string, Wish>()
  const strict = place.visitor.ask.dialect.strictPopulate
  const want = (name: string, wish: Wish, path: readonly string[]) => {
    const link = place.type.links.get(name)
    if (link?.readable) wishes.set(name, merge(wishes.get(name), wish))
    else if (strict) throw place.visitor.unknown(place.type, name, path)
  }
  const wantAll = () => {
    for (const link of place.type.links.values())
      if (link.readable && !wishes.has(link.name)) wishes.set(link.name, true)
  }
  const wantPath = (text: string, path: readonly string[]) => {
    for (const part of text.split(',')) {
      const [name = '', ...rest] = part.trim().split('.')
      if (name === '*') wantAll()
      else if (name !== '') want(name, rest.length === 0 ? true : { populate: rest.join('.') }, path)
    }
  }

  if (raw === '' || raw === null || raw === undefined) return wishes
  const list = asList(raw)
  if (typeof raw === 'string') wantPath(raw, place.path)
  else if (list) {
    for (const [index, item] of list.entries()) {
      const path = [...place.path, String(index)]
      if (typeof item === 'string') wantPath(item, path)
      else if (strict && item !== null)
        throw new InvalidParameter(path, 'takes the name of a relation, component or zone')
    }
  } else if (isObject(raw)) {
    for (const [key, value] of Object.entries(raw)) {
      const path = [...place.path, key]
      const wish = readWish(value, path, strict)
      if (key === '*' && wish === true) wantAll()
      else if (wish === undefined) strict && !place.type.links.get(key)?.readable && want(key, true, path)
      else if (key.includes('.')) wantPathWith(key, wish, want, path)
      else want(key, wish, path)
    }
  } else if (strict) throw new InvalidParameter(place.path, 'takes *, a name, or populate[<name>]')
  return wishes
}

function wantPathWith(
  key: string,
  wish: Wish,
  want: (name: string, wish: Wish, path: readonly string[]) => void,
  path: readonly string[],
): void {
  const [name = '', ...rest] = key.split('.')
  want(name, { populate: { [rest.join('.')]: wish === true ? 'true' : wish } }, path)
}

/** `populate[a]=v`: the words for yes and no; an object asks for more. */
function readWish(value: unknown, path: readonly string[], strict: boolean): Wish | undefined {
  if (isObject(value)) return value
  const truth = readTruth(value)
  if (truth !== undefined) return truth ? true : undefined
  if (value === '' || value === null) return undefined
  if (value === '*' || !strict) return true
  throw new InvalidParameter(path, `${JSON.stringify(value).slice(0, 100)} is none of true, false, t, f, 1, 0`)
}

/** The same name twice (`seo`, `seo.image`) asks for both. */
function merge(former: Wish | undefined, wish: Wish): Wish {
  if (former === undefined || former === true) return wish
  if (wish === true) return former
  const populate = [former.populate, wish.populate].filter(part => part !== undefined)
  return { ...former, ...wish, ...(populate.length > 0 && { populate: mergePopulate(populate) }) }
}

function mergePopulate([first, second]: readonly unknown[]): unknown {
  if (second === undefined) return first
  const list = [first, second].map(part => (typeof part === 'string' ? part.split(',') : asList(part)))
  if (list[0] && list[1]) return [...list[0], ...list[1]]
  const objects = [first, second].map(asObject)
  return { ...objects[0], ...objects[1] }
}

function asObject(populate: unknown): Raw {
  if (isObject(populate)) return populate
  const names = typeof populate === 'string' ? populate.split(',') : (asList(populate) ?? [])
  return Object.fromEntries(names.filter(name => typeof name === 'string').map(name => [name, 'true']))
}

function readChild(link: Link, wish: Wish, place: Place): Child {
  const raw = wish === true ? {} : wish
  const { visitor } = place
  if (link.shape === 'zone' || link.targets === undefined) return readVaried(link, raw, place)
  const [type] = link.types() as [ContentType]
  visitor.budget.spend('statements', place.path)
  return { link, nodes: [readPopulated(type, raw, place, link)] }
}

/** The parameters that a populate takes besides those of any node. */
const own = ['on', 'count', 'start', 'limit']

function readPopulated(type: ContentType, raw: Raw, place: Place, link: Link): QueryNode {
  const rest = Object.fromEntries(Object.entries(raw).filter(([key]) => !own.includes(key)))
  if (Object.hasOwn(raw, 'on') && place.visitor.ask.dialect.strictPopulate)
    throw new InvalidParameter(
      [...place.path, 'on'],
      `${type.uid} is one type; only where several may stand, on picks them`,
    )
  const inner: Place = { ...place, type, depth: place.depth + 1, only: link.only }
  const node = readNode(rest, inner, 'populate')
  if (!place.visitor.ask.dialect.pagingInPopulate) {
    for (const key of own)
      if (key !== 'on' && Object.hasOwn(raw, key))
        throw new InvalidParameter(
          [...place.path, key],
          'a populated relation cannot be paged; filter and sort it, or list its own type',
        )
    return node
  }
  const start = Math.max(integer('start', raw.start, place.path) ?? 0, 0)
  const limit = integer('limit', raw.limit, place.path)
  const page =
    start > 0 || (limit !== undefined && limit > 0) ? { page: { start, limit: limit && limit > 0 ? limit : null } } : {}
  return { ...node, ...page, ...(readTruth(raw.count) === true && { countOnly: true }) }
}

/**
 * A zone, or a relation to any type: one node for each type that may stand there. `on` picks types and asks each its own way;
 * a shared `populate` is asked of those that know the name.
 */
function readVaried(link: Link, raw: Raw, place: Place): Child {
  const { visitor } = place
  const { on, populate, ...rest } = raw
  const strict = visitor.ask.dialect.strictPopulate
  for (const key of Object.keys(rest)) {
    if (key === 'fields' || key === 'filters' || key === 'sort')
      throw new InvalidParameter(
        [...place.path, key],
        `the types of "${link.name}" have no common fields; ask each with [on][<type>][${key}]`,
        firstName(rest[key]),
      )
    if (strict && key !== 'count') throw new InvalidParameter([...place.path, key], 'takes populate or on')
  }
  const types = link.targets === undefined ? visitor.anyTarget() : visitor.targets(link)
  if (on !== undefined) return { link, nodes: readOn(on, types, link, place) }
  const names = sharedNames(populate)
  const odd = asList(populate)?.findIndex(item => typeof item !== 'string' && item !== null) ?? -1
  if (strict && odd >= 0)
    throw new InvalidParameter([...place.path, 'populate', String(odd)], 'takes the name of a relation or component')
  if (strict)
    for (const name of names)
      if (!types.some(type => type.links.get(name)?.readable))
        throw new InvalidParameter(
          [...place.path, 'populate', ...(isObject(populate) && !asList(populate) ? [name] : [])],
          `no type of "${link.name}" has a "${name}" to populate`,
          name,
        )
  if (link.listed) visitor.budget.spend('statements', place.path)
  return {
    link,
    nodes: types.map(type => {
      const isExpected = link.listed?.includes(type.uid) ?? true
      if (isExpected && link.targets !== undefined) visitor.budget.spend('statements', place.path)
      const at = isExpected ? place : { ...place, visitor: visitor.apart() }
      return readPopulated(type, { populate: knownTo(type, populate) }, at, link)
    }),
  }
}

function readOn(on: unknown, types: readonly ContentType[], link: Link, place: Place): QueryNode[] {
  const path = [...place.path, 'on']
  if (!isObject(on)) {
    if (place.visitor.ask.dialect.strictPopulate)
      throw new InvalidParameter(path, 'takes [on][<type>]=true or [on][<type>][populate]=...')
    return []
  }
  return Object.entries(on).flatMap(([uid, value]) => {
    const at = { ...place, path: [...path, uid] }
    const type = types.find(known => known.uid === uid)
    const strict = place.visitor.ask.dialect.strictPopulate
    if (!type) {
      if (!strict) return []
      throw new InvalidParameter(
        at.path,
        `"${uid.slice(0, 100)}" is no type of "${link.name}"; there are ${types.map(known => known.uid).join(', ')}`,
        uid,
      )
    }
    const wish = readWish(value, at.path, strict)
    if (wish === undefined) return []
    place.visitor.budget.spend('statements', at.path)
    return [readPopulated(type, wish === true ? {} : wish, at, link)]
  })
}

function sharedNames(populate: unknown): string[] {
  const names = isObject(populate) && !asList(populate) ? Object.keys(populate) : Object.keys(asObject(populate))
  return names.map(name => name.trim().split('.')[0] ?? '').filter(name => name !== '' && name !== '*')
}

/** The part of a shared populate that one of the types can answer. */
function knownTo(type: ContentType, populate: unknown): unknown {
  if (populate === undefined || populate === '*') return populate
  const known = (name: string) => name === '*' || type.links.get(name.trim().split('.')[0] ?? '')?.readable === true
  if (isObject(populate) && !asList(populate))
    return Object.fromEntries(Object.entries(populate).filter(([name]) => known(name)))
  return Object.keys(asObject(populate)).filter(known)
}

function firstName(raw: unknown): string {
  if (typeof raw === 'string') return raw
  const [first] = asList(raw) ?? Object.keys(Object(raw))
  return typeof first === 'string' ? first : ''
}

import { InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import type { ContentType, Link } from '../schema/types.js'
import { integer } from './pagination.js'
import { asList, isObject, type Raw, readTruth, unfoldIn } from './raw.js'
import { type Child, isSparse, type NodeUse, type QueryNode } from './tree.js'
import type { QueryPlace, Visitor } from './visitor.js'

/** The value of one populated attribute: `true`, or an object of parameters. */
type PopulateValue = true | Raw

/** Reads one level of a query and everything below it. */
type ReadNode = (raw: Raw, place: QueryPlace, use: NodeUse) => QueryNode

/** The place of a populate. A node below it is like the node that holds it, so reading recurses through `readNode`. */
interface PopulatePlace extends QueryPlace {
  readonly readNode: ReadNode
}

/** `populate=*`, `populate=a,b.c`, `populate[0]=a`, `populate[a][fields]=...`: the children of a node. */
export function readPopulate(raw: unknown, place: QueryPlace, readNode: ReadNode): Child[] {
  const children: Child[] = []
  const wishes = readWishes(raw, place)
  // Populated attributes are returned in the order of the schema, whatever the order of the query.
  for (const link of place.type.links.values()) {
    const wish = wishes.byName.get(link.name)
    if (wish === undefined) continue
    const at = { ...place, path: [...place.path, link.name], readNode }
    const shown = place.visitor.linkToShow(place.type, link.name, at.path)
    if (shown) children.push(readChild(shown, wish, at))
    else if (place.visitor.ask.dialect.checkHidden) readChild(link, wish, at)
  }
  for (const [name, { attribute, ...wish }] of wishes.aliases) {
    const at = { ...place, path: [...place.path, name], readNode }
    const shown = place.visitor.linkToShow(place.type, String(attribute), at.path)
    if (shown) children.push({ ...readChild(shown, wish, at), name })
  }
  return children
}

function readWishes(raw: unknown, place: QueryPlace): Wishes {
  const wishes = new Wishes(place)
  wishes.read(raw)
  return wishes
}

/** The names that are wanted, each with its parameters; unknown ones are refused or dropped as the dialect says. */
class Wishes {
  readonly byName = new Map<string, PopulateValue>()
  /** Attributes under names of their own. */
  readonly aliases = new Map<string, Raw>()
  readonly #place: QueryPlace
  readonly #strict: boolean

  constructor(place: QueryPlace) {
    this.#place = place
    this.#strict = place.visitor.ask.dialect.strictPopulate
  }

  read(raw: unknown): void {
    if (raw === '' || raw === null || raw === undefined) return
    const { path } = this.#place
    const list = asList(raw)
    if (typeof raw === 'string') this.#readPaths(raw, path)
    else if (list) for (const [index, item] of list.entries()) this.#readItem(item, [...path, String(index)])
    else if (isObject(raw)) for (const [key, value] of Object.entries(raw)) this.#readKey(key, value, [...path, key])
    else if (this.#strict) throw new InvalidParameter(path, 'takes *, a name, or populate[<name>]')
  }

  /** `a,b.c` */
  #readPaths(text: string, path: readonly string[]): void {
    for (const part of text.split(',')) {
      const [name = '', ...rest] = part.trim().split('.')
      if (name === '*') this.#wantAll()
      else if (name !== '') this.#want(name, rest.length === 0 ? true : { populate: rest.join('.') }, path)
    }
  }

  #readItem(item: unknown, path: readonly string[]): void {
    if (typeof item === 'string') this.#readPaths(item, path)
    else if (this.#strict && item !== null)
      throw new InvalidParameter(path, 'takes the name of a relation, component or zone')
  }

  /** `populate[a]=true`, `populate[a.b][fields]=...` */
  #readKey(key: string, value: unknown, path: readonly string[]): void {
    const wish = readWish(value, path, this.#place.visitor)
    if (this.#place.visitor.aliases && isObject(wish) && wish.attribute !== undefined) this.aliases.set(key, wish)
    else if (key === '*' && wish === true) this.#wantAll()
    else if (wish === undefined) this.#checkName(key, path)
    else if (key.includes('.')) {
      const [name = '', ...rest] = key.split('.')
      this.#want(name, { populate: { [rest.join('.')]: wish === true ? 'true' : wish } }, path)
    } else this.#want(key, wish, path)
  }

  #want(name: string, wish: PopulateValue, path: readonly string[]): void {
    if (this.#isLink(name)) this.byName.set(name, merge(this.byName.get(name), wish))
    else this.#checkName(name, path)
  }

  #wantAll(): void {
    for (const { name, readable } of this.#place.type.links.values())
      if (readable && !this.byName.has(name)) this.byName.set(name, true)
  }

  #checkName(name: string, path: readonly string[]): void {
    const { visitor, type } = this.#place
    if (this.#strict && !this.#isLink(name)) throw visitor.unknown(type, name, path)
  }

  #isLink(name: string): boolean {
    return this.#place.type.links.get(name)?.readable === true
  }
}

/** `populate[a]=v`: the words for yes and no; an object asks for more. */
function readWish(sent: unknown, path: readonly string[], visitor: Visitor): PopulateValue | undefined {
  const value = visitor.unfold(sent, path)
  if (isObject(value)) return unfoldIn(value, (text, name) => visitor.unfold(text, [...path, name]))
  const truth = readTruth(value)
  if (truth !== undefined) return truth ? true : undefined
  if (value === '' || value === null) return undefined
  if (value === '*' || !visitor.ask.dialect.strictPopulate) return true
  throw new InvalidParameter(path, `${JSON.stringify(value).slice(0, 100)} is none of true, false, t, f, 1, 0`)
}

/** The same name twice (`seo`, `seo.image`) asks for both. */
function merge(former: PopulateValue | undefined, wish: PopulateValue): PopulateValue {
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

function readChild(link: Link, wish: PopulateValue, place: PopulatePlace): Child {
  const raw = wish === true ? {} : wish
  const { visitor } = place
  if (link.shape === 'zone' || link.targets === undefined) return readVaried(link, raw, place)
  const [type] = link.types() as [ContentType]
  visitor.budget.spend('statements', place.path)
  return { link, nodes: [readPopulated(type, raw, place, link)] }
}

/** The parameters that a populate takes besides those of any node. */
const own = ['on', 'count', 'start', 'limit']

function readPopulated(type: ContentType, raw: Raw, place: PopulatePlace, link: Link): QueryNode {
  const rest = Object.fromEntries(Object.entries(raw).filter(([key]) => !own.includes(key)))
  if (Object.hasOwn(raw, 'on') && place.visitor.ask.dialect.strictPopulate)
    throw new InvalidParameter(
      [...place.path, 'on'],
      `${type.uid} is one type; only where several may stand, on picks them`,
    )
  const inner: QueryPlace = { ...place, type, depth: place.depth + 1, only: link.only }
  const node = place.readNode(rest, inner, 'populate')
  const counted = isCounted(link, raw, place) ? { countOnly: true } : {}
  if (!place.visitor.ask.dialect.pagingInPopulate && !place.visitor.aliases) {
    for (const key of ['start', 'limit'])
      if (Object.hasOwn(raw, key))
        throw new InvalidParameter(
          [...place.path, key],
          'a populated relation cannot be paged; filter and sort it, or list its own type',
        )
    return { ...node, ...counted }
  }
  const { clampPages } = place.visitor.ask.dialect
  const start = Math.max(integer('start', raw.start, clampPages, place.path) ?? 0, 0)
  const limit = integer('limit', raw.limit, clampPages, place.path)
  const page =
    start > 0 || (limit !== undefined && limit > 0) ? { page: { start, limit: limit && limit > 0 ? limit : null } } : {}
  return { ...node, ...page, ...counted }
}

function isCounted(link: Link, { count }: Raw, { visitor, path }: QueryPlace): boolean {
  if (count === undefined) return false
  const { countInPopulate, looseOperands, loosePolymorphicPopulate } = visitor.ask.dialect
  const at = [...path, 'count']
  if (!countInPopulate) throw new InvalidParameter(at, 'a populated relation cannot be counted')
  const truth = readTruth(count)
  if (truth === undefined && !looseOperands)
    throw new InvalidParameter(at, `${print(count).slice(0, 100)} is neither true nor false`)
  return truth === true && !(link.polymorphic && loosePolymorphicPopulate)
}

/**
 * A zone, or a relation to any type: one node for each type that may stand there. `on` picks types and asks each its own way;
 * a shared `populate` is asked of those that know the name.
 */
function readVaried(link: Link, raw: Raw, place: PopulatePlace): Child {
  const { visitor } = place
  const { on, populate, ...rest } = raw
  const isLoose = visitor.ask.dialect.loosePolymorphicPopulate && link.targets === undefined
  checkShared(rest, link, isLoose, place)
  const types = link.targets === undefined ? visitor.anyTarget() : visitor.targets(link)
  if (on !== undefined) return settled(link, readOn(on, types, link, place), place)
  if (visitor.ask.dialect.strictPopulate) checkPopulate(populate, types, link, place)
  const fields = isLoose && rest.fields !== undefined ? sharedFields(rest.fields, types, link, place) : undefined
  const nodes = types.map(type => {
    const node = readTyped(type, { populate: knownTo(type, populate) }, place, link)
    return fields ? { ...node, fields: fields(node.fields) } : node
  })
  return settled(link, nodes, place)
}

/** Reads the query of one of the types. In a zone its cost is counted apart, as entries of that type may not exist there. */
function readTyped(type: ContentType, raw: Raw, place: PopulatePlace, link: Link): QueryNode {
  const { visitor, path } = place
  if (link.targets === undefined) {
    const at = type.kind === 'component' ? { ...place, visitor: visitor.apart() } : place
    return readPopulated(type, raw, at, link)
  }
  const possible = visitor.ofPossible(link.listed?.includes(type.uid) ?? true)
  possible.budget.spend('statements', path)
  const node = readPopulated(type, raw, { ...place, visitor: possible }, link)
  return { ...node, cost: possible.budget.statements }
}

/** Decides how a zone is fetched, and counts the cost of it in any case. */
function settled(link: Link, nodes: readonly QueryNode[], { visitor, path }: PopulatePlace): Child {
  if (link.targets === undefined) return { link, nodes }
  const cost = nodes.reduce((sum, node) => sum + (node.cost ?? 0), 0)
  const sparse = isSparse(link, cost)
  visitor.budget.spend('statements', path, sparse ? 1 : cost)
  return { link, nodes, ...(sparse && { isSparse: true }) }
}

/** Parameters next to `on` and `populate` would mean fields of types that have none in common. */
function checkShared(rest: Raw, link: Link, isLoose: boolean, { path, visitor }: QueryPlace): void {
  const { strictPopulate: strict } = visitor.ask.dialect
  for (const key of Object.keys(rest)) {
    const isShared = key === 'fields' || key === 'filters' || key === 'sort'
    if (isShared && isLoose) continue
    if (isShared)
      throw new InvalidParameter(
        [...path, key],
        `the types of "${link.name}" have no common fields; ask each with [on][<type>][${key}]`,
        firstName(rest[key]),
      )
    if (strict) throw new InvalidParameter([...path, key], 'takes populate or on')
  }
}

/** Every name of a shared `populate` is known to one of the types at least. */
function checkPopulate(populate: unknown, types: readonly ContentType[], link: Link, { path }: QueryPlace): void {
  const list = asList(populate)
  const odd = list?.findIndex(item => typeof item !== 'string' && item !== null) ?? -1
  if (odd >= 0)
    throw new InvalidParameter([...path, 'populate', String(odd)], 'takes the name of a relation or component')
  const stray = sharedNames(populate).find(name => !types.some(type => type.links.get(name)?.readable))
  if (stray !== undefined)
    throw new InvalidParameter(
      [...path, 'populate', ...(isObject(populate) && !list ? [stray] : [])],
      `no type of "${link.name}" has a "${stray}" to populate`,
      stray,
    )
}

/** The fields that are asked of all types at once: each type returns those that it has, and one of them must. */
function sharedFields(
  raw: unknown,
  types: readonly ContentType[],
  link: Link,
  { path }: QueryPlace,
): (known: QueryNode['fields']) => QueryNode['fields'] {
  const names = (asList(raw) ?? [raw]).map(item => (typeof item === 'string' ? item.trim() : ''))
  for (const [index, name] of names.entries()) {
    const isKnown = name === '*' || name === 'id' || types.some(type => type.fields.get(name)?.readable)
    if (!isKnown && types.length > 0)
      throw new InvalidParameter(
        [...path, 'fields', ...(asList(raw) ? [String(index)] : [])],
        `no type of "${link.name}" has a field "${name.slice(0, 100)}"`,
        name,
      )
  }
  if (names.includes('*')) return known => known
  return known => [...new Set(names)].flatMap(name => known.filter(field => field.name === name))
}

function readOn(on: unknown, types: readonly ContentType[], link: Link, place: PopulatePlace): QueryNode[] {
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
    const wish = readWish(value, at.path, place.visitor)
    if (wish === undefined) return []
    const raw = wish === true ? {} : wish
    if (link.targets !== undefined) return [readTyped(type, raw, at, link)]
    place.visitor.budget.spend('statements', at.path)
    return [readPopulated(type, raw, at, link)]
  })
}

function sharedNames(populate: unknown): string[] {
  const names = isObject(populate) && !asList(populate) ? Object.keys(populate) : Object.keys(asObject(populate))
  return names.map(name => name.trim().split('.')[0] ?? '').filter(name => name !== '' && name !== '*')
}

/** The part of a shared populate that one of the types can meet. */
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

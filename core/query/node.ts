import { bracketed, InvalidParameter } from '../errors.js'
import type { ContentType, Field } from '../schema/types.js'
import type { Action } from './ask.js'
import { type ByValue, readByValue } from './by-value.js'
import { readFilters } from './filters.js'
import { moreBehind } from './more.js'
import { paged } from './pagination.js'
import { readPopulate } from './populate.js'
import { asList, type Raw } from './raw.js'
import { highlight } from './search/marks.js'
import { ranked, readSearch } from './search/search.js'
import { readSort } from './sort.js'
import { all, byId, byIds, type Child, type NodeUse, type PageRequest, type QueryNode } from './tree.js'
import { type NodeParam, type QueryPlace, readableFields, type Visitor } from './visitor.js'

/** The parameters that shape a node, at the root and inside every populate. */
export const nodeParams: Readonly<Record<string, NodeParam>> = {
  fields: {
    nested: true,
    shows: true,
    describe: 'the fields to return: fields[0]=<field>, or *',
    shape: (node, raw, place) => {
      const asked = readFields(raw, place)
      return { ...node, fields: asked.filter(field => node.fields.includes(field)) }
    },
  },
  sort: {
    nested: true,
    describe: 'the order: sort[0]=<field>:<asc or desc>',
    shape: (node, raw, place) => ({ ...node, order: readSort(raw, place) }),
  },
  filters: {
    nested: true,
    describe: 'which entries: filters[<field>][<operator>]=<value>',
    shape: (node, raw, place) => ({ ...node, where: all(node.where, readFilters(raw, place)) }),
  },
  _q: {
    nested: false,
    describe: 'a text to look for in all text fields',
    shape: (node, raw, place) => {
      const found = readSearch(raw, place)
      return found ? { ...node, where: all(node.where, found) } : node
    },
  },
  highlight,
  populate: {
    nested: true,
    shows: true,
    describe: 'what to include: populate=*, populate[0]=<relation>, populate[<relation>][...]',
    shape: (node, raw, place) => ({ ...node, children: readPopulate(raw, place, readNode) }),
  },
}

/** Reads one level of a query and everything below it; the node comes back narrowed by the rules that hold for it. */
export function readNode(raw: Raw, outer: QueryPlace, use: NodeUse): QueryNode {
  const { type } = outer
  const params = use === 'populate' ? nestedParams(raw, outer) : undefined
  const visitor = params ? outer.visitor.with(params) : outer.visitor
  const place = params ? { ...outer, visitor } : outer
  let node = enterNode(showingPlace(place), use, type)
  for (const [key, value] of Object.entries(raw)) {
    const param = Object.hasOwn(nodeParams, key) ? nodeParams[key] : undefined
    if (value === undefined) continue
    if (!param || (use !== 'root' && !param.nested)) {
      if (use !== 'root' && !(params && key in params)) refuseNested(key, place)
      continue
    }
    node = param.shape(node, value, placeOf(param, place, key))
  }
  return visitor.narrow(use === 'root' && type.search ? ranked(node, raw, place) : node)
}

function placeOf({ shows }: NodeParam, place: QueryPlace, key: string): QueryPlace {
  return { ...(shows ? showingPlace(place) : place), path: [...place.path, key] }
}

/** The place with all that some entries may show: more than filters and sorts may name. */
function showingPlace(place: QueryPlace): QueryPlace {
  const wide = moreBehind(place.type)?.wide
  return wide ? { ...place, type: wide } : place
}

/** The node of a type, before anything was asked of it, with all that the place shows. */
function enterNode({ type: wide, visitor, depth, only }: QueryPlace, use: NodeUse, type: ContentType): QueryNode {
  const entered = visitor.enter(type, use, depth)
  const fields = wide === type ? entered.fields : readableFields(wide)
  return { ...entered, fields: only ? fields.filter(({ name }) => only.includes(name)) : fields }
}

/** The entries that the root of a query asks for. */
interface RootRequest {
  readonly action: Action
  /** `first`: the first entry alone. */
  readonly paging?: 'open' | 'none' | 'first'
  /** The entry that has a value. */
  readonly by?: ByValue
  /** Nothing but the id of the entry is wanted. */
  readonly lookup?: boolean
  /** The entries that were written. */
  readonly ids?: readonly number[]
  /** `fields` is checked and has no effect. */
  readonly allFields?: boolean
}

/** Reads the root of a query: a page, the one row of a single type, or the entry that has the id. */
export function rootOf(
  raw: Raw,
  place: QueryPlace,
  { action, paging, by, ids, lookup = false, allFields = false }: RootRequest,
  page: PageRequest | undefined,
): QueryNode {
  const again = place.visitor.apart()
  const node = readNode(lookup ? without(raw, Object.keys(nodeParams)) : raw, place, 'root')
  if (by) {
    const named = { ...node, where: all(node.where, readByValue(by, place)) }
    return node.several ? named : { ...named, page: { start: 0, limit: 1 } }
  }
  if (page) return paged(node, page, raw, place)
  if (paging === 'first') return { ...node, page: { start: 0, limit: 1 } }
  if (lookup || (action === 'findOne' && place.type.kind === 'singleType'))
    return node.several ? node : { ...node, page: { start: 0, limit: 1 } }
  // A request for one entry has its filters and sort checked as everywhere, and they then have nothing to choose from.
  const ignored = ['filters', 'sort', '_q', 'highlight', ...(allFields ? ['fields'] : [])]
  const one = readNode(without(raw, ignored), { ...place, visitor: again }, 'root')
  return ids ? byIds(one, ids) : byId(one)
}

const without = (raw: Raw, names: readonly string[]): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)))

/** The links that plugins list in the meta of every entry: like populated links, with few fields, and narrowed like them. */
export function metaOf(visitor: Visitor, { entryMeta }: ContentType): Child[] {
  if (entryMeta.length > 0) visitor.budget.spend('statements', [], entryMeta.length)
  return entryMeta.map(({ name, link, fields }) => {
    const nodes = link.types().map(target => {
      const entered = visitor.enter(target, 'populate', 1)
      return visitor.narrow({ ...entered, fields: entered.fields.filter(field => fields.includes(field.name)) })
    })
    return { as: 'meta', link: { ...link, name, shape: 'inline' }, nodes }
  })
}

/** Parameters of plugins that hold for a populate and everything below it. */
function nestedParams(raw: Raw, { visitor, type, path }: QueryPlace): Readonly<Record<string, unknown>> | undefined {
  let params: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(raw)) {
    const param = visitor.nestedParam(type, key)
    if (param) params = { ...params, [key]: param.read(value, { path: [...path, key], type }) }
  }
  return params
}

const paging = ['pagination', 'page', 'pageSize', 'withCount']

function refuseNested(key: string, { path, visitor }: QueryPlace): void {
  if (!visitor.ask.dialect.strictPopulate) return
  const reason = paging.includes(key)
    ? 'a populated relation cannot be paged; filter and sort it, or list its own type'
    : `is not a parameter of a populate; there are fields, sort, filters, populate and on`
  throw new InvalidParameter([...path, key], reason)
}

/** `fields[0]=title&fields[1]=slug`, `fields=title,slug` or `fields=*`: the columns to return, in the order they were asked for. */
function readFields(raw: unknown, place: QueryPlace): readonly Field[] {
  const { type, path, visitor, only } = place
  const list = asList(raw) ?? [raw]
  const asked = new Set<Field>()
  let everything = false
  for (const [index, item] of list.entries()) {
    const at = Array.isArray(raw) ? [...path, String(index)] : path
    if (typeof item !== 'string')
      throw new InvalidParameter(
        at,
        'takes the name of a field: fields[0]=<field>',
        String(Object.keys(Object(item))[0] ?? ''),
      )
    if (item.includes(',') && !visitor.ask.dialect.commaFields)
      throw new InvalidParameter(at, `takes one field; write several as ${listOf(item, path)}`, item.trim())
    for (const part of item.split(',')) {
      const name = part.trim()
      if (name === '*') everything = true
      else if (name !== 'id') asked.add(visitor.field(type, name, at, only))
    }
  }
  return everything ? readableFields(type) : [...asked]
}

/** `fields=a,b` as it has to be written. */
const listOf = (names: string, path: readonly string[]): string =>
  names
    .split(',', mostShown)
    .map((name, index) => `${bracketed([...path, String(index)])}=${name.trim().slice(0, 100)}`)
    .join('&')

const mostShown = 10

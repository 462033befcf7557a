import { InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import type { ContentType, Field } from '../schema/types.js'
import { measureOf, readMeasure } from './measure.js'
import { asList, isObject } from './raw.js'
import { byRank, rankField } from './search/rank.js'
import type { Condition, Hop, Order, QueryNode } from './tree.js'
import type { QueryPlace } from './visitor.js'

/**
 * `sort=title:desc`, `sort[0]=title&sort[1]=author.name`, `sort=a,b:desc` or `sort[title]=desc`, applied in index order. The
 * operand of a measure may have any signs in it, so that it is a value: `sort[place][$near]=52.5,13.4` or, with `:desc` behind
 * it, the farthest first.
 */
export function readSort(raw: unknown, place: QueryPlace): Order[] {
  if (raw === '' || raw === null) return []
  const list = asList(raw)
  const orders = list
    ? list.flatMap((part, index) => readPart(part, { ...place, path: [...place.path, String(index)] }))
    : readPart(raw, place)
  // A field that has ordered the entries once has no effect a second time.
  const seen = new Set<unknown>()
  return orders.filter(
    ({ field, number, through }) => through.length > 0 || number !== undefined || (!seen.has(field) && seen.add(field)),
  )
}

function readPart(sent: unknown, place: QueryPlace): Order[] {
  const raw = place.visitor.unfold(sent, place.path)
  if (raw === '' || raw === null) return []
  if (isObject(raw)) return readObject(raw, [], place)
  if (typeof raw !== 'string') throw new InvalidParameter(place.path, 'takes <field>:<asc or desc>')
  return raw.split(',').flatMap(term => {
    const [names = '', direction] = term.trim().split(':')
    if (names.includes('.$'))
      throw new InvalidParameter(place.path, `is written as sort[${names.split('.').join('][')}]=<value>`)
    return names === ''
      ? []
      : [order(names.split('.'), direction ?? (names === rankField.name ? 'desc' : 'asc'), place)]
  })
}

/** `sort[author][name]=asc`: the names are the keys, the direction is the value. */
function readObject(raw: Readonly<Record<string, unknown>>, names: readonly string[], place: QueryPlace): Order[] {
  return Object.entries(raw).flatMap(([key, value]) => {
    const at = { ...place, path: [...place.path, key] }
    const inner = [...names, ...key.split('.')]
    const below = at.visitor.unfold(value, at.path)
    return isObject(below) ? readObject(below, inner, at) : [order(inner, below, at)]
  })
}

function order(names: readonly string[], direction: unknown, place: QueryPlace): Order {
  const { path } = place
  if (names[0] === rankField.name && place.type.search && place.depth === 0) return byRankOf(names, direction, path)
  const own = names.at(-1)?.startsWith('$') ? names.at(-1) : undefined
  const { field, through } = reached(own === undefined ? names : names.slice(0, -1), place)
  if (own !== undefined) return { field, through, ...byMeasure(field, own, direction, path) }
  const said = typeof direction === 'string' ? direction.toLowerCase() : undefined
  if (said !== 'asc' && said !== 'desc')
    throw new InvalidParameter(path, `${print(direction).slice(0, 100)} is neither asc nor desc`)
  return { field, descending: said === 'desc', through }
}

/** The number of an attribute that a measure gives, the smallest first unless it is said otherwise. */
function byMeasure(field: Field, name: string, raw: unknown, path: readonly string[]) {
  const measure = measureOf(field, name)
  if (!measure) {
    const known = Object.keys(field.type.measures ?? {}).join(', ')
    const reason = `"${name.slice(0, 100)}" is nothing that "${field.name}" can be sorted by`
    throw new InvalidParameter(path, known === '' ? reason : `${reason}; there are ${known}`, name)
  }
  const [, text, direction = 'asc'] = (typeof raw === 'string' && /^(.*):(asc|desc)$/is.exec(raw)) || [raw, raw]
  const { number } = readMeasure(measure, text, path)
  return { number, descending: String(direction).toLowerCase() === 'desc' }
}

/** The attribute that names lead to, and the links on the way. */
function reached(names: readonly string[], place: QueryPlace): Pick<Order, 'field' | 'through'> {
  const { visitor, path } = place
  let { type, only } = place
  const through: Hop[] = []
  let cost = 1
  for (const [step, name] of names.slice(0, -1).entries()) {
    const link = visitor.linkToAsk(type, name, path)
    if (!link) throw visitor.unknown(type, name, path)
    visitor.budget.spend('joins', path, cost)
    // Each list on the way multiplies the rows that are looked at for every entry.
    cost = link.many ? cost * 4 : cost + 1
    const [target] = visitor.targets(link) as [ContentType]
    through.push({ link, node: visitor.narrow(visitor.enter(target, 'sort', place.depth + step + 1)) })
    type = target
    only = link.only
  }
  const last = names.at(-1) ?? ''
  if (type.links.has(last)) {
    visitor.linkToAsk(type, last, path)
    throw new InvalidParameter(path, `"${last}" is a relation; sort by one of its fields: ${last}.<field>`, last)
  }
  return { field: visitor.field(type, last, path, only), through }
}

/** The order by relevance, in the one direction that is of use. */
function byRankOf(names: readonly string[], direction: unknown, path: readonly string[]): Order {
  if (names.length > 1 || direction !== 'desc')
    throw new InvalidParameter(path, '_rank puts the best matches first; send it alone or as _rank:desc')
  return byRank
}

/** Rows before a page from which on it counts as one far behind the first. */
const far = 500
export const isFar = (start: number): boolean => start >= far

/** An index begins with the column that is sorted by: the order of a language is not that of the index. */
export const isOfIndex = ({ field, number, through }: Order): boolean =>
  through.length === 0 && number === undefined && field.collation === undefined && field.indexed === true

/**
 * The ids of a page are worth finding before its rows. Where rows are sorted, all that is selected is written of each that
 * may stand on the page, which are several times as many as do; rows that come in their order are written for the page alone.
 */
export function isFoundById({ where, order: [first], page }: QueryNode): boolean {
  if (!page) return false
  if (first === undefined || (first.field.name === 'id' && first.through.length === 0))
    return isFar(page.start) && !isWalked(where)
  return isFar(page.start) || (page.limit !== null && !isOfIndex(first))
}

/** No index helps to find the rows, so that they come in the order of their ids. */
function isWalked(condition: Condition): boolean {
  switch (condition.kind) {
    case 'always':
      return true
    case 'all':
    case 'any':
      return condition.of.every(isWalked)
    case 'not':
      return isWalked(condition.of)
    case 'atMost':
      return true
    case 'compare':
      return condition.field.name !== 'id' && condition.field.indexed !== true
    default:
      return false
  }
}

import { InvalidParameter } from '../errors.js'
import { print } from '../schema/print.js'
import type { ContentType } from '../schema/types.js'
import type { Place } from './params.js'
import { asList, isObject } from './raw.js'
import { byRank, rankField } from './search/rank.js'
import type { Condition, Hop, Order, QueryNode } from './tree.js'

/** `sort=title:desc`, `sort[0]=title&sort[1]=author.name`, `sort=a,b:desc` or `sort[title]=desc`, applied in index order. */
export function readSort(raw: unknown, place: Place): Order[] {
  if (raw === '' || raw === null) return []
  const list = asList(raw)
  const orders = list
    ? list.flatMap((part, index) => readPart(part, { ...place, path: [...place.path, String(index)] }))
    : readPart(raw, place)
  // What a field has ordered once it cannot order again.
  const seen = new Set<unknown>()
  return orders.filter(({ field, through }) => through.length > 0 || (!seen.has(field) && seen.add(field)))
}

function readPart(sent: unknown, place: Place): Order[] {
  const raw = place.visitor.unfold(sent, place.path)
  if (raw === '' || raw === null) return []
  if (isObject(raw)) return readObject(raw, [], place)
  if (typeof raw !== 'string') throw new InvalidParameter(place.path, 'takes <field>:<asc or desc>')
  return raw.split(',').flatMap(term => {
    const [names = '', direction] = term.trim().split(':')
    return names === ''
      ? []
      : [order(names.split('.'), direction ?? (names === rankField.name ? 'desc' : 'asc'), place)]
  })
}

/** `sort[author][name]=asc`: the names are the keys, the direction is the value. */
function readObject(raw: Readonly<Record<string, unknown>>, names: readonly string[], place: Place): Order[] {
  return Object.entries(raw).flatMap(([key, value]) => {
    const at = { ...place, path: [...place.path, key] }
    const inner = [...names, ...key.split('.')]
    const below = at.visitor.unfold(value, at.path)
    return isObject(below) ? readObject(below, inner, at) : [order(inner, below, at)]
  })
}

function order(names: readonly string[], direction: unknown, place: Place): Order {
  const { visitor, path } = place
  let { type, only } = place
  if (names[0] === rankField.name && type.search && place.depth === 0) return byRankOf(names, direction, path)
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
  const field = visitor.field(type, last, path, only)
  const said = typeof direction === 'string' ? direction.toLowerCase() : undefined
  if (said !== 'asc' && said !== 'desc')
    throw new InvalidParameter(path, `${print(direction).slice(0, 100)} is neither asc nor desc`)
  return { field, descending: said === 'desc', through }
}

/** Only one direction is of use. */
function byRankOf(names: readonly string[], direction: unknown, path: readonly string[]): Order {
  if (names.length > 1 || direction !== 'desc')
    throw new InvalidParameter(path, '_rank puts the best matches first; send it alone or as _rank:desc')
  return byRank
}

/** Rows before a page from which on it counts as one far behind the first. */
const far = 500
export const isFar = (start: number): boolean => start >= far

/** An index begins with what is sorted by: the order of a language is not that of the index. */
export const isOfIndex = ({ field, through }: Order): boolean =>
  through.length === 0 && field.collation === undefined && field.indexed === true

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
    case 'compare':
      return condition.field.name !== 'id' && condition.field.indexed !== true
    default:
      return false
  }
}

import type { Query } from '../../pages/values/query-text.js'
import { Budget } from './budget.js'
import { type FieldInfo, type LinkInfo, type Model, type TypeInfo, takesText } from './metadata.js'
import { operandOf } from './operands.js'
import {
  type BuilderState,
  type ConditionState,
  emptyGroup,
  type FilterState,
  type GroupState,
  type NodeState,
  type PageState,
  type SortState,
} from './state.js'

export type { Query }

export interface QueryPlan {
  readonly query: Query
  /** The limits that made parts of the query be left out: statements, joins or conditions. */
  readonly exceeded: readonly string[]
  /** The list that a cursor in the response belongs to. */
  readonly list: string
}

/** The query of a state. Empty, invalid and too expensive parts are left out, so that the server refuses nothing of it. */
export function planOf(model: Model, state: BuilderState): QueryPlan {
  const type = model.type(state.uid)
  if (!type) return { query: {}, exceeded: [], list: '' }
  const budget = new Budget(model.meta.limits)
  const lists = isList(state, type)
  const search = lists && state.search.trim() !== '' && searchCost(model, type, budget)
  const root = lists ? state.node : { ...state.node, filters: emptyGroup, sort: [] }
  const node = nodeQuery({ model, type, budget }, root)
  const pages = lists && (model.meta.paging.withPopulate || node.populate === undefined)
  const unpaged = {
    ...node,
    ...(search && { _q: state.search.slice(0, 1000) }),
    ...(search && type.searched && state.highlight && { highlight: '*' }),
    ...paramsQuery(model, type, state),
  }
  const list = listOf(type, unpaged)
  return { query: { ...unpaged, ...(pages && pageQuery(state.page, list)) }, exceeded: budget.exceeded, list }
}

/** A list and its order, which a cursor belongs to; fields, populate and highlights may differ from page to page. */
function listOf({ uid }: TypeInfo, unpaged: Query): string {
  const { fields: _, populate: __, highlight: ___, ...rest } = unpaged
  return JSON.stringify([uid, rest])
}

/** The state without a cursor of another list, so that it does not come back with the filters it was for. */
export function withoutStaleCursor(model: Model, state: BuilderState): BuilderState {
  const { cursor, ...page } = state.page
  return cursor && cursor.list !== planOf(model, state).list ? { ...state, page } : state
}

export const queryOf = (model: Model, state: BuilderState): Query => planOf(model, state).query

/** Lists alone are filtered, sorted and paged. */
export const isList = ({ action }: Pick<BuilderState, 'action'>, { kind }: TypeInfo): boolean =>
  action === 'find' && kind === 'collectionType'

/** Each field that is searched is a condition. */
const searchCost = (model: Model, type: TypeInfo, budget: Budget): boolean =>
  budget.takes({ conditions: model.fields(type).length })

function paramsQuery(model: Model, type: TypeInfo, { params, action }: BuilderState): Query {
  const taken = model.params(type, action).flatMap(({ name }) => {
    const value = params[name]?.trim()
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(taken)
}

function pageQuery({ form, number, size, withCount, cursor }: PageState, list: string): Query {
  const first = /^\d{1,9}$/.test(number) ? Number(number) : undefined
  const most = /^\d{1,9}$/.test(size) && Number(size) > 0 ? Number(size) : undefined
  const { key, text } = cursor?.list === list ? cursor : ({ key: 'after', text: '' } as const)
  const pagination = {
    ...(form === 'cursor' && { [key]: text }),
    ...(form === 'page' && first !== undefined && first > 0 && { page: first }),
    ...(form === 'page' && most !== undefined && { pageSize: most }),
    ...(form === 'offset' && first !== undefined && { start: first }),
    ...((form === 'offset' || form === 'cursor') && most !== undefined && { limit: most }),
    ...(withCount !== undefined && { withCount }),
  }
  return Object.keys(pagination).length > 0 ? { pagination } : {}
}

/** A position in a query. */
interface QueryPosition {
  readonly model: Model
  readonly type: TypeInfo
  readonly budget: Budget
  /** The only fields that are seen on the way here. */
  readonly only?: readonly string[] | undefined
}

/** A level of a query, with all levels below it. */
function nodeQuery(place: QueryPosition, node: NodeState): Query {
  const known = new Set(place.model.fields(place.type, place.only).map(({ name }) => name))
  const fields = node.fields.filter(name => known.has(name))
  const populate = place.only ? undefined : populateQuery(place, node)
  const filters = groupQuery(place, node.filters)
  const sort = node.sort.flatMap(term => sortQuery(place, term) ?? [])
  return {
    ...(fields.length > 0 && { fields }),
    ...(populate !== undefined && { populate }),
    ...(filters && { filters }),
    ...(sort.length > 0 && { sort: [...new Set(sort)] }),
  }
}

function populateQuery(place: QueryPosition, { populate }: NodeState): unknown {
  const asked = place.model.links(place.type).flatMap(link => {
    const state = populate[link.name]
    const child = state && childQuery(place, link, state)
    return child ? [[link.name, child] as const] : []
  })
  if (asked.length === 0) return undefined
  return asked.every(([, child]) => child === true) ? asked.map(([name]) => name) : Object.fromEntries(asked)
}

/** The query of one populated attribute: `true` for everything, undefined if the budget cannot afford it. */
function childQuery({ model, budget }: QueryPosition, link: LinkInfo, state: NodeState['populate'][string]): unknown {
  const targets = model.targets(link)
  const chosen = 'on' in state ? targets.filter(({ uid }) => state.on[uid]) : []
  if (!budget.takes({ statements: chosen.length || targets.length })) return undefined
  const inner = (type: TypeInfo, node: NodeState | undefined, only?: readonly string[]) => {
    const query = node ? nodeQuery({ model, type, budget, only }, node) : {}
    return Object.keys(query).length > 0 ? query : true
  }
  if (model.isPlain(link)) return inner(targets[0] as TypeInfo, 'node' in state ? state.node : undefined, link.only)
  if (chosen.length === 0 || !('on' in state)) return true
  return { on: Object.fromEntries(chosen.map(type => [type.uid, inner(type, state.on[type.uid])])) }
}

/** The end of a path of names, and the links that lead there; undefined where a name is none of them. */
export function wayTo(
  model: Model,
  type: TypeInfo,
  path: readonly string[],
  only?: readonly string[],
): { readonly field: FieldInfo; readonly links: readonly LinkInfo[] } | undefined {
  const [name, ...rest] = path
  if (rest.length === 0) {
    const field = model.fields(type, only).find(field => field.name === name)
    return field && { field, links: [] }
  }
  if (only) return undefined
  const [link, target] = model.followed(type).find(([link]) => link.name === name) ?? []
  const way = link && target && wayTo(model, target, rest, link.only)
  return way && { field: way.field, links: [link, ...way.links] }
}

function sortQuery({ model, type, budget, only }: QueryPosition, { path, descending }: SortState): string | undefined {
  const way = wayTo(model, type, path, only)
  return way && budget.takes({ joins: sortCost(way.links) })
    ? `${path.join('.')}:${descending ? 'desc' : 'asc'}`
    : undefined
}

/** Each list on the way multiplies the rows that are looked at. */
function sortCost(links: readonly LinkInfo[]): number {
  let [sum, cost] = [0, 1]
  for (const { many } of links) {
    sum += cost
    cost = many ? cost * 4 : cost + 1
  }
  return sum
}

/** The filters of a group; undefined where nothing in it is complete. */
function groupQuery(place: QueryPosition, group: GroupState): Query | undefined {
  const parts = group.rows.flatMap((row): Query[] => {
    const part = filterQuery(place, row)
    return part ? [part] : []
  })
  if (parts.length === 0) return undefined
  const joined =
    parts.length === 1
      ? (parts[0] as Query)
      : group.join === '$or'
        ? { $or: parts }
        : (merged(parts) ?? { $and: parts })
  return group.not ? { $not: joined } : joined
}

const filterQuery = (place: QueryPosition, row: FilterState): Query | undefined =>
  row.kind === 'group' ? groupQuery(place, row) : conditionQuery(place, row)

/** Merges conditions on different attributes into one object; conditions that share a name stay apart. */
function merged(parts: readonly Query[]): Query | undefined {
  const names = parts.flatMap(part => Object.keys(part))
  return new Set(names).size === names.length ? Object.assign({}, ...parts) : undefined
}

function conditionQuery({ model, type, budget, only }: QueryPosition, condition: ConditionState): Query | undefined {
  const { path, operator, values } = condition
  const way = wayTo(model, type, path, only)
  const operand = way && comparedWith(model, way.field, operator, values)
  if (way === undefined || operand === undefined) return undefined
  // Databases plan a chain of links together: each one costs more than the one before.
  const joins = (way.links.length * (way.links.length + 1)) / 2
  if (!budget.takes({ joins, conditions: 1 })) return undefined
  return path.reduceRight<Query>((inner, name) => ({ [name]: inner }), { [operator]: operand })
}

/** The operand of a condition; undefined where it is not complete. */
export function comparedWith(model: Model, field: FieldInfo, name: string, values: readonly string[]): unknown {
  const operator = model.operators(field).find(known => known.name === name)
  if (!operator) return undefined
  if (operator.takes === 'flag') return values[0] !== 'false'
  const isPart = takesText(operator)
  const read = values.map(value => operandOf(field, value, isPart))
  const [first, second] = read
  if (operator.takes === 'one') return first
  if (operator.takes === 'two') return first === undefined || second === undefined ? undefined : [first, second]
  const list = read.filter(value => value !== undefined)
  return list.length > 0 ? list : undefined
}

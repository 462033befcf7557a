import { atPath, type ConditionState, emptyGroup, groupQuery } from '../../pages/values/filters.js'
import { comparedWith } from '../../pages/values/operands.js'
import type { Query } from '../../pages/values/query-text.js'
import { Budget } from './budget.js'
import type { FieldInfo, LinkInfo, Model, TypeInfo } from './metadata.js'
import type { BuilderState, NodeState, PageState, SortState } from './state.js'

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
  const filters = groupQuery(node.filters, condition => conditionQuery(place, condition))
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

function conditionQuery({ model, type, budget, only }: QueryPosition, condition: ConditionState): Query | undefined {
  const { path, operator, values } = condition
  const way = wayTo(model, type, path, only)
  const operand = way && operandIn(model, way.field, operator, values)
  if (way === undefined || operand === undefined) return undefined
  // Databases plan a chain of links together: each one costs more than the one before.
  const joins = (way.links.length * (way.links.length + 1)) / 2
  if (!budget.takes({ joins, conditions: 1 })) return undefined
  return atPath(path, { [operator]: operand })
}

/** The operand of a condition; undefined where it is not complete. */
export function operandIn(model: Model, field: FieldInfo, name: string, values: readonly string[]): unknown {
  const operator = model.operators(field).find(known => known.name === name)
  return operator && comparedWith(field, operator, values)
}

type Values = Readonly<Record<string, unknown>>

/** Filters in the words of REST; undefined where they ask for nothing. */
export function restFilters(filters: unknown): Values | undefined {
  if (filters === null || filters === undefined) return undefined
  const parts: Values[] = []
  for (const [name, value] of Object.entries(filters as Values)) {
    const part = restPart(name, value)
    if (part) parts.push(part)
  }
  const isAboutOne = parts.every(part => Object.keys(part).every(key => key.startsWith('$') && key !== '$and'))
  return parts.length > 1 ? (isAboutOne ? Object.assign({}, ...parts) : { $and: parts }) : parts[0]
}

/** An attribute, or an operator; both are objects, and the operators of scalars are words of their own. */
function restPart(name: string, value: unknown): Values | undefined {
  if (name === 'and' || name === 'or') return restGroup(name, value)
  if (name === 'not') {
    const inner = restFilters(value)
    return inner && { $not: inner }
  }
  if (operators.has(name)) return restOperator(name, value)
  if (value === null) return leaves.has(name) ? { [name]: { $null: 'true' } } : undefined
  const inner = restFilters(value)
  return inner && { [name]: inner }
}

function restGroup(name: 'and' | 'or', value: unknown): Values | undefined {
  const parts = ((value ?? []) as unknown[]).map(restFilters)
  const real = parts.filter(part => part !== undefined)
  if (real.length === 0 || (name === 'or' && real.length < parts.length)) return undefined
  return { [`$${name}`]: real }
}

const operators = new Set([
  ...['eq', 'eqi', 'ne', 'nei', 'startsWith', 'endsWith', 'contains', 'notContains', 'containsi', 'notContainsi'],
  ...['gt', 'gte', 'lt', 'lte', 'null', 'notNull', 'in', 'notIn', 'between'],
])

/** Attributes of the fixture that are relations or components: null says nothing about them. */
const links = [
  ...['author', 'authors', 'articles', 'tags', 'category', 'related', 'featured_tag', 'seo', 'slides', 'social', 'tag'],
  ...[
    'localizations',
    'parent',
    'children',
    'profile',
    'memos',
    'hero',
    'featured_articles',
    'default_seo',
    'folder',
    'files',
  ],
]
const leaves = { has: (name: string) => !links.includes(name) }

function restOperator(name: string, value: unknown): Values | undefined {
  if (name === 'null' || name === 'notNull') {
    const isNull = name === 'null' ? value === true : value === false
    return isNull ? { $null: 'true' } : { $notNull: 'true' }
  }
  if (name === 'in' || name === 'notIn') {
    const list = (value as unknown[]).filter(item => item !== null)
    if (list.length > 0) return { [`$${name}`]: list }
    return name === 'in' ? nothing : undefined
  }
  if (value !== null) return { [`$${name}`]: value }
  return name === 'eq' ? { $null: 'true' } : name === 'ne' ? { $notNull: 'true' } : nothing
}

/** A condition that no value meets. */
const nothing = { $null: 'true', $notNull: 'true' }

/** The query text of REST, brackets and all. */
export function restText(value: unknown, name = ''): string {
  const parts = partsOf(value, name)
  return parts.join('&')
}

function partsOf(value: unknown, name: string): string[] {
  if (value === undefined) return []
  const at = (key: string) => (name === '' ? key : `${name}[${key}]`)
  // An empty list cannot be said otherwise than by a value that nothing has.
  if (Array.isArray(value) && value.length === 0) return [`${name}[0]=`]
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => partsOf(inner, at(key)))
  return [`${name}=${encodeURIComponent(String(value))}`]
}

/** The order of a list in the words of REST. */
export function restSort(sort: unknown): string[] | undefined {
  if (sort === null || sort === undefined) return undefined
  const words = ([] as unknown[]).concat(sort).flatMap(text => String(text).split(','))
  const named = words.map(text => text.trim()).filter(text => text !== '')
  return named.length > 0 ? named : undefined
}

export interface Slice {
  readonly start: number
  /** Undefined for all. */
  readonly limit: number | undefined
}

/** The page of a list, as section 5 of the contract has it; undefined where two forms are mixed. */
export function sliceOf(pagination: unknown): Slice | undefined {
  const { page, pageSize, start, limit } = (pagination ?? {}) as Readonly<Record<string, number | null | undefined>>
  const isByPage = (page ?? pageSize ?? null) !== null
  if (isByPage && (start ?? limit ?? null) !== null) return undefined
  if (isByPage) {
    const size = Math.max(pageSize ?? 1, 1)
    return { start: (Math.max(page ?? 1, 1) - 1) * size, limit: size }
  }
  const most = limit ?? 10
  return { start: Math.max(start ?? 0, 0), limit: most === -1 ? undefined : Math.max(most, 1) }
}

export const cut = <T>(list: readonly T[], { start, limit }: Slice): T[] =>
  list.slice(start, limit === undefined ? undefined : start + limit)

/** The filters of components, judged in memory: true, false, or null where SQL knows neither. */
export function judge(values: Values, filters: Values | undefined): boolean | null {
  if (!filters) return true
  return all(Object.entries(filters).map(([name, value]) => judgePart(values, name, value)))
}

function judgePart(values: Values, name: string, value: unknown): boolean | null {
  if (name === '$and') return all((value as Values[]).map(one => judge(values, one)))
  if (name === '$or') return not(all((value as Values[]).map(one => not(judge(values, one)))))
  if (name === '$not') return not(judge(values, value as Values))
  return all(Object.entries(value as Values).map(([operator, operand]) => compare(values[name], operator, operand)))
}

const not = (value: boolean | null): boolean | null => (value === null ? null : !value)
const all = (values: readonly (boolean | null)[]): boolean | null =>
  values.includes(false) ? false : values.includes(null) ? null : true

function compare(value: unknown, operator: string, operand: unknown): boolean | null {
  // A condition about what a component is related to.
  if (!operator.startsWith('$')) throw new Unjudged(operator)
  if (operator === '$null') return value === null
  if (operator === '$notNull') return value !== null
  if (operator === '$not') return not(judge({ value }, { value: operand }))
  if (operator === '$and') return all((operand as Values[]).map(one => judge({ value }, { value: one })))
  if (value === null) return null
  switch (operator) {
    case '$eq':
      return String(value) === String(operand)
    case '$ne':
      return String(value) !== String(operand)
    case '$in':
      return (operand as unknown[]).map(String).includes(String(value))
    case '$notIn':
      return !(operand as unknown[]).map(String).includes(String(value))
    default:
      throw new Unjudged(operator)
  }
}

/** A condition whose meaning depends on the database. */
export class Unjudged extends Error {
  constructor(operator: string) {
    super(`${operator} is left to the database`)
  }
}

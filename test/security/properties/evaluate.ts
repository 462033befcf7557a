import { type Kind, kinds, type LinkModel, type Model, type Thing, type TypeModel } from './model.js'

/** A query as nested objects and lists, as a query string is made from. */
export type Query = Readonly<Record<string, unknown>>

/**
 * Answers a query by looking at every entry in memory, one after the other: as the specification reads, without a thought
 * for speed. Filters through a link look at the entries behind it, or at one without any value where there are none; a
 * denial is told to each comparison, and an entry without a value meets neither.
 */
export function answer(model: Model, type: TypeModel, query: Query): { data: unknown[]; total: number } {
  const found = select(model, type, model.things.get(type.name) ?? [], query)
  const { start, limit } = pageOf(query.pagination as Query | undefined)
  const sorted = query.sort === undefined ? [...found].sort((a, b) => a.id - b.id) : found
  return {
    data: sorted
      .slice(start, start + limit)
      .map(thing => ({ id: thing.id, attributes: show(model, type, thing, query) })),
    total: found.length,
  }
}

function pageOf({ page, pageSize, start, limit }: Query = {}): { start: number; limit: number } {
  const most = (size: unknown) => Math.min(100, Math.max(1, Number(size ?? 25)))
  if (start !== undefined || limit !== undefined) return { start: Number(start ?? 0), limit: most(limit) }
  return { start: (Number(page ?? 1) - 1) * most(pageSize), limit: most(pageSize) }
}

function select(model: Model, type: TypeModel, things: readonly Thing[], { filters, sort }: Query): Thing[] {
  const found = things.filter(thing => filters === undefined || all(filters, type, thing, false, model))
  return sort === undefined ? found : found.sort(orderOf(model, type, sort as readonly string[]))
}

type Nothing = undefined

function all(raw: unknown, type: TypeModel, thing: Thing | Nothing, denied: boolean, model: Model): boolean {
  const parts = Object.entries(raw as Query).map(
    ([name, value]) =>
      () =>
        one(name, value, type, thing, denied, model),
  )
  return denied ? parts.some(part => part()) : parts.every(part => part())
}

function one(
  name: string,
  raw: unknown,
  type: TypeModel,
  thing: Thing | Nothing,
  denied: boolean,
  model: Model,
): boolean {
  const inner = (value: unknown, deny: boolean) => all(value, type, thing, deny, model)
  if (name.startsWith('$')) return logical(name, raw, denied, inner)
  if (name === 'id') return field(raw, thing?.id ?? null, 'integer', denied)
  const kind = type.fields[name]
  if (kind) return field(raw, thing?.values[name] ?? null, kind, denied)
  const link = type.links[name] as LinkModel
  const target = model.types.get(link.target) as TypeModel
  const behind: readonly (Thing | Nothing)[] = thing?.links[name] ?? []
  return (behind.length === 0 ? [undefined] : behind).some(other => all(raw, target, other, denied, model))
}

function logical(
  name: string,
  raw: unknown,
  denied: boolean,
  inner: (value: unknown, denied: boolean) => boolean,
): boolean {
  if (name === '$not') return inner(raw, !denied)
  const parts = raw as readonly unknown[]
  const every = (name === '$and') !== denied
  return every ? parts.every(part => inner(part, denied)) : parts.some(part => inner(part, denied))
}

function field(raw: unknown, value: unknown, kind: Kind, denied: boolean): boolean {
  if (Array.isArray(raw)) return compare('$in', raw, value, kind, denied)
  if (typeof raw !== 'object') return compare('$eq', raw, value, kind, denied)
  const parts = Object.entries(raw as Query).map(([operator, operand]) =>
    ['$and', '$or', '$not'].includes(operator)
      ? logical(operator, operand, denied, (inner, deny) => field(inner, value, kind, deny))
      : compare(operator, operand, value, kind, denied),
  )
  return denied ? parts.some(Boolean) : parts.every(Boolean)
}

function compare(operator: string, operand: unknown, value: unknown, kind: Kind, denied: boolean): boolean {
  if (operator === '$null' || operator === '$notNull')
    return (((value === null) === (operator === '$null')) === (String(operand) === 'true')) !== denied
  if (value === null) return false
  return holds(operator, operand, value, kind) !== denied
}

function holds(operator: string, operand: unknown, value: unknown, kind: Kind): boolean {
  const list = [operand].flat()
  const rank = (one: unknown): number | bigint | string => ranked(one, kind)
  const same = (one: unknown) => rank(one) === rank(value)
  const [own, first, second] = [rank(value), rank(list[0]), rank(list[1] ?? list[0])]
  const [text, part] = [String(value), String(list[0])]
  const [lowText, lowPart] = [text.toLowerCase(), part.toLowerCase()]
  switch (operator) {
    case '$eq':
      return same(operand)
    case '$ne':
      return !same(operand)
    case '$in':
      return list.some(same)
    case '$notIn':
      return !list.some(same)
    case '$lt':
      return own < first
    case '$lte':
      return own <= first
    case '$gt':
      return own > first
    case '$gte':
      return own >= first
    case '$between':
      return own >= first && own <= second
    case '$eqi':
      return lowText === lowPart
    case '$nei':
      return lowText !== lowPart
    case '$contains':
      return text.includes(part)
    case '$notContains':
      return !text.includes(part)
    case '$containsi':
      return lowText.includes(lowPart)
    case '$notContainsi':
      return !lowText.includes(lowPart)
    case '$startsWith':
      return text.startsWith(part)
    case '$startsWithi':
      return lowText.startsWith(lowPart)
    case '$endsWith':
      return text.endsWith(part)
    case '$endsWithi':
      return lowText.endsWith(lowPart)
    default:
      throw new Error(`an operator that nobody asked for: ${operator}`)
  }
}

/** A value as something that can be compared and ordered. */
function ranked(value: unknown, kind: Kind): number | bigint | string {
  if (kind === 'biginteger') return BigInt(String(value))
  if (kind === 'boolean') return String(value) === 'true' ? 1 : 0
  if (kind === 'integer' || kind === 'float' || kind === 'decimal') return Number(value)
  return String(value)
}

function orderOf(model: Model, type: TypeModel, sort: readonly string[]): (a: Thing, b: Thing) => number {
  const terms = sort.map(term => {
    const [path = '', direction = 'asc'] = term.split(':')
    const down = direction.toLowerCase() === 'desc'
    return { down, key: (thing: Thing) => keyOf(path.split('.'), down, thing, type, model) }
  })
  return (a, b) => {
    for (const { down, key } of terms) {
      const [one, other] = [key(a), key(b)]
      if (one === other) continue
      // A missing value is the smallest.
      const before = one === null || (other !== null && one < other)
      return before === down ? 1 : -1
    }
    return a.id - b.id
  }
}

/** The sort key of an entry: the smallest of the values behind the links, or the largest in descending order. */
function keyOf(path: readonly string[], down: boolean, thing: Thing, type: TypeModel, model: Model) {
  let [type_, reached] = [type, [thing]]
  for (const name of path.slice(0, -1)) {
    reached = reached.flatMap(one => one.links[name] ?? [])
    type_ = model.types.get((type_.links[name] as LinkModel).target) as TypeModel
  }
  const last = path.at(-1) as string
  const kind = last === 'id' ? 'integer' : (type_.fields[last] as Kind)
  const keys = reached
    .map(one => (last === 'id' ? one.id : one.values[last]))
    .filter(value => value !== null && value !== undefined)
    .map(value => ranked(value, kind))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return (down ? keys.at(-1) : keys[0]) ?? null
}

/** The attributes of an entry as an answer has them; ids of components are the database's to say. */
function show(model: Model, type: TypeModel, thing: Thing, { fields, populate }: Query): Query {
  const wanted = (fields as readonly string[] | undefined) ?? Object.keys(type.fields)
  const values = wanted.filter(name => name !== 'id').map(name => [name, thing.values[name]])
  const below = Object.entries((populate ?? {}) as Query).map(([name, wish]) => {
    const link = type.links[name] as LinkModel
    const target = model.types.get(link.target) as TypeModel
    const asked = (wish === 'true' ? {} : wish) as Query
    const found = select(model, target, thing.links[name] ?? [], asked)
    const shown = found.map(other =>
      link.part ? show(model, target, other, asked) : { id: other.id, attributes: show(model, target, other, asked) },
    )
    const value = link.many ? shown : (shown[0] ?? null)
    return [name, link.part ? value : { data: value }]
  })
  return Object.fromEntries([...values, ...below])
}

export const operandOf = (kind: Kind, at: number): unknown => kinds[kind][at % kinds[kind].length]

import { FormatError, InvalidParameter } from '../errors.js'
import { WrongValue } from '../schema/field-types.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { Place } from './params.js'
import { asList, isObject } from './raw.js'
import {
  all,
  always,
  any,
  type Comparison,
  type Condition,
  idField,
  Late,
  negate,
  never,
  type Pattern,
} from './tree.js'

/** One row of the operator table: `filters[field][$name]=value`. */
interface Operator {
  readonly comparison: Comparison
  /** How many values it takes: one (or any of a list), a list, exactly two, or a yes or no. */
  readonly takes: 'one' | 'list' | 'two' | 'flag'
  readonly pattern?: Pattern
  readonly opposite?: true
}

const like = (open: Pattern['open'], ignoreCase = false): Pattern => ({ open, ignoreCase })

const operators: Readonly<Record<string, Operator>> = {
  $eq: { comparison: 'eq', takes: 'one' },
  $eqi: { comparison: 'like', takes: 'one', pattern: like('none', true) },
  $ne: { comparison: 'ne', takes: 'one', opposite: true },
  $nei: { comparison: 'notLike', takes: 'one', pattern: like('none', true), opposite: true },
  $lt: { comparison: 'lt', takes: 'one' },
  $lte: { comparison: 'lte', takes: 'one' },
  $gt: { comparison: 'gt', takes: 'one' },
  $gte: { comparison: 'gte', takes: 'one' },
  $in: { comparison: 'in', takes: 'list' },
  $notIn: { comparison: 'notIn', takes: 'list', opposite: true },
  $between: { comparison: 'between', takes: 'two' },
  $null: { comparison: 'null', takes: 'flag' },
  $notNull: { comparison: 'notNull', takes: 'flag' },
  $contains: { comparison: 'like', takes: 'one', pattern: like('both') },
  $containsi: { comparison: 'like', takes: 'one', pattern: like('both', true) },
  $notContains: { comparison: 'notLike', takes: 'one', pattern: like('both'), opposite: true },
  $notContainsi: { comparison: 'notLike', takes: 'one', pattern: like('both', true), opposite: true },
  $startsWith: { comparison: 'like', takes: 'one', pattern: like('end') },
  $startsWithi: { comparison: 'like', takes: 'one', pattern: like('end', true) },
  $endsWith: { comparison: 'like', takes: 'one', pattern: like('start') },
  $endsWithi: { comparison: 'like', takes: 'one', pattern: like('start', true) },
}
const operatorNames = [...Object.keys(operators), '$and', '$or', '$not']

/** `filters[author][name][$eq]=x`: everything that must hold for an entry of the place's type. */
export function readFilters(raw: unknown, place: Place): Condition {
  if (raw === '' || raw === null) return always
  const list = asList(raw)
  if (list) return all(...list.map((part, index) => readFilters(part, below(place, String(index)))))
  if (!isObject(raw))
    throw new InvalidParameter(place.path, 'needs an attribute: filters[<attribute>][<operator>]=<value>')
  return all(
    ...Object.entries(raw).map(([key, value]) => {
      const at = below(place, key)
      return readLogical(key, value, at, readFilters) ?? readAttribute(key, value, at)
    }),
  )
}

type Reader = (raw: unknown, place: Place) => Condition

/** `$and`, `$or` and `$not` mean the same wherever a condition may stand. */
function readLogical(key: string, raw: unknown, place: Place, read: Reader): Condition | undefined {
  if (key !== '$and' && key !== '$or' && key !== '$not') return undefined
  const list = asList(raw)
  if (key === '$not')
    return negate(
      // A list of values is read like anywhere else: it means any of them.
      list?.some(isObject)
        ? all(...list.map((part, index) => read(part, below(place, String(index)))))
        : read(raw, place),
    )
  if (!list) throw new InvalidParameter(place.path, `needs a list of groups: ${key}[0]...&${key}[1]...`)
  const parts = list.map((part, index) => read(part, below(place, String(index))))
  return key === '$and' ? all(...parts) : any(...parts)
}

function readAttribute(name: string, raw: unknown, place: Place): Condition {
  const { type, visitor, only } = place
  if (name.startsWith('$'))
    throw new InvalidParameter(place.path, `"${name.slice(0, 100)}" is not an operator here`, name)
  const link = visitor.linkToAsk(type, name, place.path)
  return link ? readLink(link, raw, place) : readField(visitor.field(type, name, place.path, only), raw, place)
}

/** A condition on one column: a plain value, a list, or an object of operators. */
function readField(field: Field, raw: unknown, place: Place): Condition {
  const list = valuesOf(raw, place)
  if (list) return compare(field, '$in', list, place)
  if (!isObject(raw)) return compare(field, '$eq', raw, place)
  return all(
    ...Object.entries(raw).map(([key, value]) => {
      const at = below(place, key)
      const logical = readLogical(key, value, at, (inner, where) => readField(field, inner, where))
      return logical ?? compare(field, key, value, at)
    }),
  )
}

/** A condition on what is behind a link: an id, operators on the id, or filters of the target. */
function readLink(link: Link, raw: unknown, place: Place): Condition {
  const { visitor, depth, links = 0 } = place
  // Databases plan a chain of links together: each one costs more than the one before.
  visitor.budget.spend('joins', place.path, links + 1)
  const [type] = visitor.targets(link) as [ContentType]
  const denied = visitor.trusted && isObject(raw) && Object.hasOwn(raw, '$none')
  const where = readTarget(denied ? raw.$none : raw, {
    ...place,
    type,
    depth: depth + 1,
    links: links + 1,
    only: link.only,
  })
  // That nothing is there is said of what the reader would be shown there.
  const node = visitor.narrow(visitor.enter(type, denied ? 'populate' : 'filter', depth + 1))
  return { kind: denied ? 'none' : 'some', link, node, where }
}

function readTarget(raw: unknown, place: Place): Condition {
  const list = valuesOf(raw, place)
  // Indexes below a relation are ids; below a logical operator they were taken apart already.
  if (list?.every(item => !isObject(item))) return compare(idField, '$in', list, place)
  if (!isObject(raw)) return compare(idField, '$eq', raw, place)
  return all(
    ...Object.entries(raw).map(([key, value]) => {
      const at = below(place, key)
      const logical = readLogical(key, value, at, readTarget)
      if (logical) return logical
      return Object.hasOwn(operators, key) ? compare(idField, key, value, at) : readAttribute(key, value, at)
    }),
  )
}

/** A list of values; `f=5&f[$gt]=6` is one that has operators in between. */
function valuesOf(raw: unknown, { visitor }: Place): readonly unknown[] | undefined {
  const list = asList(raw)
  const plain = visitor.ask.dialect.plainValuesWin ? list?.filter(item => !isObject(item)) : undefined
  return plain && plain.length > 0 ? plain : list
}

function compare(field: Field, name: string, raw: unknown, place: Place): Condition {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!operator) {
    const known = operatorNames.join(', ')
    throw new InvalidParameter(place.path, `"${name.slice(0, 100)}" is not an operator; there are ${known}`, name)
  }
  const { comparison, takes, pattern } = operator
  const list = asList(raw)
  // A list for an operator that takes one value is as many conditions.
  place.visitor.budget.spend('conditions', place.path, takes === 'one' ? (list?.length ?? 1) : 1)
  if (takes === 'flag') {
    const yes = readFlag(raw, place) === (comparison === 'null')
    return { kind: 'compare', field, operator: yes ? 'null' : 'notNull', values: [] }
  }
  if (takes === 'one' && raw === null) {
    return { kind: 'compare', field, operator: operator.opposite ? 'notNull' : 'null', values: [] }
  }
  if (isObject(raw) && !list) throw new InvalidParameter(place.path, `${name} takes a value, not an object`)
  const values = (list ?? [raw]).map((value, index) =>
    readOperand(field, value, pattern !== undefined, list ? below(place, String(index)) : place),
  )
  if (takes === 'two') {
    if (values.length !== 2) throw new InvalidParameter(place.path, '$between takes exactly two values')
    return values.includes(undefined) ? never : { kind: 'compare', field, operator: comparison, values }
  }
  const possible = values.filter(value => value !== undefined)
  if (operator.opposite && possible.length < values.length && possible.length === 0)
    return { kind: 'compare', field, operator: 'notNull', values: [] }
  if (takes === 'list')
    return possible.length === 0
      ? operator.opposite
        ? always
        : never
      : { kind: 'compare', field, operator: comparison, values: possible }
  // A list for an operator that takes one value means any of them.
  return any(
    ...possible.map(
      (value): Condition => ({
        kind: 'compare',
        field,
        operator: comparison,
        values: [value],
        ...(pattern && { pattern }),
      }),
    ),
  )
}

/** The longest pattern that every engine takes. */
const longestPattern = 10_000

function readOperand(field: Field, raw: unknown, asText: boolean, place: Place): unknown {
  const { path, visitor } = place
  const loose = visitor.ask.dialect.looseOperands
  if (raw instanceof Late) {
    if (asText) throw new InvalidParameter(path, 'cannot look for a part that differs from caller to caller')
    return raw
  }
  if (typeof raw === 'object' && raw !== null) throw new InvalidParameter(path, 'takes a plain value here')
  if (typeof raw === 'string' && raw.includes('\0')) {
    if (loose) return undefined
    throw new InvalidParameter(path, 'must not contain a null byte')
  }
  if (asText) {
    const text = String(raw)
    if (text.length > longestPattern) throw new InvalidParameter(path, `is longer than ${longestPattern} characters`)
    return text
  }
  try {
    return field.type.operand(raw, loose)
  } catch (reason) {
    if (reason instanceof WrongValue) throw new InvalidParameter(path, `${field.name}: ${reason.reason}`, field.name)
    throw reason instanceof FormatError ? reason.at(path) : reason
  }
}

function readFlag(raw: unknown, { path, visitor }: Place): boolean {
  if (typeof raw === 'object' && raw !== null) throw new InvalidParameter(path, 'takes true or false')
  const said = raw === null ? String(!visitor.ask.dialect.looseOperands) : String(raw).toLowerCase()
  if (['false', '0', 'f', ''].includes(said)) return false
  if (visitor.ask.dialect.looseOperands || ['true', '1', 't'].includes(said)) return true
  throw new InvalidParameter(path, 'takes true or false')
}

const below = (place: Place, key: string): Place => ({ ...place, path: [...place.path, key] })

import { dialects } from '../dialect.js'
import { bracketed, FormatError, InvalidParameter } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { print } from '../kit/print.js'
import type { Measure } from '../schema/kinds.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { WrongValue } from '../schema/values.js'
import type { Ask, Caller, Filters } from './ask.js'
import { Budget } from './budget.js'
import { hintAt } from './json-text.js'
import { boundOf, measureOf, readMeasure } from './measure.js'
import { asList, isObject } from './raw.js'
import {
  all,
  always,
  any,
  type Comparison,
  type Condition,
  depthOf,
  idField,
  Late,
  Now,
  negate,
  never,
  type Pattern,
  type QueryNode,
} from './tree.js'
import { type QueryPlace, Visitor } from './visitor.js'

/** One row of the operator table: `filters[field][$name]=value`. */
export interface Operator {
  readonly comparison: Comparison
  /** Its values: one (or any of a list), a list, exactly two, or a yes or no. */
  readonly takes: 'one' | 'list' | 'two' | 'flag'
  readonly describe: string
  readonly pattern?: Pattern
  readonly opposite?: true
}

const like = (open: Pattern['open'], ignoreCase = false) =>
  ({ comparison: 'like', takes: 'one', pattern: { open, ignoreCase } }) as const
const unlike = (open: Pattern['open'], ignoreCase = false) =>
  ({ ...like(open, ignoreCase), comparison: 'notLike', opposite: true }) as const

/** Every operator on a column: its row is all that the server knows of it. */
export const operators: Readonly<Record<string, Operator>> = {
  $eq: { describe: 'equals', comparison: 'eq', takes: 'one' },
  $eqi: { describe: 'equals, ignoring case', ...like('none', true) },
  $ne: { describe: 'differs from', comparison: 'ne', takes: 'one', opposite: true },
  $nei: { describe: 'differs from, ignoring case', ...unlike('none', true) },
  $lt: { describe: 'is less than', comparison: 'lt', takes: 'one' },
  $lte: { describe: 'is at most', comparison: 'lte', takes: 'one' },
  $gt: { describe: 'is greater than', comparison: 'gt', takes: 'one' },
  $gte: { describe: 'is at least', comparison: 'gte', takes: 'one' },
  $in: { describe: 'is one of', comparison: 'in', takes: 'list' },
  $notIn: { describe: 'is none of', comparison: 'notIn', takes: 'list', opposite: true },
  $between: { describe: 'is between two values, both included', comparison: 'between', takes: 'two' },
  $null: { describe: 'has no value', comparison: 'null', takes: 'flag' },
  $notNull: { describe: 'has a value', comparison: 'notNull', takes: 'flag' },
  $contains: { describe: 'contains', ...like('both') },
  $containsi: { describe: 'contains, ignoring case', ...like('both', true) },
  $notContains: { describe: 'does not contain', ...unlike('both') },
  $notContainsi: { describe: 'does not contain, ignoring case', ...unlike('both', true) },
  $startsWith: { describe: 'starts with', ...like('end') },
  $startsWithi: { describe: 'starts with, ignoring case', ...like('end', true) },
  $endsWith: { describe: 'ends with', ...like('start') },
  $endsWithi: { describe: 'ends with, ignoring case', ...like('start', true) },
}

/** `filters[author][name][$eq]=x`: everything that must hold for an entry of the place's type. */
export function readFilters(sent: unknown, place: QueryPlace): Condition {
  const raw = place.visitor.unfold(sent, place.path)
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

type Reader = (raw: unknown, place: QueryPlace) => Condition

/** `$and`, `$or` and `$not` mean the same at every place of a condition. */
function readLogical(key: string, raw: unknown, place: QueryPlace, read: Reader): Condition | undefined {
  if (key !== '$and' && key !== '$or' && key !== '$not') return undefined
  if (key === '$not') {
    const denied = asList(raw)
    return negate(
      // A list of values is read like anywhere else: it means any of them.
      denied?.some(isObject)
        ? all(...denied.map((part, index) => read(part, below(place, String(index)))))
        : read(raw, place),
    )
  }
  const list = asList(place.visitor.unfold(raw, place.path))
  if (!list) throw new InvalidParameter(place.path, `needs a list of groups: ${key}[0]...&${key}[1]...`)
  const parts = list.map((part, index) => read(part, below(place, String(index))))
  return key === '$and' ? all(...parts) : any(...parts)
}

function readAttribute(name: string, raw: unknown, place: QueryPlace): Condition {
  const { type, visitor, only } = place
  if (name.startsWith('$'))
    throw new InvalidParameter(place.path, `"${name.slice(0, 100)}" is not an operator here`, name)
  const link = visitor.linkToAsk(type, name, place.path)
  return link ? readLink(link, raw, place) : readField(visitor.field(type, name, place.path, only), raw, place)
}

/** A condition on one column: a plain value, a list, or an object of operators. */
function readField(field: Field, raw: unknown, place: QueryPlace): Condition {
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

/** A condition on entries behind a link: an id, operators on the id, or filters of the target. */
function readLink(link: Link, raw: unknown, place: QueryPlace): Condition {
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
  // A link counts as empty if it leads to nothing that the reader would be shown there.
  const node = visitor.narrow(visitor.enter(type, denied ? 'populate' : 'filter', depth + 1))
  return { kind: denied ? 'none' : 'some', link, node, where }
}

function readTarget(sent: unknown, place: QueryPlace): Condition {
  const raw = place.visitor.unfold(sent, place.path)
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
function valuesOf(raw: unknown, { visitor }: QueryPlace): readonly unknown[] | undefined {
  const list = asList(raw)
  const plain = visitor.ask.dialect.plainValuesWin ? list?.filter(item => !isObject(item)) : undefined
  return plain && plain.length > 0 ? plain : list
}

/** A condition of a measure, which a plugin's attribute type has. */
function compareMeasured(measure: Measure, field: Field, raw: unknown, { visitor, path }: QueryPlace): Condition {
  visitor.budget.spend('conditions', path, 1)
  const measured = readMeasure(measure, raw, path)
  return { kind: 'atMost', field, number: measured.number, bound: boundOf(measured, path) }
}

function compare(field: Field, name: string, raw: unknown, place: QueryPlace): Condition {
  const measure = measureOf(field, name)
  if (measure) return compareMeasured(measure, field, raw, place)
  const operator = operatorOf(field, name, place)
  const { takes, pattern } = operator
  const list = asList(raw)
  // A list for an operator that takes one value is as many conditions.
  place.visitor.budget.spend('conditions', place.path, takes === 'one' ? (list?.length ?? 1) : 1)
  if (takes === 'flag') return compareNull(field, readFlag(raw, place) === (operator.comparison === 'null'))
  if (takes === 'one' && raw === null) return compareNull(field, !operator.opposite)
  if (isObject(raw) && !list) throw new InvalidParameter(place.path, `${name} takes a value, not an object`)
  const values = (list ?? [raw]).map((value, index) =>
    readOperand(field, value, pattern !== undefined, list ? below(place, String(index)) : place),
  )
  if (values.some(value => value instanceof Now)) mustFitTime(field, operator.comparison)
  if (takes === 'two') return compareTwo(field, operator, values, place)
  const condition = comparePossible(field, operator, values)
  const again = (other: string) => compare(field, name, other, { ...place, visitor: place.visitor.apart() })
  return place.visitor.slots?.note(condition, { raw, path: place.path }, again) ?? condition
}

function operatorOf({ type }: Field, name: string, { path }: QueryPlace): Operator {
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (operator) return operator
  const known = [...Object.keys(operators), ...Object.keys(type.measures ?? {}), '$and', '$or', '$not']
  const shown = name.slice(0, 100)
  const meant = nearest(shown, known)
  const hint = meant === undefined ? '' : `did you mean "${meant}"? `
  throw new InvalidParameter(path, `"${shown}" is not an operator; ${hint}there are ${known.join(', ')}`, name)
}

const compareNull = (field: Field, yes: boolean): Condition => ({
  kind: 'compare',
  field,
  operator: yes ? 'null' : 'notNull',
  values: [],
})

function compareTwo(
  field: Field,
  { comparison }: Operator,
  values: readonly unknown[],
  { path }: QueryPlace,
): Condition {
  if (values.length !== 2) throw new InvalidParameter(path, '$between takes exactly two values')
  return values.includes(undefined) ? never : { kind: 'compare', field, operator: comparison, values }
}

/** Values that the column cannot have are undefined: nothing equals them, and everything differs from them. */
function comparePossible(field: Field, operator: Operator, values: readonly unknown[]): Condition {
  const { comparison, takes, pattern, opposite } = operator
  const possible = values.filter(value => value !== undefined)
  if (opposite && possible.length === 0 && values.length > 0) return compareNull(field, false)
  if (takes === 'list')
    return possible.length > 0
      ? { kind: 'compare', field, operator: comparison, values: possible }
      : opposite
        ? always
        : never
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

/**
 * Checks a comparison with the time: only these change their result at the very moment that the column holds, in every form in
 * which engines store it.
 */
function mustFitTime({ name, type }: Field, comparison: Comparison): void {
  if ((comparison !== 'lte' && comparison !== 'gt') || (type.as !== 'datetime' && type.as !== 'timestamp'))
    throw new Error(`"${name}" cannot be compared so with now(): it takes $lte or $gt, of a datetime`)
}

function readOperand(field: Field, raw: unknown, asText: boolean, place: QueryPlace): unknown {
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
    if (reason instanceof WrongValue)
      throw new InvalidParameter(path, reason.reason + hintAt(raw) + listHint(raw, path), field.name)
    throw reason instanceof FormatError ? reason.inQuery(path, print(raw).slice(0, 100)) : reason
  }
}

/** The way to write a list, for a client that put commas between its values. */
function listHint(raw: unknown, path: readonly string[]): string {
  const { takes } = operators[path.at(-1) ?? ''] ?? {}
  if ((takes !== 'list' && takes !== 'two') || !String(raw).includes(',')) return ''
  const place = bracketed(path)
  return `; write several values as ${place}[0]=...&${place}[1]=...`
}

function readFlag(raw: unknown, { path, visitor }: QueryPlace): boolean {
  const loose = visitor.ask.dialect.looseOperands
  const said = flagOf(raw ?? !loose)
  if (said === false) return false
  if (loose || said === true) return true
  throw new InvalidParameter(path, `${print(raw).slice(0, 100)} is neither true nor false`)
}

/** Undefined if it is neither, as every list and object is. */
function flagOf(raw: unknown): boolean | undefined {
  if (typeof raw === 'object') return undefined
  const word = String(raw).toLowerCase()
  return ['false', '0', 'f', ''].includes(word) ? false : ['true', '1', 't'].includes(word) ? true : undefined
}

const below = (place: QueryPlace, key: string): QueryPlace => ({ ...place, path: [...place.path, key] })

/**
 * A query narrowed by these filters. With the ask of the request, the rows behind links are those that its hooks and rules let
 * through; without, all there are. Filters that are frozen are read once for a type.
 */
export function where(query: QueryNode, filters: Filters, ask?: Ask): QueryNode {
  return { ...query, where: all(query.where, conditionOf(query.type, filters, ask)) }
}

/** A value that is taken from the caller when the plan runs, so that one plan serves every caller of a scope. */
export function late<C extends Caller = Caller>(of: (caller: C) => unknown): Late {
  return new Late(caller => of(caller as C))
}

/**
 * The time when the plan runs, for `$lte` (has come) and `$gt` (is still to come) of a datetime. Responses are cached up to
 * the next time that such an attribute of any entry holds.
 */
export const now = (): Late => theTime
const theTime = new Now()

/**
 * Filters written by code are trusted: they may use private fields and need no permissions. Beside the operators of requests
 * they have `{ link: { $none: filters } }`: nothing behind the link meets them.
 */
export function conditionOf(type: ContentType, filters: Filters, ask?: Ask): Condition {
  const conditions = ask && Object.isFrozen(filters) ? conditionsOf(filters) : undefined
  const known = conditions?.get(type)
  if (known) return known
  const visitor = new TrustedVisitor(type, ask)
  const condition = readFilters(filters, { type, depth: 0, path: ['filters'], visitor, paging: noPaging })
  // A condition on entries behind a link differs from caller to caller.
  if (depthOf(condition) === 0) conditions?.set(type, condition)
  return condition
}

const frozen = new WeakMap<Filters, WeakMap<ContentType, Condition>>()

function conditionsOf(filters: Filters): WeakMap<ContentType, Condition> {
  const conditions = frozen.get(filters) ?? new WeakMap<ContentType, Condition>()
  frozen.set(filters, conditions)
  return conditions
}

const noPaging = { defaultLimit: 25, maxLimit: null, withCount: false }
const unlimited = { statements: Infinity, joins: Infinity, conditions: Infinity, entries: Infinity }

const codeAsk = (type: ContentType): Ask => ({
  type,
  action: 'find',
  scope: '',
  params: {},
  dialect: dialects.spec,
  can: () => true,
  narrow: node => node,
})

class TrustedVisitor extends Visitor {
  override readonly trusted = true

  constructor(type: ContentType, ask?: Ask) {
    const narrow = ask?.narrow ?? (node => node)
    super(ask ?? codeAsk(type), { anyTarget: [], nestedParam: () => undefined, narrow }, new Budget(unlimited))
  }

  override field(type: ContentType, name: string, path: readonly string[]): Field {
    const field = name === 'id' ? idField : type.fields.get(name)
    if (!field) throw this.unknown(type, name, path)
    return field
  }

  /** A name that is wrong in code is no fault of the client: it becomes a 500 whose log line names the plugin. */
  override unknown(type: ContentType, name: string, path: readonly string[]): never {
    throw new Error(super.unknown(type, name, path).message)
  }

  override linkToAsk(type: ContentType, name: string): Link | undefined {
    return type.links.get(name)
  }
}

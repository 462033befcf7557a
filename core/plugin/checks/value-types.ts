import { FormatError, RequestError } from '../../errors.js'
import { print } from '../../kit/print.js'
import { thrown } from '../../kit/thrown.js'
import { immediate } from '../../query/ask.js'
import type { AttributeKind, Expression, Measure, ValueType } from '../../schema/kinds.js'
import type { ColumnLimits, Representation } from '../../schema/representation.js'
import { WrongValue, within } from '../../schema/values.js'

/**
 * The attribute types of a plugin as the server calls them. A message for the client stays a refusal; every other error names the
 * plugin and the type, and so does a value that no column of the representation takes: drivers name neither.
 */
export function checkedKind(plugin: string, kind: AttributeKind): AttributeKind {
  if (kind.kind !== 'value') return kind
  const { name, as, write, operand, seal, show, json, check, measures } = kind
  const guard = guardOf(`plugin ${plugin}, attribute type "${name}"`)
  return {
    ...kind,
    write: (value, field, limits) => {
      const written = guard('write', () => write(value, field, limits))
      return stored(written, { as, limits, returned: `${guard.whose}, write: it returned` })
    },
    operand: (value, loose) => {
      const compared = guard('operand', () => operand(value, loose))
      return compared === undefined || compared === null
        ? undefined
        : operandOf(compared, as, `${guard.whose}, operand: it returned`)
    },
    ...(seal && { seal: (value: unknown) => guard.late('seal', () => seal(value)) }),
    ...(show && { show: (value: unknown) => guard('show', () => show(value)) }),
    ...(json && { json: attribute => guard('json', () => json(attribute)) }),
    ...(measures && { measures: checkedMeasures(measures, guard, as) }),
    ...(check && { check: attribute => guard('check', () => check(attribute)) }),
  } satisfies ValueType
}

/** The operators of a type, named where they fail. */
function checkedMeasures(
  measures: NonNullable<ValueType['measures']>,
  guard: Guard,
  as: Representation,
): ValueType['measures'] {
  const checked = ([name, measure]: readonly [string, Measure]): readonly [string, Measure] => [
    name,
    {
      ...measure,
      read: value => guard(`${name}.read`, () => measure.read(value)),
      number: (of, asked) =>
        guard(`${name}.number`, () => {
          const number = measure.number(of, asked)
          mustBeExpression(number, as)
          return number
        }),
      atMost: asked =>
        guard(`${name}.atMost`, () => {
          const bound = measure.atMost(asked)
          if (!Number.isFinite(bound)) throw new Error(`it returned ${print(bound)}; expected a finite number`)
          return bound
        }),
    },
  ]
  return Object.fromEntries(Object.entries(measures).map(checked))
}

type Guard = ReturnType<typeof guardOf>

/** Representations that databases compute with. */
const numeric: readonly Representation[] = ['integer', 'bigint', 'decimal', 'float']

/** An expression is data, which a plugin in JavaScript may make by itself: nothing of it may become text of a statement. */
function mustBeExpression(part: Partial<Expression> | undefined, as: Representation): void {
  const problem = problemOf(part, as)
  if (problem !== undefined) throw new Error(`it ${problem}`)
  if (part?.kind === 'call') mustBeExpression(part.of, as)
  if (part?.kind === 'joined') for (const side of [part.left, part.right]) mustBeExpression(side, as)
}

function problemOf(part: Partial<Expression> | undefined, as: Representation): string | undefined {
  const made = 'expected what the functions of its first argument return'
  switch (part?.kind) {
    case 'number':
      return Number.isFinite(part.value) ? undefined : `returned the number ${print(part.value)}; ${made}`
    case 'value':
      return numeric.includes(as) ? undefined : `computes with an attribute that is stored as ${as}; expected a number`
    case 'part':
      return as === 'json' && typeof part.name === 'string'
        ? undefined
        : `asks for the part ${print(part.name)} of an attribute that is stored as ${as}; expected json`
    case 'call':
      return functions.includes(part.name) ? undefined : `returned an expression with ${print(part.name)}; ${made}`
    case 'joined':
      return signs.includes(part.sign) ? undefined : `returned an expression with ${print(part.sign)}; ${made}`
    default:
      return `returned ${print(part)}; ${made}`
  }
}

const functions: readonly unknown[] = ['abs', 'sin', 'cos']
const signs: readonly unknown[] = ['+', '-', '*', '/']

/** Runs functions of one type, and names it where they fail. */
function guardOf(whose: string) {
  const fail = (part: string, reason: unknown): never => {
    // A sentence without its subject reads best in a plugin, and is the promise of the type.
    if (typeof reason === 'string') throw new WrongValue(reason)
    if (reason instanceof WrongValue || reason instanceof FormatError || reason instanceof RequestError) throw reason
    const error = thrown(reason)
    if (!('plugin' in error)) Object.assign(error, { plugin: whose, message: `${whose}, ${part}: ${error.message}` })
    throw error
  }
  const run = <T>(part: string, work: () => T): T => {
    try {
      return immediate(work(), 'it')
    } catch (reason) {
      return fail(part, reason)
    }
  }
  const late = async (part: string, work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } catch (reason) {
      return fail(part, reason)
    }
  }
  return Object.assign(run, { late, whose })
}

interface StorageTarget {
  readonly as: Representation
  readonly limits: ColumnLimits
  /** The beginning of the sentence about a value that cannot be stored. */
  readonly returned: string
}

/** The values that columns of each representation accept, and the words of the message to an author. */
const taken: Readonly<Record<Representation, readonly [test: (value: unknown) => boolean, what: string]>> = {
  id: [Number.isSafeInteger, 'a whole number'],
  text: [isText, 'text'],
  longtext: [isText, 'text'],
  integer: [Number.isSafeInteger, 'a whole number'],
  bigint: [value => isText(value) && /^-?\d{1,19}$/.test(value), 'text of at most 19 digits'],
  decimal: [Number.isFinite, 'a number'],
  float: [Number.isFinite, 'a number'],
  boolean: [value => typeof value === 'boolean', 'true or false'],
  date: [value => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value), 'text of the form yyyy-MM-dd'],
  time: [value => isText(value) && /^\d\d:\d\d:\d\d(\.\d{1,6})?$/.test(value), 'text of the form HH:mm:ss.SSS'],
  datetime: [Number.isSafeInteger, 'milliseconds since 1970'],
  timestamp: [Number.isSafeInteger, 'milliseconds since 1970'],
  json: [isJson, 'JSON text, or a value that can be written as JSON'],
}

/** A written value as engines take it; a missing return would be stored as null. */
function stored(written: unknown, { as, limits, returned }: StorageTarget): unknown {
  if (written === null) return null
  const value = as === 'json' && typeof written !== 'string' ? JSON.stringify(written) : written
  mustBeTaken(value, written, as, returned)
  if (as === 'integer') return within(value as number, limits.integer)
  if (as === 'decimal') return within(value as number, limits.decimal)
  if (typeof value !== 'string' || as === 'json') return value
  if (value.includes('\0')) throw new WrongValue('must not contain a null byte')
  if (as === 'text' && value.length > limits.shortText)
    throw new WrongValue(`must be at most ${limits.shortText} characters`)
  return value
}

/** An operand as engines take it: columns of whole numbers are compared with any number. */
function operandOf(compared: unknown, as: Representation, returned: string): unknown {
  if (as === 'integer' && Number.isFinite(compared)) return compared
  const value = as === 'json' && typeof compared !== 'string' ? JSON.stringify(compared) : compared
  mustBeTaken(value, compared, as, returned)
  return value
}

function mustBeTaken(value: unknown, given: unknown, as: Representation, returned: string): void {
  const [test, what] = taken[as]
  if (test(value)) return
  const shown = given === undefined ? 'nothing (is a return missing?)' : print(given)
  throw new Error(`${returned} ${shown}; expected ${what}, as the type is stored as ${as}`)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isJson(value: unknown): boolean {
  try {
    return typeof value === 'string' && JSON.parse(value) !== undefined
  } catch {
    return false
  }
}

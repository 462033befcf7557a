import { InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import type { Arithmetic, Expression, Measure, NumberTerm } from '../schema/kinds.js'
import type { Field } from '../schema/types.js'
import { WrongValue } from '../schema/values.js'
import { Late } from './tree.js'

/** A number for every entry, which a plugin computes from an attribute and the text of a request. */
export interface ComputedNumber {
  readonly number: Expression
  readonly measure: Measure
  readonly asked: unknown
}

/** The measure that an attribute has under a name, if any. */
export const measureOf = ({ type: { measures } }: Field, name: string): Measure | undefined =>
  measures && Object.hasOwn(measures, name) ? measures[name] : undefined

/** Reads the operand of a measure, in a filter or to sort by. */
export function readMeasure(measure: Measure, raw: unknown, path: readonly string[]): ComputedNumber {
  if (raw instanceof Late) throw new InvalidParameter(path, 'takes no value that differs from caller to caller')
  if (typeof raw === 'object' || raw === undefined) throw new InvalidParameter(path, 'takes one plain value here')
  if (String(raw).includes('\0')) throw new InvalidParameter(path, 'must not contain a null byte')
  const asked = refusing(path, () => measure.read(raw))
  return { asked, measure, number: measure.number(arithmetic, asked) }
}

/** The bound of a filter: the largest number that meets it. */
export const boundOf = ({ measure, asked }: ComputedNumber, path: readonly string[]): number =>
  refusing(path, () => measure.atMost(asked))

/** Turns a refusal by a plugin into the end of a sentence about the parameter. */
function refusing<T>(path: readonly string[], work: () => T): T {
  try {
    return work()
  } catch (reason) {
    if (reason instanceof WrongValue) throw new InvalidParameter(path, reason.reason)
    throw reason
  }
}

const of = (part: NumberTerm): Expression => {
  if (typeof part !== 'number') return part
  if (!Number.isFinite(part)) throw new Error(`a number of an expression is ${print(part)}; expected a finite one`)
  return { kind: 'number', value: part }
}
const joined =
  (sign: '+' | '-' | '*' | '/') =>
  (first: NumberTerm, second: NumberTerm, ...more: readonly NumberTerm[]): Expression =>
    more.reduce<Expression>((left, right) => ({ kind: 'joined', sign, left, right: of(right) }), {
      ...{ kind: 'joined', sign, left: of(first), right: of(second) },
    })
const call =
  (name: 'abs' | 'sin' | 'cos') =>
  (part: NumberTerm): Expression => ({ kind: 'call', name, of: of(part) })

/** Builds expressions from values alone: no name and no value becomes text of SQL. */
const arithmetic: Arithmetic = Object.freeze<Arithmetic>({
  value: { kind: 'value' },
  part: (name: string): Expression => ({ kind: 'part', name: String(name) }),
  plus: joined('+'),
  minus: joined('-'),
  times: joined('*'),
  divided: joined('/'),
  abs: call('abs'),
  sin: call('sin'),
  cos: call('cos'),
})

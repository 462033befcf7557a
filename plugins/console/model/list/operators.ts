import type { FilterField } from './fields.js'

/** An operator as the page offers it: the word for it depends on what it compares. */
interface OfferedOperator {
  readonly name: string
  /** The key of its words. */
  readonly text: OperatorText
}

type OperatorText = keyof typeof texts

/** The words, in the order in which they are offered: the usual one first. */
const texts = {
  is: '$eq',
  isNot: '$ne',
  isOneOf: '$in',
  isNoneOf: '$notIn',
  contains: '$containsi',
  containsNot: '$notContainsi',
  startsWith: '$startsWithi',
  endsWith: '$endsWithi',
  isAtLeast: '$gte',
  isAtMost: '$lte',
  isMoreThan: '$gt',
  isLessThan: '$lt',
  isAfter: '$gt',
  isBefore: '$lt',
  isFrom: '$gte',
  isUntil: '$lte',
  isBetween: '$between',
  isEmpty: '$null',
  isNotEmpty: '$notNull',
} as const

const ends = ['isEmpty', 'isNotEmpty'] as const
const kinds = {
  text: ['contains', 'is', 'isNot', 'startsWith', 'endsWith', 'containsNot', ...ends],
  choice: ['is', 'isNot', 'isOneOf', 'isNoneOf', ...ends],
  truth: ['is', ...ends],
  number: ['is', 'isNot', 'isAtLeast', 'isAtMost', 'isMoreThan', 'isLessThan', 'isBetween', ...ends],
  time: ['isAfter', 'isBefore', 'isFrom', 'isUntil', 'isBetween', ...ends],
  day: ['is', 'isAfter', 'isBefore', 'isFrom', 'isUntil', 'isBetween', ...ends],
  entry: ['is', 'isOneOf', ...ends],
} as const satisfies Readonly<Record<string, readonly OperatorText[]>>

/** The operators of a field, those that its server knows. */
export function operatorsFor(field: FilterField, has: (name: string) => boolean): readonly OfferedOperator[] {
  return kinds[kindOf(field)].map(text => ({ name: texts[text], text })).filter(({ name }) => has(name))
}

/** The words for an operator of a field, undefined where the page has none. */
export const operatorText = (field: FilterField, name: string): OperatorText | undefined =>
  operatorsFor(field, () => true).find(one => one.name === name)?.text

/** Operators that compare with nothing. */
export const isAlone = (name: string): boolean => name === '$null' || name === '$notNull'

function kindOf({ target, type, family, enum: choices }: FilterField): keyof typeof kinds {
  if (target) return 'entry'
  if (choices) return 'choice'
  if (type === 'boolean') return 'truth'
  if (type === 'date') return 'day'
  if (['datetime', 'timestamp', 'time'].includes(type)) return 'time'
  return family === 'text' ? 'text' : 'number'
}

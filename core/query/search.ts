import { InvalidParameter } from '../errors.js'
import type { Representation } from '../schema/representation.js'
import type { Field } from '../schema/types.js'
import type { Place } from './params.js'
import { any, type Condition, idField } from './tree.js'
import { readableFields } from './visitor.js'

/** `_q=text`: entries with the text in any of the readable columns that are searched, whatever the case. */
export function readSearch(raw: unknown, { type, path, visitor }: Place): Condition | undefined {
  if (raw === undefined || raw === '') return undefined
  if (typeof raw !== 'string') throw new InvalidParameter(path, 'takes the text to look for')
  if (raw.length > 1000) throw new InvalidParameter(path, 'is longer than 1000 characters')
  if (raw.includes('\0')) throw new InvalidParameter(path, 'must not contain a null byte')
  const { searchNumbers, literalWildcards } = visitor.ask.dialect
  const isNumber = searchNumbers && !Number.isNaN(Number(raw))
  const searched = readableFields(type).filter(
    field => field.attribute.searchable !== false && (isText(field) || (isNumber && holdsNumbers(field))),
  )
  return any(
    ...(searchNumbers ? [idField, ...searched] : searched).map((field): Condition => {
      visitor.budget.spend('conditions', path)
      return {
        kind: 'compare',
        field,
        operator: 'like',
        values: [raw],
        pattern: { open: 'both', ignoreCase: true, wildcards: literalWildcards ? 'none' : 'underscore' },
      }
    }),
  )
}

const isText = ({ type }: Field): boolean => type.operators === 'text'
const holdsNumbers = ({ type }: Field): boolean => numbers.includes(type.as)
const numbers: readonly Representation[] = ['integer', 'bigint', 'decimal', 'float']

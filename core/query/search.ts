import { InvalidParameter } from '../errors.js'
import type { Place } from './params.js'
import { any, type Condition } from './tree.js'
import { readableFields } from './visitor.js'

/** `_q=text`: entries with the text in any of their readable text columns, whatever the case. */
export function readSearch(raw: unknown, { type, path, visitor }: Place): Condition | undefined {
  if (raw === undefined || raw === '') return undefined
  if (typeof raw !== 'string') throw new InvalidParameter(path, 'takes the text to look for')
  if (raw.length > 1000) throw new InvalidParameter(path, 'is longer than 1000 characters')
  if (raw.includes('\0')) throw new InvalidParameter(path, 'must not contain a null byte')
  const searchable = readableFields(type).filter(
    ({ type: kind, attribute }) => kind.operators === 'text' && attribute.searchable !== false,
  )
  return any(
    ...searchable.map((field): Condition => {
      visitor.budget.spend('conditions', path)
      return {
        kind: 'compare',
        field,
        operator: 'like',
        values: [raw],
        pattern: { open: 'both', ignoreCase: true },
      }
    }),
  )
}

import { idType } from '../../schema/field-types.js'
import type { Field } from '../../schema/types.js'
import type { Condition, Matches, Order } from '../tree.js'

/** The relevance of an entry to a search: an attribute of no type, used only for sorting. */
export const rankField: Field = {
  name: '_rank',
  column: 'score',
  type: { ...idType, name: 'rank', as: 'float' },
  attribute: { type: 'float' },
  readable: true,
  writable: false,
}

/** The best matches first. */
export const byRank: Order = { field: rankField, descending: true, through: [] }

/** The words that every entry has to match, if any. */
export function matchesIn(condition: Condition): Matches | undefined {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return parts.find(part => part.kind === 'matches')
}

import { idType } from '../../schema/field-types.js'
import type { Field } from '../../schema/types.js'
import type { Condition, Matches, Order } from '../tree.js'

/** How well an entry matches what is looked for: no attribute of any type, and only something to sort by. */
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

/** What the words of every entry have to match, if anything. */
export function matchesIn(condition: Condition): Matches | undefined {
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return parts.find(part => part.kind === 'matches')
}

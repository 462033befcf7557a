import { idType } from '../../schema/field-types.js'
import type { Field, SearchIndex } from '../../schema/types.js'
import type { Condition, Order } from '../tree.js'
import type { SearchTerm } from './terms.js'

/** The indexed texts of an entry have the words. */
export interface Matches {
  readonly kind: 'matches'
  readonly index: SearchIndex
  readonly terms: readonly SearchTerm[]
}

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

import type { Engine } from '../engines/engine.js'
import type { Sql, Words } from '../engines/words.js'
import { type Matches, matchesIn, rankField } from '../query/search/rank.js'
import { all, type Condition } from '../query/tree.js'
import { sql } from './statement.js'

/** What a root starts from: the owners of linked rows, how they are joined, and the conditions that remain. */
export interface Lead {
  readonly owners: Sql
  readonly column: string
  readonly join: string
  readonly rest: Condition
}

/** The rows of a table behind its lead, as what a statement selects from. */
export function leadOf(table: string, { owners, column, join }: Lead, { quote }: Pick<Words, 'quote'>): Sql {
  return sql('(', owners, `) f ${join} ${quote(table)} t on t.id = f.${quote(column)}`)
}

/** Of what a list that is sorted by rank starts from. */
export const scoreColumn = `f.${rankField.column}`

/** The entries that match, with their scores, for a list that is sorted by these. */
export function rankedLead(condition: Condition, { search, words }: Engine): Lead | undefined {
  const matches = matchesIn(condition)
  if (!matches) return undefined
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return {
    owners: search.scores(matches.index, matches.terms),
    column: 'id',
    join: words.joinInOrder ?? 'join',
    rest: all(...parts.filter(other => other !== matches)),
  }
}

/** A condition on the id of a row that the column has: its texts match. */
export const matched = ({ index, terms }: Matches, id: string, { search }: Engine): Sql =>
  sql(`${id} in (`, search.ids(index, terms), ')')

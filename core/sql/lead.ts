import type { Engine } from '../engines/engine.js'
import type { Sql, Words } from '../engines/words.js'
import { matchesIn, rankField } from '../query/search/rank.js'
import { all, type Condition, type Matches, type QueryNode } from '../query/tree.js'
import { sql, type Values } from './statement.js'

/** The start of a root's statement: the owners of linked rows, the join with them, and the conditions that remain. */
export interface Lead {
  readonly owners: Sql
  readonly column: string
  /** Absent where nothing is asked of the rows themselves. */
  readonly join?: string | undefined
  readonly rest: Condition
}

/** The rows of a table behind its lead, as the source of a statement. */
export function leadOf(
  table: string,
  { owners, column, join }: Omit<Lead, 'rest'>,
  { quote }: Pick<Words, 'quote'>,
): Sql {
  return sql('(', owners, join ? `) f ${join} ${quote(table)} t on t.id = f.${quote(column)}` : ') f')
}

/** The score in the lead of a list that is sorted by rank. */
export const scoreColumn = `f.${rankField.column}`

/** The entries that match, with their scores, for a list that is sorted by these: by nothing else, if `only` says so. */
export function rankedLead(condition: Condition, { search, words }: Engine, only: boolean): Lead | undefined {
  const matches = matchesIn(condition)
  if (!matches) return undefined
  const parts = condition.kind === 'all' ? condition.of : [condition]
  return {
    owners: search.scores(matches.index, matches.terms),
    column: 'id',
    join: only && isAlone(condition, search) ? undefined : (words.joinInOrder ?? 'join'),
    rest: all(...parts.filter(other => other !== matches)),
  }
}

/** The index has all that is asked for. */
const isAlone = (condition: Condition, { followsAll }: Engine['search']): boolean =>
  followsAll && condition.kind === 'matches'

/** The source of a count of matching entries: without their scores, and in the index alone if there is no further condition. */
export function countedIn(
  { type, where: condition }: QueryNode,
  engine: Engine,
  values: Values,
): CountSource | undefined {
  const { search, words } = engine
  const matches = matchesIn(condition)
  if (!matches) return undefined
  const owners = values.keep(search.ids(matches.index, matches.terms))
  // It has the name of the table of the type, as cached responses are valid until that table changes.
  if (isAlone(condition, search)) return { lead: sql('(', owners, `) ${words.quote(type.table)}`), isAll: true }
  const join = words.joinInOrder ?? 'join'
  return { lead: leadOf(type.table, { owners, column: 'id', join }, words), isAll: false }
}

/** The source that a count selects from; `isAll` says that no condition remains. */
export interface CountSource {
  readonly lead: Sql
  readonly isAll: boolean
}

/** A condition on the id of a row that the column has: its texts match. */
export const matched = ({ index, terms }: Matches, id: string, { search }: Engine): Sql =>
  sql(`${id} in (`, search.ids(index, terms), ')')

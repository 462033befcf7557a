import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import { isHeavy } from '../query/budget.js'
import type { Compare, Condition, QueryNode } from '../query/tree.js'
import type { CountSource } from './lead.js'
import type { Selects } from './selects.js'
import type { Conditions } from './sql.js'
import { bare, sql, statementOf } from './statement.js'

/** Values with which a condition may be written twice in one statement, whose number of values has a limit. */
const fewValues = 100

/** The parts of the statement that counts a list. */
interface CountParts {
  readonly root: QueryNode
  readonly conditions: Conditions
  readonly counted: CountSource | undefined
}

/**
 * The statement that counts all entries of a list. If the condition on a row is quick, it leaves out the looks at the clock on a
 * small table: they would be a sixth of its work.
 */
export function countOf({ root, conditions, counted }: CountParts, selects: Selects, { words }: Engine): Sql {
  const { node, lead, where, unguarded } = conditions
  const counting = (condition: Sql | undefined) => {
    const query = selects.query(node, counted?.lead ?? lead).select(selects.raw(bare('count(*)')))
    if (condition && !counted?.isAll) query.whereRaw(selects.raw(condition))
    return statementOf(query.toKnexQuery())
  }
  const count = counting(where)
  if (!words.isSmall || !unguarded || isHeavy(root) || !isBrief(root.where)) return selects.finished(count)
  const isSmall = words.isSmall(words.quote(node.type.table))
  return selects.finished(sql(`select case when ${isSmall} then (`, counting(unguarded), ') else (', count, ') end'))
}

/** It compares a row with a few values: that takes about as long on each row, as their content does not matter. */
function isBrief(condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.every(isBrief)
    case 'not':
      return isBrief(condition.of)
    case 'compare':
      return !isLong(condition) && condition.values.length <= fewValues
    default:
      return condition.kind === 'always' || condition.kind === 'never'
  }
}

/** The time of such a comparison depends on the length of the text. */
const isLong = ({ operator, field }: Compare): boolean =>
  operator === 'like' || operator === 'notLike' || field.type.as === 'json'

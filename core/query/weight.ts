import { ValidationError } from '../errors.js'
import type { Condition, QueryNode } from './tree.js'

/** What a step through a link, and a sort by what lies behind many entries, cost next to a comparison. */
const link = 8
const farSort = 100
/** A filter through two links, or some twenty comparisons: what costs no more is never in anybody's way. */
const most = 26

/** A query that can take long on few rows: where statements have to be told to look at the clock, it is told at every row. */
export const isHeavy = (root: QueryNode): boolean => weightOf(root) > most

function weightOf({ where, order, children }: QueryNode): number {
  const filters = weigh(where, 1)
  const sorts = order.map(({ through: [first, second] }) => (second || first?.link.many ? farSort : first ? link : 0))
  const below = children.flatMap(({ nodes }) => nodes.map(weightOf))
  return [filters, ...sorts, ...below].reduce((sum, weight) => sum + weight, 0)
}

/** Each link weighs as many times as there are links before it. */
function weigh(condition: Condition, depth: number): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, part) => sum + weigh(part, depth), 0)
    case 'some':
    case 'none':
      return link * depth + weigh(condition.where, depth + 1) + weigh(condition.node.where, depth + 1)
    case 'compare':
    case 'not':
      return 1
    default:
      return 0
  }
}

/** What a query is told that ran out of time. */
export function tooSlow(milliseconds: number): ValidationError {
  const message = `query: it takes longer than ${milliseconds} milliseconds; filter and sort by less, or raise statementTimeout of config/database`
  return new ValidationError(message, { parameter: 'query', errors: [{ path: [], message, name: 'ValidationError' }] })
}

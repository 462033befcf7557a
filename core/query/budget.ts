import { ValidationError } from '../errors.js'
import type { Condition, QueryNode } from './tree.js'

/** The maximum cost of one request; each limit is a setting under `config/api: rest.limits`. */
export interface Limits {
  /** Statements of one response: the root, the total, one for each populated path. */
  readonly statements: number
  /** Links that filters and sorts go through; one that is reached through others counts for as many as it is deep. */
  readonly joins: number
  /** Comparisons in filters and text search. */
  readonly conditions: number
  /** Entries of one response, populated ones included. */
  readonly entries: number
}

/** A query may be planned with so many times the statements that it may run: in zones most types stand nowhere. */
const mostPossible = 10

/** Counts the cost of a query while it is read, before anything runs. */
export class Budget {
  readonly limits: Limits
  /** The maximum number of values in a query, and the number of those that may still come as JSON text. */
  readonly values: { readonly most: number; left: number }
  readonly #spent = { statements: 0, joins: 0, conditions: 0 }
  /** Statements that the query may still be planned with, whether they run or not. */
  readonly #possible: { left: number }
  /** The budget that counts all but statements. */
  readonly #whole: Budget | undefined

  constructor(limits: Limits, values = { most: Infinity, left: Infinity }, whole?: Budget) {
    this.limits = limits
    this.values = { ...values }
    this.#possible = { left: limits.statements * mostPossible }
    if (!whole) return
    this.values = whole.values
    this.#possible = whole.#possible
    this.#whole = whole
  }

  /** The budget of rows that may not be there: its statements count once it is known that they run. */
  ofPossible(): Budget {
    return new Budget(this.limits, this.values, this)
  }

  get statements(): number {
    return this.#spent.statements
  }

  spend(what: 'statements' | 'joins' | 'conditions', path: readonly string[], cost = 1): void {
    if (what !== 'statements' && this.#whole) {
      this.#whole.spend(what, path, cost)
      return
    }
    this.#spent[what] += cost
    if (what === 'statements') this.#possible.left -= cost
    if (this.#spent[what] > this.limits[what] || this.#possible.left < 0)
      throw overBudget(what, this.limits[what], path)
  }
}

export function overBudget(what: keyof Limits, limit: number, path: readonly string[]): ValidationError {
  const parameter = path[0] ?? 'query'
  const message = `${parameter}: the query needs more than ${limit} ${what}; ask for less, or raise rest.limits.${what}`
  return new ValidationError(message, {
    parameter,
    errors: [{ path: [...path], message, name: 'ValidationError' }],
  })
}

/** The cost of a step through a link, and of a sort by values behind many entries; a comparison costs 1. */
const link = 8
const farSort = 100
/** A filter through two links, or some twenty comparisons: a query that costs no more never delays other requests. */
const most = 26

/** A query that can take long on few rows: where statements have to be told to look at the clock, it is told at every row. */
export const isHeavy = (root: QueryNode): boolean => weightOf(root) > most

function weightOf({ where, order, children }: QueryNode): number {
  const filters = weigh(where, 1)
  const sorts = order.map(({ through: [first, second] }) => (second || first?.link.many ? farSort : first ? link : 0))
  const below = children.flatMap(({ as, nodes }) => (as === 'meta' ? [] : nodes.map(weightOf)))
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
    case 'matches':
    case 'atMost':
    case 'not':
      return 1
    default:
      return 0
  }
}

/** The refusal of a query that ran out of time. */
export function tooSlow(milliseconds: number): ValidationError {
  const message = `query: it takes longer than ${milliseconds} milliseconds; filter and sort by less, or raise statementTimeout of config/database`
  return new ValidationError(message, { parameter: 'query', errors: [{ path: [], message, name: 'ValidationError' }] })
}

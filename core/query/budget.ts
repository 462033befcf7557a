import { ValidationError } from '../errors.js'

/** What one request may cost; each is a setting under `config/api: rest.limits`. */
export interface Limits {
  /** Statements of one answer: the root, the total, one for each populated path. */
  readonly statements: number
  /** Links that filters and sorts go through; one that is reached through others counts for as many as it is deep. */
  readonly joins: number
  /** Comparisons in filters and text search. */
  readonly conditions: number
  /** Entries of one answer, populated ones included. */
  readonly entries: number
}

/** Counts the cost of a query while it is read, before anything runs. */
export class Budget {
  readonly limits: Limits
  readonly #spent = { statements: 0, joins: 0, conditions: 0 }

  constructor(limits: Limits) {
    this.limits = limits
  }

  spend(what: 'statements' | 'joins' | 'conditions', path: readonly string[], cost = 1): void {
    this.#spent[what] += cost
    if (this.#spent[what] > this.limits[what]) throw overBudget(what, this.limits[what], path)
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

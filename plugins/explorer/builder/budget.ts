/** The limits of one request. */
export interface Limits {
  readonly statements: number
  readonly joins: number
  readonly conditions: number
}

/** Counts the cost of a query while it is built, as the server does while it reads it: parts beyond the limits are not sent. */
export class Budget {
  readonly #left: { statements: number; joins: number; conditions: number }
  readonly #exceeded = new Set<string>()

  constructor({ statements, joins, conditions }: Limits) {
    // The entries themselves, their total, and the lists of plugins in their meta.
    this.#left = { statements: statements - 5, joins, conditions }
  }

  /** True if the budget can afford it, which is then spent. */
  takes(cost: Partial<Limits>): boolean {
    const costs = Object.entries(cost) as [keyof Limits, number][]
    const over = costs.filter(([what, count]) => count > this.#left[what])
    for (const [what] of over) this.#exceeded.add(what)
    if (over.length > 0) return false
    for (const [what, count] of costs) this.#left[what] -= count
    return true
  }

  get exceeded(): readonly string[] {
    return [...this.#exceeded]
  }
}

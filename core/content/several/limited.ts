import type { Session } from '../../engines/session.js'
import { PayloadTooLargeError } from '../../errors.js'

/** Counts the statements of a write while its transaction is open, as all other writers may have to wait for its end. */
export class StatementLimit {
  readonly #most: number
  #spent = 0

  constructor(most: number) {
    this.#most = most
  }

  get spent(): number {
    return this.#spent
  }

  spend(statements: number): void {
    this.#spent += statements
    if (this.#spent > this.#most) throw tooMuchWork(this.#most)
  }
}

/** The refusal of a write that would keep others waiting for too long. */
const tooMuchWork = (most: number): PayloadTooLargeError =>
  new PayloadTooLargeError(
    `The request needs more than ${most} statements in one transaction, and nothing of it is stored; send less in one request, or raise rest.limits.writes`,
  )

/** A session of a transaction that ends with a refusal where more statements are asked of it than the limit says. */
export function limited<Own extends Session>(session: Own, limit: StatementLimit): Own {
  const { batch, afterCommit } = session
  const counted = <Result>(ask: (sql: string, values: readonly unknown[]) => Result): typeof ask => {
    return (sql, values) => {
      limit.spend(1)
      return ask(sql, values)
    }
  }
  return {
    all: counted((...asked) => session.all(...asked)),
    run: counted((...asked) => session.run(...asked)),
    ...(batch && { batch: { ...batch, all: counted(batch.all), run: counted(batch.run) } }),
    ...(afterCommit && { afterCommit }),
  } satisfies Session as Session as Own
}

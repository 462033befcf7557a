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
export function limited(session: Session, limit: StatementLimit): Session {
  const { together, last, settled, atEnd, afterCommit } = session
  return {
    all(sql, values) {
      limit.spend(1)
      return session.all(sql, values)
    },
    run(sql, values, heard) {
      limit.spend(1)
      return session.run(sql, values, heard)
    },
    ...(together && {
      async together(statements) {
        limit.spend(statements.length)
        return together(statements)
      },
    }),
    ...(last && {
      async last(sql, values) {
        limit.spend(1)
        return last(sql, values)
      },
    }),
    ...(atEnd && {
      atEnd(sql, values, heard) {
        limit.spend(1)
        atEnd(sql, values, heard)
      },
    }),
    ...(settled && { settled }),
    ...(afterCommit && { afterCommit }),
  }
}

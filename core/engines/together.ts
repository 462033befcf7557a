import type { RawRow, Session, Statement } from './session.js'

interface Asked extends Statement {
  readonly resolve: (rows: readonly RawRow[]) => void
  readonly reject: (reason: unknown) => void
}

/** A session whose reads wait for each other and leave in one piece when they are sent; later ones leave at once. */
class Together {
  #waiting: Asked[] | undefined = []
  readonly #session: Session
  readonly session: Session

  constructor(session: Session) {
    this.#session = session
    this.session = {
      run: (sql, values, heard) => session.run(sql, values, heard),
      all: (sql, values) => {
        const waiting = this.#waiting
        if (!waiting) return session.all(sql, values)
        return new Promise((resolve, reject) => waiting.push({ sql, values, resolve, reject }))
      },
      ...(session.afterCommit && { afterCommit: session.afterCommit }),
    }
  }

  send(): void {
    const asked = this.#waiting ?? []
    this.#waiting = undefined
    this.#found(asked).then(
      found => {
        for (const [index, { resolve }] of asked.entries()) resolve(found[index] as readonly RawRow[])
      },
      reason => {
        for (const { reject } of asked) reject(reason)
      },
    )
  }

  async #found(asked: readonly Asked[]): Promise<readonly (readonly RawRow[])[]> {
    const [first, ...others] = asked
    if (!first) return []
    if (others.length === 0) return [await this.#session.all(first.sql, first.values)]
    return (this.#session as Required<Session>).together(asked)
  }
}

/** Does work whose reads leave in one piece, as far as it asks for them at once. */
export function inOnePiece<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
  const asked = new Together(session)
  const done = work(asked.session)
  asked.send()
  return done
}

/** The rows of some reads: in one piece, where the database takes that. */
export async function inOneOrMore(
  session: Session,
  statements: readonly Statement[],
): Promise<readonly (readonly RawRow[])[]> {
  if (session.together && statements.length > 1) return session.together(statements)
  const found: (readonly RawRow[])[] = []
  for (const { sql, values } of statements) found.push(await session.all(sql, values))
  return found
}

import { type SessionStatement, toldElsewhere } from '../batch.js'
import type { Batch, ChangeResult, RawRow } from '../session.js'

/** A session that waits for nothing. */
interface ImmediateSession {
  all(sql: string, values: readonly unknown[]): readonly RawRow[]
  run(sql: string, values: readonly unknown[]): ChangeResult
}

interface WaitingStatement extends SessionStatement {
  readonly table: string
}

const written = /^\s*(?:insert\s+into|update|delete\s+from)\s+["`]?(\w+)/i
const isControl = /^\s*(?:savepoint|release|rollback)\b/i

/**
 * The batch of writes, one after the other. A change waits until something names its table, and at most for the end of the
 * group of writes, where it runs with those of others: outside of the savepoint of its write, which would copy each page that
 * it changes.
 */
export class WriteBatch implements Batch {
  readonly isPiece = false
  readonly #own: ImmediateSession
  #waiting: WaitingStatement[] = []
  #failure: { readonly reason: unknown } | undefined

  constructor(own: ImmediateSession) {
    this.#own = own
  }

  readonly all = (sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> =>
    this.#atOnce(() => this.#own.all(sql, values), sql)

  readonly run = (sql: string, values: readonly unknown[]): Promise<ChangeResult> => {
    const [, table] = written.exec(sql) ?? []
    if (table === undefined) return this.#atOnce(() => this.#own.run(sql, values), sql)
    return toldElsewhere(
      new Promise((resolve, reject) => {
        this.#waiting.push({ sql, values, table, resolve: (_, changes) => resolve({ changes, id: 0 }), reject })
      }),
    )
  }

  readonly send = async (): Promise<void> => this.#flush()

  /** Runs the changes that a statement may see, and throws the error of a statement of the batch. */
  before(sql: string): void {
    if (this.#waiting.length === 0 && !this.#failure) return
    if (/^\s*rollback\b/i.test(sql)) this.restart()
    if (isControl.test(sql) || this.#waiting.some(({ table }) => sql.includes(table))) this.#flush()
    else this.#assertWell()
  }

  /** Takes the statements that are left for the end of the group. */
  take(): readonly SessionStatement[] {
    this.#assertWell()
    return this.#waiting.splice(0)
  }

  /** Rejects collected statements, as their write was undone. */
  restart(): void {
    this.#failure = undefined
    if (this.#waiting.length > 0) rejectAll(this.#waiting.splice(0), new Error('the statement was undone'))
  }

  #atOnce<T>(ask: () => T, sql: string): Promise<T> {
    try {
      this.before(sql)
      return Promise.resolve(ask())
    } catch (reason) {
      this.#failure ??= { reason }
      return toldElsewhere(Promise.reject(reason))
    }
  }

  #assertWell(): void {
    if (this.#failure) throw this.#failure.reason
  }

  #flush(): void {
    this.#assertWell()
    if (this.#waiting.length === 0) return
    try {
      runAll(this.#waiting.splice(0), this.#own)
    } catch (reason) {
      this.#failure = { reason }
      throw reason
    }
  }
}

/** Runs collected statements in their order, until one of them fails. */
export function runAll(statements: readonly SessionStatement[], { run }: Pick<ImmediateSession, 'run'>): void {
  for (const [index, { sql, values, resolve }] of statements.entries())
    try {
      resolve?.([], run(sql, values).changes)
    } catch (reason) {
      rejectAll(statements.slice(index), reason)
      throw reason
    }
}

export function rejectAll(statements: readonly SessionStatement[], reason: unknown): void {
  for (const { reject } of statements) reject?.(reason)
}

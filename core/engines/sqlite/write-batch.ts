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
const control = /^\s*(savepoint|release|rollback)(?:\s+to)?(?:\s+savepoint)?(?:\s+(\w+))?/i

/** A savepoint that is open within a write, with the number of changes that waited when it began. */
interface OpenSavepoint {
  readonly name: string
  waiting: number
}

/**
 * The batch of writes, one after the other. A change waits until something names its table, and at most for the end of the
 * group of writes, where it runs with those of others: outside of the savepoint of its write, which would copy each page that
 * it changes.
 */
export class WriteBatch implements Batch {
  readonly isPiece = false
  readonly #own: ImmediateSession
  #waiting: WaitingStatement[] = []
  #savepoints: OpenSavepoint[] = []
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

  readonly send = async (): Promise<void> => this.#assertWell()

  /** Runs the changes that a statement may see, and throws the error of a statement of the batch. */
  before(sql: string): void {
    const [, word, name] = control.exec(sql) ?? []
    if (word !== undefined) this.#follow(word.toLowerCase(), name)
    else if (this.#waiting.some(({ table }) => sql.includes(table))) this.#flush()
    else this.#assertWell()
  }

  /**
   * Changes go on waiting through savepoints of their write, so that the group keeps them in the order of its writes; those of
   * a savepoint that is undone are dropped.
   */
  #follow(word: string, name?: string): void {
    if (word === 'savepoint') {
      this.#assertWell()
      this.#savepoints.push({ name: name as string, waiting: this.#waiting.length })
      return
    }
    const at = this.#savepoints.findLastIndex(open => open.name === name)
    if (word === 'release') {
      this.#assertWell()
      if (at >= 0) this.#savepoints.length = at
    } else if (at < 0) this.restart()
    else {
      this.#failure = undefined
      this.#savepoints.length = at + 1
      rejectAll(this.#waiting.splice((this.#savepoints[at] as OpenSavepoint).waiting), undoneError())
    }
  }

  /** Takes the statements that are left for the end of the group. */
  take(): readonly SessionStatement[] {
    this.#assertWell()
    return this.#waiting.splice(0)
  }

  /** Rejects collected statements, as their write was undone. */
  restart(): void {
    this.#failure = undefined
    this.#savepoints = []
    rejectAll(this.#waiting.splice(0), undoneError())
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
      for (const savepoint of this.#savepoints) savepoint.waiting = 0
      runAll(this.#waiting.splice(0), this.#own)
    } catch (reason) {
      this.#failure = { reason }
      throw reason
    }
  }
}

const undoneError = () => new Error('the statement was undone')

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

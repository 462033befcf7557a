import { type Changed, type Failure, type Heard, OneByOne, Overtaken, type RawRow, type Session } from '../engine.js'

/**
 * The session of a transaction that remembers what ended it. A cluster may answer a commit after that with "ok" although
 * nothing is stored, so code that catches the error of a statement must not be able to go on.
 */
export class StrictSession implements Session {
  readonly #session: Session
  readonly #classify: (error: unknown) => Failure | undefined
  #end: unknown
  readonly settled?: Required<Session>['settled']
  readonly together?: Required<Session>['together']
  readonly last?: Required<Session>['last']
  /** What is known of the transaction once it has been asked to end with a read. */
  outcome: 'open' | 'unknown' | 'stored' = 'open'

  /** `mayEnd` says that nothing stands between the last read and the commit. */
  constructor(
    session: Session,
    classify: (error: unknown) => Failure | undefined,
    { isOneByOne, mayEnd }: { readonly isOneByOne: boolean; readonly mayEnd: boolean },
  ) {
    this.#session = session
    this.#classify = classify
    const { settled, together, last } = session
    if (settled) this.settled = async () => (this.outcome === 'stored' ? undefined : this.#watch(settled))
    if (isOneByOne) return
    if (together) this.together = statements => this.#watch(() => together(statements))
    if (last && mayEnd) this.last = (sql, values) => this.#watch(() => this.#conclude(() => last(sql, values)))
  }

  all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    return this.#watch(() => this.#session.all(sql, values))
  }

  run(sql: string, values: readonly unknown[], heard?: Heard): Changed | Promise<Changed> {
    this.#mustBeOpen()
    const changed = this.#session.run(sql, values, heard)
    // What is left for the next statement cannot fail before.
    return changed instanceof Promise ? this.#watch(() => changed) : changed
  }

  /** Throws what ended the transaction, if something did. */
  assertOpen(): void {
    if (this.#end !== undefined) throw this.#end
  }

  #mustBeOpen(): void {
    this.assertOpen()
    if (this.outcome !== 'open') throw new Error('the transaction of this session has ended with its last read')
  }

  async #conclude<T>(last: () => Promise<T>): Promise<T> {
    this.outcome = 'unknown'
    try {
      const found = await last()
      this.outcome = 'stored'
      return found
    } catch (error) {
      const kind = this.#classify(OneByOne.reason(error))?.kind
      // Anything else is what the server says of a transaction that it has not stored.
      if (kind !== 'unavailable' && kind !== 'timeout') this.outcome = 'open'
      throw error
    }
  }

  async #watch<T>(run: () => T | Promise<T>): Promise<T> {
    this.#mustBeOpen()
    try {
      return await run()
    } catch (error) {
      const kind = this.#classify(error)?.kind
      if (kind === 'retry' || kind === 'unavailable' || error instanceof Overtaken) this.#end = error
      throw error
    }
  }
}

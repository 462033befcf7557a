import { type Changed, type Failure, type Heard, Overtaken, type RawRow, type Session } from '../engine.js'

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

  constructor(session: Session, classify: (error: unknown) => Failure | undefined) {
    this.#session = session
    this.#classify = classify
    const { settled, together } = session
    if (settled) this.settled = () => this.#watch(settled)
    if (together) this.together = statements => this.#watch(() => together(statements))
  }

  all(sql: string, values: readonly unknown[]): Promise<readonly RawRow[]> {
    return this.#watch(() => this.#session.all(sql, values))
  }

  run(sql: string, values: readonly unknown[], heard?: Heard): Promise<Changed> {
    return this.#watch(() => this.#session.run(sql, values, heard))
  }

  /** Throws what ended the transaction, if something did. */
  assertOpen(): void {
    if (this.#end !== undefined) throw this.#end
  }

  async #watch<T>(run: () => T | Promise<T>): Promise<T> {
    this.assertOpen()
    try {
      return await run()
    } catch (error) {
      const kind = this.#classify(error)?.kind
      if (kind === 'retry' || kind === 'unavailable' || error instanceof Overtaken) this.#end = error
      throw error
    }
  }
}

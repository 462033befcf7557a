const ended = () => undefined

/** A queue of the statements of a session, which run one after the other. */
export class InTurn {
  #last: Promise<unknown> | undefined

  /** Resolves when all statements so far have ended; undefined if nothing is running. */
  get idle(): Promise<unknown> | undefined {
    return this.#last
  }

  async run<T>(ask: () => Promise<T>): Promise<T> {
    const answered = this.#last ? this.#last.then(ask) : ask()
    const last = answered.then(ended, ended)
    this.#last = last
    try {
      return await answered
    } finally {
      if (this.#last === last) this.#last = undefined
    }
  }
}

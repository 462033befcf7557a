const ended = () => undefined

/** What a session asks, one after the other. */
export class InTurn {
  #last: Promise<unknown> | undefined

  /** Resolves when what was asked so far has ended; undefined where nothing is running. */
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

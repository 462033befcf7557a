const ended = () => undefined

/** What a session asks, one after the other. */
export class InTurn {
  /** Resolves when nothing that was begun is still running. */
  idle: Promise<unknown> | undefined

  async run<T>(ask: () => Promise<T>): Promise<T> {
    const answered = this.idle ? this.idle.then(ask) : ask()
    const idle = answered.then(ended, ended)
    this.idle = idle
    try {
      return await answered
    } finally {
      if (this.idle === idle) this.idle = undefined
    }
  }
}

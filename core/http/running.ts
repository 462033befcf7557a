/** Requests at work: some clear up behind their answer, when their connection does not show them any more. */
export class Running {
  readonly #all = new Set<Promise<unknown>>()

  add(work: Promise<unknown>): void {
    this.#all.add(work)
    const end = () => this.#all.delete(work)
    work.then(end, end)
  }

  /** Resolves when none is at work, or at the deadline. */
  async ended(deadline: number): Promise<void> {
    let late: NodeJS.Timeout | undefined
    const tooLate = new Promise<void>(resolve => {
      late = setTimeout(resolve, Math.max(0, deadline - performance.now()))
    })
    await Promise.race([Promise.allSettled(this.#all), tooLate])
    clearTimeout(late)
  }
}

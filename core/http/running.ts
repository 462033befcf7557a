/** Requests at work: some clear up behind their answer, when their connection does not show them any more. */
export class Running {
  #count = 0
  #whenNone: () => void = () => undefined

  add(work: Promise<unknown>): void {
    this.#count += 1
    work.then(this.#end, this.#end)
  }

  readonly #end = (): void => {
    this.#count -= 1
    if (this.#count === 0) this.#whenNone()
  }

  /** Resolves when none is at work, or at the deadline. */
  async ended(deadline: number): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, Math.max(0, deadline - performance.now()))
      this.#whenNone = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }
}

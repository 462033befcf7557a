/** Milliseconds of work on one answer, after which others have their turn. */
const slice = 5

/** Long pieces of work that wait to go on: one of them does in each turn of the event loop. */
const waiting: (() => void)[] = []

function goOn(): void {
  const next = waiting.shift()
  if (waiting.length > 0) setImmediate(goOn)
  next?.()
}

/** Goes on with long work after all others had their turn, and those that waited before with theirs. */
export function inTurn(work: () => void): void {
  if (waiting.push(work) === 1) setImmediate(goOn)
}

/** Long work stops for breath: `if (breath.isDue) await breath.take()`. What is short never waits. */
export class Breath {
  #begun = performance.now()

  get isDue(): boolean {
    return performance.now() - this.#begun > slice
  }

  async take(): Promise<void> {
    await new Promise<void>(resolve => inTurn(resolve))
    this.begin()
  }

  /** Others had their turn meanwhile. */
  begin(): void {
    this.#begun = performance.now()
  }
}

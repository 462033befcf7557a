/** The time, and two ways to run something later. Everything that shares the event loop asks one clock; tests turn their own. */
export interface Clock {
  /** Milliseconds since some moment; they never go back. */
  now(): number
  /** Runs a step in the next event-loop turn. */
  soon(step: () => void): void
  /** Runs a step after so many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, step: () => void): () => void
}

export const realClock: Clock = {
  now: () => performance.now(),
  soon(step) {
    setImmediate(step)
  },
  after(milliseconds, step) {
    const timer = setTimeout(step, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** The result of work, or an error once it has taken so many milliseconds. The work itself goes on. */
export function within<T>(milliseconds: number, work: Promise<T>, late: () => Error, clock = realClock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(late()))
    const ended = <Value>(settle: (value: Value) => void) => {
      return (value: Value) => {
        cancel()
        settle(value)
      }
    }
    work.then(ended(resolve), ended(reject))
  })
}

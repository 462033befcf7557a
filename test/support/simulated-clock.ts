import type { Clock } from '../../core/loop/clock.js'

interface Timer {
  readonly at: number
  readonly step: () => void
}

/** Milliseconds of an event-loop turn in which nothing happens. */
const idleTurn = 0.01

/** Lets promises settle, as Node does after each callback. */
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

/**
 * An event loop of its own: work takes as long as the test says, and waiting takes no time at all. A turn runs the timers
 * that are due, arrivals among them, and then the steps that were asked for before it.
 */
export class SimulatedClock implements Clock {
  #now = 0
  #steps: (() => void)[] = []
  readonly #timers: Timer[] = []

  now(): number {
    return this.#now
  }

  soon(step: () => void): void {
    this.#steps.push(step)
  }

  after(milliseconds: number, step: () => void): () => void {
    const timer = { at: this.#now + milliseconds, step }
    const index = this.#timers.findLastIndex(({ at }) => at <= timer.at)
    this.#timers.splice(index + 1, 0, timer)
    return () => {
      const place = this.#timers.indexOf(timer)
      if (place >= 0) this.#timers.splice(place, 1)
    }
  }

  /** Work of so many milliseconds, in the step that runs. */
  work(milliseconds: number): void {
    this.#now += milliseconds
  }

  /** Runs a turn. If no step is waiting it begins with the next timer. */
  async turn(): Promise<void> {
    await settled()
    const [next] = this.#timers
    if (this.#steps.length === 0 && next) this.#now = Math.max(this.#now, next.at)
    this.#now += idleTurn
    const due = this.#now
    for (let [first] = this.#timers; first && first.at <= due; [first] = this.#timers) {
      this.#timers.shift()
      first.step()
      await settled()
    }
    for (const step of this.#steps.splice(0)) {
      step()
      await settled()
    }
  }

  async turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await this.turn()
  }

  /** The result of work, after as many turns as it takes. */
  async resultOf<T>(work: T | Promise<T>): Promise<T> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    const result = Promise.resolve(work)
    result.then(end, end)
    await settled()
    await this.until(() => isOver)
    return result
  }

  /** As many turns as it takes until that is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await this.turn()
  }
}

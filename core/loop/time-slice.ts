import { type Clock, realClock } from './clock.js'
import { longResponse } from './constants.js'

/** Long pieces of work that have yielded: one of them goes on in each event-loop turn. */
export class LongWork {
  readonly clock: Clock
  readonly #waiting: (() => void)[] = []

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Goes on after all others had their turn, and those that yielded before had theirs. */
  resumeLater(work: () => void): void {
    if (this.#waiting.push(work) === 1) this.clock.soon(this.#next)
  }

  readonly #next = (): void => {
    const next = this.#waiting.shift()
    if (this.#waiting.length > 0) this.clock.soon(this.#next)
    next?.()
  }
}

export const longWork = new LongWork(realClock)

/** The time slice of long work: `if (slice.isOver) await slice.yield()`. Short work never waits. */
export class TimeSlice {
  readonly #work: LongWork
  #begun: number

  constructor(work = longWork) {
    this.#work = work
    this.#begun = work.clock.now()
  }

  get isOver(): boolean {
    return this.#work.clock.now() - this.#begun > longResponse.slice
  }

  async yield(): Promise<void> {
    await new Promise<void>(resolve => this.#work.resumeLater(resolve))
    this.restart()
  }

  /** Begins a new slice: others had their turn meanwhile. */
  restart(): void {
    this.#begun = this.#work.clock.now()
  }
}

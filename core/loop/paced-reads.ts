import type { Readable } from 'node:stream'
import { pacedReading } from './constants.js'
import { type LongWork, longWork } from './time-slice.js'

/**
 * Keeps large results from being read in one go: the system has megabytes of them ready at any time, and while they are
 * parsed no other request is served.
 */
export class PacedReads {
  readonly #work: LongWork
  /** The time at which the rows of this event-loop turn began to arrive, on whichever connection. */
  #begun: number | undefined

  constructor(work: LongWork) {
    this.#work = work
  }

  /** Listens behind the driver, to see how long it took. */
  pace(stream: Readable): void {
    stream.on('data', () => {
      const { clock } = this.#work
      const now = clock.now()
      if (this.#begun === undefined) {
        this.#begun = now
        clock.soon(this.#end)
      } else if (now - this.#begun > pacedReading.slice && !stream.isPaused()) {
        stream.pause()
        this.#work.resumeLater(() => stream.resume())
      }
    })
  }

  readonly #end = (): void => {
    this.#begun = undefined
  }
}

export const pacedReads = new PacedReads(longWork)

import type { Readable } from 'node:stream'
import { inTurn } from './breath.js'

/** Milliseconds of one turn of the event loop in which rows are taken off connections. */
const slice = 10

/** When the rows of this turn began to arrive, on whichever connection. */
let begun: number | undefined

/**
 * Keeps a large result from being read in one go: the system has megabytes of it ready at any time, and while they are
 * taken apart nobody else is answered. Listens behind the driver, so that it sees how long that took.
 */
export function paced(stream: Readable): void {
  stream.on('data', () => {
    const now = performance.now()
    if (begun === undefined) {
      begun = now
      setImmediate(() => {
        begun = undefined
      })
    } else if (now - begun > slice && !stream.isPaused()) {
      stream.pause()
      inTurn(() => stream.resume())
    }
  })
}

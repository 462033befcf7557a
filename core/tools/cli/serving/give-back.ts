import { strainOfProcess } from '../../../loop/commit-spacing.js'
import { set } from '../v8.js'

/** What outside of its heap has V8 begin a collection: it does so at 64 MB. */
const pressure = 80_000_000
/** Seconds of a server in which memory may count for more than speed: V8 looks eight seconds after a collection. */
const settling = 12
/** The share of its time that a process works which has nothing to do. */
const idle = 0.1

/**
 * V8 gives memory back when a process is idle, but only after a collection, and a start may end without one. Memory
 * outside of the heap makes V8 begin one, in steps of a few milliseconds; nothing is ever written to it, so the system
 * provides none. V8 then takes what the start has allocated for the rate of a process that is busy, half a minute long on
 * a slow machine, unless memory counts for more than speed when it looks. With both, 112 MB became 86 after ten seconds.
 */
export function giveBackSoon(): void {
  let seconds = 0
  const strain = strainOfProcess()
  const timer = setInterval(() => {
    seconds += 1
    if (seconds === 1) beginCollection()
    if (seconds === settling) clearInterval(timer)
    set('--optimize-for-size', strain() < idle && seconds < settling)
  }, 1000).unref()
}

function beginCollection(): void {
  try {
    void new ArrayBuffer(pressure)
  } catch {
    // There is a limit on addresses, and memory is given back later.
  }
}

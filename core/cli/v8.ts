import { setFlagsFromString } from 'node:v8'

/** Options of V8, unless they are set where the process is started. */
const set = (flag: string, value: number): void => {
  if (!process.execArgv.some(arg => arg.startsWith(flag))) setFlagsFromString(`${flag}=${value}`)
}

const budget = '--interrupt-budget'
/** The measure of V8 11.3, the one of Node.js 20; newer ones have several. */
const usual = 67_584
const patient = 2_000_000
const hasBudget = process.versions.v8.startsWith('11.3.')

/** Most of what a command or a start does is done once: V8 looks thirty times as late for what is worth optimizing. */
export function optimizeLate(): void {
  if (hasBudget) set(budget, patient)
}

/** A server does the same again and again. */
export function optimizeSoon(): void {
  if (hasBudget) set(budget, usual)
}

/**
 * The heap is collected when it has twice the size of what was in use, not up to four times: cached responses that are no
 * longer valid are most of the rest. Under a mixed load that saved a quarter of the memory and cost no measurable time.
 */
export function limitGarbage(): void {
  set('--heap-growing-percent', 100)
}

/** What outside of its heap has V8 begin a collection: it does so at 64 MB. */
const pressure = 80_000_000

/**
 * V8 gives memory back when a process is idle, but only after a collection, and a start may end without one: it kept
 * 88 MB then instead of 75. Memory outside of the heap makes V8 begin one, in steps of a few milliseconds; nothing is
 * ever written to it, so the system provides none.
 */
export function collectSoon(): void {
  setTimeout(() => {
    try {
      void new ArrayBuffer(pressure)
    } catch {
      // There is a limit on addresses, and memory is not given back.
    }
  }, 1000).unref()
}

import { setFlagsFromString } from 'node:v8'

/** Options of V8, unless they are set where the process is started. */
export const set = (flag: string, value: number | boolean): void => {
  if (process.execArgv.some(arg => arg.startsWith(flag))) return
  if (typeof value === 'number') setFlagsFromString(`${flag}=${value}`)
  else setFlagsFromString(value ? flag : flag.replace('--', '--no-'))
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

/**
 * Objects of requests that lived long by chance while V8 learned would be made as long-lived ones ever after, and what they
 * hold kept with them: some processes were slower by a third and larger by half.
 */
export function forgetLifetimes(): void {
  set(lifetimes, false)
}

const lifetimes = '--allocation-site-pretenuring'

/** Does work with the options that a process begins with: V8 takes what it has compiled under these alone. */
export function asAtFirst(work: () => void): void {
  set(lifetimes, true)
  work()
  set(lifetimes, false)
}

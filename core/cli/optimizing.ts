import { setFlagsFromString } from 'node:v8'

const flag = '--interrupt-budget'
/** The measure of V8 11.3, the one of Node.js 20; newer ones have several. */
const usual = 67_584
const patient = 2_000_000
const isOurs = process.versions.v8.startsWith('11.3.') && !process.execArgv.some(arg => arg.startsWith(flag))

/** Most of what a command or a start does is done once: V8 looks thirty times as late for what is worth optimizing. */
export function optimizeLate(): void {
  if (isOurs) setFlagsFromString(`${flag}=${patient}`)
}

/** A server does the same again and again. */
export function optimizeSoon(): void {
  if (isOurs) setFlagsFromString(`${flag}=${usual}`)
}

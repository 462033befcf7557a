import { findBinary } from './binary.js'

/** A program of Debian that a test needs. One that is missing under `CI=true` fails the run, and is loudly left out otherwise. */
export function toolOf(name: string, debian: string): string | undefined {
  const found = findBinary([name], ['/usr/sbin', '/usr/bin'])
  if (found !== undefined) return found
  if (process.env.CI === 'true') throw new Error(`${name} is required: apt-get install ${debian}`)
  console.warn(`\nSKIPPED: tests with ${name}, which is not there (apt-get install ${debian})\n`)
  return undefined
}

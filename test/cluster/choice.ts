import { findGalera } from './binaries.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Why the suites of the cluster are left out of this run; where it must not be, nothing is: the run fails. */
export function whyNoCluster(env: Environment, whyMissing = findGalera().reason): string | undefined {
  const named = env.STELE_TEST_ENGINES
  if (named && !named.split(',').some(name => name.trim() === 'mysql'))
    return `STELE_TEST_ENGINES=${named} leaves it out`
  if (whyMissing !== undefined && env.CI === 'true') throw new Error(`a Galera cluster is required: ${whyMissing}`)
  return whyMissing
}

/** The long form, with more of everything. */
export const isFull = process.env.STELE_FAULTS === 'full'

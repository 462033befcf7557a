import { findGalera } from './binaries.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The reason why no node can run on this machine; null if one can. */
const missing = (): string | null => findGalera().reason ?? null

/** The reason why the cluster's suites are left out of this run. If they must not be, the run fails. */
export function whyNoCluster(env: Environment, whyMissing = missing()): string | undefined {
  const named = env.STELE_TEST_ENGINES
  if (named && !named.split(',').some(name => name.trim() === 'mysql'))
    return `STELE_TEST_ENGINES=${named} leaves it out`
  if (whyMissing !== null && env.CI === 'true') throw new Error(`a Galera cluster is required: ${whyMissing}`)
  return whyMissing ?? undefined
}

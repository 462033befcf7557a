import { findMysqlKind, findPostgres } from './servers.js'

export const engineNames = ['sqlite', 'mysql', 'postgres'] as const
export type EngineName = (typeof engineNames)[number]

/** Reasons why engines stay out of this run; an engine without a reason takes part. */
export type Absences = { readonly [name in EngineName]?: string }

type Environment = Readonly<Record<string, string | undefined>>
type Installed = (engine: EngineName) => string | undefined

/**
 * `STELE_TEST_ENGINES=sqlite,mysql` names the engines of a run; all of them otherwise. One that is asked for by name, or
 * by `CI=true`, and is not installed fails the run: a suite that skips in silence proves nothing.
 */
export function chooseEngines(env: Environment, whyMissing: Installed = probe): Absences {
  const named = env.STELE_TEST_ENGINES ? readNames(env.STELE_TEST_ENGINES) : undefined
  const left = engineNames.filter(name => named && !named.includes(name))
  const missing = engineNames.filter(name => !left.includes(name) && whyMissing(name) !== undefined)
  const required = named !== undefined || env.CI === 'true'
  if (required && missing.length > 0) {
    throw new Error(
      `required test engines are missing: ${missing.map(name => `${name} (${whyMissing(name)})`).join(', ')}`,
    )
  }
  return Object.fromEntries([
    ...left.map(name => [name, `STELE_TEST_ENGINES=${env.STELE_TEST_ENGINES} leaves it out`]),
    ...missing.map(name => [name, whyMissing(name)]),
  ])
}

function readNames(list: string): EngineName[] {
  return list.split(',').map(item => {
    const name = engineNames.find(known => known === item.trim())
    if (name === undefined) {
      throw new Error(`STELE_TEST_ENGINES: "${item}" is not an engine; a comma-separated list of ${engineNames} is`)
    }
    return name
  })
}

function probe(engine: EngineName): string | undefined {
  if (engine === 'mysql') return findMysqlKind().reason
  if (engine === 'postgres') return findPostgres().reason
}

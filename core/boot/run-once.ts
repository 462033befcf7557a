import { rowsOf } from '../engines/built.js'
import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { once, prepareSteps, stepsTable } from '../layout/marks.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'

const stepsOf = (plugins: readonly Pick<EnabledPlugin, 'spec'>[]) =>
  plugins.flatMap(({ spec }) =>
    (spec.sync ?? []).map(step => ({ ...step, plugin: spec.name, key: `${spec.name}: ${step.name}` })),
  )

/** A step that the next start runs. */
export interface DueStep {
  readonly plugin: string
  readonly name: string
  /** The version that has it first. */
  readonly since: string | undefined
}

/** What the next start does once to a database that nothing is written to now. */
export async function dueSteps(engine: Engine, plugins: readonly Pick<EnabledPlugin, 'spec'>[]): Promise<DueStep[]> {
  const isThere = (await engine.introspect()).tables.has(stepsTable)
  const done = isThere ? await rowsOf(engine.reader, engine.knex(stepsTable).select('name')) : []
  const names = new Set(done.map(([name]) => String(name)))
  return stepsOf(plugins)
    .filter(({ key }) => !names.has(key))
    .map(({ plugin, name, since }) => ({ plugin, name, since }))
}

/** Runs the steps of plugins that are done once in the life of a database, each in a transaction with its own record. */
export async function runOnce(
  engine: Engine,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<void> {
  const steps = stepsOf(plugins)
  if (steps.length === 0) return
  await prepareSteps(engine)
  for (const { key, plugin, run } of steps) {
    const isDone = await once(engine, key, session => run(session, services.get(plugin))).catch(cause => {
      throw new BootError(`plugin ${key} failed, and was undone: ${(cause as Error).message}`, { cause, kind: 'data' })
    })
    if (isDone) log.info({ plugin }, `done once for this database: ${key}`)
  }
}

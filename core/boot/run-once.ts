import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { once, prepareSteps } from '../layout/marks.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'

/** Runs the steps of plugins that are done once in the life of a database, each in a transaction with its own record. */
export async function runOnce(
  engine: Engine,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<void> {
  const steps = plugins.flatMap(({ spec }) =>
    (spec.sync ?? []).map(step => ({ ...step, plugin: spec.name, key: `${spec.name}: ${step.name}` })),
  )
  if (steps.length === 0) return
  await prepareSteps(engine)
  for (const { key, plugin, run } of steps) {
    const isDone = await once(engine, key, session => run(session, services.get(plugin))).catch(cause => {
      throw new BootError(`plugin ${key} failed, and was undone: ${(cause as Error).message}`, { cause, kind: 'data' })
    })
    if (isDone) log.info({ plugin }, `done once for this database: ${key}`)
  }
}

import { rowsOf } from '../engines/built.js'
import type { Engine } from '../engines/engine.js'
import { prepareState } from '../engines/server/state.js'
import { BootError } from '../errors.js'
import {
  type KnownSteps,
  type RecordedStep,
  recordBlocking,
  recordVersionAlone,
  stepKey,
} from '../layout/changed-by.js'
import { once, prepareSteps, stepsTable } from '../layout/marks.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { stepsIn } from '../plugin/declared.js'

type Plugins = readonly Pick<EnabledPlugin, 'spec'>[]

const stepsOf = (plugins: Plugins) =>
  plugins.flatMap(plugin => stepsIn(plugin).map(step => ({ ...step, plugin: plugin.spec.name })))

/** The plugins and steps of this version, to be compared with those that a database records. */
export const knownSteps = (plugins: Plugins): KnownSteps => ({
  plugins: new Set(plugins.map(({ spec }) => spec.name)),
  steps: new Set(stepsOf(plugins).map(stepKey)),
})

/** A step of an enabled plugin, and when it was done, if it was. */
export interface OnceRecord extends RecordedStep {
  readonly done: Date | undefined
}

/** The steps that are done once in the life of a database: before now, or by the next start. */
export async function onceIn(engine: Engine, plugins: Plugins): Promise<OnceRecord[]> {
  const isThere = (await engine.introspect()).tables.has(stepsTable)
  const rows = isThere ? await rowsOf(engine.reader, engine.knex(stepsTable).select('name', 'time')) : []
  const times = new Map(rows.map(([name, time]) => [String(name), new Date(Number(time))]))
  return stepsOf(plugins).map(({ plugin, name, since }) => ({
    plugin,
    name,
    since,
    done: times.get(stepKey({ plugin, name })),
  }))
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
  let changes = false
  for (const { plugin, name, since, blocksOlder = false, run } of steps) {
    const key = stepKey({ plugin, name })
    const isDone = await once(engine, key, async session => {
      await run(session, services.get(plugin))
      if (blocksOlder) await recordBlocking(engine, session, { plugin, name, since })
    }).catch(cause => {
      throw new BootError(`plugin ${key} failed, and was undone: ${(cause as Error).message}`, { cause, kind: 'data' })
    })
    if (isDone) log.info({ plugin }, `one-time step done: ${key}`)
    changes ||= isDone
  }
  if (!changes) return
  await prepareState(engine)
  await recordVersionAlone(engine)
}

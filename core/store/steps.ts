import type { EnabledPlugin } from '../boot/arrange.js'
import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import { change, rowsOf } from './built.js'
import type { Engine } from './engine.js'
import { makeOwnTable, uniqueName } from './own-table.js'
import { transact } from './transaction.js'

/** Where it is kept what plugins have done to this database. */
export const stepsTable = 'stele_steps'

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
  const { knex } = engine
  for (const { key, plugin, run } of steps) {
    if ((await rowsOf(engine.reader, knex(stepsTable).select('id').where('name', key))).length > 0) continue
    const record = knex(stepsTable).insert({ name: key, time: Date.now() })
    const done = await transact(engine, async session => {
      try {
        await change(session, record)
      } catch (error) {
        // The unique name tells that another process has done the step meanwhile.
        throw engine.classify(error)?.kind === 'unique' ? new DoneMeanwhile() : error
      }
      await run(session, services.get(plugin))
      return true
    }).catch(cause => {
      if (cause instanceof DoneMeanwhile) return false
      throw new BootError(`plugin ${key} failed, and was undone: ${(cause as Error).message}`, { cause })
    })
    if (done) log.info({ plugin }, `done once for this database: ${key}`)
  }
}

export const prepareSteps = (engine: Engine): Promise<void> =>
  makeOwnTable(engine, stepsTable, builder => {
    uniqueName(builder, 'name', 190)
    builder.bigInteger('time')
  })

/** Another process has done it: this transaction has nothing to keep. */
export class DoneMeanwhile extends Error {}

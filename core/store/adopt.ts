import { appliesTo, type EnabledPlugin } from '../boot/arrange.js'
import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import type { Registry } from '../schema/registry.js'
import { change, rowsOf } from './built.js'
import type { Engine } from './engine.js'
import { DoneMeanwhile, prepareSteps, stepsTable } from './steps.js'
import { transact } from './transaction.js'

/**
 * Tells plugins of the types that they begin to apply to, and remembers when they ceased to. Every start does, also one
 * without the plugin: only it can know from when on entries are made without it.
 */
export async function adoptTypes(
  engine: Engine,
  plugins: readonly EnabledPlugin[],
  registry: Registry,
  services: ReadonlyMap<string, unknown>,
  log: Log,
): Promise<void> {
  const adopters = plugins.filter(({ spec }) => spec.adopt)
  if (adopters.length > 0) await prepareSteps(engine)
  else if (!(await engine.introspect()).tables.has(stepsTable)) return
  const { knex } = engine
  const rows = await rowsOf(engine.reader, knex(stepsTable).select('name', 'time'))
  const marks = new Map(rows.map(([name, time]) => [String(name), Number(time)]))
  const types = [...registry.types.values()].filter(({ kind }) => kind !== 'component')
  const pairs = adopters.flatMap(adopter =>
    types
      .filter(type => appliesTo(adopter.spec, adopter.config, type))
      .map(type => ({ ...adopter, type, adopted: `adopted/${adopter.spec.name}/${type.uid}` })),
  )

  for (const { spec, type, adopted } of pairs) {
    if (marks.has(adopted)) continue
    const left = leftOf(adopted)
    const time = marks.get(left)
    const now = Date.now()
    const mark =
      time === undefined
        ? knex(stepsTable).insert({ name: adopted, time: now })
        : knex(stepsTable).where({ name: left }).update({ name: adopted, time: now })
    await transact(engine, async session => {
      try {
        // Where another process marks it at the same time, that one does the work.
        if ((await change(session, mark)).changes === 0) return
      } catch (error) {
        throw engine.classify(error)?.kind === 'unique' ? new DoneMeanwhile() : error
      }
      const since = time === undefined ? {} : { since: new Date(time) }
      await spec.adopt?.({ type, session, ...since }, services.get(spec.name))
      log.info({ plugin: spec.name, type: type.uid }, `${spec.name} begins to apply to ${type.uid}`)
    }).catch(cause => {
      if (cause instanceof DoneMeanwhile) return
      throw new BootError(`${spec.name} could not adopt ${type.uid}: ${(cause as Error).message}`, { cause })
    })
  }

  const held = new Set(pairs.map(({ adopted }) => adopted))
  for (const name of marks.keys()) {
    if (!name.startsWith('adopted/') || held.has(name)) continue
    const query = knex(stepsTable)
      .where({ name })
      .update({ name: leftOf(name), time: Date.now() })
    await transact(engine, session => change(session, query))
  }
}

const leftOf = (adopted: string): string => adopted.replace('adopted/', 'left/')

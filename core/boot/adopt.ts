import { change, rowsOf } from '../engines/built.js'
import type { Engine } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { BootError } from '../errors.js'
import { prepareSteps, stepsTable, withMark } from '../layout/marks.js'
import { markOf } from '../layout/withheld.js'
import type { Log } from '../log.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { appliesTo, typeStepsIn } from '../plugin/declared.js'
import type { Registry } from '../schema/registry.js'

interface AdoptionContext {
  readonly engine: Engine
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
  readonly services: ReadonlyMap<string, unknown>
  readonly log: Log
}

/**
 * Tells plugins of the types that they begin to apply to, and remembers when they ceased to. Every start does, also one
 * without the plugin: only it can know from when on entries are made without it.
 */
export async function adoptTypes({ engine, plugins, registry, services, log }: AdoptionContext): Promise<void> {
  const adopters = plugins.filter(plugin => typeStepsIn(plugin).length > 0)
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

  for (const { type, adopted, ...adopter } of pairs) {
    const { spec } = adopter
    if (marks.has(adopted)) continue
    const left = leftOf(adopted)
    const time = marks.get(left)
    const now = Date.now()
    const mark =
      time === undefined
        ? knex(stepsTable).insert({ name: adopted, time: now })
        : knex(stepsTable).where({ name: left }).update({ name: adopted, time: now })
    // A process that loses the race for the mark leaves the work to the other.
    await withMark(engine, mark, async session => {
      const since = time === undefined ? {} : { since: new Date(time) }
      for (const { run } of typeStepsIn(adopter)) await run({ type, session, ...since }, services.get(spec.name))
      log.info({ plugin: spec.name, type: type.uid }, `${spec.name} begins to apply to ${type.uid}`)
    }).catch(cause => {
      throw new BootError(`${spec.name} could not adopt ${type.uid}: ${(cause as Error).message}`, {
        cause,
        kind: 'data',
      })
    })
  }

  await withholdAgain(engine, registry, plugins, marks)

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

/** Voids the confirmation of plugins that apply again: when they leave the next time, they ask for it again. */
async function withholdAgain(
  engine: Engine,
  registry: Registry,
  plugins: readonly EnabledPlugin[],
  marks: ReadonlyMap<string, unknown>,
): Promise<void> {
  const types = [...registry.types.values()]
  const over = plugins
    .filter(({ spec }) => spec.hides)
    .flatMap(({ spec, config }) =>
      types.filter(type => appliesTo(spec, config, type)).map(({ uid }) => markOf(spec.name, uid)),
    )
    .filter(mark => marks.has(mark))
  if (over.length === 0) return
  const remove = engine.knex(stepsTable).whereIn('name', over).delete()
  await transact(engine, session => change(session, remove))
}

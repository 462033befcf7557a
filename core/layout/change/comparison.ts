import type { Engine, Layout } from '../../engines/engine.js'
import { BootError } from '../../errors.js'
import { type Requirements, wantedIn } from '../deferred-setup.js'
import { readRecordedLayout } from '../recorded-layout.js'
import type { Plan } from './change.js'
import { type PlanOptions, planChanges } from './plan.js'
import type { Sides } from './renames.js'

/** The requirements of an app and its database, as they are at each call. */
export interface Comparison {
  compare(): Promise<Sides>
  plan(): Promise<Plan>
}

export function comparison(
  requirements: Requirements,
  engine: Engine,
  progress: PlanOptions['progress'] = unseen,
): Comparison {
  const compare = async (): Promise<Sides> => {
    const found = await engine.introspect()
    const wanted = wantedIn(found, requirements)
    const known = await readRecordedLayout(engine, wanted, found, requirements.foreign)
    return { engine, registry: requirements.registry, wanted, found, known }
  }
  const plan = async () => {
    const sides = await compare()
    try {
      return await planChanges(sides, { ...requirements, progress })
    } catch (cause) {
      if (isSame(sides.found, await engine.introspect())) throw cause
      throw new BootError('another process has changed the layout of the database meanwhile; try again', {
        kind: 'busy',
        cause,
      })
    }
  }
  return { compare, plan }
}

const unseen = () => () => undefined

const isSame = (one: Layout, other: Layout): boolean => textOf(one) === textOf(other)

const textOf = ({ tables }: Layout): string =>
  JSON.stringify([...tables].map(([name, columns]) => [name, ...columns.keys()].join()).sort())

import type { Registry } from '../schema/registry.js'
import { change, rowsOf } from './built.js'
import { type Engine, Overtaken, type Session } from './engine.js'
import { prepareSteps, stepsTable } from './steps.js'

/** Makes the place where turns are taken, for the types whose first entry is made in one. */
export async function prepareTurns(engine: Engine, { types }: Registry): Promise<void> {
  const isNeeded = [...types.values()].some(({ kind, routed }) => kind === 'singleType' && routed)
  if (isNeeded && !hasOneWriter(engine)) await prepareSteps(engine)
}

/** Transactions of all processes that take the turn of a name come one after the other: each keeps it until it ends. */
export async function takeTurn(engine: Engine, session: Session, name: string): Promise<void> {
  if (hasOneWriter(engine)) return
  const { knex } = engine
  const key = `turn/${name}`
  const held = await rowsOf(session, knex(stepsTable).select('id').where({ name: key }).forUpdate())
  if (held.length > 0) return
  try {
    await change(session, knex(stepsTable).insert({ name: key, time: Date.now() }))
  } catch (error) {
    // Another one was the first ever: this transaction begins again, and finds the row to wait at.
    throw engine.classify(error)?.kind === 'unique' ? new Overtaken(key) : error
  }
}

/** There all writes take turns anyway. */
const hasOneWriter = ({ name }: Engine): boolean => name === 'sqlite'

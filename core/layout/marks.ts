import { type BuiltStatement, change, rowsOf } from '../engines/built.js'
import { type Engine, Overtaken, type Session } from '../engines/engine.js'
import { makeOwnTable, uniqueName } from '../engines/own-table.js'
import { transact } from '../engines/transaction.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'

/** Rows with unique names, which record the steps done to this database and serve as locks for transactions. */
export const stepsTable = 'stele_steps'

export const prepareSteps = (engine: Engine): Promise<void> =>
  makeOwnTable(engine, stepsTable, builder => {
    uniqueName(builder, 'name', 190)
    builder.bigInteger('time')
  })

/** Another transaction has done the work of this one: it has nothing to keep. */
export class DoneMeanwhile extends Error {}

/** The result of work; undefined if another row has its unique name, after which some engines end the transaction. */
export async function unlessTaken<T>(engine: Pick<Engine, 'classify'>, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (engine.classify(error)?.kind === 'unique') return undefined
    throw error
  }
}

/** Does work once in the life of a database; false if it was done already. The table is there. */
export async function once(engine: Engine, name: string, work: (session: Session) => Promise<void>): Promise<boolean> {
  const { knex, reader } = engine
  if ((await rowsOf(reader, knex(stepsTable).select('id').where({ name }))).length > 0) return false
  return withMark(engine, knex(stepsTable).insert({ name, time: Date.now() }), work)
}

/** Does work in one transaction with its mark, which one process alone can set; false if that is another. */
export async function withMark(
  engine: Engine,
  mark: BuiltStatement,
  work: (session: Session) => Promise<void>,
): Promise<boolean> {
  try {
    await transact(engine, async session => {
      const set = await unlessTaken(engine, () => change(session, mark))
      if (!set?.changes) throw new DoneMeanwhile()
      await work(session)
    })
    return true
  } catch (error) {
    if (error instanceof DoneMeanwhile) return false
    throw error
  }
}

/** Users of locks: first entries of single types, unique and made values, and plugins that declare some. */
interface Lockers {
  readonly registry: Pick<Registry, 'types'>
  readonly unindexed: { readonly isEmpty: boolean }
  readonly dialect: { readonly madeUids: boolean }
  readonly plugins: readonly { readonly spec: { readonly shares?: { readonly locks?: readonly string[] } } }[]
}

/** Makes the table whose rows are locked, where there is something to lock. */
export async function prepareLocks(engine: Engine, { registry, unindexed, dialect, plugins }: Lockers): Promise<void> {
  if (engine.facts.oneWriter) return
  const hasSingle = [...registry.types.values()].some(({ kind, routed }) => kind === 'singleType' && routed)
  const makes = ({ fields }: ContentType) => [...fields.values()].some(({ madeFrom }) => madeFrom !== undefined)
  const hasMade = dialect.madeUids && [...registry.types.values()].some(makes)
  if (hasSingle || hasMade || !unindexed.isEmpty || plugins.some(({ spec }) => spec.shares?.locks?.length))
    await prepareSteps(engine)
}

/** Locks several names, in the one order in which no two transactions wait for each other. */
export async function lockAll(engine: Engine, session: Session, names: readonly string[]): Promise<void> {
  for (const name of [...new Set(names)].sort()) await lock(engine, session, name)
}

/** Transactions of all processes that lock a name run one after the other: each keeps the lock until it ends. */
export async function lock(engine: Engine, session: Session, name: string): Promise<void> {
  if (engine.facts.oneWriter) return
  const key = `turn/${name}`
  // The row is changed, not only locked: a node of a cluster tells the others of changes alone.
  const held = await session.run(`update ${stepsTable} set time = time + 1 where name = ?`, [key])
  if (held.changes > 0) return
  const row = engine.knex(stepsTable).insert({ name: key, time: Date.now() })
  // Another one was the first ever: this transaction begins again, and finds the row to wait at.
  if (!(await unlessTaken(engine, () => change(session, row)))) throw new Overtaken(key)
}

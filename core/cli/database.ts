import { existsSync } from 'node:fs'
import { BootError } from '../errors.js'
import type { BootOptions, Outline } from '../kernel.js'
import type { Plan } from '../store/change/change.js'
import { planChanges } from '../store/change/plan.js'
import type { Sides } from '../store/change/renames.js'
import type { Engine, Layout } from '../store/engine.js'
import { wantedIn } from '../store/first-write.js'
import { readKnown } from '../store/known.js'
import { wishesOf } from '../store/wishes.js'
import { type AppOptions, findApp } from './app.js'
import { progressOn } from './progress.js'

/** The database of an app that does not run, compared with what the app asks of it. */
export interface OpenDatabase {
  readonly found: BootOptions
  readonly outline: Outline
  readonly engine: Engine
  compare(): Promise<Sides>
  plan(): Promise<Plan>
}

/** Opens the database of an app for work that may take long; what is not there is made only for those who change it. */
export async function withDatabase<T>(
  options: AppOptions,
  purpose: 'look' | 'change',
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const { connect } = await import('../boot/connect.js')
  const { outline } = await import('../kernel.js')
  const found = await findApp(options, 'look', 'error')
  const outlined = await outline(found)
  const { database } = found.config
  const isMissing = purpose === 'look' && database.filename !== undefined && !existsSync(database.filename)
  const place = { ...database, statementTimeout: 0, ...(isMissing && { filename: ':memory:' }) }
  const engine = await connect({ ...found.config, database: place }, found.log)
  const wishes = wishesOf(outlined, engine)
  const compare = async (): Promise<Sides> => {
    const layout = await engine.introspect()
    const wanted = wantedIn(layout, wishes.tables)
    return { engine, registry: wishes.registry, wanted, found: layout, known: await readKnown(engine, wanted, layout) }
  }
  const plan = async () => {
    const sides = await compare()
    try {
      return await planChanges(sides, { uidColumns: wishes.uidColumns, progress: counting })
    } catch (cause) {
      if (isSame(sides.found, await engine.introspect())) throw cause
      throw new BootError('another process has changed the layout of the database meanwhile; try again', { cause })
    }
  }
  try {
    return await work({ found, outline: outlined, engine, compare, plan })
  } finally {
    progress.end()
    await engine.close()
  }
}

const isSame = (one: Layout, other: Layout): boolean => textOf(one) === textOf(other)

const textOf = ({ tables }: Layout): string =>
  JSON.stringify([...tables].map(([name, columns]) => [name, ...columns.keys()].join()).sort())

const progress = progressOn(process.stderr)

/** Shows how many rows a long work has done; what is short is not worth a word. */
export function counting(label: string, total: number): (rows: number) => void {
  let done = 0
  return rows => {
    done += rows
    if (total >= worthShowing) progress.at(label, done, total)
  }
}

const worthShowing = 10_000

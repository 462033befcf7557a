import { requirementsOf } from '../../../boot/database.js'
import type { BootOptions, Outline } from '../../../boot/start.js'
import type { Engine } from '../../../engines/engine.js'
import type { Plan } from '../../../layout/change/change.js'
import { comparison } from '../../../layout/change/comparison.js'
import type { Sides } from '../../../layout/change/renames.js'
import { type AppOptions, findApp, openApp } from '../app.js'
import type { Io } from '../io.js'
import { progressOn, type ShownProgress } from '../progress.js'

/** The database of an app that does not run, compared with the app's requirements. */
export interface OpenDatabase {
  readonly found: BootOptions
  readonly outline: Outline
  readonly engine: Engine
  compare(): Promise<Sides>
  plan(): Promise<Plan>
  readonly counting: RowCounter
}

/** Opens the database of an app for work that may take long; a missing one is created only for commands that change it. */
export async function withDatabase<T>(
  options: AppOptions,
  io: Io,
  purpose: 'look' | 'change',
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const found = await findApp(options, io, purpose === 'look' ? 'look' : 'command', 'error')
  const { outline, engine } = await openApp(found, 'database')
  const progress = progressOn(io.stderr)
  const counting = countingOn(progress)
  const { compare, plan } = comparison(requirementsOf(outline, engine, found.wings.foreign.layout), engine, counting)
  try {
    return await work({ found, outline, engine, compare, plan, counting })
  } finally {
    progress.end()
    await engine.close()
  }
}

/** Shows how many rows a long work has done; short work shows nothing. */
export type RowCounter = (label: string, total: number) => (rows: number) => void

const countingOn =
  (progress: ShownProgress): RowCounter =>
  (label, total) => {
    let done = 0
    return rows => {
      done += rows
      if (total >= worthShowing) progress.at(label, done, total)
    }
  }

const worthShowing = 10_000

import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { DeferredSetup, type Requirements } from '../layout/deferred-setup.js'
import type { ForeignLayout } from '../layout/foreign.js'
import { type WantedTable, wantedTables } from '../layout/layout.js'
import { uidColumnsOf } from '../plugin/declared.js'
import type { Host } from '../plugin/parts.js'
import { checkStart, seenOf } from '../plugin/services.js'
import { prepareLanguages } from '../sql/languages.js'
import { buildModels, type Models } from '../sql/models.js'
import { connect, mustExist } from './connect.js'
import { knownSteps } from './run-once.js'
import type { Outline, Start } from './start.js'
import { settingsTable } from './stored-settings.js'

/** The database of an app, with the tables that the app needs, or ready to get them before its first write. */
export interface Database {
  readonly engine: Engine
  /** Steps that may write: taken now, or before the first write. */
  readonly setup: DeferredSetup
  readonly models: Models
  /** The tables of all types and of links from one to another, in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  /** A database with half of an archive in it is only looked at. */
  readonly purpose: Host['purpose']
}

/** Opens the port, where that is to be early, and the database; and adds the tables and columns that it lacks. */
export async function openDatabase(start: Start): Promise<Database> {
  const { outline, options, app, dormantActions, observers, progress, undo } = start
  const { config, log, doorway, wings, imports = false } = options
  const { registry, dialect, plugins } = outline
  const looks = options.purpose === 'look'
  if (looks) mustExist(config)
  // An open port would keep the process alive.
  undo.push(() => doorway?.close())
  await doorway?.open()
  progress.begin('reaching the database')
  const raw = await connect(config, log, observers.statement)
  undo.push(() => raw.close())
  progress.begin('comparing the database with the content types')
  const former = await wings.archives.unfinished(raw)
  if (former && !imports && !looks) throw new BootError(former.explanation, { kind: 'data' })
  const purpose = former?.hasRows ? 'look' : (options.purpose ?? 'serve')
  const models = buildModels(registry, raw.knex)
  const tables = wantedTables(registry, raw, dialect)
  // Refusals come before anything is added to the database.
  await prepareLanguages(raw, registry)
  await checkStart(plugins, { ...seenOf(app), dormantActions, purpose })
  const requirements = requirementsOf(outline, raw, wings.foreign.layout)
  const setup = await DeferredSetup.to(raw, requirements, { log, progress }, looks)
  return { engine: setup.engine, setup, models, tables, purpose }
}

/** The tables that an app needs in its database, and all that decides whether one may be changed to have them. */
export function requirementsOf(
  { registry, plugins, dialect, off }: Outline,
  engine: Engine,
  foreign: ForeignLayout,
): Requirements {
  const settings = plugins.some(({ spec }) => spec.shares?.stored) ? [settingsTable(engine, foreign.settingsTable)] : []
  return {
    registry,
    tables: [...wantedTables(registry, engine, dialect), ...settings],
    uidColumns: uidColumnsOf(plugins),
    pluginsOfApp: { plugins, off },
    steps: knownSteps(plugins),
    foreign,
  }
}

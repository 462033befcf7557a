import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import type { DestinationStream } from 'pino'
import { findPlugins, loadConfig, unmentionedPlugins } from '../../boot/load-config.js'
import type { BootOptions, Outline } from '../../boot/start.js'
import type { Config, LogLevel } from '../../config/types.js'
import type { Engine } from '../../engines/engine.js'
import { foreignProjects } from '../../foreign/known.js'
import type { App } from '../../kernel.js'
import { createLog } from '../../log.js'
import type { Io } from './io.js'
import { logTo, shownOn } from './log-to.js'

/** Options of every command that concerns an app. */
export interface AppOptions {
  readonly app: string
  readonly port?: number
  /** True for a second reading of files that may have changed. */
  readonly again?: boolean
}

type Purpose = NonNullable<BootOptions['purpose']>

interface FindOptions {
  readonly purpose?: Purpose
  /** The number of this process where several serve together. */
  readonly worker?: number | undefined
}

/** The settings of an app. */
export async function configOf({ app: folder, port, again }: AppOptions, io: Io, level?: LogLevel): Promise<Config> {
  const appDir = path.resolve(io.cwd, folder)
  if (statSync(appDir, { throwIfNoEntry: false })?.isDirectory()) io.enter(appDir)
  return loadConfig(appDir, {
    env: io.env,
    projects: foreignProjects,
    ...(again && { again }),
    overrides: { ...(port !== undefined && { server: { port } }), ...(level && { log: { level } }) },
  })
}

/** An app with the plugins that it could turn on; nothing is opened yet. */
export async function appOf(config: Config, { purpose = 'serve', worker }: FindOptions, io: Io): Promise<BootOptions> {
  const { wings } = await import('../../wings.js')
  // Log lines go to stderr, as other programs read a command's output.
  const { stderr } = io
  const { level, format } = config.log
  const printed = () => ({ destination: stderr as DestinationStream, show: shownOn(stderr, io, format) })
  return {
    wings,
    config,
    log: createLog(level, { ...(purpose === 'serve' ? logTo(io, format) : printed()), worker }),
    plugins: await findPlugins(config, wings.foreign.projects),
    unmentioned: () => unmentionedPlugins(config),
    purpose,
  }
}

export async function findApp(options: AppOptions, io: Io, purpose: Purpose, level?: LogLevel): Promise<BootOptions> {
  return appOf(await configOf(options, io, level), { purpose }, io)
}

/** The depths to which an app can be opened, with the result of each. */
export interface OpenDepths {
  /** The app as its files say it; nothing is opened. */
  readonly outline: Outline
  /** The database as well, for statements that may take long; plugins are not started. */
  readonly database: { readonly outline: Outline; readonly engine: Engine }
  /** All of it, but it does not listen. */
  readonly app: App
}

/** Opens an app without serving it; everything beyond its outline has to be closed. */
export async function openApp<Depth extends keyof OpenDepths>(
  found: BootOptions,
  depth: Depth,
): Promise<OpenDepths[Depth]>
export async function openApp(found: BootOptions, depth: keyof OpenDepths): Promise<OpenDepths[keyof OpenDepths]> {
  if (depth === 'app') return (await import('../../kernel.js')).boot(found)
  const { outline } = await import('../../boot/outline.js')
  const outlined = await outline(found)
  if (depth === 'outline') return outlined
  const { connect } = await import('../../boot/connect.js')
  return { outline: outlined, engine: await connect({ ...found.config, database: placeOf(found) }, found.log) }
}

/** Opening a file of SQLite would create it, so only changing commands do. */
function placeOf({ config: { database }, purpose }: BootOptions): Config['database'] {
  const isMissing = purpose === 'look' && database.filename !== undefined && !existsSync(database.filename)
  return { ...database, statementTimeout: 0, ...(isMissing && { filename: ':memory:' }) }
}

import { statSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../config/load.js'
import type { Config, LogLevel } from '../config/types.js'
import type { App, BootOptions } from '../kernel.js'
import { createLog } from '../log.js'

/** What every command is told about the app that it is for. */
export interface AppOptions {
  readonly app: string
  readonly port?: number
}

type Purpose = NonNullable<BootOptions['purpose']>

interface Found {
  readonly purpose?: Purpose
  /** The number of this process where several serve together. */
  readonly worker?: number | undefined
}

/** Where the command was given: what it names is meant from there, wherever the process stands by now. */
const startedIn = process.cwd()

/** The settings of an app. */
export async function configOf({ app: folder, port }: AppOptions, level?: LogLevel): Promise<Config> {
  const appDir = path.resolve(startedIn, folder)
  // Config files of older projects write paths from where the process stands.
  if (statSync(appDir, { throwIfNoEntry: false })?.isDirectory()) process.chdir(appDir)
  return loadConfig(appDir, {
    env: process.env,
    overrides: { ...(port !== undefined && { server: { port } }), ...(level && { log: { level } }) },
  })
}

/** An app with the plugins that it could turn on; nothing is opened yet. */
export async function appOf(config: Config, { purpose = 'serve', worker }: Found): Promise<BootOptions> {
  const { findPlugins, unmentionedPlugins } = await import('../boot/plugins.js')
  // What a command prints is for whoever reads it next; the log of it must not come between.
  const destination = purpose === 'serve' ? {} : { destination: process.stderr }
  return {
    config,
    log: createLog(config.log.level, { ...destination, worker }),
    plugins: await findPlugins(config),
    unmentioned: () => unmentionedPlugins(config),
    purpose,
  }
}

export async function findApp(options: AppOptions, purpose: Purpose, level?: LogLevel): Promise<BootOptions> {
  return appOf(await configOf(options, level), { purpose })
}

/** Boots an app without listening. */
export async function open(options: AppOptions, level: LogLevel, purpose: Purpose): Promise<App> {
  const { boot } = await import('../kernel.js')
  return boot(await findApp(options, purpose, level))
}

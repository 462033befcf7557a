import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../config/load.js'
import type { LogLevel } from '../config/types.js'
import { type App, type BootOptions, boot } from '../kernel.js'
import { createLog } from '../log.js'
import { findPlugins, unmentionedPlugins } from '../plugins.js'

/** What every command is told about the app that it is for. */
export interface AppOptions {
  readonly app: string
  readonly port?: number
}

type Purpose = NonNullable<BootOptions['purpose']>

/** The settings of an app and the plugins that it could turn on; nothing is opened yet. */
export async function findApp(
  { app: folder, port }: AppOptions,
  purpose: Purpose = 'serve',
  level?: LogLevel,
): Promise<BootOptions> {
  const appDir = path.resolve(folder)
  // Config files of older projects write paths from where the process stands.
  if (existsSync(appDir)) process.chdir(appDir)
  const config = await loadConfig(appDir, {
    env: process.env,
    overrides: { ...(port !== undefined && { server: { port } }), ...(level && { log: { level } }) },
  })
  return {
    config,
    // What a command prints is for whoever reads it next; the log of it must not come between.
    log: createLog(config.log.level, purpose === 'serve' ? {} : { destination: process.stderr }),
    plugins: await findPlugins(config),
    unmentioned: () => unmentionedPlugins(config),
    purpose,
  }
}

/** Boots an app without listening. */
export async function open(options: AppOptions, level?: LogLevel, purpose?: Purpose): Promise<App> {
  return boot(await findApp(options, purpose, level))
}

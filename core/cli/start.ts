import { existsSync } from 'node:fs'
import path from 'node:path'
import { loadConfig } from '../config/load.js'
import type { LogLevel } from '../config/types.js'
import { type App, type BootOptions, boot } from '../kernel.js'
import { createLog } from '../log.js'
import { findPlugins, unmentionedPlugins } from '../plugins.js'
import { foreignParts } from './foreign.js'
import { greeting } from './greeting.js'

export interface StartOptions {
  readonly app: string
  readonly port?: number
}

/** Serves an app until the process is told to stop. */
export async function start(options: StartOptions): Promise<void> {
  const { app, offered } = await openWith(options)
  stopOnSignals(app)
  try {
    const foreign = app.config.project === 'stele' ? [] : await foreignParts(app, offered)
    for (const { what, where, means } of foreign)
      app.log.warn({ where }, `${what} of the project are not run: ${means}`)
    const { port } = await app.listen()
    // Lines of JSON are for machines; a terminal has a person in front of it.
    if (process.stdout.isTTY) process.stderr.write(greeting(app, port, foreign))
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Boots an app without listening. */
export async function open(
  options: StartOptions,
  level?: LogLevel,
  purpose: BootOptions['purpose'] = 'serve',
): Promise<App> {
  return (await openWith(options, level, purpose)).app
}

async function openWith(
  { app: folder, port }: StartOptions,
  level?: LogLevel,
  purpose: BootOptions['purpose'] = 'serve',
) {
  const appDir = path.resolve(folder)
  // Config files of older projects write paths from where the process stands.
  if (existsSync(appDir)) process.chdir(appDir)
  const config = await loadConfig(appDir, {
    env: process.env,
    overrides: { ...(port !== undefined && { server: { port } }), ...(level && { log: { level } }) },
  })
  const offered = await findPlugins(config)
  const app = await boot({
    config,
    // What a command prints is for whoever reads it next; the log of it must not come between.
    log: createLog(config.log.level, purpose === 'command' ? { destination: process.stderr } : {}),
    plugins: offered,
    unmentioned: () => unmentionedPlugins(config),
    purpose,
  })
  return { app, offered }
}

/** SIGTERM and SIGINT let running requests finish; a second signal does not wait. */
function stopOnSignals(app: App): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1)
    stopping = true
    app.log.info({ signal }, 'stopping')
    try {
      await app.close()
      app.log.info('stopped')
      process.exit(0)
    } catch (error) {
      app.log.error({ err: error }, 'could not stop in order')
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

import { type App, boot } from '../kernel.js'
import { type AppOptions, findApp } from './app.js'
import { foreignParts } from './foreign.js'
import { greeting } from './greeting.js'

/** Serves an app until the process is told to stop. */
export async function start(options: AppOptions): Promise<void> {
  const found = await findApp(options)
  const app = await boot(found)
  stopOnSignals(app)
  try {
    const foreign = app.config.project === 'stele' ? [] : await foreignParts(app, found.plugins)
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

import { StartProgress } from '../../../boot/start.js'
import type { Config } from '../../../config/types.js'
import { Doorway } from '../../../http/sockets/doorway.js'
import { type App, boot } from '../../../kernel.js'
import { linesOf } from '../../../plugin/services.js'
import { appOf } from '../app.js'
import { foreignParts } from '../doctor/foreign.js'
import type { Io } from '../io.js'
import { workerBoards } from './boards.js'
import { developmentOf } from './development.js'
import { greeting, toldOf } from './greeting.js'

/** The place of this process among several. */
export interface WorkerPlace {
  readonly worker?: number
  readonly of: number
  /** No process serves yet: the port may be opened before the app is there. */
  readonly opens: boolean
}

/** A worker's message to the supervisor that it serves. */
export interface ServingMessage {
  readonly serves: { readonly address: string; readonly port: number }
}

/** Serves an app in this process until it is told to stop. */
export async function serve(
  config: Config,
  { worker, of, opens, read }: WorkerPlace & ConfigReader,
  io: Io,
): Promise<void> {
  const isFirst = (worker ?? 1) === 1
  const options = await appOf(config, { worker }, io)
  const progress = new StartProgress(options.log)
  const found = {
    ...options,
    ...(opens && { progress, doorway: new Doorway(config, progress) }),
    processes: of,
    boards: worker === undefined ? undefined : workerBoards(worker),
    development: worker !== undefined && io.env.STELE_DEVELOPS ? developmentOf(config.appDir) : undefined,
  }
  const app = await boot(found)
  stopOnSignals(app, worker !== undefined, io)
  await reloadOnSignal(app, read, io)
  try {
    // The first worker alone warns of facts that are the same for all.
    const foreign = app.config.project !== 'stele' && isFirst ? await foreignParts(app, found.plugins) : []
    for (const { what, where, means } of foreign)
      app.log.warn({ where }, `${what} of the project are not run: ${means}`)
    if (isFirst && ![...app.types.types.values()].some(({ routed }) => routed))
      app.log.warn(`${app.config.appDir} has no content types: if that is not the folder you mean, --app names another`)
    const { address, port } = await app.listen()
    // Plugins may listen too, and earlier, so the supervisor is told the server's own address.
    process.send?.({ serves: { address, port } } satisfies ServingMessage, undefined, undefined, () => undefined)
    // Lines of JSON are for machines; a terminal has a person in front of it, and so has `stele dev`.
    if ((io.stdout.isTTY || io.env.STELE_GREETS) && isFirst) {
      const lines = await linesOf(app.plugins.map(({ service }) => service))
      io.stderr.write(io.env.STELE_GREETS === 'again' ? toldOf(lines) : greeting(app, port, { foreign, lines }))
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

export interface ConfigReader {
  /** The settings as the files have them now. */
  readonly read: () => Promise<Config>
}

/** SIGHUP also means that a terminal was closed; a server that was started there ends with it. */
async function reloadOnSignal(app: App, read: ConfigReader['read'], { signals, stdout }: Io): Promise<void> {
  if (stdout.isTTY) return
  const { Reloader } = await import('./reload.js')
  const reloading = new Reloader(app, read)
  signals.on('SIGHUP', () => void reloading.run())
}

/**
 * SIGTERM and SIGINT let running requests finish; a second signal does not wait. A worker is told by the terminal and by
 * the process that watches over it: it goes by the first signal, and the supervisor alone ends it early.
 */
function stopOnSignals(app: App, isWorker: boolean, { signals, exit }: Io): void {
  let stopping = false
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping && isWorker) return
    if (stopping) exit(1)
    stopping = true
    app.log.info({ signal }, 'stopping')
    try {
      await app.close()
      app.log.info('stopped')
      exit(0)
    } catch (error) {
      app.log.error({ err: error }, 'could not stop in order')
      exit(1)
    }
  }
  signals.on('SIGTERM', stop)
  signals.on('SIGINT', stop)
}

import cluster from 'node:cluster'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Config } from '../../../config/types.js'
import { BootError } from '../../../errors.js'
import { type AppOptions, configOf } from '../app.js'
import type { Io } from '../io.js'
import { type CodeOption, leaveCode } from './no-code-option.js'
import type { WorkerPlace } from './serve.js'

export interface StartOptions extends AppOptions, CodeOption {
  readonly workers?: string
}

/** Serves an app until the process is told to stop: in this process, or in several that share the port. */
export async function start(options: StartOptions, io: Io): Promise<void> {
  if (io.env.STELE_PREPARES && cluster.isWorker) await waitPrepared()
  if (options.code === false) leaveCode(io)
  const config = await configOf(options, io)
  const place = placeOf(io.env)
  const count = place?.of ?? countOf(options.workers, config, io.env)
  // The supervisor needs no server in its memory.
  const read = () => configOf({ ...options, again: true }, io)
  if (count > 1 && !place) (await import('./workers.js')).supervise({ config, count, port: options.port, read }, io)
  else await (await import('./serve.js')).serve(config, { ...(place ?? { of: 1, opens: true }), read }, io)
}

/** The worker's place, from the supervisor's variables; undefined in a cluster that other code started. */
function placeOf({ STELE_WORKER, STELE_WORKERS, STELE_OPENS }: NodeJS.ProcessEnv): WorkerPlace | undefined {
  if (!cluster.isWorker || STELE_WORKER === undefined) return undefined
  return { worker: Number(STELE_WORKER), of: Number(STELE_WORKERS), opens: STELE_OPENS === '1' }
}

/** `auto` is one for each CPU that this process may use. */
function countOf(asked: string | undefined, { database }: Config, { STELE_WORKERS }: NodeJS.ProcessEnv): number {
  const [from, text] = asked === undefined ? ['STELE_WORKERS', STELE_WORKERS || '1'] : ['--workers', asked]
  const count = text === 'auto' ? availableParallelism() : Number(text)
  if (!Number.isInteger(count) || count < 1 || count > 256)
    throw new BootError(`${from} is "${text}"; it is auto or a number from 1 to 256`, { kind: 'usage' })
  if (count > 1 && database.filename === ':memory:')
    throw new BootError(`${from} is "${text}", and a database in memory is that of one process; give it a file`, {
      kind: 'usage',
    })
  return count
}

/**
 * Waits to be told to serve, with everything in memory that no app decides: the modules of the server and of its plugins,
 * and the validators, which a first boot compiles. Nothing of the app is read before, since it may change until then.
 */
async function waitPrepared(): Promise<void> {
  const told = once(process, 'message')
  // A message that arrives before there is a listener is lost.
  process.send?.('listens')
  // A preparation that fails is reported by the start itself, which meets the same error.
  await Promise.allSettled([import('./serve.js'), pluginsOfServer(), emptyApp()])
  await told
}

const pluginsOfServer = async () => (await import('../../../plugin/find.js')).builtInPlugins()

async function emptyApp(): Promise<void> {
  const { createTestApp } = await import('../../../test-app.js')
  const app = await createTestApp({ types: { any: { attributes: { text: { type: 'string' } } } } })
  await app.inject('/api/anys')
  await app.close()
}

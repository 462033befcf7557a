import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import type { Host } from '../plugin-parts.js'
import type { Engine } from '../store/engine.js'
import type { FirstWrite } from '../store/first-write.js'
import type { EnabledPlugin, RawPlugin } from './arrange.js'

/** What the plugins made at start, by their names. */
export type Services = ReadonlyMap<string, unknown>

export async function register(spec: RawPlugin, host: Host): Promise<unknown> {
  try {
    return await spec.register?.(host as never)
  } catch (cause) {
    throw new BootError(`plugin ${spec.name} could not start: ${(cause as Error).message}`, { cause })
  }
}

export async function stop(spec: RawPlugin, service: unknown): Promise<void> {
  try {
    await spec.close?.(service)
  } catch (cause) {
    throw new Error(`plugin ${spec.name} could not stop: ${(cause as Error).message}`, { cause })
  }
}

/** Lets go of everything in the reverse order of the start; what cannot stop keeps nothing else from it. */
export async function unwind(undo: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of [...undo].reverse())
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

/** Milliseconds for which what a plugin keeps of the database may be old. */
const longest = 1000

export interface Refresher {
  /** What a request has to wait for, if anything. */
  due(): Promise<void> | undefined
  now(): Promise<void>
  /** It is being done: any request would wait for that. */
  isRunning(): boolean
}

/**
 * Brings what plugins keep of the database up to date: a request that comes a second after the last time waits for it,
 * together with all that come meanwhile. Where the store can tell that no row has changed, nothing is read.
 */
export function refresher(
  plugins: readonly EnabledPlugin[],
  services: Services,
  engine: Pick<Engine, 'version'>,
  first: Pick<FirstWrite, 'lookAgain'>,
): Refresher {
  const keepers = plugins.filter(({ spec }) => spec.refresh)
  let last = 0
  let version: string | undefined
  let running: Promise<void> | undefined
  const reread = async () => {
    const begun = performance.now()
    const before = engine.version()
    if (before === undefined || before !== version) {
      await first.lookAgain()
      for (const { spec } of keepers) await spec.refresh?.(services.get(spec.name))
    }
    version = before
    last = begun
  }
  const now = () => {
    running ??= reread().finally(() => {
      running = undefined
    })
    return running
  }
  const isRunning = () => running !== undefined
  if (keepers.length === 0) return { due: () => undefined, now: async () => undefined, isRunning }
  return { due: () => (performance.now() - last < longest ? undefined : now()), now, isRunning }
}

/** What keeps the server from answering well; nothing when it is ready. */
export async function readiness(
  gate: { open: boolean },
  engine: Engine,
  plugins: readonly EnabledPlugin[],
  services: Services,
  log: Log,
): Promise<string[]> {
  if (!gate.open) return ['the server is stopping']
  const problems: string[] = []
  await engine.ping().catch(() => problems.push('the database does not answer'))
  for (const { spec } of plugins) {
    const said = await check(spec, services.get(spec.name), log)
    if (typeof said === 'string') problems.push(`${spec.name}: ${said}`)
  }
  return problems
}

/** What is wrong may be told to whoever asks; what went wrong while looking stays in the log. */
async function check(spec: RawPlugin, service: unknown, log: Log): Promise<true | string | undefined> {
  try {
    return await spec.health?.(service)
  } catch (error) {
    log.error({ err: error, plugin: spec.name }, 'a health check failed')
    return 'its check failed'
  }
}

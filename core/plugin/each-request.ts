import type { Context } from 'koa'
import type { Engine } from '../engines/engine.js'
import { noteKnown } from '../http/gate.js'
import type { DeferredSetup } from '../layout/deferred-setup.js'
import type { Caller } from '../query/ask.js'
import type { EnabledPlugin } from './enabled.js'
import { methodOf, type Services } from './services.js'

/** Milliseconds for which the cached data of a plugin may be old. */
const longest = 1000

export interface Refresher {
  /** A promise that a request has to wait for, if there is one. */
  due(): Promise<void> | undefined
  now(): Promise<void>
  /** Any request would wait now: for this, or for the database. */
  isCrowded(): boolean
}

/**
 * Refreshes the data that plugins cache from the database: a request that comes a second after the last time waits for it,
 * together with all that come meanwhile. If the store can tell that no row has changed, nothing is read.
 */
export function refresher(
  plugins: readonly EnabledPlugin[],
  services: Services,
  engine: Pick<Engine, 'versions' | 'isCrowded'>,
  first: Pick<DeferredSetup, 'lookAgain'>,
): Refresher {
  const keepers = plugins.flatMap(({ spec }) => methodOf(services.get(spec.name), 'refresh') ?? [])
  let last = 0
  let version: number | undefined
  let running: Promise<void> | undefined
  const reread = async () => {
    const begun = performance.now()
    const before = await engine.versions.state()
    if (before === undefined || before !== version) {
      await first.lookAgain()
      for (const refresh of keepers) await refresh()
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
  const isCrowded = () => running !== undefined || (engine.isCrowded?.() ?? false)
  if (keepers.length === 0) return { due: () => undefined, now: async () => undefined, isCrowded }
  return { due: () => (performance.now() - last < longest ? undefined : now()), now, isCrowded }
}

/** Asks the plugins that know credentials, one after the other: first those that stand before the others. */
export function authenticatorsOf(plugins: readonly EnabledPlugin[], services: Services): CallerFinder[] {
  const asked = plugins.flatMap(({ spec: { name, authenticate } }) => {
    if (!authenticate) return []
    const isFirst = typeof authenticate === 'object'
    const run = isFirst ? authenticate.run : authenticate
    return [{ isFirst, ask: noting(name, ctx => run(ctx, services.get(name))) }]
  })
  const [first, others] = [asked.filter(({ isFirst }) => isFirst), asked.filter(({ isFirst }) => !isFirst)]
  return [...first, ...others].map(({ ask }) => ask)
}

type CallerFinder = (ctx: Context) => Caller | undefined | Promise<Caller | undefined>

/** Notes which plugin knew the caller. */
function noting(plugin: string, ask: CallerFinder): CallerFinder {
  return ctx => {
    const note = (caller: Caller | undefined) => {
      if (caller) noteKnown(ctx, plugin, caller)
      if (caller && ctx.state.tally) ctx.state.tally.by = plugin
      return caller
    }
    const found = ask(ctx)
    return found instanceof Promise ? found.then(note) : note(found)
  }
}

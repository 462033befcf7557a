import { BootError, type Host, type OutgoingSeen, optional, type ServiceOf } from '../../core/index.js'
import { timeLimit } from '../../core/plugin-kit.js'
import { events } from '../events/index.js'
import { type Adapter, adapterOf } from './adapters.js'
import { keyOf, many } from './headers.js'
import type { Settings } from './settings.js'

type Events = ServiceOf<typeof events>
type StoredEvent = Awaited<ReturnType<Events['outbox']['after']>>[number]

/** Settings in the database: the position of each cache in the record of events. */
export const stored = { positions: {} as Record<string, number> }

/** Milliseconds for which a write waits for others to be purged with. */
const gathered = 250

/** Purges changes in caches, from the record of events: at least once, and in its order. */
export class Purger {
  readonly #host: Host<Settings, typeof stored>
  readonly #adapters: readonly Adapter[]
  readonly #events: Events | undefined
  #waking: NodeJS.Timeout | undefined

  constructor(host: Host<Settings, typeof stored>) {
    this.#host = host
    this.#adapters = host.config.purge.map(adapterOf)
    this.#events = host.service(optional(events))
    if (this.isNeeded && !this.#events)
      throw new BootError('config/plugins: cdn.config.purge needs the plugin "events", which records what has changed')
    if (this.isNeeded) this.#events?.follow(() => this.#wake())
  }

  /** Waits a moment, so that commits close together are purged in one request. */
  #wake(): void {
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined
      this.#host.wakeJob('purge')
    }, gathered).unref()
  }

  get isNeeded(): boolean {
    return this.#adapters.length > 0
  }

  /** Time of the next purge, if a cache has not been told of a change yet. */
  async due(): Promise<Date | undefined> {
    const { outbox } = this.#events as Events
    const { last } = await outbox.bounds()
    const positions = await this.#host.shares.stored.get('positions')
    const lags = this.#adapters.some(({ name }) => (positions[name] ?? -1) < last)
    return lags || (await outbox.hasUnplaced()) ? new Date() : undefined
  }

  async run(signal: AbortSignal): Promise<void> {
    const { outbox } = this.#events as Events
    while (await outbox.arrange()) signal.throwIfAborted()
    const failures: unknown[] = []
    for (const adapter of this.#adapters) await this.#tell(adapter, signal).catch(error => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  async #tell(adapter: Adapter, signal: AbortSignal): Promise<void> {
    const { outbox } = this.#events as Events
    const { name, most } = adapter
    const send = this.#sender(name, signal)
    try {
      for (;;) {
        const { first, last } = await outbox.bounds()
        const known = (await this.#host.shares.stored.get('positions'))[name]
        if (known === undefined || known + 1 < first) {
          // The record of the changes it missed is gone.
          await adapter.purgeAll(send)
          await this.#keep(name, last)
          continue
        }
        const news = await outbox.after(known)
        if (news.length === 0) return
        const keys = keysOf(news)
        if (keys === undefined) await adapter.purgeAll(send)
        else for (let at = 0; at < keys.length; at += most) await adapter.purge(keys.slice(at, at + most), send)
        await this.#keep(name, (news.at(-1) as StoredEvent).position)
      }
    } catch (error) {
      throw Object.assign(error as Error, { message: `${name} was not purged: ${(error as Error).message}` })
    }
  }

  async #keep(name: string, position: number): Promise<void> {
    const { stored } = this.#host.shares
    await stored.set('positions', { ...(await stored.get('positions')), [name]: position })
  }

  #sender(adapter: string, signal: AbortSignal) {
    const { timeout } = this.#host.config
    // The rest of an adapter's name may be an address with secrets in it.
    const name = `purge ${adapter.split(' ', 1)[0]}`
    return async (url: string, request: RequestInit) => {
      const { method = 'GET' } = request
      const begun = performance.now()
      const tell = (outcome: Pick<OutgoingSeen, 'status' | 'error'>) =>
        this.#host.sent({
          ...{ name, method, attempt: 1, origin: new URL(url).origin },
          ms: performance.now() - begun,
          ...outcome,
        })
      try {
        const limited = { ...request, redirect: 'error', signal: timeLimit(timeout, signal) } as const
        const response = await fetch(url, limited)
        tell({ status: response.status })
        return response
      } catch (error) {
        tell({ status: undefined, error })
        throw error
      }
    }
  }
}

/** The keys of everything that events are about; undefined where that is all there is. */
function keysOf(news: readonly StoredEvent[]): string[] | undefined {
  const keys = new Set([many])
  for (const { uid, entry, ends = [] } of news) {
    if (uid === '*') return undefined
    for (const end of [{ uid, id: entry }, ...ends]) keys.add(end.uid).add(keyOf(end.uid, end.id))
  }
  return [...keys]
}

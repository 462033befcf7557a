import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  ForbiddenError,
  type Host,
  NotFoundError,
  type RouteCall,
  type SettingsOf,
  UnavailableError,
} from '../../../core/index.js'
import type { StoredEvent } from '../event.js'
import type { Outbox } from '../outbox.js'
import type { settings } from '../settings.js'
import { type FeedTexts, Listener } from './listener.js'
import { ShownEvents } from './shown-events.js'
import { type Subscription, subscriptionOf, TooOld } from './subscription.js'

/** Milliseconds between two reads of other processes' events, while a client listens. */
const lookEvery = 1000
const beatEvery = 15_000
/** Milliseconds in which commits are announced together. */
const gathered = 20
/** Events that all listeners share in memory. */
const shared = 1000
/** Listeners that are told in one turn of the event loop. */
const atOnce = 20

/** The live feed of one process: one look at the table for all who listen. */
export class Feed {
  readonly host: Host<SettingsOf<typeof settings>>
  readonly #outbox: Outbox
  readonly #listeners = new Set<Listener>()
  #recent: StoredEvent[] = []
  #position = 0
  #timers: NodeJS.Timeout[] = []
  #looking: Promise<void> | undefined
  #isLookDue = false
  #isWaking = false

  readonly #wasLive: (uid: string, row: unknown, at: Date) => boolean

  /** `wasLive` is true for the row of an entry that was live at this time. */
  constructor(
    host: Host<SettingsOf<typeof settings>>,
    outbox: Outbox,
    wasLive: (uid: string, row: unknown, at: Date) => boolean,
  ) {
    this.host = host
    this.#outbox = outbox
    this.#wasLive = wasLive
  }

  /** The last place that is known here. */
  get position(): number {
    return this.#position
  }

  get isFollowed(): boolean {
    return this.#listeners.size > 0
  }

  /** Begins a response that goes on until the client leaves or the server stops. */
  async open(call: RouteCall): Promise<void> {
    const subscription = subscriptionOf(call, this.host)
    this.#checkRoom()
    for (const uid of subscription.types) await this.#check(uid, subscription, call)
    await this.join(call, subscription.since, from => new ShownEvents(this, call, subscription, from))
  }

  #checkRoom(): void {
    if (this.#listeners.size >= this.host.config.listeners)
      throw new UnavailableError('Too many clients follow the content already; try again later', 10)
  }

  /** Begins a response to a caller who may follow the content. `textsFrom` makes its texts, given the place at which it begins. */
  async join(call: RouteCall, since: number | undefined, textsFrom: (from: number) => FeedTexts): Promise<void> {
    const { ctx, stopping } = call
    this.#checkRoom()
    await this.#look()
    const from = await this.#begin(since)
    ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.type = 'text/event-stream; charset=utf-8'
    if (ctx.method === 'HEAD') {
      ctx.status = 200
      return
    }
    const listener = new Listener(this, textsFrom(from), from)
    ctx.body = listener.stream
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#start()
    const end = () => listener.end()
    stopping.addEventListener('abort', end)
    ctx.res.once('close', () => {
      stopping.removeEventListener('abort', end)
      this.#listeners.delete(listener)
      listener.stream.destroy()
      if (this.#listeners.size === 0) this.stop()
    })
    void listener.pump()
  }

  /** Checks permissions and the parameters of entries before the response begins. */
  async #check(uid: string, { query, areNamed }: Subscription, { content, caller }: RouteCall): Promise<void> {
    const isPermitted = caller.can('find', uid) || caller.can('findOne', uid)
    // A type that the caller may not read sends nothing.
    if (!isPermitted && !areNamed) return
    if (!isPermitted) throw new ForbiddenError().because(`the caller needs find or findOne on ${uid}`)
    await content.findOne(uid, 0, { query }).catch(error => {
      if (!(error instanceof NotFoundError)) throw error
    })
  }

  /** The place from which a client goes on. */
  async #begin(since: number | undefined): Promise<number> {
    if (since === undefined) return this.#position
    const { first, last } = (await this.#outbox.isEmpty()) ? { first: 0, last: 0 } : await this.#outbox.bounds()
    // A place that was never given out was that of another database.
    if (since < first - 1 || since > last) throw new TooOld(since, last)
    return since
  }

  /** True if an entry had been live when this happened to it. */
  wasLive({ event, uid, gone, at }: StoredEvent): boolean {
    return event === 'entry.unpublish' ? gone === undefined : this.#wasLive(uid, gone, new Date(at))
  }

  /** Events behind a position, from memory if all of them are there, or from the table. */
  async after(position: number): Promise<readonly StoredEvent[]> {
    const oldest = this.#recent[0]?.position ?? Number.POSITIVE_INFINITY
    if (oldest > position + 1) return this.#outbox.after(position)
    return this.#recent.slice(position + 1 - oldest)
  }

  /** Notifies clients after a commit, together with other commits of the same moment. */
  changed(): void {
    if (this.#isWaking || this.#listeners.size === 0) return
    this.#isWaking = true
    setTimeout(() => {
      this.#isWaking = false
      this.#lookInTime()
    }, gathered).unref()
  }

  #start(): void {
    this.#timers = [
      setInterval(() => this.#lookInTime(), lookEvery),
      setInterval(() => {
        for (const listener of this.#listeners) listener.beat()
      }, beatEvery),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
    for (const listener of this.#listeners) listener.end()
  }

  #lookInTime(): void {
    this.#look().catch(error => this.host.log.error({ err: error }, 'the feed could not read events'))
  }

  /** Reads new events; a caller meanwhile waits for a read that begins afterwards. */
  #look(): Promise<void> {
    if (this.#looking) {
      this.#isLookDue = true
      return this.#looking
    }
    this.#looking = this.#lookNow().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #lookNow(): Promise<void> {
    do {
      this.#isLookDue = false
      if (await this.#outbox.isEmpty()) return
      while (await this.#outbox.arrange());
      await this.#take()
    } while (this.#isLookDue)
    let told = 0
    for (const listener of this.#listeners) {
      void listener.pump()
      told += 1
      if (told % atOnce === 0) await nextTurn()
    }
  }

  async #take(): Promise<void> {
    // While no client listens nothing is read: it goes on from where the events are by now.
    if (this.#listeners.size === 0) {
      this.#recent = []
      this.#position = (await this.#outbox.bounds()).last
      return
    }
    for (;;) {
      const events = await this.#outbox.after(this.#position)
      const last = events.at(-1)
      if (!last) return
      this.#recent = [...this.#recent, ...events].slice(-shared)
      this.#position = last.position
    }
  }
}

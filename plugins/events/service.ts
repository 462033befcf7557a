import {
  type ContentType,
  type Entry,
  type Host,
  optional,
  type Row,
  type ServiceOf,
  type Session,
  type SettingsOf,
} from '../../core/index.js'
import { draftAndPublish } from '../draft-and-publish/index.js'
import { tracing } from '../tracing/index.js'
import { FormerEnds } from './ends.js'
import { Feed } from './feed/feed.js'
import { Outbox } from './outbox.js'
import type { settings } from './settings.js'
import { WebhookManagement } from './webhooks/management.js'
import { Webhooks } from './webhooks/webhooks.js'

const usedDrafts = optional(draftAndPublish)

/** The state of the plugin while it runs. */
export class Events {
  readonly host: Host<SettingsOf<typeof settings>>
  readonly outbox: Outbox
  readonly ends: FormerEnds
  readonly webhooks: Webhooks
  readonly management = new WebhookManagement(this)
  readonly feed: Feed
  readonly #followers: (() => void)[] = []
  readonly #tracing: ServiceOf<typeof tracing> | undefined

  constructor(host: Host<SettingsOf<typeof settings>>) {
    this.host = host
    this.#tracing = host.service(optional(tracing))
    this.outbox = new Outbox(host)
    this.ends = new FormerEnds(host)
    this.webhooks = new Webhooks(host, this.outbox)
    this.feed = new Feed(host, this.outbox, (uid, row, at) => this.wasLive(uid, row, at))
  }

  /** True if an entry had been live when an event happened to it. */
  wasLive(uid: string, row: unknown, at: Date): boolean {
    const type = this.host.types.types.get(uid)
    const drafts = this.host.service(usedDrafts)
    return !type || !drafts || drafts.wasLive(type, (row ?? {}) as Row, at)
  }

  /** An entry about to be deleted, with its relations; undefined if no reader of events needs it. */
  async lastSight({ uid }: ContentType, id: number, session: Session): Promise<Entry | undefined> {
    return this.webhooks.wantsLastSight(uid) ? this.webhooks.sight(uid, id, session) : undefined
  }

  /** The trace that a request belongs to, while requests are traced. */
  traceOf(requestId: string | undefined): string | undefined {
    return requestId === undefined ? undefined : this.#tracing?.traceparentOf(requestId)
  }

  /** Readers of this process want to know of changes at once. */
  get isFollowed(): boolean {
    return this.#followers.length > 0 || this.webhooks.isFollowed || this.feed.isFollowed
  }

  close(): void {
    this.feed.stop()
  }

  refresh(): Promise<void> {
    return this.webhooks.read()
  }

  /** Calls back once something was committed, as other plugins read the outbox too. */
  follow(follower: () => void): void {
    this.#followers.push(follower)
  }

  /** Notifies readers after a commit. */
  changed(): void {
    if (this.webhooks.isFollowed) this.webhooks.changed()
    this.feed.changed()
    for (const follower of this.#followers) follower()
  }

  /** Seconds since the oldest event that webhooks have not been told of; 0 if there is none. */
  age(now = Date.now()): Promise<number> {
    return this.webhooks.age(now)
  }

  async prune(before: Date, signal: AbortSignal): Promise<void> {
    await this.outbox.prune(before, signal)
    await this.webhooks.deliveries.prune(before)
  }

  /** Resets the readers after an import, as their view of the content is outdated. */
  async imported(): Promise<void> {
    const change = { event: 'content.import', uid: '*', entry: 0 }
    const about = { at: new Date(), caller: { scope: 'import', can: () => true } }
    await this.host.store.transaction(async session => this.outbox.add(session, change, about))
  }
}

import { type Caller, type CallerContent, type Finished, NotFoundError, type RouteCall } from '../../../core/index.js'
import type { StoredEvent } from '../event.js'
import type { Feed } from './feed.js'
import type { FeedTexts } from './listener.js'
import type { Subscription } from './subscription.js'

/** The texts of a client of the feed: events, and with them entries, as the caller may read them. */
export class ShownEvents implements FeedTexts {
  readonly opening: string
  readonly #feed: Feed
  readonly #call: RouteCall
  readonly #subscription: Subscription

  constructor(feed: Feed, call: RouteCall, subscription: Subscription, from: number) {
    this.#feed = feed
    this.#call = call
    this.#subscription = subscription
    this.opening = `retry: 2000\nid: ${from}\n\n`
  }

  beat(position: number): string {
    return `: still here\nid: ${position}\n\n`
  }

  async *of(events: readonly StoredEvent[]): AsyncGenerator<string> {
    const { types } = this.#subscription
    const wanted = events.filter(({ uid, event }) => types.has(uid) || event.startsWith('content.'))
    if (wanted.length === 0) return
    const { caller, content } = await this.#call.renew()
    for (const event of wanted) {
      const data = await this.#dataOf(event, caller, content)
      if (data !== undefined) yield `id: ${event.position}\ndata: ${data}\n\n`
    }
  }

  /** Data of an event that the caller may read at this moment; undefined if there is none. */
  async #dataOf(event: StoredEvent, caller: Caller, content: CallerContent): Promise<string | undefined> {
    const { uid, entry: id, locale } = event
    if (uid === '*') return JSON.stringify({ event: event.event })
    const permission = ['findOne', 'find'].find(action => caller.can(action, uid))
    if (permission === undefined) return undefined
    const about = { event: event.event, uid, id, locale, ...this.#details(event, caller, permission) }
    const isGone = event.event === 'entry.delete' || event.event === 'entry.unpublish'
    const shown = await this.#entryOf({ uid, id, permission }, content)
    if (shown === undefined) return isGone && this.#knew(event, caller, permission) ? JSON.stringify(about) : undefined
    const text = JSON.stringify(about)
    return this.#subscription.includesEntries ? `${text.slice(0, -1)},"entry":${shown}}` : text
  }

  /** Names of readable attributes, and ends that the caller may find; none if row rules decide. */
  #details(
    { uid, changed, ends }: StoredEvent,
    caller: Caller,
    permission: string,
  ): Pick<StoredEvent, 'changed' | 'ends'> {
    const type = this.#feed.host.types.types.get(uid)
    const names = caller.fields?.(permission, uid)
    const isShown = (name: string) =>
      hasName(names, name) ?? (type?.fields.get(name) ?? type?.links.get(name))?.readable === true
    const isFound = (other: string) => caller.can('find', other) && caller.rows?.('find', other) === undefined
    const found = ends?.filter(end => isShown(end.attribute) && isFound(end.uid))
    return { changed: changed?.filter(isShown), ends: found?.length ? found : undefined }
  }

  async #entryOf(
    { uid, id, permission }: { readonly uid: string; readonly id: number; readonly permission: string },
    content: CallerContent,
  ): Promise<string | undefined> {
    try {
      const { query } = this.#subscription
      const { reply } = (await content.findOne(uid, id, { query, permission })) as Finished
      return 'text' in reply ? String(reply.text) : undefined
    } catch (error) {
      if (error instanceof NotFoundError) return undefined
      throw error
    }
  }

  /** True if the caller could see an entry that is hidden now. Row rules cannot be evaluated for it any more, so with them it is false. */
  #knew(event: StoredEvent, caller: Caller, permission: string): boolean {
    if (caller.rows?.(permission, event.uid) !== undefined) return false
    return this.#subscription.hasDrafts || this.#feed.wasLive(event)
  }
}

/** A part of a component is a name with dots: a change of the component is told to callers that may read one. */
const hasName = (names: ReadonlySet<string> | undefined, name: string): boolean | undefined =>
  names && (names.has(name) || [...names].some(other => other.startsWith(`${name}.`)))

import { Readable } from 'node:stream'
import {
  type Caller,
  type CallerContent,
  type Finished,
  NotFoundError,
  RequestError,
  type RouteCall,
} from '../../../core/index.js'
import type { StoredEvent } from '../event.js'
import type { Feed } from './feed.js'
import type { Subscription } from './subscription.js'

/** Bytes that a client may have left unread before its connection is ended; it can go on from where it was. */
const mostUnread = 1_048_576

/** A client that follows the content: an open response, and its position. */
export class Listener {
  readonly stream = new Readable({ read: () => undefined })
  readonly #feed: Feed
  readonly #call: RouteCall
  readonly #subscription: Subscription
  #position: number
  #isPumping = false

  constructor(feed: Feed, call: RouteCall, subscription: Subscription, position: number) {
    this.#feed = feed
    this.#call = call
    this.#subscription = subscription
    this.#position = position
    this.stream.push(`retry: 2000\nid: ${position}\n\n`)
  }

  /** Keeps the connection open, and tells the client how far it has come although nothing was meant for it. */
  beat(): void {
    if (!this.#isPumping) this.#push(`: still here\nid: ${this.#position}\n\n`)
  }

  /** Sends the events since the last time. */
  async pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    try {
      while (this.#position < this.#feed.position && !this.stream.destroyed) {
        const events = await this.#feed.after(this.#position)
        const last = events.at(-1)
        if (!last) return
        await this.#send(events)
        this.#position = last.position
      }
    } catch (error) {
      // The caller is not permitted to any more, or the database does not reply: the client asks again, and is told.
      if (!(error instanceof RequestError)) this.#feed.host.log.error({ err: error }, 'a feed ended with an error')
      this.end()
    } finally {
      this.#isPumping = false
    }
  }

  end(): void {
    if (!this.stream.destroyed) this.stream.push(null)
  }

  async #send(events: readonly StoredEvent[]): Promise<void> {
    const { types } = this.#subscription
    const wanted = events.filter(({ uid, event }) => types.has(uid) || event.startsWith('content.'))
    if (wanted.length === 0) return
    const { caller, content } = await this.#call.renew()
    for (const event of wanted) {
      const data = await this.#dataOf(event, caller, content)
      if (data !== undefined) this.#push(`id: ${event.position}\ndata: ${data}\n\n`)
      if (this.stream.destroyed) return
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
  #knew({ gone, uid, event, at }: StoredEvent, caller: Caller, permission: string): boolean {
    if (caller.rows?.(permission, uid) !== undefined) return false
    if (this.#subscription.hasDrafts) return true
    return event === 'entry.unpublish' ? gone === undefined : this.#feed.wasLive(uid, gone, new Date(at))
  }

  #push(text: string): void {
    if (this.stream.destroyed || this.stream.readableEnded) return
    this.stream.push(text)
    if (this.stream.readableLength > mostUnread) this.stream.destroy()
  }
}

/** A part of a component is a name with dots: a change of the component is told to callers that may read one. */
const hasName = (names: ReadonlySet<string> | undefined, name: string): boolean | undefined =>
  names && (names.has(name) || [...names].some(other => other.startsWith(`${name}.`)))

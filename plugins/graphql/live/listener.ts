import { Readable } from 'node:stream'
import { RequestError, type RouteCall } from '../../../core/index.js'
import type { Feed, FeedReader, StoredEvent } from '../../events/index.js'
import type { Subscribed } from './subscribed.js'

/** Bytes that a client may have left unread before its connection is ended. */
const mostUnread = 1_048_576

/** The text of a response that is one event of a stream, and of the end of the stream. */
export const nextText = (text: string): string => `event: next\ndata: ${text}\n\n`
export const completeText = 'event: complete\ndata:\n\n'

/** A client that follows a subscription of GraphQL. */
export class LiveListener implements FeedReader {
  readonly stream = new Readable({ read: () => undefined })
  readonly #feed: Feed
  readonly #call: RouteCall
  readonly #subscribed: Subscribed
  #position: number
  #isPumping = false

  constructor(feed: Feed, call: RouteCall, subscribed: Subscribed, position: number) {
    this.#feed = feed
    this.#call = call
    this.#subscribed = subscribed
    this.#position = position
    this.stream.push(':\n\n')
  }

  beat(): void {
    if (!this.#isPumping) this.#push(':\n\n')
  }

  async pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    try {
      while (this.#position < this.#feed.position && !this.stream.destroyed) {
        const events = await this.#feed.after(this.#position)
        const last = events.at(-1)
        if (!last) return
        await this.#send(events.filter(({ uid }) => uid === this.#subscribed.uid))
        this.#position = last.position
      }
    } catch (error) {
      // The caller may not follow it any more, or the database does not reply: the client subscribes again, and is told.
      if (!(error instanceof RequestError))
        this.#feed.host.log.error({ err: error }, 'a subscription ended with an error')
      this.end()
    } finally {
      this.#isPumping = false
    }
  }

  end(): void {
    if (this.stream.destroyed || this.stream.readableEnded) return
    this.#push(completeText)
    this.stream.push(null)
  }

  async #send(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    const call = { ...this.#call, ...(await this.#call.renew()) }
    for (const event of events) {
      const text = await this.#subscribed.respond({ event, wasLive: this.#wasLive(event) }, call)
      if (text !== undefined) this.#push(nextText(text))
      if (this.stream.destroyed) return
    }
  }

  #wasLive({ event, uid, gone, at }: StoredEvent): boolean {
    return event === 'entry.unpublish' ? gone === undefined : this.#feed.wasLive(uid, gone, new Date(at))
  }

  #push(text: string): void {
    if (this.stream.destroyed || this.stream.readableEnded) return
    this.stream.push(text)
    if (this.stream.readableLength > mostUnread) this.stream.destroy()
  }
}

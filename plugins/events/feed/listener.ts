import { Readable } from 'node:stream'
import { RequestError } from '../../../core/index.js'
import type { StoredEvent } from '../event.js'
import type { Feed } from './feed.js'

/** Bytes that a client may have left unread before its connection is ended; it can go on from where it was. */
const mostUnread = 1_048_576

/** The texts that a client gets. */
export interface FeedTexts {
  /** The beginning of the response. */
  readonly opening: string
  /** Keeps the connection open; `position` is where the client has come to, although nothing may have been meant for it. */
  beat(position: number): string
  /** The end of the response. */
  readonly closing?: string
  /** The texts of events, as the caller may see them at this moment; an error ends the response. */
  of(events: readonly StoredEvent[]): AsyncIterable<string>
}

/** A client that follows the content: an open response, and its position. */
export class Listener {
  readonly stream = new Readable({ read: () => undefined })
  readonly #feed: Feed
  readonly #texts: FeedTexts
  #position: number
  #isPumping = false
  /** The response has its end, which the client may not have read yet. */
  #isOver = false

  constructor(feed: Feed, texts: FeedTexts, position: number) {
    this.#feed = feed
    this.#texts = texts
    this.#position = position
    this.stream.push(texts.opening)
  }

  beat(): void {
    if (!this.#isPumping) this.#push(this.#texts.beat(this.#position))
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
        for await (const text of this.#texts.of(events)) {
          this.#push(text)
          if (this.stream.destroyed) return
        }
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
    if (this.#isOver || this.stream.destroyed) return
    if (this.#texts.closing !== undefined) this.#push(this.#texts.closing)
    this.#isOver = true
    this.stream.push(null)
  }

  #push(text: string): void {
    if (this.#isOver || this.stream.destroyed) return
    this.stream.push(text)
    if (this.stream.readableLength > mostUnread) this.stream.destroy()
  }
}

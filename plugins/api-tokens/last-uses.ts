import type { Context } from 'koa'
import type { Host } from '../../core/index.js'
import { tokenUid } from './content-types.js'
import type { KeptToken } from './kept-tokens.js'

/** Precision of a token's last use, in milliseconds: within it a token costs at most one write. */
const exactness = 60 * 60 * 1000

/** Records when tokens were used last, out of the way of the requests that use them. */
export class LastUses {
  readonly #host: Pick<Host, 'entries' | 'log'>
  readonly #firstUses: boolean
  readonly #writing = new Set<Promise<unknown>>()
  #closed = false

  constructor(host: Pick<Host, 'entries' | 'log'>, firstUses: boolean) {
    this.#host = host
    this.#firstUses = firstUses
  }

  /** Notes a use of the token; it is written once the response is sent. */
  note(token: KeptToken, { res }: Pick<Context, 'res'>): void {
    const now = Date.now()
    if (now - token.usedAt < exactness || (token.usedAt === 0 && !this.#firstUses)) return
    token.usedAt = now
    res.once('close', () => this.#write(token.id, now))
  }

  /** Waits for the current write, and begins no other. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#writing)
  }

  #write(id: number, at: number): void {
    if (this.#closed) return
    const { entries, log } = this.#host
    const writing = entries(tokenUid)
      .update(id, { lastUsedAt: new Date(at).toISOString() })
      .catch(error => log.warn({ err: error, id }, 'the last use of a token could not be recorded'))
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }
}

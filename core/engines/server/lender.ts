import { Pool, TimeoutError } from 'tarn'
import type { PoolState } from '../engine.js'

export interface LenderParts<Connection> {
  open(): Promise<Connection>
  close(connection: Connection): unknown
  /** The minimum and maximum of open connections. */
  readonly pool: { readonly min: number; readonly max: number }
  /** Milliseconds that a request for one waits. */
  readonly acquireTimeout: number
  /** It is open, and nothing has become known for which it is not used any more. */
  isUsable(connection: Connection): boolean
}

interface Waiter<Connection> {
  readonly until: number
  readonly resolve: (connection: Connection | Promise<Connection>) => void
  readonly reject: (reason: Error) => void
}

/**
 * Lends connections of the pool, each for one piece of work. One that comes back goes straight to the request that has waited
 * longest: its way through the pool takes two timers and some thirty promises.
 */
export class Lender<Connection> {
  readonly #parts: LenderParts<Connection>
  readonly #pool: Pool<Connection>
  #lent = 0
  /** Connections that the pool has been asked for. */
  #asked = 0
  /** Requests that wait while all connections are lent. */
  readonly #queue: Waiter<Connection>[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(parts: LenderParts<Connection>) {
    this.#parts = parts
    this.#pool = new Pool({
      create: () => parts.open(),
      destroy: connection => parts.close(connection),
      validate: connection => parts.isUsable(connection),
      ...parts.pool,
      acquireTimeoutMillis: parts.acquireTimeout,
      propagateCreateError: true,
    })
  }

  get state(): PoolState {
    return {
      used: this.#pool.numUsed(),
      idle: this.#pool.numFree(),
      waiting: this.#asked + this.#queue.length,
      most: this.#parts.pool.max,
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  acquire(): Promise<Connection> {
    const { pool, acquireTimeout } = this.#parts
    if (this.#lent < pool.max) return this.#askPool()
    return new Promise((resolve, reject) => {
      this.#queue.push({ until: performance.now() + acquireTimeout, resolve, reject })
      this.#timer ??= setTimeout(this.#endWaits, acquireTimeout).unref()
    })
  }

  /** `isWell`: nothing has failed on it. */
  release(connection: Connection, isWell: boolean): void {
    const isNext = isWell && this.#queue.length > 0 && this.#parts.isUsable(connection)
    const next = isNext ? this.#queue.shift() : undefined
    if (next) next.resolve(connection)
    else {
      this.#pool.release(connection)
      this.#ended()
    }
  }

  async #askPool(): Promise<Connection> {
    this.#lent += 1
    this.#asked += 1
    try {
      return await this.#pool.acquire().promise
    } catch (error) {
      this.#ended()
      throw error instanceof TimeoutError ? new Error('no connection was opened in time', { cause: error }) : error
    } finally {
      this.#asked -= 1
    }
  }

  /** One less is lent. */
  #ended(): void {
    this.#lent -= 1
    this.#queue.shift()?.resolve(this.#askPool())
  }

  /** Ends waits that are over, and looks again when the next one is. */
  readonly #endWaits = (): void => {
    const now = performance.now()
    for (let [first] = this.#queue; first && first.until <= now; [first] = this.#queue) {
      this.#queue.shift()
      first.reject(new Error('no connection came back in time'))
    }
    const [next] = this.#queue
    this.#timer = next && setTimeout(this.#endWaits, Math.max(1, next.until - now)).unref()
  }
}

import type { Knex } from 'knex'

export interface LenderParts<Connection> {
  readonly knex: Knex
  /** How many connections there are at most. */
  readonly connections: number
  /** Milliseconds that a request for one waits. */
  readonly acquireTimeout: number
  /** Nothing has become known for which the connection is not used any more. */
  isTrusted(connection: Connection): boolean
}

interface Waiter<Connection> {
  readonly until: number
  readonly resolve: (connection: Connection | Promise<Connection>) => void
  readonly reject: (reason: Error) => void
}

/**
 * Lends connections of the pool, each for one piece of work. One that comes back goes straight to what has waited longest:
 * its way through the pool takes two timers and some thirty promises.
 */
export class Lender<Connection> {
  readonly #parts: LenderParts<Connection>
  #lent = 0
  /** How many the pool has been asked for. */
  #asked = 0
  /** What waits while all are lent. */
  readonly #queue: Waiter<Connection>[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(parts: LenderParts<Connection>) {
    this.#parts = parts
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.#asked + this.#queue.length
  }

  acquire(): Promise<Connection> {
    const { connections, acquireTimeout } = this.#parts
    if (this.#lent < connections) return this.#askPool()
    return new Promise((resolve, reject) => {
      this.#queue.push({ until: performance.now() + acquireTimeout, resolve, reject })
      this.#timer ??= setTimeout(this.#endWaits, acquireTimeout).unref()
    })
  }

  /** `isWell`: nothing has failed on it. */
  release(connection: Connection, isWell: boolean): void {
    const isNext = isWell && this.#queue.length > 0 && this.#isUsable(connection)
    const next = isNext ? this.#queue.shift() : undefined
    if (next) next.resolve(connection)
    else {
      this.#parts.knex.client.releaseConnection(connection)
      this.#ended()
    }
  }

  async #askPool(): Promise<Connection> {
    this.#lent += 1
    this.#asked += 1
    try {
      return (await this.#parts.knex.client.acquireConnection()) as Connection
    } catch (error) {
      this.#ended()
      throw error
    } finally {
      this.#asked -= 1
    }
  }

  /** One less is lent. */
  #ended(): void {
    this.#lent -= 1
    this.#queue.shift()?.resolve(this.#askPool())
  }

  /** As the pool itself looks at one before it is lent. */
  #isUsable(connection: Connection): boolean {
    const { knex, isTrusted } = this.#parts
    const { __knex__disposed: isDisposed } = connection as { readonly __knex__disposed?: unknown }
    return isTrusted(connection) && !isDisposed && Boolean(knex.client.validateConnection(connection))
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

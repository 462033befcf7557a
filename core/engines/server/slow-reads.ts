import { LRUCache } from 'lru-cache'
import { UnavailableError } from '../../errors.js'

/** Milliseconds from which on a read is slow. */
const limit = 250
/** Texts that are known to be quick. */
const mostTexts = 5000
/** Reads that wait for each one that may run; further ones are refused at once. */
const mostWaiting = 20

interface Waiter {
  readonly until: number
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

/**
 * A gate for reads that may take long: they get half of the connections, so that other clients never wait for all of them to
 * end. A text counts as slow until it has been seen to be quick, and again once it has taken long.
 */
export class SlowReads {
  readonly #quick = new LRUCache<string, true>({ max: mostTexts })
  readonly #most: number
  readonly #maxWait: number
  readonly #queue: Waiter[] = []
  #running = 0
  #timer: NodeJS.Timeout | undefined

  /** `connections` is the size of the pool, `maxWait` the milliseconds that a read waits for its turn. */
  constructor(connections: number, maxWait: number) {
    this.#most = Math.max(1, Math.floor(connections / 2))
    this.#maxWait = maxWait
  }

  /** Runs a read of these texts when its turn comes. */
  async run<T>(texts: readonly string[], read: () => Promise<T>): Promise<T> {
    if (texts.every(text => this.#quick.get(text))) return read()
    if (this.#running < this.#most) this.#running += 1
    else await this.#wait()
    try {
      return await read()
    } finally {
      this.#leave()
    }
  }

  /** Asks these texts on a connection, and remembers whether that took long. */
  async timed<T>(texts: readonly string[], ask: () => T | Promise<T>): Promise<T> {
    const begun = performance.now()
    try {
      return await ask()
    } finally {
      const isQuick = performance.now() - begun < limit
      for (const text of texts)
        if (!isQuick) this.#quick.delete(text)
        else if (!this.#quick.has(text)) this.#quick.set(text, true)
    }
  }

  #wait(): Promise<void> {
    if (this.#queue.length >= this.#most * mostWaiting) throw crowded()
    return new Promise((resolve, reject) => {
      this.#queue.push({ until: performance.now() + this.#maxWait, resolve, reject })
      this.#timer ??= setTimeout(this.#endWaits, this.#maxWait).unref()
    })
  }

  #leave(): void {
    const next = this.#queue.shift()
    if (next) next.resolve()
    else this.#running -= 1
  }

  /** Ends waits that are over, and looks again when the next one is. */
  readonly #endWaits = (): void => {
    const now = performance.now()
    for (let [first] = this.#queue; first && first.until <= now; [first] = this.#queue) {
      this.#queue.shift()
      first.reject(crowded())
    }
    const [next] = this.#queue
    this.#timer = next && setTimeout(this.#endWaits, Math.max(1, next.until - now)).unref()
  }
}

const crowded = () => new UnavailableError('Too many slow requests are running, try again')

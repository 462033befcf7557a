import type { JobClock } from './job-clock.js'

export interface RunParts {
  readonly clock: JobClock
  /** Milliseconds without a renewal after which another process takes over. */
  readonly term: number
  /** The time at which the lease was asked for. */
  readonly begun: number
  /** Renews the lease; false where it is another's. */
  readonly renew: () => Promise<boolean>
  readonly work: (signal: AbortSignal) => unknown
}

/** A run of a job: its lease is renewed while it lasts, and its signal is aborted before another process can take over. */
export class Run {
  /** Resolves when the work has ended, with its error if it has failed. */
  readonly done: Promise<unknown>
  isLost = false
  isStopped = false
  readonly #parts: RunParts
  readonly #abort = new AbortController()
  #renewed: number
  #isRenewing = false
  #cancel: () => void = () => undefined

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#renewed = parts.begun
    this.#watch()
    this.done = (async () => parts.work(this.#abort.signal))()
      .then(() => undefined)
      .catch(error => error ?? new Error('it failed without an error'))
      .finally(() => this.#cancel())
  }

  /** The server stops. */
  stop(): void {
    this.isStopped = true
    this.#abort.abort(new Error('the server is stopping'))
  }

  #watch(): void {
    const { clock, term } = this.#parts
    this.#cancel = clock.after(term / 4, () => {
      if (this.isLost) return
      if (clock.now() - this.#renewed >= (3 * term) / 4) this.#lose()
      else {
        this.#renew()
        this.#watch()
      }
    })
  }

  #renew(): void {
    // A renewal that hangs must not hide the end of the lease.
    if (this.#isRenewing) return
    this.#isRenewing = true
    const asked = this.#parts.clock.now()
    this.#parts
      .renew()
      .then(isHeld => {
        if (isHeld) this.#renewed = asked
        else this.#lose()
      })
      // The next one may succeed, and until then the lease runs.
      .catch(() => undefined)
      .finally(() => {
        this.#isRenewing = false
      })
  }

  #lose(): void {
    if (this.isLost) return
    this.isLost = true
    this.#cancel()
    this.#abort.abort(new Error('the lease of the job is lost'))
  }
}

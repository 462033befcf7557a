import type { Log } from '../log.js'

/** Milliseconds between two lines of the log about work that takes long. */
const apart = 5_000

/** What a start does at this moment: for health checks, and for the log where it takes long. */
export class StartProgress {
  readonly #log: Log
  readonly #now: () => number
  #doing = 'reading the app'
  #told: number

  constructor(log: Log, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
    this.#told = now()
  }

  get doing(): string {
    return this.#doing
  }

  begin(doing: string): void {
    this.#doing = doing
    this.#told = this.#now()
  }

  /** So many of so many things of one kind are done. */
  at(doing: string, done: number, total: number): void {
    this.#doing = `${doing}: ${done} of ${total}`
    const now = this.#now()
    if (now - this.#told < apart) return
    this.#told = now
    this.#log.info({ done, total }, this.#doing)
  }
}

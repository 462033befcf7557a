import { UnavailableError } from '../errors.js'

/** Milliseconds after which a statement has kept others waiting. */
const long = 20
const kept = 1000
/** Turns of the event loop in which what came meanwhile gets as far as its statements: read, called up, begun. */
const between = 4

interface Waiting {
  readonly sql: string
  readonly since: number
  readonly run: () => void
}

/**
 * Statements of an engine that works while everybody waits. What is known to be quick runs at once; all else waits until
 * the requests that have arrived had their turn, and after a long statement those that came meanwhile have theirs. Where
 * the first of those who wait has waited too long, no more are let in: the quick ones are served all the same.
 */
export class Turns {
  readonly #patience: number
  /** Texts of statements that were quick when they ran last. */
  readonly #quick = new Set<string>()
  #waiting: Waiting[] = []
  #isPlanned = false
  /** Since when the first of those who wait has been waiting. */
  #longest = Number.POSITIVE_INFINITY

  /** `patience` is in milliseconds: a wait that shows that there are more long statements than can be run. */
  constructor(patience = 2000) {
    this.#patience = patience
  }
  /** In this turn of the event loop something has taken long. */
  #isOver = false
  /** Turns until one of those that are not known to be quick may run. */
  #pause = 0

  take<T>(sql: string, work: () => T): T | Promise<T> {
    const isQuick = this.#quick.has(sql)
    if (this.#isOver || !isQuick) return this.#later(sql, work)
    try {
      return this.#timed(sql, work)
    } catch (error) {
      return this.#again(sql, work, error)
    }
  }

  async #later<T>(sql: string, work: () => T): Promise<T> {
    const since = performance.now()
    if (!this.#quick.has(sql) && since - this.#longest > this.#patience) throw new UnavailableError()
    this.#longest = Math.min(this.#longest, since)
    return new Promise((resolve, reject) => {
      const run = () => {
        const wasQuick = this.#quick.has(sql)
        try {
          resolve(this.#timed(sql, work))
        } catch (error) {
          if (wasQuick) resolve(this.#again(sql, work, error))
          else reject(error)
        }
      }
      this.#waiting.push({ sql, since, run })
      this.#plan()
    })
  }

  /** Where a quick one failed because it took long, the machine may have stood still: it has a turn of its own. */
  async #again<T>(sql: string, work: () => T, error: unknown): Promise<T> {
    if (this.#quick.has(sql)) throw error
    return this.#later(sql, work)
  }

  #timed<T>(sql: string, work: () => T): T {
    const begun = performance.now()
    try {
      return work()
    } finally {
      this.#note(sql, performance.now() - begun)
    }
  }

  #note(sql: string, took: number): void {
    if (took < long) {
      this.#quick.add(sql)
      if (this.#quick.size <= kept) return
      const [oldest] = this.#quick
      this.#quick.delete(oldest as string)
      return
    }
    this.#quick.delete(sql)
    this.#isOver = true
    this.#pause = between
    this.#plan()
  }

  #plan(): void {
    if (!this.#isPlanned) setImmediate(() => this.#begin())
    this.#isPlanned = true
  }

  /** Another turn: whatever is quick, and of the others, unless it is too early, those up to the first that takes long. */
  #begin(): void {
    this.#isOver = false
    this.#isPlanned = false
    const isQuick = ({ sql }: Waiting) => this.#quick.has(sql)
    const quick = this.#waiting.filter(isQuick)
    const others = this.#waiting.filter(one => !isQuick(one))
    if (this.#pause > 0) this.#pause -= 1
    for (const turn of this.#pause > 0 ? [quick] : [quick, others])
      while (turn.length > 0 && !this.#isOver) turn.shift()?.run()
    this.#waiting = [...quick, ...others]
    this.#longest = Math.min(Number.POSITIVE_INFINITY, ...this.#waiting.map(({ since }) => since))
    if (this.#waiting.length > 0) this.#plan()
  }
}

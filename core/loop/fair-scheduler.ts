import { UnavailableError } from '../errors.js'
import { type Clock, realClock } from './clock.js'
import { statements } from './constants.js'

interface WaitingStatement {
  readonly sql: string
  readonly since: number
  readonly run: () => void
}

/**
 * Schedules statements that block the event loop while they run. Those that are known to be quick run at once; all others
 * wait until the requests that have arrived had their turn, and after a long statement those that arrived meanwhile have
 * theirs. Once the first of them has waited too long, no others may wait; quick statements run all the same.
 */
export class FairScheduler {
  readonly #clock: Clock
  readonly #maxWait: number
  /** Texts of statements that were quick when they ran last. */
  readonly #quick = new Set<string>()
  #waiting: WaitingStatement[] = []
  #isPlanned = false
  /** The time since which the first of the waiting statements has been waiting. */
  #longest = Number.POSITIVE_INFINITY
  /** Something has taken long in this event-loop turn. */
  #isOver = false
  /** Turns until a statement that is not known to be quick may run. */
  #pause = 0

  /** `maxWait` is in milliseconds: a wait that shows that there are more long statements than can be run. */
  constructor(clock = realClock, maxWait = statements.maxWait) {
    this.#clock = clock
    this.#maxWait = maxWait
  }

  run<T>(sql: string, work: () => T | Promise<T>): T | Promise<T> {
    const isQuick = this.#quick.has(sql)
    if (this.#isOver || !isQuick) return this.#later(sql, work)
    try {
      return this.#timed(sql, work)
    } catch (error) {
      return this.#again(sql, work, error)
    }
  }

  async #later<T>(sql: string, work: () => T | Promise<T>): Promise<T> {
    const since = this.#clock.now()
    if (!this.#quick.has(sql) && since - this.#longest > this.#maxWait) throw new UnavailableError()
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

  /** A quick statement that failed because it took long may have met a machine that stood still: it runs in a turn of its own. */
  async #again<T>(sql: string, work: () => T | Promise<T>, error: unknown): Promise<T> {
    if (this.#quick.has(sql)) throw error
    return this.#later(sql, work)
  }

  #timed<T>(sql: string, work: () => T): T {
    const begun = this.#clock.now()
    try {
      return work()
    } finally {
      this.#note(sql, this.#clock.now() - begun)
    }
  }

  #note(sql: string, took: number): void {
    if (took < statements.long) {
      this.#quick.add(sql)
      if (this.#quick.size <= statements.remembered) return
      const [oldest] = this.#quick
      this.#quick.delete(oldest as string)
      return
    }
    this.#quick.delete(sql)
    this.#isOver = true
    this.#pause = statements.turnsBetween
    this.#plan()
  }

  #plan(): void {
    if (!this.#isPlanned) this.#clock.soon(this.#begin)
    this.#isPlanned = true
  }

  /** Another turn: runs the quick statements and, unless it is too early, of the others those up to the first that takes long. */
  readonly #begin = (): void => {
    this.#isOver = false
    this.#isPlanned = false
    const isQuick = ({ sql }: WaitingStatement) => this.#quick.has(sql)
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

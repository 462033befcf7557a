import { UnavailableError } from '../errors.js'

/** The steps around a group of writes on one connection. */
export interface GroupSteps {
  begin(): Promise<void>
  /** Resolves when all of it will last. */
  commit(): Promise<void>
  rollback(): void
  save(): void
  release(): void
  undo(): void
  /** What there is to do between two groups, if anything. */
  rest(): Promise<unknown> | undefined
  /** How many reads there were so far. */
  reads(): number
  /** The share of the time in which the process was at work since this was asked last. */
  strain(): number
  /** Milliseconds for which nobody gains anything if what waits is stored sooner. */
  leeway(): number
}

interface Job {
  readonly work: () => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

/** More would make the first of a group wait for the last. */
const largestGroup = 64
/** Milliseconds between two commits while there are reads, so many in between at least. */
const spacing = { least: 20, strained: 80, most: 160, reads: 4 }
/** The share of work up to which they are the least: they grow from there for a process that has less and less time left. */
const relaxed = 0.5

/**
 * One writer at a time, and one disk flush for all writes that are waiting: each runs in a savepoint of its own inside a
 * shared transaction, so each is undone alone, and none is answered before the commit.
 */
export class WriteQueue {
  readonly #steps: GroupSteps
  #waiting: Job[] = []
  #running: Promise<void> | undefined
  /** The last commit, the reads until then, and how much of the time since the one before went into work. */
  #last = { time: 0, reads: 0, strain: 0 }
  #whenFull: () => void = () => undefined

  constructor(steps: GroupSteps) {
    this.#steps = steps
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      if (this.#waiting.length === largestGroup) this.#whenFull()
      this.#running ??= this.#drain()
    })
  }

  /**
   * Writes that arrive in the same turn of the event loop join the group, and while there are many reads those of the next
   * milliseconds as well: each commit is a flush of the disk, and the end of everything that was kept of the database.
   */
  async #gather(): Promise<void> {
    const { time, reads } = this.#last
    const wait = time + this.#distance() - performance.now()
    const isBusy = this.#steps.reads() - reads >= spacing.reads
    if (isBusy && wait > 1 && this.#waiting.length < largestGroup) await this.#full(wait)
    else await new Promise(setImmediate)
  }

  #distance(): number {
    const { least, strained, most } = spacing
    const strain = Math.max(0, (this.#last.strain - relaxed) / (1 - relaxed))
    return Math.max(least + strain * (strained - least), Math.min(this.#steps.leeway(), most))
  }

  /** Resolves when there are enough for a group, or after so many milliseconds. */
  async #full(wait: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, wait)
      this.#whenFull = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Resolves when no transaction is open. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#group()
      const rest = this.#steps.rest()
      if (rest) await rest
    }
    this.#running = undefined
  }

  async #group(): Promise<void> {
    const settle: (() => void)[] = []
    const taken: Job[] = []
    try {
      await this.#steps.begin()
      while (this.#waiting.length > 0 && taken.length < largestGroup) {
        const job = this.#waiting.shift() as Job
        taken.push(job)
        settle.push(await this.#one(job))
      }
      this.#last = { time: performance.now(), reads: this.#steps.reads(), strain: this.#steps.strain() }
      await this.#steps.commit()
    } catch (reason) {
      this.#abandon()
      const lost = taken.length > 0 ? taken : this.#waiting.splice(0)
      for (const job of lost) job.reject(reason)
      return
    }
    for (const answer of settle) answer()
  }

  async #one(job: Job): Promise<() => void> {
    this.#steps.save()
    try {
      const value = await job.work()
      this.#steps.release()
      return () => job.resolve(value as never)
    } catch (reason) {
      try {
        this.#steps.undo()
        this.#steps.release()
      } catch (cause) {
        // The database gave up the whole transaction: no write of the group can stand.
        throw Object.assign(new UnavailableError(), { cause: reason ?? cause })
      }
      return () => job.reject(reason)
    }
  }

  #abandon(): void {
    try {
      this.#steps.rollback()
    } catch {
      // Nothing was open any more.
    }
  }
}

import { UnavailableError } from '../errors.js'

/** The steps around a group of writes on one connection. */
export interface GroupSteps {
  begin(): Promise<void>
  commit(): void
  rollback(): void
  save(): void
  release(): void
  undo(): void
  /** How many reads there were so far. */
  reads(): number
}

interface Job {
  readonly work: () => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

/** More would make the first of a group wait for the last. */
const largestGroup = 64
/** Milliseconds that the first of a group waits for others at most. */
const gathering = 10

/**
 * One writer at a time, and one disk flush for all writes that are waiting: each runs in a savepoint of its own inside a
 * shared transaction, so each is undone alone, and none is answered before the commit.
 */
export class WriteQueue {
  readonly #steps: GroupSteps
  #waiting: Job[] = []
  #running: Promise<void> | undefined

  constructor(steps: GroupSteps) {
    this.#steps = steps
  }

  add<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#running ??= this.#gather().then(() => this.#drain())
    })
  }

  /**
   * Writes that arrive in the same turn of the event loop join the group, and while reads keep the process busy those of
   * the next turns as well: each commit is a flush of the disk, and the end of everything that was kept of the database.
   */
  async #gather(): Promise<void> {
    const end = performance.now() + gathering
    let reads: number
    do {
      reads = this.#steps.reads()
      await new Promise(setImmediate)
    } while (reads !== this.#steps.reads() && this.#waiting.length < largestGroup && performance.now() < end)
  }

  /** Resolves when no transaction is open. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#group()
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
      this.#steps.commit()
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

import { performance } from 'node:perf_hooks'
import { type Clock, realClock } from './clock.js'
import { commits } from './constants.js'

/** The load of requests on the process beside its commits. */
export interface RequestLoad {
  /** Requests that read, so far. Reads of writes do not count: nothing of them is cached. */
  readonly reads: number
  /** Milliseconds by which a commit may be delayed without making any client wait longer. */
  readonly flushSlack: number
}

export interface CommitLoad {
  requests(): RequestLoad
  /** The share of the time in which the process was at work since this was asked last. */
  strain(): number
}

/**
 * Decides when the next group of writes is committed. Writes of this event-loop turn join it, those of the next turns if the
 * process is at its limit and each turn brings some, and those of the next milliseconds while many requests read: each commit
 * flushes the disk and invalidates all that is cached of the database.
 */
export class CommitSpacing {
  readonly #load: CommitLoad
  readonly #clock: Clock
  /** The last commit, the reads until then, and the share of work in the time before it. */
  #last = { time: 0, reads: 0, strain: 0 }
  #whenFull: () => void = () => undefined

  constructor(load: CommitLoad, clock = realClock) {
    this.#load = load
    this.#clock = clock
  }

  /** A write joined the group, which has so many now. */
  joined(count: number): void {
    if (count === commits.largestGroup) this.#whenFull()
  }

  /** Resolves when a group should begin; `count` tells how many writes it has so far. */
  async gathered(count: () => number): Promise<void> {
    const begun = this.#clock.now()
    const wait = this.#last.time + this.#distance() - begun
    const isRead = () => this.#load.requests().reads - this.#last.reads >= commits.reads
    if (isRead() && wait > 1 && count() < commits.largestGroup) return this.#full(wait)
    const maxWait = this.#last.strain < commits.joining ? 0 : commits.least
    // Clients that a commit has answered send their next writes one after the other.
    for (let had = 0; had < count(); ) {
      had = count()
      await new Promise<void>(resolve => this.#clock.soon(resolve))
      if (isRead() || had >= commits.largestGroup || this.#clock.now() - begun >= maxWait) return
    }
  }

  /** The group is about to be committed. */
  committing(): void {
    this.#last = { time: this.#clock.now(), reads: this.#load.requests().reads, strain: this.#load.strain() }
  }

  #distance(): number {
    const { least, strained, most, relaxed } = commits
    const strain = Math.max(0, (this.#last.strain - relaxed) / (1 - relaxed))
    return Math.max(least + strain * (strained - least), Math.min(this.#load.requests().flushSlack, most))
  }

  /** Resolves when there are enough writes for a group, or after so many milliseconds. */
  #full(wait: number): Promise<void> {
    return new Promise<void>(resolve => {
      this.#whenFull = resolve
      this.#clock.after(wait, resolve)
    })
  }
}

/** Tells, each time, which share of the time since the last call the process has worked. */
export function strainOfProcess(): () => number {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

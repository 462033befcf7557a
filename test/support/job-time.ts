import type { JobClock } from '../../core/services/jobs/job-clock.js'
import type { Scheduler } from '../../core/services/jobs/scheduler.js'

/** The clocks of one process: it stands still unless the test lets it run. */
export class JobTime implements JobClock {
  readonly #calendar: { time: number }
  #now = 0
  #timers: { readonly at: number; readonly step: () => void }[] = []

  constructor(calendar: { time: number }) {
    this.#calendar = calendar
  }

  now(): number {
    return this.#now
  }

  time(): number {
    return this.#calendar.time
  }

  after(milliseconds: number, step: () => void): () => void {
    const timer = { at: this.#now + milliseconds, step }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
    const due = this.#timers.filter(({ at }) => at <= this.#now)
    this.#timers = this.#timers.filter(({ at }) => at > this.#now)
    for (const { step } of due) step()
  }
}

/** A process of several that run jobs on one database. */
export interface JobProcess {
  readonly clock: JobTime
  readonly scheduler: Scheduler
}

/** Lets seconds pass for these processes and the calendar; work begun in one is over before the next. */
export async function pass(
  seconds: number,
  calendar: { time: number },
  processes: readonly JobProcess[],
): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    calendar.time += 1000
    for (const { clock } of processes) clock.advance(1000)
    await settle(processes)
  }
}

/** Resolves when no process has anything to do before its clock moves on. */
export async function settle(processes: readonly JobProcess[]): Promise<void> {
  for (let round = 0; round < 3; round += 1)
    for (const { scheduler } of processes) {
      await new Promise(resolve => setImmediate(resolve))
      await scheduler.settled()
    }
}

import { randomUUID } from 'node:crypto'
import type { JobRunner, JobRunnerParts, PluginJob } from '../../boot/wings.js'
import { maskUrl } from '../../log.js'
import { within } from '../../loop/clock.js'
import type { JobClock } from './job-clock.js'
import { type JobRow, JobTable } from './job-table.js'
import { Run } from './run.js'
import { leastPause, type Schedule, scheduleOf } from './schedule.js'

export interface SchedulerParts extends Omit<JobRunnerParts, 'time'> {
  readonly clock: JobClock
}

/** Milliseconds without a renewal after which another process takes over. */
export const term = 20_000
/** The longest time between two reads of the table, after which changes of other processes and of the clock are noticed. */
const longestSleep = 60_000
/** Milliseconds between two questions to a job that says itself when it is due. */
const asked = 10_000
const longestBackOff = 3_600_000

interface Entry extends PluginJob {
  readonly name: string
  readonly schedule: Schedule
}

/**
 * Runs the jobs of all plugins, each in one process of all. A row for each job in the database says when it is due and
 * who runs it. No clock has to agree with any other about the lease: a holder renews its row, and another process takes
 * over when it has seen no renewal for the term by its own clock, which by then the holder has noticed by its own.
 */
export class Scheduler implements JobRunner {
  readonly #parts: SchedulerParts
  readonly #table: JobTable
  readonly #holder = `${process.pid} ${randomUUID()}`
  readonly #running = new Map<string, Run>()
  /** Since when the row of a holder has not changed. */
  readonly #watched = new Map<string, { readonly beat: number; readonly since: number }>()
  /** Statements in flight. */
  readonly #work = new Set<Promise<unknown>>()
  #entries: readonly Entry[] = []
  #prepared: Promise<void> | undefined
  #cancel: () => void = () => undefined
  #isStopping = false
  #isLooking = false
  #isStarted = false
  /** True if a job was woken during a read of the table. */
  #isLookDue = false
  /** Jobs that may have something to do. */
  readonly #woken = new Set<string>()

  constructor(parts: SchedulerParts) {
    this.#parts = parts
    this.#table = new JobTable(parts.engine)
  }

  /** Takes the jobs, or throws the error in a declaration. */
  async declare(jobs: readonly PluginJob[]): Promise<void> {
    const entries: Entry[] = []
    for (const one of jobs) entries.push({ ...one, name: nameOf(one), schedule: await scheduleOf(one.plugin, one.job) })
    this.#entries = entries
  }

  /** Begins to look for jobs that are due. */
  start(): void {
    this.#isStarted = true
    if (this.#entries.length > 0) this.#look()
  }

  /** Asks a job now whether it is due. If another process runs it, it is asked again until that run has ended. */
  wake(name: string): void {
    if (!this.#isStarted || this.#isStopping) return
    this.#woken.add(name)
    if (this.#isLooking) this.#isLookDue = true
    else if (!this.#running.has(name)) this.#look()
  }

  /** Aborts runs and waits for their end; jobs that do not end until the deadline are left to their lease. */
  async stop(deadline: number): Promise<void> {
    this.#isStopping = true
    this.#cancel()
    for (const run of this.#running.values()) run.stop()
    const ended = Promise.all([...this.#running.values()].map(({ done }) => done)).then(() => this.settled())
    await within(deadline, ended, () => new Error('jobs were still running at the deadline')).catch(error =>
      this.#parts.log.warn({ jobs: [...this.#running.keys()] }, (error as Error).message),
    )
  }

  /** Runs a job now, due or not, and rejects where it fails. */
  async runNow(name: string): Promise<void> {
    const entry = this.#entries.find(one => one.name === name)
    if (!entry) {
      const names = this.#entries.map(one => one.name)
      throw new Error(
        `there is no job "${name}"${names.length > 0 ? `; there are ${names.join(', ')}` : ': no plugin has any'}`,
      )
    }
    await this.#prepare()
    const row = (await this.#table.rows([name])).get(name)
    const run = row && row.holder === undefined ? await this.#begin(entry, row, this.#parts.clock.time()) : undefined
    if (!run) throw new Error(`the job "${name}" is running already`)
    const error = await run.done
    await this.settled()
    if (error !== undefined) throw error
  }

  /** A job runs in this process. */
  get isRunning(): boolean {
    return this.#running.size > 0
  }

  /** Resolves when no statement of the scheduler is in flight. */
  async settled(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work)
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work)
    const end = () => this.#work.delete(work)
    work.then(end, end)
    return work
  }

  #look(): void {
    if (this.#isStopping || this.#isLooking) return
    this.#cancel()
    this.#isLooking = true
    this.#isLookDue = false
    const look = this.#prepare()
      .then(() => this.#lookAtAll())
      .catch(error => {
        this.#parts.log.error({ err: error }, 'jobs could not be looked at; they are again in a moment')
        return asked
      })
      .then(sleep => {
        this.#isLooking = false
        if (this.#isStopping) return
        if (this.#isLookDue) this.#look()
        else this.#cancel = this.#parts.clock.after(sleep, () => this.#look())
      })
    this.#track(look)
  }

  #prepare(): Promise<void> {
    this.#prepared ??= this.#store().catch(error => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  async #store(): Promise<void> {
    for (const { name, schedule } of this.#entries)
      await this.#table.declare(name, schedule.text, schedule.next(this.#parts.clock.time()))
  }

  /** Begins due jobs, and returns the milliseconds until the next look. */
  async #lookAtAll(): Promise<number> {
    const rows = await this.#table.rows(this.#entries.map(({ name }) => name))
    let sleep = longestSleep
    for (const entry of this.#entries) {
      const row = rows.get(entry.name)
      if (this.#isStopping || this.#running.has(entry.name) || !row) continue
      const wait = await this.#lookAt(entry, row).catch(error => {
        const { plugin, job } = entry
        this.#parts.log.error({ err: error, plugin, job: job.name }, 'a job could not be looked at')
        return asked
      })
      sleep = Math.min(sleep, wait)
    }
    return Math.max(sleep, 1)
  }

  async #lookAt(entry: Entry, row: JobRow): Promise<number> {
    const { clock } = this.#parts
    if (row.holder !== undefined) {
      const left = this.#leaseLeft(row)
      if (left > 0) return this.#woken.has(entry.name) ? Math.min(left, leastPause) : left
      this.#parts.log.warn(
        { plugin: entry.plugin, job: entry.job.name },
        'the process that ran a job is gone: it is run again',
      )
    } else this.#watched.delete(row.name)
    const due = row.holder === undefined ? await this.#dueOf(entry, row, clock.time()) : row.due
    if (due === undefined) {
      this.#woken.delete(entry.name)
      return asked
    }
    // A job that is due now has taken a while to find that out.
    const time = clock.time()
    if (due > time) return entry.schedule.at ? Math.min(due - time, asked) : due - time
    // If another process was faster, the next look finds it.
    return (await this.#begin(entry, row, due)) ? longestSleep : 1000
  }

  /** Milliseconds for which the holder of a job may still be there without having renewed its row. */
  #leaseLeft({ name, beat }: JobRow): number {
    const now = this.#parts.clock.now()
    const watched = this.#watched.get(name)
    if (watched?.beat === beat) return watched.since + term - now
    this.#watched.set(name, { beat, since: now })
    return term
  }

  /** The time at which it is due. A turn that is later than the next one can be was stored by a clock that went back since. */
  async #dueOf({ schedule, service }: Entry, row: JobRow, time: number): Promise<number | undefined> {
    const latest = Math.max(schedule.next(time, time), row.failures > 0 ? time + backOffOf(row.failures) : 0)
    if (row.due > latest) {
      await this.#table.move(row, latest)
      return latest
    }
    return schedule.at && row.due <= time ? schedule.at(service) : row.due
  }

  async #begin(entry: Entry, row: JobRow, due: number): Promise<Run | undefined> {
    const { clock, log } = this.#parts
    const begun = clock.now()
    if (!(await this.#table.take(row, this.#holder))) return undefined
    const { name, job, service } = entry
    const time = clock.time()
    const run = new Run({
      ...{ clock, term, begun },
      renew: () => this.#track(this.#table.renew(name, this.#holder)),
      work: signal =>
        job.run({ signal, now: new Date(time), due: new Date(due), missed: time - due > longestSleep }, service),
    })
    this.#running.set(name, run)
    const ended = run.done.then(error => this.#track(this.#end(entry, row, { run, due, begun, error })))
    ended.catch(error =>
      log.error({ err: error, plugin: entry.plugin, job: job.name }, 'the end of a job could not be noted'),
    )
    return run
  }

  async #end({ name, plugin, job, schedule }: Entry, { failures }: JobRow, ended: EndedRun): Promise<void> {
    const { clock, log, observe } = this.#parts
    const { run, due, begun, error } = ended
    this.#running.delete(name)
    const time = clock.time()
    const ms = clock.now() - begun
    const about = { plugin, job: job.name }
    observe?.({ ...about, ms, missed: time - due > longestSleep, ...(error !== undefined && { error }) })
    try {
      if (run.isLost) log.warn(about, 'a job lost its lease: another process runs it again')
      else if (error === undefined) {
        await this.#table.release(name, this.#holder, {
          due: schedule.next(time, due),
          failures: 0,
          error: null,
          finished: time,
        })
      } else if (run.isStopped) await this.#table.release(name, this.#holder)
      else {
        const next = Math.max(schedule.next(time, due), time + backOffOf(failures + 1))
        const text = maskUrl(error instanceof Error ? error.message : String(error)).slice(0, 1000)
        log.error({ ...about, err: error, failures: failures + 1, next: new Date(next) }, 'a job failed')
        await this.#table.release(name, this.#holder, {
          due: next,
          failures: failures + 1,
          error: text,
          finished: time,
        })
      }
    } finally {
      // A single run of a test brings no others about.
      if (this.#isStarted) this.#look()
    }
  }
}

interface EndedRun {
  readonly run: Run
  readonly due: number
  readonly begun: number
  readonly error: unknown
}

export const nameOf = ({ plugin, job }: Pick<PluginJob, 'plugin' | 'job'>): string => `${plugin}/${job.name}`

/** The least time for which a job that keeps failing waits: 2 s, 4 s, and so on, up to an hour. */
const backOffOf = (failures: number): number => Math.min(1000 * 2 ** Math.min(failures, 20), longestBackOff)

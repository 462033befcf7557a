import { Cron } from 'croner'
import type { Bag, Fn, Loose } from './types.js'

/** One task of the code. */
interface Task {
  readonly key: string
  readonly run: Fn
  /** The first time after another one; undefined where there is none. */
  readonly after: (time: Date) => Date | undefined
}

/**
 * The cron tasks of a project. They are turns of one job of the plugin, so that of all processes one runs each; the job asks
 * for the next time of all tasks, and runs those that are due at it.
 */
export class CronTasks {
  readonly #tasks = new Map<string, Task>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #report: (message: string, error?: unknown) => void
  #changed: () => void = () => undefined
  #count = 0

  constructor(report: (message: string, error?: unknown) => void) {
    this.#report = report
  }

  get size(): number {
    return this.#tasks.size
  }

  /** Calls this whenever the next time may have changed. */
  onChange(changed: () => void): void {
    this.#changed = changed
  }

  /** `{ '* * * * *': task }`, `{ name: { task, options } }`; options are a rule, a time, or `{ rule, tz, start, end }`. */
  add(tasks: Loose): void {
    for (const [name, said] of Object.entries(Object(tasks) as Bag)) {
      const isNamed = typeof said !== 'function'
      const { task, options } = isNamed ? (Object(said) as Bag) : { task: said, options: name }
      if (typeof task !== 'function') throw new Error(`cron task "${name}" has no function "task"`)
      const after = turnsOf(options)
      // A rule that is none does nothing.
      if (!after) this.#report(`the cron task "${name}" never runs: ${JSON.stringify(options)} is no rule`)
      this.#count += 1
      const key = isNamed ? name : `${name} ${this.#count}`
      if (after) this.#tasks.set(key, { key, run: task, after })
    }
    this.#changed()
  }

  remove(name: string): void {
    if (!name) throw new Error('the name of the cron task to remove is missing')
    for (const key of this.#tasks.keys()) if (key === name || key.startsWith(`${name} `)) this.#tasks.delete(key)
    this.#changed()
  }

  get jobs(): Loose[] {
    return [...this.#tasks.values()].map(({ key }) => ({ name: key }))
  }

  clear(): void {
    this.#tasks.clear()
  }

  /** The next time at which a task is due. */
  next(now: Date): Date | undefined {
    const times = [...this.#tasks.values()].flatMap(({ after }) => after(now)?.getTime() ?? [])
    return times.length === 0 ? undefined : new Date(Math.min(...times))
  }

  /** Begins the tasks that have a turn after one time and up to another. None waits for another, and a turn waits for none. */
  run(from: Date, to: Date, given: Loose): void {
    for (const { key, run, after } of [...this.#tasks.values()]) {
      const due = after(from)
      if (!due || due > to) continue
      const work = this.#begin(key, run, due, given)
      this.#running.add(work)
      void work.finally(() => this.#running.delete(work))
    }
  }

  async #begin(key: string, run: Fn, due: Date, given: Loose): Promise<void> {
    try {
      await run(given, due)
    } catch (error) {
      this.#report(`the cron task "${key}" failed`, error)
    }
  }

  /** Waits for what runs. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}

function turnsOf(options: Loose): Task['after'] | undefined {
  const { rule = options, tz, start, end } = options instanceof Date ? { rule: options } : (Object(options) as Bag)
  if (rule instanceof Date || isTime(rule)) {
    const at = new Date(rule)
    return time => (at > time ? at : undefined)
  }
  if (typeof rule !== 'string') return undefined
  try {
    const cron = new Cron(rule, {
      paused: true,
      ...(typeof tz === 'string' && { timezone: tz }),
      ...(start && { startAt: new Date(start) }),
      ...(end && { stopAt: new Date(end) }),
    })
    return time => cron.nextRun(time) ?? undefined
  } catch {
    return undefined
  }
}

const isTime = (rule: Loose): boolean =>
  typeof rule === 'number' || (typeof rule === 'string' && /^\d{4}-\d\d-\d\dT/.test(rule))

import { BootError } from '../../errors.js'
import type { Job } from '../../plugin/job.js'

/** The turns of a job. Times are milliseconds since 1970. */
export interface Schedule {
  /** Name of the schedule: stored turns count for this one only. */
  readonly text: string
  /** The first turn after a time; `due` is the turn before, where there was one. */
  readonly next: (time: number, due?: number) => number
  /** Asked where the time of the next turn depends on more than the clock. */
  readonly at?: (service: unknown) => Promise<number | undefined>
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds between two runs of a job that says itself when it is due. */
export const leastPause = 1000

/** Reads the turns of a job, or throws the error in them. Expressions are read by a library that loads with the first. */
export async function scheduleOf(plugin: string, job: Job): Promise<Schedule> {
  const place = `plugin ${plugin}: the job "${job.name}"`
  if ('every' in job) return everySchedule(job.every, place)
  if ('cron' in job) return cronSchedule(job.cron, job.timeZone ?? 'UTC', place)
  const { at } = job
  return {
    text: 'at',
    next: (time, due) => (due === undefined ? time : time + leastPause),
    at: async service => (await at(service))?.getTime(),
  }
}

function everySchedule(every: string, place: string): Schedule {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(every) ?? []
  const length = Number(count) * (units[unit] ?? 0)
  if (length === 0)
    throw new BootError(
      `${place} runs every ${JSON.stringify(every)}; expected a number with s, m, h or d, such as "10s"`,
    )
  return {
    text: `every ${every}`,
    // Turns keep their distance from the first, however long a run takes.
    next: (time, due = time) => due + Math.max(1, Math.floor((time - due) / length) + 1) * length,
  }
}

async function cronSchedule(expression: string, timeZone: string, place: string): Promise<Schedule> {
  const { Cron } = await import('croner')
  const says = `${place} has the cron expression ${JSON.stringify(expression)} in the time zone ${JSON.stringify(timeZone)}`
  try {
    const cron = new Cron(expression, { timezone: timeZone, paused: true })
    const next = (time: number): number => cron.nextRun(new Date(time))?.getTime() ?? Number.MAX_SAFE_INTEGER
    if (next(Date.now()) === Number.MAX_SAFE_INTEGER) throw new Error('it has no turn in the future')
    return { text: `cron ${expression} ${timeZone}`, next }
  } catch (error) {
    throw new BootError(`${says}: ${(error as Error).message}`, { cause: error })
  }
}

import { localOf } from '../local-time.js'

/** A date and a time as controls show them, in the zone of the browser. */
export interface Typed {
  readonly date: string
  readonly time: string
}

export function typedOf(instant: string | null | undefined): Typed {
  const [date = '', time = ''] = localOf(instant ?? '').split('T')
  return { date, time: time.slice(0, 5) }
}

/** The instant of a date and a time; null for neither, undefined for one of them. */
export function plannedAt({ date, time }: Typed): string | null | undefined {
  if (date === '' && time === '') return null
  const at = new Date(`${date}T${time}`)
  return date === '' || time === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

export type PlanProblem = 'incomplete' | 'past' | 'order'

/** The problem of a time: it is past, half of it is missing, or it ends what has not begun. */
export function problemOf(typed: Typed, now: Date, after?: Typed): PlanProblem | undefined {
  const at = plannedAt(typed)
  if (at === undefined) return 'incomplete'
  if (at === null) return undefined
  if (at <= now.toISOString()) return 'past'
  const start = after && plannedAt(after)
  return start && at <= start ? 'order' : undefined
}

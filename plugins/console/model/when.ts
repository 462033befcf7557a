const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** A time as people say it: `2 hours ago`; the day where it is long ago. */
export function relativeTime(time: Date, now: Date, language: string): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000)
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  if (unit === 'year' || unit === 'month') return dayOf(time, language, unit === 'year')
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.trunc(seconds / length), unit)
}

const dayOf = (time: Date, language: string, isOther: boolean): string =>
  time.toLocaleDateString(language, { day: 'numeric', month: 'short', ...(isOther && { year: 'numeric' }) })

/** A time to the minute, in the zone of the browser. */
export const exactTime = (time: Date, language: string): string =>
  time.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' })

/** A day without a time is the same in all zones. */
export const calendarDay = (day: string, language: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString(language, { dateStyle: 'medium', timeZone: 'UTC' })

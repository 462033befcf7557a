/** A time as a control shows it, in the zone of the browser, to the millisecond where it has some; empty if it is none. */
export function localOf(instant: string): string {
  const time = new Date(instant)
  if (instant === '' || Number.isNaN(time.getTime())) return ''
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
  return local.replace(/(:00)?\.000$/, '')
}

/** The time that a control shows, in UTC; what is no time stays as it is. */
export function instantOf(local: string): string {
  const time = new Date(local)
  return local === '' || Number.isNaN(time.getTime()) ? local : time.toISOString()
}

import { iso } from '../iso.js'

/** A time zone: the distance of its clock from UTC. */
export interface Zone {
  readonly isUtc: boolean
  /** Milliseconds to add to an instant for the time on the clock of the zone. */
  shiftAt(time: number): number
}

/**
 * Dates are stored without a zone, in the one of the process that wrote them: `Z`, an offset such as `+09:00`, or `local`,
 * that of this process.
 */
export function zoneOf(timezone: string): Zone {
  if (timezone === 'local') return { isUtc: false, shiftAt: time => -new Date(time).getTimezoneOffset() * 60_000 }
  const offset = /^([+-])(\d\d):?(\d\d)$/.exec(timezone)
  const shift = offset ? (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3])) * 60_000 : 0
  return { isUtc: shift === 0, shiftAt: () => shift }
}

/** The time on a clock of the zone at an instant, as ISO text without a zone. */
export const clockAt = (time: number, zone: Zone): string => iso(time + zone.shiftAt(time)).slice(0, -1)

/** The instant at which a clock of the zone shows so. */
export function instantOf(text: string, zone: Zone): string {
  const asUtc = `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`
  if (zone.isUtc) return asUtc
  const time = Date.parse(asUtc)
  // The first guess may lie on the other side of a change of the clock.
  const guess = time - zone.shiftAt(time)
  return new Date(time - zone.shiftAt(guess)).toISOString()
}

import type { FieldInfo } from '../../model/meta.js'
import { calendarDay, exactTime, relativeTime } from '../../model/when.js'
import { language, t } from '../text.js'

/** A longer text does not fit into a line. */
const longest = 120

/** A value of a field as people read it, in one line. */
export function fieldText({ type }: Pick<FieldInfo, 'type'>, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number')
    return type === 'id' ? String(value) : value.toLocaleString(language(), { maximumFractionDigits: 20 })
  if (typeof value !== 'string') return shortened(JSON.stringify(value) ?? '')
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) return calendarDay(value, language())
  if (type === 'time') return value.replace(/(:00)?(\.0+)?$/, '')
  return shortened(value)
}

const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** A time as people say it; a screen reader says it exactly. */
export function Moment({ time }: { time: string }) {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return <>{time}</>
  const exact = exactTime(date, language())
  return (
    <time dateTime={time} title={exact}>
      <span aria-hidden="true">{relativeTime(date, new Date(), language())}</span>
      <span class="hidden">{exact}</span>
    </time>
  )
}

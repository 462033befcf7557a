import { type Signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import { type PlanProblem, plannedAt, problemOf, type Typed, typedOf } from '../../model/schedule/planned.js'
import type { EntryStore } from '../entry/store/store.js'
import { language, t } from '../text.js'
import './schedule.css'

/** Asks when the entry is published, and when that ends. */
export function ScheduleDialog({ store }: { store: EntryStore }) {
  const { publishAt, unpublishAt } = store.head.value ?? {}
  const [start, end] = [useSignal(typedOf(publishAt)), useSignal(typedOf(unpublishAt))]
  const isDraft = !store.isPublished.value
  const now = new Date()
  const startProblem = isDraft ? problemOf(start.value, now) : undefined
  const endProblem = problemOf(end.value, now, isDraft ? start.value : undefined)
  const isSame = isSameTime(start.value, publishAt) && isSameTime(end.value, unpublishAt)
  const close = () => {
    store.isPlanning.value = false
  }
  const plan = async (event: Event) => {
    event.preventDefault()
    const [from, until] = [plannedAt(start.value), plannedAt(end.value)]
    if (isSame || startProblem || endProblem || from === undefined || until === undefined) return
    close()
    await store.plan({ ...(isDraft && { publishAt: from }), unpublishAt: until })
  }
  return (
    <Dialog title={t('schedule.of', { title: store.title.value })} closeLabel={t('close')} onClose={close}>
      <form class="schedule" noValidate onSubmit={event => void plan(event)}>
        <p class="quiet">{t('schedule.zone', { zone: zoneOf(now) })}</p>
        {isDraft && <Time label={t('schedule.publish')} value={start} problem={startProblem} />}
        <Time label={t('schedule.unpublish')} value={end} problem={endProblem} />
        {isDraft && store.changes.value > 0 && plannedAt(start.value) && <p class="quiet">{t('schedule.saves')}</p>}
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={close}>
            {t('cancel')}
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={isSame || startProblem !== undefined || endProblem !== undefined}
          >
            {t('schedule')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const isSameTime = ({ date, time }: Typed, instant: string | null | undefined): boolean => {
  const known = typedOf(instant)
  return known.date === date && known.time === time
}

interface TimeProps {
  readonly label: string
  readonly value: Signal<Typed>
  readonly problem: PlanProblem | undefined
}

/** A date and a time, with the same in UTC. What is wrong with them is said at once. */
function Time({ label, value, problem }: TimeProps) {
  const id = useId()
  const { date, time } = value.value
  const at = plannedAt(value.value)
  const described = { 'aria-describedby': id, 'aria-invalid': problem ? ('true' as const) : undefined }
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="row">
        <label>
          {t('schedule.date')}{' '}
          <input
            type="date"
            {...described}
            value={date}
            onInput={event => {
              value.value = { ...value.peek(), date: event.currentTarget.value }
            }}
          />
        </label>
        <label>
          {t('schedule.time')}{' '}
          <input
            type="time"
            {...described}
            value={time}
            onInput={event => {
              value.value = { ...value.peek(), time: event.currentTarget.value }
            }}
          />
        </label>
      </div>
      <p id={id} role="status" class={problem ? 'problem' : 'quiet'}>
        {problem ? t(`schedule.${problem}`) : at ? t('schedule.utc', { time: utcOf(at) }) : ''}
      </p>
    </fieldset>
  )
}

const utcOf = (instant: string): string =>
  new Date(instant).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** The zone of the browser by its name, and what it is to UTC. */
function zoneOf(now: Date): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const parts = new Intl.DateTimeFormat(language(), { timeZoneName: 'longOffset' }).formatToParts(now)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC')
  return offset === undefined || timeZone === 'UTC' ? timeZone : `${timeZone} (${offset})`
}

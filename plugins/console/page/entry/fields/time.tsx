import type { Cell } from '../../../model/form/cell.js'
import { instantOf, localOf } from '../../../model/local-time.js'
import { t } from '../../text.js'
import { controlProps, FieldFrame, type Frame, useFrame } from './frame.js'
import type { FieldProps } from './props.js'
import { textIn } from './text.js'

const kinds = { date: 'date', time: 'time', datetime: 'datetime-local', timestamp: 'datetime-local' } as const

const isInstant = ({ attribute }: Cell): boolean => kinds[attribute.type as keyof typeof kinds] === 'datetime-local'

/** A day, a time of the day, or both: in the zone of the browser. */
export function TimeField(props: FieldProps<Cell>) {
  const frame = useFrame(props)
  const cell = props.node
  return (
    <FieldFrame frame={frame} isRequired={cell.attribute.required}>
      <Time cell={cell} frame={frame} />
    </FieldFrame>
  )
}

function Time({ cell, frame }: { cell: Cell; frame: Frame }) {
  const typed = textIn(cell)
  const shown = isInstant(cell) ? localOf(typed) : typed.replace(/(:00)?\.000$/, '')
  const set = (value: string) => {
    cell.value.value = value
  }
  // The control cannot show what it cannot read; it stays as text until it is fixed.
  const isReadable = typed === '' || shown !== ''
  return (
    <>
      <span class="time">
        <input
          {...controlProps(frame)}
          // The attributes of all kinds that are used here are the same.
          type={(isReadable ? kinds[cell.attribute.type as keyof typeof kinds] : 'text') as 'text'}
          step="any"
          readOnly={frame.isReadOnly}
          value={isReadable ? shown : typed}
          onInput={({ currentTarget: { value, validity } }) => {
            // While a part is missing there is no value, and the former one is not to be lost.
            if (!validity.badInput) set(isInstant(cell) ? instantOf(value) : value)
          }}
        />
        {!frame.isReadOnly && isInstant(cell) && (
          <button
            type="button"
            class="text-button"
            aria-label={t('field.nowFor', { label: frame.label })}
            onClick={() => set(new Date().toISOString())}
          >
            {t('field.now')}
          </button>
        )}
        {!frame.isReadOnly && typed !== '' && (
          <button
            type="button"
            class="text-button"
            aria-label={t('field.clearFor', { label: frame.label })}
            onClick={() => set('')}
          >
            {t('field.clear')}
          </button>
        )}
      </span>
      {isInstant(cell) && <p class="quiet">{t('field.zone', { zone })}</p>}
    </>
  )
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

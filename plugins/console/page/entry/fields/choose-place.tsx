import { useSignal } from '@preact/signals'
import { Dialog } from '../../../../pages/page/dialog.js'
import { t } from '../../text.js'

/** Chooses the place of an item among all of its list. */
export function ChoosePlace({
  title,
  at,
  count,
  onChoose,
  onClose,
}: {
  title: string
  at: number
  count: number
  onChoose: (to: number) => void
  onClose: () => void
}) {
  const place = useSignal(String(at + 1))
  const submit = (event: Event) => {
    event.preventDefault()
    const to = Math.round(Number(place.value)) - 1
    if (to >= 0 && to < count) onChoose(to)
  }
  return (
    <Dialog title={t('items.moveTo', { title })} closeLabel={t('close')} onClose={onClose}>
      <form class="row" onSubmit={submit}>
        <label>
          {t('items.place', { count })}{' '}
          <input
            type="number"
            min={1}
            max={count}
            value={place.value}
            onInput={event => {
              place.value = event.currentTarget.value
            }}
          />
        </label>
        <button type="submit" class="button primary">
          {t('items.move')}
        </button>
      </form>
    </Dialog>
  )
}

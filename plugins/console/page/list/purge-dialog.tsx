import { useSignal } from '@preact/signals'
import { Dialog } from '../../../pages/page/dialog.js'
import { t } from '../text.js'
import type { ListStore } from './store.js'

interface PurgeProps {
  readonly list: ListStore
  readonly count: number | undefined
  readonly onPurge: () => void
  readonly onClose: () => void
}

/** Asks before deleted entries are removed for good: the title of one is typed, or the number of several. */
export function PurgeDialog({ list, count, onPurge, onClose }: PurgeProps) {
  const typed = useSignal('')
  const selection = list.selection.value
  const [id] = selection.kind === 'some' && count === 1 ? selection.ids : []
  const row = list.page.value?.rows.find(one => one.id === id)
  const wanted = row ? list.titleOf(row).trim() : String(count ?? '')
  const isTyped = wanted !== '' && typed.value.trim() === wanted
  return (
    <Dialog
      title={count === undefined ? t('do.purge') : t('ask.purge', { count })}
      closeLabel={t('close')}
      onClose={onClose}
    >
      <p>{t('delete.final')}</p>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (isTyped) onPurge()
        }}
      >
        <label class="stacked">
          {t('ask.purge.type', { text: wanted })}
          <input
            type="text"
            autocomplete="off"
            dir="auto"
            value={typed.value}
            onInput={event => {
              typed.value = event.currentTarget.value
            }}
          />
        </label>
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="button danger" disabled={!isTyped}>
            {t('do.purge')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

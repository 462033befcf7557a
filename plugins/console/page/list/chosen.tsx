import { useSignal } from '@preact/signals'
import { Dialog } from '../../../pages/page/dialog.js'
import { allChosen, chosenCount, isEmpty, nothingChosen } from '../../model/list/selection.js'
import { t } from '../text.js'
import { actionsOf, type BatchAction } from './actions.js'
import { run, startRun } from './run.js'
import type { ListStore } from './store.js'

/** What can be done with the chosen entries. */
export function Chosen({ list }: { list: ListStore }) {
  const asking = useSignal<BatchAction | undefined>(undefined)
  const selection = list.selection.value
  const { total } = list
  const actions = actionsOf(list.type)
  if (isEmpty(selection) || actions.length === 0) return null
  const count = chosenCount(selection, total)
  const start = (action: BatchAction) => {
    asking.value = undefined
    list.selection.value = nothingChosen
    void startRun({ list, action, selection, total: count ?? 0 })
  }
  // What concerns more than can be seen, or destroys, is asked first.
  const begin = (action: BatchAction) => {
    if (action === 'delete' || selection.kind === 'all') asking.value = action
    else start(action)
  }
  const isBusy = run.value?.isRunning === true
  return (
    <div class="chosen-bar" role="toolbar" aria-label={t('chosen')}>
      <span>{count === undefined ? t('chosen.all') : t('chosen.count', { count })}</span>
      {selection.kind === 'some' && total !== undefined && total > selection.ids.size && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            list.selection.value = allChosen
          }}
        >
          {t('chosen.selectAll', { count: total })}
        </button>
      )}
      <button
        type="button"
        class="text-button"
        onClick={() => {
          list.selection.value = nothingChosen
        }}
      >
        {t('chosen.none')}
      </button>
      <span class="spread" />
      {actions.map(action => (
        <button key={action} type="button" class="button" disabled={isBusy} onClick={() => begin(action)}>
          {t(`do.${action}`)}
        </button>
      ))}
      {asking.value && (
        <Ask
          action={asking.value}
          count={count}
          onStart={start}
          onClose={() => {
            asking.value = undefined
          }}
        />
      )}
    </div>
  )
}

interface AskProps {
  readonly action: BatchAction
  readonly count: number | undefined
  readonly onStart: (action: BatchAction) => void
  readonly onClose: () => void
}

function Ask({ action, count, onStart, onClose }: AskProps) {
  return (
    <Dialog
      title={count === undefined ? t(`do.${action}`) : t(`ask.${action}`, { count })}
      closeLabel={t('close')}
      onClose={onClose}
    >
      {action === 'delete' && <p>{t('ask.delete.text')}</p>}
      <div class="row dialog-buttons">
        <button type="button" class="button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class={action === 'delete' ? 'button danger' : 'button primary'}
          onClick={() => onStart(action)}
        >
          {t(`do.${action}`)}
        </button>
      </div>
    </Dialog>
  )
}

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import { allChosen, chosenCount, isEmpty, nothingChosen } from '../../model/list/selection.js'
import type { EntryChange } from '../../model/list/standing.js'
import { actionsFor } from '../extensions/known.js'
import { heading, useFocusKept } from '../shell/focus.js'
import { lazy } from '../shell/lazy.js'
import { t } from '../text.js'
import { type BatchAction, type ChosenTool, isBatch, isFinal, toolsOf } from './actions.js'
import { PurgeDialog } from './purge-dialog.js'
import { run, startRun } from './run.js'
import type { ListStore } from './store.js'

const ChangeDialog = lazy(() => import('./change/change-dialog.js').then(part => part.ChangeDialog))
const ExportDialog = lazy(() => import('./export/export-dialog.js').then(part => part.ExportDialog))

/** A toolbar with the actions on the chosen entries. */
export function Chosen({ list }: { list: ListStore }) {
  const asking = useSignal<ChosenTool | undefined>(undefined)
  const bar = useRef<HTMLDivElement>(null)
  // The toolbar goes with the choice, and the button that was pressed with it.
  useFocusKept(bar, heading)
  const selection = list.selection.value
  const { total, moreThan } = list
  const tools = toolsOf(list.type, list.view.value.state)
  const more = list.view.value.state === 'trash' ? [] : actionsFor(list.type.uid, 'list')
  if (isEmpty(selection) || tools.length + more.length === 0) return null
  const count = chosenCount(selection, total)
  const start = (action: BatchAction, change?: EntryChange) => {
    asking.value = undefined
    list.selection.value = nothingChosen
    void startRun({ list, action, change, selection, total: count ?? 0 })
  }
  // An action on more entries than can be seen, or one that destroys, is asked first.
  const begin = (tool: ChosenTool) => {
    if (!isBatch(tool) || tool === 'update' || isFinal(tool) || selection.kind === 'all') asking.value = tool
    else start(tool)
  }
  const close = () => {
    asking.value = undefined
  }
  const isBusy = run.value?.isRunning === true
  return (
    <div ref={bar} class="chosen-bar" role="toolbar" aria-label={t('chosen')}>
      <span>{count === undefined ? t('chosen.all') : t('chosen.count', { count })}</span>
      {selection.kind === 'some' && (total ?? moreThan ?? 0) > selection.ids.size && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            list.selection.value = allChosen
            // The number of entries is shown before anything is done with them.
            if (total === undefined) void list.count()
          }}
        >
          {total === undefined ? t('chosen.selectAllOfMany') : t('chosen.selectAll', { count: total })}
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
      {tools.map(tool => (
        <button key={tool} type="button" class="button" disabled={isBusy && isBatch(tool)} onClick={() => begin(tool)}>
          {t(`do.${tool}`)}
        </button>
      ))}
      {more.map(({ action, label }) => (
        <button
          key={action.module}
          type="button"
          class="button"
          onClick={() => void import('../extensions/run.js').then(({ runOnList }) => runOnList(action, list))}
        >
          {label}
        </button>
      ))}
      {asking.value === 'purge' && (
        <PurgeDialog list={list} count={count} onPurge={() => start('purge')} onClose={close} />
      )}
      {asking.value === 'export' && <ExportDialog list={list} selection={selection} count={count} onClose={close} />}
      {asking.value === 'update' && (
        <ChangeDialog list={list} count={count} onChange={change => start('update', change)} onClose={close} />
      )}
      {asking.value && isBatch(asking.value) && asking.value !== 'purge' && asking.value !== 'update' && (
        <Ask action={asking.value} count={count} hasTrash={list.type.options.trash} onStart={start} onClose={close} />
      )}
    </div>
  )
}

interface AskProps {
  readonly action: Exclude<BatchAction, 'purge' | 'update'>
  readonly count: number | undefined
  readonly hasTrash: boolean
  readonly onStart: (action: BatchAction) => void
  readonly onClose: () => void
}

function Ask({ action, count, hasTrash, onStart, onClose }: AskProps) {
  return (
    <Dialog
      title={count === undefined ? t(`do.${action}`) : t(`ask.${action}`, { count })}
      closeLabel={t('close')}
      onClose={onClose}
    >
      {action === 'delete' && <p>{t('ask.delete.text')}</p>}
      {action === 'delete' && hasTrash && <p>{t('delete.trash')}</p>}
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

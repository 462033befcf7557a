import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { mostExported } from '../../../model/list/export.js'
import type { ExportFormat } from '../../../model/list/export-text.js'
import type { Selection } from '../../../model/list/selection.js'
import { say } from '../../shell/messages.js'
import { language, t } from '../../text.js'
import { columnLabel } from '../cell.js'
import type { ListStore } from '../store.js'
import { Exporting } from './exporting.js'

interface ExportProps {
  readonly list: ListStore
  readonly selection: Selection
  readonly count: number | undefined
  readonly onClose: () => void
}

/** Asks for the format of a file with the chosen entries, and shows how far it is. */
export function ExportDialog({ list, selection, count, onClose }: ExportProps) {
  const format = useSignal<ExportFormat>('csv')
  const work = useMemo(() => new Exporting(list), [list])
  useEffect(() => () => work.stop(), [work])
  const { isRunning, failure } = work
  const begin = async (event: Event) => {
    event.preventDefault()
    const done = await work.run(selection, format.peek())
    if (done !== undefined) {
      say(t('export.done', { count: done }))
      onClose()
    } else if (failure.peek() === undefined) say(t('export.stopped'))
  }
  const most = Math.min(count ?? mostExported, mostExported)
  const columns = list.columns.value.map(columnLabel).join(', ')
  return (
    <Dialog
      title={count === undefined ? t('do.export') : t('ask.export', { count })}
      closeLabel={t('close')}
      onClose={onClose}
    >
      <form onSubmit={begin}>
        <fieldset class="choices" disabled={isRunning.value}>
          <legend>{t('export.format')}</legend>
          {(['csv', 'json'] as const).map(one => (
            <label key={one} class="check">
              <input
                type="radio"
                name="format"
                checked={format.value === one}
                onChange={() => {
                  format.value = one
                }}
              />
              {t(`export.${one}`)}
            </label>
          ))}
        </fieldset>
        <p class="quiet">{t('export.columns', { columns })}</p>
        {(count === undefined || count > mostExported) && (
          <p class="quiet">{t('export.most', { count: mostExported.toLocaleString(language()) })}</p>
        )}
        {failure.value !== undefined && (
          <p class="problem" role="alert">
            {t('export.failed', { reason: failure.value })}
          </p>
        )}
        {isRunning.value ? (
          <div class="row dialog-buttons">
            <progress aria-label={t('run.progress')} value={work.done.value} max={Math.max(most, 1)} />
            <span>{t('run.of', { done: work.done.value, total: most })}</span>
            <span class="spread" />
            <button type="button" class="button" onClick={() => work.stop()}>
              {t('run.stop')}
            </button>
          </div>
        ) : (
          <div class="row dialog-buttons">
            <button type="button" class="button" onClick={onClose}>
              {t('cancel')}
            </button>
            <button type="submit" class="button primary">
              {t('do.export')}
            </button>
          </div>
        )}
      </form>
    </Dialog>
  )
}

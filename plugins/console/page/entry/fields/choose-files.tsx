import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import type { Related } from '../../../model/form/plain.js'
import { t } from '../../text.js'
import { fileName, filesOnPage, listFiles } from './file-requests.js'
import { Thumbnail } from './thumbnail.js'

/** Milliseconds without a key after which files are searched for. */
const pause = 150

/** Chooses files of the library. */
export function ChooseFiles({
  label,
  many,
  accepts,
  chosen,
  onChoose,
  onClose,
}: {
  label: string
  many: boolean
  accepts: readonly string[] | undefined
  chosen: readonly Related[]
  onChoose: (files: readonly Related[]) => void
  onClose: () => void
}) {
  const text = useSignal('')
  const from = useSignal(0)
  const found = useSignal<readonly Related[] | undefined>(undefined)
  const isFailed = useSignal(false)
  const picked = useSignal<readonly Related[]>([])
  useEffect(() => {
    let isLatest = true
    const look = async () => {
      const files = await listFiles({ text: text.value.trim(), from: from.value, accepts })
      if (!isLatest) return
      isFailed.value = files === undefined
      found.value = files ?? []
    }
    const waiting = setTimeout(() => void look(), found.peek() ? pause : 0)
    return () => {
      isLatest = false
      clearTimeout(waiting)
    }
  }, [text.value, from.value])
  const toggle = (file: Related, isOn: boolean) => {
    const others = many ? picked.value.filter(({ id }) => id !== file.id) : []
    picked.value = isOn ? [...others, file] : others
  }
  const shown = found.value?.slice(0, filesOnPage) ?? []
  const hasMore = (found.value?.length ?? 0) > filesOnPage
  const inField = new Set(chosen.map(({ id }) => id))
  return (
    <Dialog title={t('files.choose', { label })} closeLabel={t('close')} onClose={onClose}>
      <div class="choose-files">
        <input
          type="search"
          aria-label={t('files.search')}
          placeholder={t('files.search')}
          value={text.value}
          onInput={event => {
            from.value = 0
            text.value = event.currentTarget.value
          }}
        />
        {isFailed.value && <p class="problem">{t('failed')}</p>}
        {found.value && shown.length === 0 && !isFailed.value && <p class="empty">{t('files.nothing')}</p>}
        <ul class="file-grid" aria-label={t('files.list')} aria-busy={found.value === undefined}>
          {shown.map(file => (
            <li key={file.id}>
              <label>
                <input
                  type={many ? 'checkbox' : 'radio'}
                  name="file"
                  disabled={inField.has(file.id)}
                  checked={inField.has(file.id) || picked.value.some(({ id }) => id === file.id)}
                  onChange={event => toggle(file, event.currentTarget.checked)}
                />
                <Thumbnail file={file} />
                <span class="file-name" dir="auto">
                  {fileName(file)}
                </span>
              </label>
            </li>
          ))}
        </ul>
        <div class="row">
          <button
            type="button"
            class="button"
            disabled={from.value === 0}
            onClick={() => {
              from.value = Math.max(0, from.value - filesOnPage)
            }}
          >
            {t('pages.previous')}
          </button>
          <button
            type="button"
            class="button"
            disabled={!hasMore}
            onClick={() => {
              from.value += filesOnPage
            }}
          >
            {t('pages.next')}
          </button>
          <span class="spread" />
          <button
            type="button"
            class="button primary"
            disabled={picked.value.length === 0}
            onClick={() => onChoose(picked.value)}
          >
            {t('files.take', { count: picked.value.length })}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

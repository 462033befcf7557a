import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../pages/page/dialog.js'
import type { Related } from '../../model/form/plain.js'
import { t } from '../text.js'
import { fileName } from './file-type.js'
import { FolderSelect, useFolders } from './folder-select.js'
import { listFiles } from './library.js'
import { Thumbnail } from './thumbnail.js'

/** Files of a page of the dialog. */
const filesOnPage = 24

/** Milliseconds without a key after which files are searched for. */
const pause = 150

interface Search {
  readonly text: string
  readonly path: string | undefined
  readonly from: number
}

/** A page of files, searched for again after a pause in typing. */
function useFound({ text, path, from }: Search, kinds: readonly string[] | undefined) {
  const found = useSignal<readonly Related[] | undefined>(undefined)
  const isFailed = useSignal(false)
  useEffect(() => {
    const asked = new AbortController()
    const look = async () => {
      const files = await listFiles({ text, kinds, path, from, count: filesOnPage, signal: asked.signal })
      if (asked.signal.aborted) return
      isFailed.value = files === undefined
      found.value = files ?? []
    }
    const waiting = setTimeout(() => void look(), text === '' ? 0 : pause)
    return () => {
      asked.abort()
      clearTimeout(waiting)
    }
  }, [text, path, from])
  return { found: found.value, isFailed: isFailed.value }
}

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
  const folder = useSignal<number | undefined>(undefined)
  const folders = useFolders()
  const from = useSignal(0)
  const path = folders.find(({ id }) => id === folder.value)?.path
  const { found, isFailed } = useFound({ text: text.value.trim(), path, from: from.value }, accepts)
  const picked = useSignal<readonly Related[]>([])
  const toggle = (file: Related, isOn: boolean) => {
    const others = many ? picked.value.filter(({ id }) => id !== file.id) : []
    picked.value = isOn ? [...others, file] : others
  }
  const shown = found?.slice(0, filesOnPage) ?? []
  const hasMore = (found?.length ?? 0) > filesOnPage
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
        {folders.length > 0 && (
          <FolderSelect
            folders={folders}
            value={folder.value}
            none={t('media.all')}
            onChange={id => {
              from.value = 0
              folder.value = id
            }}
          />
        )}
        {isFailed && <p class="problem">{t('failed')}</p>}
        {found && shown.length === 0 && !isFailed && <p class="empty">{t('files.nothing')}</p>}
        <ul class="file-grid" aria-label={t('files.list')} aria-busy={found === undefined}>
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
        <Foot from={from} hasMore={hasMore} count={picked.value.length} onTake={() => onChoose(picked.value)} />
      </div>
    </Dialog>
  )
}

interface FootProps {
  readonly from: Signal<number>
  readonly hasMore: boolean
  /** The number of files that are picked. */
  readonly count: number
  readonly onTake: () => void
}

/** The pages of files, and the button that takes those that are picked. */
const Foot = ({ from, hasMore, count, onTake }: FootProps) => (
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
    <button type="button" class="button primary" disabled={count === 0} onClick={onTake}>
      {t('files.take', { count })}
    </button>
  </div>
)

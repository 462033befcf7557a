import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Chip, Select } from '../../../pages/page/controls.js'
import { type FileKind, type FileOrder, fileKinds } from '../../model/files/view.js'
import { t } from '../text.js'
import type { MediaStore } from './store.js'

/** Milliseconds without a key after which files are searched for. */
const pause = 150

/** The search, the filters and the order of the library. */
export function MediaTools({ store }: { store: MediaStore }) {
  const { text, kind, isMissing, order } = store.view.value
  const typed = useSignal(text)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  useEffect(() => {
    // The address says another text when an editor goes back.
    typed.value = text
  }, [text])
  const names: Readonly<Record<FileKind, string>> = {
    images: t('media.images'),
    videos: t('media.videos'),
    audios: t('media.audios'),
    files: t('media.others'),
  }
  return (
    <div class="toolbar">
      <input
        type="search"
        aria-label={t('files.search')}
        placeholder={t('files.search')}
        value={typed.value}
        onInput={({ currentTarget: { value } }) => {
          typed.value = value
          clearTimeout(waiting.current)
          waiting.current = setTimeout(() => store.change({ text: value }), pause)
        }}
      />
      <Select
        label={t('media.type')}
        value={kind ?? ''}
        placeholder={t('media.anyType')}
        choices={fileKinds.map(value => ({ value, label: names[value] }))}
        onChange={value => store.change({ kind: (value || undefined) as FileKind })}
      />
      <Select
        label={t('media.order')}
        value={order ?? ''}
        placeholder={t('media.newest')}
        choices={[
          { value: 'oldest', label: t('media.oldest') },
          { value: 'name', label: t('media.byName') },
          { value: 'changed', label: t('media.lastChanged') },
        ]}
        onChange={value => store.change({ order: (value || undefined) as FileOrder })}
      />
      <Chip label={t('media.missing')} pressed={isMissing} onToggle={() => store.change({ isMissing: !isMissing })} />
    </div>
  )
}

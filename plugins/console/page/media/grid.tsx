import type { Related } from '../../model/form/plain.js'
import { fileName } from '../files/file-type.js'
import { isPicture } from '../files/kinds.js'
import { sizeText } from '../files/size.js'
import { Thumbnail } from '../files/thumbnail.js'
import { t } from '../text.js'
import type { MediaStore } from './store.js'

/** The files of a page, each with a box to choose it and a button to open it. */
export function Grid({ store, onOpen }: { store: MediaStore; onOpen: (file: Related) => void }) {
  const files = store.files.value
  const { text, kind, isMissing } = store.view.value
  if (store.isFailed.value)
    return (
      <p class="problem" role="alert">
        {t('failed')}
      </p>
    )
  if (files?.length === 0 && !store.isLoading.value)
    return <p class="empty">{text !== '' || kind || isMissing ? t('files.nothing') : t('media.empty')}</p>
  return (
    <ul class="media-grid" aria-label={t('files.list')} aria-busy={store.isLoading.value}>
      {files?.map(file => (
        <li key={file.id} class={store.chosen.value.has(file.id) ? 'chosen' : undefined}>
          <input
            type="checkbox"
            aria-label={t('list.select', { title: fileName(file) })}
            checked={store.chosen.value.has(file.id)}
            onChange={event => store.choose(file.id, event.currentTarget.checked)}
          />
          <button type="button" class="media-file" onClick={() => onOpen(file)}>
            <Thumbnail file={file} />
            <span class="file-name" dir="auto">
              {fileName(file)}
            </span>
          </button>
          <About file={file} />
        </li>
      ))}
    </ul>
  )
}

function About({ file: { values } }: { file: Related }) {
  const { width, height, mime, size, alternativeText } = values
  const isMissing = isPicture(mime) && (alternativeText === null || alternativeText === '')
  return (
    <span class="quiet">
      {width && height ? `${width}×${height}` : sizeText(Number(size ?? 0) * 1000)}
      {isMissing && <span class="poor"> {t('files.noText')}</span>}
    </span>
  )
}

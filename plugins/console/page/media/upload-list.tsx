import { canDescribe } from '../files/file-type.js'
import { isPicture } from '../files/kinds.js'
import { AskText, UploadProgress } from '../files/upload-parts.js'
import { t } from '../text.js'
import { dismiss, dismissDone, uploads } from './uploading.js'

/** The uploads of the library, each with its progress, its buttons and its alternative text. */
export function UploadList() {
  const all = uploads.value
  if (all.length === 0) return null
  const done = all.filter(({ state }) => state.value === 'done').length
  return (
    <section class="upload-list" aria-label={t('media.uploads')}>
      <p role="status">{t('media.uploaded', { done, count: all.length })}</p>
      <ul class="file-list">
        {all.map(upload => (
          <li key={upload.key}>
            <span class="file-text">
              <span class="file-name" dir="auto">
                {upload.content.name}
              </span>
              {canDescribe() && isPicture(upload.content.type) && <AskText upload={upload} />}
            </span>
            <UploadProgress upload={upload} onRemove={() => dismiss(upload)} />
          </li>
        ))}
      </ul>
      {done > 0 && (
        <button type="button" class="text-button" onClick={dismissDone}>
          {t('media.dismissDone')}
        </button>
      )}
    </section>
  )
}

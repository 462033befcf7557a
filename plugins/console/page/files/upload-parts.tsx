import { useId } from 'preact/hooks'
import { Icon } from '../../../pages/page/controls.js'
import { t } from '../text.js'
import { sizeText } from './size.js'
import type { Upload } from './uploads.js'

/** The progress of a file or its problem, and its buttons. */
export function UploadProgress({ upload, onRemove }: { upload: Upload; onRemove: () => void }) {
  const { name } = upload.content
  const state = upload.state.value
  return (
    <>
      {upload.isOnItsWay && (
        <span class="upload-progress">
          <progress aria-label={t('files.progress', { name })} value={upload.share.value} max={1} />
          <span class="quiet">{progressText(upload)}</span>
        </span>
      )}
      {state === 'stopped' && <span class="quiet">{t('files.stopped')}</span>}
      {(state === 'failed' || state === 'refused') && (
        <span class="problem" role="alert">
          {upload.problem.value}
        </span>
      )}
      <span class="upload-buttons">
        {upload.isOnItsWay && (
          <button
            type="button"
            class="text-button"
            aria-label={t('files.stop', { name })}
            onClick={() => upload.stop()}
          >
            {t('run.stop')}
          </button>
        )}
        {(state === 'stopped' || state === 'failed') && (
          <button
            type="button"
            class="text-button"
            aria-label={t('files.again', { name })}
            onClick={() => upload.start()}
          >
            {t('tryAgain')}
          </button>
        )}
        {!upload.isOnItsWay && state !== 'done' && (
          <Icon label={t('items.remove', { title: name })} sign="×" onClick={onRemove} />
        )}
      </span>
    </>
  )
}

function progressText({ state, share, content: { size } }: Upload): string {
  if (state.value === 'waiting') return t('files.waiting')
  if (share.value >= 1) return t('files.storing')
  return t('files.sent', { sent: sizeText(share.value * size), size: sizeText(size) })
}

/** Asks for the alternative text of a picture, also while it is sent. */
export function AskText({ upload }: { upload: Upload }) {
  const id = useId()
  const problem = upload.state.value === 'done' ? upload.problem.value : undefined
  return (
    <span class="ask-text">
      <label for={id}>{t('files.textOf', { name: upload.content.name })}</label>
      <input
        id={id}
        type="text"
        dir="auto"
        autocomplete="off"
        maxLength={255}
        value={upload.alternativeText.value}
        onInput={event => {
          upload.alternativeText.value = event.currentTarget.value
        }}
        onChange={() => void upload.describe()}
        onKeyDown={event => {
          if (event.key !== 'Enter') return
          // It is no field of the entry, whose form would be sent.
          event.preventDefault()
          void upload.describe()
        }}
      />
      {problem !== undefined && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}

import { save } from '../../list/export/save.js'
import { Copied } from '../../settings/copied.js'
import { t } from '../../text.js'
import { drafts } from '../store.js'

/** The files to be copied and downloaded, for a server that writes none. */
export function FilesToCopy() {
  const files = Object.entries(drafts.value)
  if (files.length === 0) return null
  return (
    <div class="schema-write">
      <h3>{t('schema.files')}</h3>
      <p>{t('schema.files.note')}</p>
      {files.map(([path, text]) =>
        text === null ? (
          <p key={path}>
            <code>{path}</code> <span class="quiet">{t('schema.toRemove')}</span>
          </p>
        ) : (
          <div key={path}>
            <Copied label={path} text={text} rows={Math.min(8, text.split('\n').length)} />
            <button
              type="button"
              class="button"
              aria-label={t('schema.downloadOf', { path })}
              onClick={() => save(new Blob([text], { type: 'application/json' }), path.replace(/^.*\//, ''))}
            >
              {t('schema.download')}
            </button>
          </div>
        ),
      )}
    </div>
  )
}

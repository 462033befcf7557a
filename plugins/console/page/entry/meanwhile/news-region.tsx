import type { Head } from '../../../model/form/read.js'
import { relativeTime } from '../../../model/when.js'
import { nameOfAccount } from '../../account-name.js'
import { language, t } from '../../text.js'
import type { Watching } from './watching.js'

/** Says what others have done with the entry. It stands behind the form, so that nothing moves under the cursor. */
export function NewsRegion({ watching }: { watching: Watching }) {
  const { store } = watching
  const news = watching.news.value
  const form = store.form.value
  const text = news && (news.theirs ? savedText(news.theirs, store.account.id) : t('meanwhile.deleted'))
  return (
    <div class={text === undefined ? undefined : 'news notice'}>
      <p role="status" aria-label={t('meanwhile')}>
        {text}
      </p>
      {text !== undefined && form && (
        <button type="button" class="button" disabled={store.isBusy.value} onClick={() => void store.compare(form)}>
          {t('meanwhile.show')}
        </button>
      )}
    </div>
  )
}

function savedText({ updatedAt = '', updatedBy }: Head, own: number): string {
  const at = new Date(updatedAt)
  const now = new Date()
  const time = now.getTime() - at.getTime() < 60_000 ? t('meanwhile.now') : relativeTime(at, now, language)
  if (updatedBy?.id === own) return t('meanwhile.savedByMe', { time })
  const name = nameOfAccount(updatedBy)
  return name === '' ? t('meanwhile.saved') : t('meanwhile.savedBy', { name, time })
}

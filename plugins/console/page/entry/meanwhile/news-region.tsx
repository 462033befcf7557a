import type { Head } from '../../../model/form/read.js'
import { relativeTime } from '../../../model/when.js'
import { nameOfAccount } from '../../account-name.js'
import { language, t } from '../../text.js'
import { savedBy } from './author.js'
import type { Watching } from './watching.js'

/** Says what others have done with the entry. It stands behind the form, so that nothing moves under the cursor. */
export function NewsRegion({ watching }: { watching: Watching }) {
  const { store } = watching
  const news = watching.news.value
  const form = store.form.value
  const text =
    news &&
    ('absence' in news
      ? t(`meanwhile.${news.absence}`, { type: store.type.plural })
      : savedText(news, store.head.value, store.account.id))
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

function savedText(
  { theirs, fields }: { theirs: Head; fields: string },
  before: Head | undefined,
  own: number,
): string {
  const text = whoAndWhen(theirs, before, own)
  return fields === '' ? t('meanwhile.said', { text }) : t('meanwhile.saidWith', { text, fields })
}

function whoAndWhen(theirs: Head, before: Head | undefined, own: number): string {
  const at = new Date(theirs.updatedAt ?? '')
  const now = new Date()
  const time = now.getTime() - at.getTime() < 60_000 ? t('meanwhile.now') : relativeTime(at, now, language())
  const account = savedBy(before, theirs)
  if (account?.id === own) return t('meanwhile.savedByMe', { time })
  const name = nameOfAccount(account)
  return name === '' ? t('meanwhile.saved', { time }) : t('meanwhile.savedBy', { name, time })
}

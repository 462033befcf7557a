import { useSignal } from '@preact/signals'
import { withQuery } from '../../../../pages/values/query-text.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { Confirm } from '../confirm.js'
import { Shown, useLoaded } from '../loaded.js'
import { useSending } from '../sending.js'
import { type EntryCount, type Language, languagesUrl } from './model.js'

const ways = ['keep', 'delete'] as const

/** Removes a language, and asks what becomes of its entries, which are counted. */
export function RemoveLanguage({
  language,
  onRemoved,
  onClose,
}: {
  language: Language
  onRemoved: () => void
  onClose: () => void
}) {
  const url = `${languagesUrl}/${language.id}`
  const counts = useLoaded<{ readonly types: readonly EntryCount[] }>(`${url}/entries`)
  const way = useSignal<(typeof ways)[number]>('keep')
  const sending = useSending()
  const remove = async () => {
    if (!(await sending.send({ method: 'DELETE', url: withQuery(url, { entries: way.value }) }))) return
    onClose()
    say(t('languages.removed', { name: language.name }))
    onRemoved()
  }
  return (
    <Confirm
      title={t('languages.removeOf', { name: language.name })}
      label={t('languages.remove')}
      sending={sending}
      onDo={() => void remove()}
      onClose={onClose}
    >
      <Shown loaded={counts}>
        {({ types }) =>
          types.length === 0 ? (
            <p>{t('languages.empty')}</p>
          ) : (
            <>
              <p>
                {t('languages.entries', { count: types.reduce((sum, { count }) => sum + count, 0) })}{' '}
                {types.map(({ name, count }) => `${name} ${count}`).join(', ')}
              </p>
              <fieldset class="choices">
                <legend>{t('languages.entries.what')}</legend>
                {ways.map(one => (
                  <label key={one} class="check">
                    <input
                      type="radio"
                      name="entries"
                      checked={way.value === one}
                      onChange={() => {
                        way.value = one
                      }}
                    />
                    {t(`languages.entries.${one}`)}
                  </label>
                ))}
              </fieldset>
            </>
          )
        }
      </Shown>
    </Confirm>
  )
}

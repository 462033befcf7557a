import { useSignal } from '@preact/signals'
import { useId, useMemo } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { say } from '../../shell/messages.js'
import { language, t } from '../../text.js'
import { TextBox } from '../fields.js'
import { Problems, useSending } from '../sending.js'
import { knownLanguages } from './codes.js'
import { type Language, languagesUrl } from './model.js'

/** A dialog that adds a language: one of ISO 639, or any other code of a language. */
export function AddLanguage({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const [code, name] = [useSignal(''), useSignal('')]
  const sending = useSending()
  const id = useId()
  const known = useMemo(() => knownLanguages(language()), [language()])
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = { code: code.value.trim(), ...(name.value.trim() !== '' && { name: name.value.trim() }) }
    const reply = await sending.send({ method: 'POST', url: languagesUrl, body })
    if (!reply) return
    onClose()
    say(t('languages.added', { name: (reply.body as Language).name }))
    onAdded()
  }
  const labels = { code: t('languages.code'), name: t('languages.name') }
  const meant = known.find(one => one.code === code.value.trim())
  return (
    <Dialog title={t('languages.add')} closeLabel={t('close')} onClose={onClose}>
      <form class="settings-form" onSubmit={event => void submit(event)}>
        <div class="field">
          <label for={id}>{labels.code}</label>
          <input
            id={id}
            list={`${id}-known`}
            required
            autocomplete="off"
            aria-describedby={`${id}-note`}
            value={code.value}
            onInput={event => {
              code.value = event.currentTarget.value
            }}
          />
          <datalist id={`${id}-known`}>
            {known.map(one => (
              <option key={one.code} value={one.code}>
                {one.name}
              </option>
            ))}
          </datalist>
          <span class="note" id={`${id}-note`}>
            {meant ? meant.name : t('languages.code.note')}
          </span>
        </div>
        <TextBox label={labels.name} value={name} note={t('languages.name.note')} />
        <Problems of={sending} labels={labels} />
        <button type="submit" class="button primary" disabled={sending.isSending}>
          {t('languages.add')}
        </button>
      </form>
    </Dialog>
  )
}

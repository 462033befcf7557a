import { useSignal } from '@preact/signals'
import { Icon } from '../../../../pages/page/controls.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { CheckBoxes, TextBox } from '../fields.js'
import { Problems, useSending } from '../sending.js'
import { useUnsaved } from '../unsaved.js'
import { type Answer, eventNames, urlOf, type Webhook, webhooksUrl } from './model.js'

interface Header {
  readonly number: number
  readonly name: string
  readonly value: string
  /** Its value is stored, and not shown. */
  readonly isStored: boolean
}

interface FormProps {
  readonly webhook?: Webhook
  readonly isFixed?: boolean
  readonly onSaved: (webhook: Webhook) => void
}

/** The headers that are stored, whose values the server does not show. */
const headersOf = (webhook: Webhook | undefined): readonly Header[] =>
  (webhook?.headers ?? []).map((name, number) => ({ number, name, value: '', isStored: true }))

/** The form of a webhook of the panel. */
export function WebhookForm({ webhook, isFixed = false, onSaved }: FormProps) {
  const [name, url] = [useSignal(webhook?.name ?? ''), useSignal(webhook?.url ?? '')]
  const events = useSignal<readonly string[]>(webhook?.events ?? [])
  const isEnabled = useSignal(webhook?.state !== 'disabled')
  const headers = useSignal(headersOf(webhook))
  const sending = useSending()
  const dataOf = () => {
    const sent = headers.value
      .filter(header => header.name !== '')
      .map(header => [header.name, header.isStored && header.value === '' ? true : header.value])
    const own = { name: name.value, url: url.value, events: [...events.value].sort(), enabled: isEnabled.value }
    return { ...own, headers: Object.fromEntries(sent) }
  }
  const settle = useUnsaved(dataOf)
  const submit = async (event: Event) => {
    event.preventDefault()
    const data = dataOf()
    const place = webhook ? { method: 'PUT', url: urlOf(webhook.key) } : { method: 'POST', url: webhooksUrl }
    const reply = await sending.send({ ...place, body: { data } })
    if (!reply) return
    const { data: saved } = reply.body as Answer<Webhook>
    headers.value = headersOf(saved)
    settle()
    say(t('settings.saved'))
    onSaved(saved)
  }
  const known = [...eventNames, ...(webhook?.events ?? []).filter(one => !eventNames.includes(one))]
  const labels = { name: t('webhooks.name'), url: t('webhooks.url'), events: t('webhooks.events') }
  return (
    <form class="settings-form" aria-label={t('webhooks.form')} onSubmit={event => void submit(event)}>
      <TextBox label={labels.name} value={name} isRequired isFixed={isFixed} />
      <TextBox label={labels.url} value={url} kind="url" isRequired isFixed={isFixed} note={t('webhooks.url.note')} />
      <CheckBoxes
        label={labels.events}
        values={events}
        isFixed={isFixed}
        choices={known.map(value => ({ value, label: value }))}
      />
      <Headers headers={headers} isFixed={isFixed} />
      <label class="check">
        <input
          type="checkbox"
          checked={isEnabled.value}
          disabled={isFixed}
          onChange={event => {
            isEnabled.value = event.currentTarget.checked
          }}
        />
        {t('webhooks.enabled')}
      </label>
      <Problems of={sending} labels={labels} />
      {!isFixed && (
        <button type="submit" class="button primary" disabled={sending.isSending}>
          {t('settings.save')}
        </button>
      )}
    </form>
  )
}

function Headers({ headers, isFixed }: { headers: { value: readonly Header[] }; isFixed: boolean }) {
  const change = (number: number, changed: Partial<Header>) => {
    headers.value = headers.value.map(one => (one.number === number ? { ...one, ...changed } : one))
  }
  const add = () => {
    const number = Math.max(-1, ...headers.value.map(one => one.number)) + 1
    headers.value = [...headers.value, { number, name: '', value: '', isStored: false }]
  }
  return (
    <fieldset class="check-boxes" disabled={isFixed}>
      <legend>{t('webhooks.headers')}</legend>
      {headers.value.map(({ number, name, value, isStored }, index) => (
        <div class="header-row" key={number}>
          <input
            aria-label={t('webhooks.header.name', { number: index + 1 })}
            placeholder={t('webhooks.header.name.short')}
            value={name}
            readOnly={isStored}
            // Without a name the value would not be sent.
            required={value !== ''}
            onInput={event => change(number, { name: event.currentTarget.value })}
          />
          <input
            aria-label={t('webhooks.header.value', { number: index + 1 })}
            placeholder={isStored ? t('webhooks.header.kept') : t('webhooks.header.value.short')}
            value={value}
            autocomplete="off"
            onInput={event => change(number, { value: event.currentTarget.value })}
          />
          <Icon
            label={t('webhooks.header.remove', { number: index + 1 })}
            sign="×"
            onClick={() => {
              headers.value = headers.value.filter(one => one.number !== number)
            }}
          />
        </div>
      ))}
      <button type="button" class="text-button" onClick={add}>
        {t('webhooks.header.add')}
      </button>
    </fieldset>
  )
}

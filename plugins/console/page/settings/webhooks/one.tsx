import { go } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { t } from '../../text.js'
import { BackTo } from '../back-to.js'
import { DeleteButton } from '../delete-button.js'
import { Shown, useLoaded } from '../loaded.js'
import { Problems, useSending } from '../sending.js'
import { Deliveries } from './deliveries.js'
import { WebhookForm } from './form.js'
import { type Answer, urlOf, type Webhook } from './model.js'
import { WebhookState } from './state.js'

/** One webhook with its deliveries, or a new one. */
export function OneWebhook({ id }: { id: string }) {
  return id === 'new' ? <NewWebhook /> : <StoredWebhook id={id} />
}

function NewWebhook() {
  return (
    <View title={t('webhooks.new')}>
      <BackTo section="webhooks" />
      <WebhookForm onSaved={({ key }) => go(addressOfSection('webhooks', key))} />
    </View>
  )
}

function StoredWebhook({ id }: { id: string }) {
  const loaded = useLoaded<Answer<Webhook>>(urlOf(id))
  const webhook = loaded.value.value?.data
  return (
    <View
      title={webhook?.name ?? t('settings.webhooks')}
      beside={webhook && <Actions webhook={webhook} onChange={() => void loaded.reload()} />}
    >
      <BackTo section="webhooks" />
      <Shown loaded={loaded}>
        {({ data }) => (
          <>
            <section class="settings-part">
              <p>
                <WebhookState webhook={data} />
                {data.behind > 0 && <span class="quiet"> · {t('webhooks.isBehind', { count: data.behind })}</span>}
              </p>
              {data.state === 'stopped' && <p class="quiet">{t('webhooks.stopped.text')}</p>}
            </section>
            <section class="settings-part">
              {data.from !== 'config/webhooks' ? (
                <WebhookForm
                  webhook={data}
                  isFixed={!mayIn('webhooks', 'update')}
                  onSaved={() => void loaded.reload()}
                />
              ) : (
                <Declared webhook={data} />
              )}
            </section>
            <Deliveries webhook={data} />
          </>
        )}
      </Shown>
    </View>
  )
}

/** A webhook of the files of the app. */
function Declared({ webhook: { url, events, types, headers, signed } }: { webhook: Webhook }) {
  const facts: readonly (readonly [string, string])[] = [
    [t('webhooks.url'), url],
    [t('webhooks.events'), events.join(', ')],
    [t('webhooks.types'), types?.join(', ') ?? t('webhooks.types.all')],
    [t('webhooks.headers'), headers.join(', ') || '–'],
    [t('webhooks.signed'), t(signed ? 'yes' : 'no')],
  ]
  return (
    <>
      <p class="hint">{t('webhooks.declared.one')}</p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

interface Tested {
  readonly status: number | null
  readonly ms: number
  readonly reply: string
}

function Actions({ webhook, onChange }: { webhook: Webhook; onChange: () => void }) {
  const sending = useSending()
  const url = urlOf(webhook.key)
  const test = async () => {
    const reply = await sending.send({ method: 'POST', url: `${url}/test` })
    if (!reply) return
    const { status, ms, reply: text } = (reply.body as Answer<Tested>).data
    if (status === null) say(t('webhooks.test.failed', { text }))
    else say(t('webhooks.test.done', { status, ms }))
  }
  const enable = async () => {
    if (await sending.send({ method: 'POST', url: `${url}/enable` })) onChange()
  }
  return (
    <div class="row">
      {mayIn('webhooks', 'update') && (
        <button type="button" class="button" disabled={sending.isSending} onClick={() => void test()}>
          {t('webhooks.test')}
        </button>
      )}
      {mayIn('webhooks', 'update') && webhook.state === 'stopped' && (
        <button type="button" class="button" disabled={sending.isSending} onClick={() => void enable()}>
          {t('webhooks.enable')}
        </button>
      )}
      {mayIn('webhooks', 'delete') && webhook.from !== 'config/webhooks' && (
        <DeleteButton
          url={url}
          title={t('webhooks.delete', { name: webhook.name })}
          text={t('webhooks.delete.text')}
          done={t('webhooks.deleted', { name: webhook.name })}
          section="webhooks"
          onRefused={onChange}
        />
      )}
      <Problems of={sending} />
    </div>
  )
}

import { useSignal } from '@preact/signals'
import { Moment } from '../../list/field-value.js'
import { say } from '../../shell/messages.js'
import { mayIn } from '../../shell/sections.js'
import { t } from '../../text.js'
import { ChoiceBox } from '../fields.js'
import { useLatest } from '../latest.js'
import { Problems, useSending } from '../sending.js'
import { Table } from '../table.js'
import { DeliveryDialog } from './delivery-dialog.js'
import { type Answer, type Delivery, deliveriesUrl, urlOf, type Webhook } from './model.js'

const states = ['all', 'pending', 'done', 'failed'] as const

/** The deliveries of a webhook, the latest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const state = useSignal('')
  const filter = { webhook: webhook.key, ...(state.value !== '' && { state: state.value }) }
  const { rows, isMore, problem, reload, readMore } = useLatest<Delivery>(deliveriesUrl, filter)
  const opened = useSignal<number | undefined>(undefined)
  const sending = useSending()
  const replay = async (url: string) => {
    const reply = await sending.send({ method: 'POST', url: `${url}/replay` })
    if (!reply) return
    say(t('deliveries.replayed', { count: (reply.body as Answer<{ count: number }>).data.count }))
    await reload()
  }
  const mayReplay = mayIn('webhooks', 'update')
  return (
    <section class="settings-part wide">
      <h2>{t('deliveries')}</h2>
      <div class="row">
        <ChoiceBox
          label={t('webhooks.state')}
          value={state}
          choices={states.map(one => ({ value: one === 'all' ? '' : one, label: t(`deliveries.state.${one}`) }))}
        />
        <span class="spread" />
        <button type="button" class="button" onClick={() => void reload()}>
          {t('deliveries.reload')}
        </button>
        {mayReplay && (state.value !== '' || (rows?.length ?? 0) > 0) && (
          <button
            type="button"
            class="button"
            disabled={sending.isSending}
            onClick={() => void replay(urlOf(webhook.key))}
          >
            {t('deliveries.replayAll')}
          </button>
        )}
      </div>
      <Problems of={sending} />
      {problem !== '' && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {rows?.length === 0 && <p class="empty">{t('deliveries.none')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <Table
          label={t('deliveries')}
          keyOf={({ id }) => id}
          rows={rows}
          columns={[
            { label: t('deliveries.event'), show: ({ event }) => event },
            { label: t('deliveries.subject'), show: ({ subject }) => subject },
            { label: t('webhooks.state'), show: one => <DeliveryState delivery={one} /> },
            { label: t('deliveries.tries'), show: ({ tries }) => tries },
            { label: t('deliveries.status'), show: ({ status }) => status ?? '–' },
            { label: t('deliveries.made'), show: ({ made }) => <Moment time={made} /> },
          ]}
          actions={{
            label: t('settings.actions'),
            show: delivery => (
              <DeliveryButtons
                delivery={delivery}
                isSending={sending.isSending}
                onShow={() => {
                  opened.value = delivery.id
                }}
                onReplay={mayReplay ? () => void replay(`${deliveriesUrl}/${delivery.id}`) : undefined}
              />
            ),
          }}
        />
      )}
      {isMore && (
        <button type="button" class="button" onClick={() => void readMore()}>
          {t('settings.more')}
        </button>
      )}
      {opened.value !== undefined && (
        <DeliveryDialog
          id={opened.value}
          onClose={() => {
            opened.value = undefined
          }}
        />
      )}
    </section>
  )
}

interface DeliveryButtonsProps {
  readonly delivery: Delivery
  readonly isSending: boolean
  readonly onShow: () => void
  readonly onReplay: (() => void) | undefined
}

const DeliveryButtons = ({ delivery: { id, state }, isSending, onShow, onReplay }: DeliveryButtonsProps) => (
  <>
    <button type="button" class="button" aria-label={t('deliveries.showOne', { number: id })} onClick={onShow}>
      {t('deliveries.show')}
    </button>{' '}
    {onReplay && state !== 'pending' && (
      <button
        type="button"
        class="button"
        disabled={isSending}
        aria-label={t('deliveries.replayOne', { number: id })}
        onClick={onReplay}
      >
        {t('deliveries.replay')}
      </button>
    )}
  </>
)

const DeliveryState = ({ delivery: { state, next } }: { delivery: Delivery }) => (
  <>
    {t(`deliveries.state.${state}`)}
    {next !== null && (
      <span class="quiet">
        {' '}
        (<Moment time={next} />)
      </span>
    )}
  </>
)

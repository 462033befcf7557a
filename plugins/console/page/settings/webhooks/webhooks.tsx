import { addressOfSection } from '../../shell/routes.js'
import { mayIn } from '../../shell/sections.js'
import { View } from '../../shell/view.js'
import { language, t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import type { SectionProps } from '../settings.js'
import { Table } from '../table.js'
import { type Answer, type Webhook, webhooksUrl } from './model.js'
import { OneWebhook } from './one.js'
import { WebhookState } from './state.js'

/** The webhooks of the app: all, or one of them. */
export function Webhooks({ id }: SectionProps) {
  if (id !== undefined) return <OneWebhook id={id} />
  return <AllWebhooks />
}

function AllWebhooks() {
  const loaded = useLoaded<Answer<readonly Webhook[]>>(webhooksUrl)
  const add = mayIn('webhooks', 'create') && (
    <a class="button primary" href={addressOfSection('webhooks', 'new')}>
      {t('webhooks.new')}
    </a>
  )
  return (
    <View title={t('settings.webhooks')} beside={add}>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="empty">{t('webhooks.none')}</p>
          ) : (
            <Table
              label={t('settings.webhooks')}
              keyOf={({ key }) => key}
              rows={data}
              columns={[
                {
                  label: t('webhooks.name'),
                  show: ({ key, name }) => <a href={addressOfSection('webhooks', key)}>{name}</a>,
                },
                { label: t('webhooks.state'), show: webhook => <WebhookState webhook={webhook} /> },
                { label: t('webhooks.url'), show: ({ url }) => url },
                { label: t('webhooks.events'), show: ({ events }) => events.join(', ') },
                { label: t('webhooks.behind'), show: ({ behind }) => behind.toLocaleString(language()) },
              ]}
            />
          )
        }
      </Shown>
    </View>
  )
}

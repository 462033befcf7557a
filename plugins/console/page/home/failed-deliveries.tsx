import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import { mostShown } from '../../model/home.js'
import { ask } from '../api.js'
import { Moment } from '../list/field-value.js'
import { type Answer, type Delivery, deliveriesUrl } from '../settings/webhooks/model.js'
import { addressOfSection } from '../shell/routes.js'
import { openSections } from '../shell/sections.js'
import { t } from '../text.js'

/** Messages to webhooks that are not sent any more, for accounts that see webhooks. */
export function FailedDeliveries() {
  const isOpen = openSections.value.includes('webhooks')
  const failed = useSignal<readonly Delivery[]>([])
  useEffect(() => {
    if (!isOpen) return
    const stopped = new AbortController()
    const url = withQuery(deliveriesUrl, { state: 'failed', limit: mostShown })
    void ask({ url, signal: stopped.signal }).then(reply => {
      if (isDone(reply)) failed.value = (reply.body as Answer<readonly Delivery[]>).data
    })
    return () => stopped.abort()
  }, [isOpen])
  if (failed.value.length === 0) return null
  return (
    <section class="home-list" aria-label={t('home.deliveries')}>
      <h2>{t('home.deliveries')}</h2>
      <ul>
        {failed.value.map(({ id, webhook, event, subject, made }) => (
          <li key={id}>
            <a href={addressOfSection('webhooks', webhook)}>{subject}</a>
            <span class="quiet">
              {event} · <Moment time={made} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={addressOfSection('webhooks')}>{t('home.deliveries.all')}</a>
      </p>
    </section>
  )
}

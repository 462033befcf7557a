import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { isDone } from '../../../../pages/page/request.js'
import { ask } from '../../api.js'
import { t } from '../../text.js'
import { type Answer, type Delivery, deliveriesUrl } from './model.js'

/** The request that was sent, and the response of the receiver. */
export function DeliveryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const found = useSignal<(Delivery & { readonly body: unknown }) | undefined>(undefined)
  useEffect(() => {
    void ask({ url: `${deliveriesUrl}/${id}` }).then(reply => {
      if (isDone(reply)) found.value = (reply.body as Answer<Delivery & { body: unknown }>).data
    })
  }, [id])
  const delivery = found.value
  return (
    <Dialog title={t('deliveries.showOne', { number: id })} closeLabel={t('close')} onClose={onClose}>
      {delivery && (
        <>
          <label class="field">
            {t('deliveries.reply')}
            <textarea class="code" readOnly rows={3} value={delivery.reply ?? ''} />
          </label>
          {delivery.body === null ? (
            <p class="quiet">{t('deliveries.hidden')}</p>
          ) : (
            <label class="field">
              {t('deliveries.body')}
              <textarea class="code" readOnly rows={14} value={JSON.stringify(delivery.body, null, 2)} />
            </label>
          )}
        </>
      )}
    </Dialog>
  )
}

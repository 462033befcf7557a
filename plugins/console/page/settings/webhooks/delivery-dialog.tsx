import { Dialog } from '../../../../pages/page/dialog.js'
import { t } from '../../text.js'
import { Shown, useLoaded } from '../loaded.js'
import { type Answer, type Delivery, deliveriesUrl } from './model.js'

/** The request that was sent, and the response of the receiver. */
export function DeliveryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const loaded = useLoaded<Answer<Delivery & { readonly body: unknown }>>(`${deliveriesUrl}/${id}`)
  return (
    <Dialog title={t('deliveries.showOne', { number: id })} closeLabel={t('close')} onClose={onClose}>
      <Shown loaded={loaded}>
        {({ data: { reply, body } }) => (
          <>
            <label class="field">
              {t('deliveries.reply')}
              <textarea class="code" readOnly rows={3} value={reply ?? ''} />
            </label>
            {body === null ? (
              <p class="quiet">{t('deliveries.hidden')}</p>
            ) : (
              <label class="field">
                {t('deliveries.body')}
                <textarea class="code" readOnly rows={14} value={JSON.stringify(body, null, 2)} />
              </label>
            )}
          </>
        )}
      </Shown>
    </Dialog>
  )
}

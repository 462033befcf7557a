import { t } from '../../text.js'
import type { Webhook } from './model.js'

const signs = { enabled: '●', disabled: '○', stopped: '✕' } as const

/** The state of a webhook by a sign and a word. */
export const WebhookState = ({ webhook: { state } }: { webhook: Pick<Webhook, 'state'> }) => (
  <>
    <span aria-hidden="true">{signs[state]} </span>
    {t(`webhooks.state.${state}`)}
  </>
)

import { definePlugin, optional } from '../../core/index.js'
import { draftAndPublish } from '../draft-and-publish/index.js'
import { tracing } from '../tracing/index.js'
import { eventType, ownUid } from './content-types.js'
import { feedRoutes } from './feed/routes.js'
import { order } from './outbox.js'
import { recording } from './recording.js'
import { Events } from './service.js'
import { settings } from './settings.js'
import { commands } from './webhooks/commands.js'
import { addedType, deliveryType, receiverType } from './webhooks/content-types.js'
import { receivers } from './webhooks/receivers.js'
import { webhookRoutes } from './webhooks/routes.js'
import { webhooksJob } from './webhooks/webhooks.js'

export type { StoredEvent } from './event.js'
export type { Feed } from './feed/feed.js'
export type { FeedTexts } from './feed/listener.js'
export { addedUid as webhookUid } from './webhooks/content-types.js'
export type { WebhookChange } from './webhooks/stored.js'
export { shownUrl } from './webhooks/webhook.js'

const hour = 3_600_000
const contentTypes = [eventType, deliveryType, receiverType, addedType]

/** Records every change once, in the transaction that makes it, and delivers it to webhooks and feeds. */
export const events = definePlugin({
  name: 'events',
  describe: 'a record of every write, webhooks and a live feed',
  uses: [optional(draftAndPublish), optional(tracing)],
  config: settings,
  appliesTo: ({ uid, kind }, { except }) =>
    kind !== 'component' && !uid.startsWith(`${ownUid}.`) && !except.includes(uid),
  contentTypes,
  register: host => new Events(host),
  words: { headers: ['Last-Event-ID'] },
  hooks: recording,
  jobs: [
    {
      name: 'prune',
      describe: 'delete events and deliveries that are older than the setting "keep"',
      every: '1h',
      run: ({ now, signal }, service) =>
        service.prune(new Date(now.getTime() - service.host.config.keep * hour), signal),
    },
    {
      name: webhooksJob,
      describe: 'send webhooks',
      at: ({ webhooks }) => webhooks.nextDue(),
      run: ({ signal }, { webhooks }) => webhooks.run(signal),
    },
  ],
  routes: settings => [...webhookRoutes, ...feedRoutes(settings)],
  shares: { locks: [order, receivers] },
  commands,
  transfer: { stays: contentTypes.map(({ uid }) => uid), after: service => service.imported() },
})

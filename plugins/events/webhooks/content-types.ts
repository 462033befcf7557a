import { ownType, ownUid } from '../content-types.js'

export const deliveryUid = `${ownUid}.delivery`
export const receiverUid = `${ownUid}.receiver`
export const addedUid = `${ownUid}.added-webhook`

/** A delivery: a message to a webhook and its result. */
export const deliveryType = ownType(
  'delivery',
  'stele_deliveries',
  {
    webhook: { type: 'string' },
    event: { type: 'biginteger' },
    name: { type: 'string' },
    /** The subject whose messages are sent in order: an entry, or a file. */
    subject: { type: 'string' },
    position: { type: 'biginteger' },
    body: { type: 'text' },
    trace: { type: 'string' },
    /** `pending`, `done`, `failed` */
    state: { type: 'string' },
    tries: { type: 'integer' },
    /** Milliseconds since 1970. */
    due: { type: 'biginteger' },
    made: { type: 'biginteger' },
    tried: { type: 'biginteger' },
    took: { type: 'integer' },
    status: { type: 'integer' },
    reply: { type: 'text' },
  },
  [
    { attributes: ['webhook', 'event', 'name'], unique: true },
    { attributes: ['state', 'due'] },
    { attributes: ['webhook', 'subject', 'state'] },
  ],
)

/** The progress of each webhook through the events, and a pause that it has asked for. */
export const receiverType = ownType(
  'receiver',
  'stele_webhook_receivers',
  {
    webhook: { type: 'string' },
    position: { type: 'biginteger' },
    url: { type: 'text' },
    gone: { type: 'boolean' },
  },
  [{ attributes: ['webhook'], unique: true }],
)

/** Webhooks that are added while the app runs, where no table of Strapi 4 has them. */
export const addedType = ownType(
  'added-webhook',
  'stele_webhooks',
  {
    name: { type: 'string' },
    url: { type: 'text' },
    headers: { type: 'json' },
    events: { type: 'json' },
    enabled: { type: 'boolean' },
  },
  [],
)

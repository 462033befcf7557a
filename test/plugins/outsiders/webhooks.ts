import { createHmac } from 'node:crypto'
import { change, type Definition, definePlugin, type Host, type Row } from '../../../core/index.js'

const deliveryUid = 'plugin::webhooks.delivery'

const deliveryType: Definition = {
  uid: deliveryUid,
  source: 'plugins/webhooks.ts',
  schema: {
    kind: 'collectionType',
    collectionName: 'webhook_deliveries',
    info: { singularName: 'delivery', pluralName: 'deliveries', displayName: 'Delivery' },
    attributes: {
      event: { type: 'string', required: true },
      body: { type: 'json', required: true },
      attempts: { type: 'integer', default: 0 },
      dueAt: { type: 'datetime', required: true },
    },
    indexes: [{ attributes: ['dueAt'] }],
  },
}

const settings = {
  type: 'object',
  properties: { url: { type: 'string' }, secret: { type: 'string' }, attempts: { type: 'integer', default: 8 } },
  required: ['url', 'secret'],
} as const

type Service = Host<{ readonly url: string; readonly secret: string; readonly attempts: number }>

/** Tells another server of every write: recorded with the write, sent after it, and tried again until it is accepted. */
export const webhooks = definePlugin({
  name: 'webhooks',
  config: settings,
  appliesTo: ({ uid, kind }) => uid.startsWith('api::') && kind !== 'component',
  contentTypes: [deliveryType],
  register: host => host,
  hooks: {
    afterWrite: {
      before: true,
      async run({ id }, { write, type, before, session, now }, { entries }) {
        const entry = write.action === 'delete' ? before : await entries(type.uid, session).first({ where: { id } })
        const body = { event: `entry.${write.action}`, model: type.singularName, entry }
        await entries(deliveryUid, session).create({ event: body.event, body, dueAt: now.toISOString() })
      },
    },
  },
  jobs: [{ name: 'deliver', describe: 'send what has been recorded', every: '10s', run: deliver }],
  commands: [
    {
      name: 'webhooks pending',
      describe: 'list what has not been accepted yet',
      async run({ table }, { entries }) {
        const rows = await entries(deliveryUid).find({ sort: 'id' })
        table(rows.map(({ id, event, attempts, dueAt }) => ({ id, event, attempts, dueAt })))
      },
    },
    {
      name: 'webhooks retry',
      describe: 'make everything due now',
      async run({ print }, { store }) {
        const due = { due_at: store.encode('datetime', Date.now()), attempts: 0 }
        const { changes } = await store.transaction(session =>
          change(session, store.knex('webhook_deliveries').update(due)),
        )
        print(`${changes} due`)
      },
    },
  ],
  checks: [
    {
      async ready({ entries, config }) {
        const given = await entries(deliveryUid).count({ attempts: { $gte: config.attempts } })
        return given === 0 || `${given} deliveries were given up: see stele webhooks pending`
      },
    },
  ],
  transfer: { stays: [deliveryUid] },
})

async function deliver({ now, signal }: { now: Date; signal: AbortSignal }, { entries, config, log }: Service) {
  const deliveries = entries(deliveryUid)
  const where = { dueAt: { $lte: now.toISOString() }, attempts: { $lt: config.attempts } }
  for (const { id, body, attempts } of await deliveries.find({ where, sort: 'id', limit: 100 })) {
    signal.throwIfAborted()
    const text = JSON.stringify(body)
    const signature = createHmac('sha256', config.secret).update(text).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-signature': signature, 'x-delivery': String(id) }
    const response = await fetch(config.url, { method: 'POST', body: text, headers, signal }).catch(() => undefined)
    if (response?.ok) {
      await deliveries.delete(Number(id))
      continue
    }
    log.warn({ id, status: response?.status }, 'a webhook was not accepted')
    const later = new Date(now.getTime() + 1000 * 2 ** Number(attempts))
    await deliveries.update(Number(id), { attempts: Number(attempts) + 1, dueAt: later.toISOString() })
  }
}

/** The expected signature, for a receiver to compare. */
export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

export type DeliveredEvent = { readonly event: string; readonly model: string; readonly entry: Row }

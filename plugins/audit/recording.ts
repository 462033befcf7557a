import { isDeepStrictEqual } from 'node:util'
import type { Before, Row, Written } from '../../core/index.js'
import { changedAttributes, type TransactionSession } from '../../core/plugin-kit.js'
import { shownUrl, type WebhookChange, webhookUid } from '../events/index.js'
import type { AuditRecord } from './records.js'

/** The hook that records every write, in the transaction of the write. */
export const recording = {
  afterWrite: {
    before: true as const,
    async run({ id }: Row, { type, session, write, before, caller, now }: Written & Before, records: AuditRecord) {
      const sent = { ...write.data, ...write.set }
      const changes = Object.fromEntries(
        namesOf({ type, write, before }, sent).map(name => {
          const from = before && Object.hasOwn(before, name) ? { from: before[name] } : {}
          const to = write.action === 'delete' ? {} : { to: sent[name] }
          return [name, records.shown(type.uid, name, { ...from, ...to })]
        }),
      )
      const event = `entry.${write.gone ? ofGone[write.action] : write.action}`
      await records.add(session, { event, uid: type.uid, entry: id, caller, changes }, now)
    },
  },
}

/** Names of the writes on an entry that counted as deleted. */
const ofGone = { create: 'create', update: 'restore', delete: 'purge' } as const

/** The attributes that a write gives, changes or takes away. */
function namesOf(
  { type, write, before }: Pick<Written, 'type' | 'write'> & Partial<Before>,
  sent: Readonly<Record<string, unknown>>,
): string[] {
  if (write.action === 'update') return changedAttributes(type, sent, before)
  const given = write.action === 'delete' ? { ...before } : sent
  return Object.keys(given).filter(name => type.fields.has(name) || type.links.has(name))
}

const partsOfWebhook = ['name', 'url', 'headers', 'events', 'enabled'] as const

/** Records a change of a webhook that no file declares. Headers hold keys of other servers, and so may an address. */
export function recordWebhook(
  { id, from, to, caller }: WebhookChange,
  session: TransactionSession,
  records: AuditRecord,
) {
  const changed = partsOfWebhook.filter(name => !isDeepStrictEqual(from?.[name], to?.[name]))
  const changes = changed.map(name => {
    const told = (webhook: NonNullable<typeof to>) => (name === 'url' ? shownUrl(webhook.url) : webhook[name])
    const values = { ...(from && { from: told(from) }), ...(to && { to: told(to) }) }
    return [name, name === 'headers' ? {} : records.shown(webhookUid, name, values)]
  })
  const event = `webhook.${from ? (to ? 'update' : 'delete') : 'create'}`
  records.add(session, { event, uid: webhookUid, entry: id, caller, changes: Object.fromEntries(changes) })
}

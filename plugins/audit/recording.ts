import type { Before, Row, Written } from '../../core/index.js'
import { changedAttributes } from '../../core/plugin-kit.js'
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

import type { Attribute, Definition } from '../../core/index.js'

export const ownUid = 'plugin::events'
export const eventUid = 'plugin::events.event'

const source = 'plugin events'

/** A type of the plugin: its rows belong to this installation, and no request reaches them but through the plugin. */
export const ownType = (
  name: string,
  table: string,
  attributes: Readonly<Record<string, Attribute>>,
  indexes: readonly { readonly attributes: readonly string[]; readonly unique?: boolean }[],
): Definition => ({
  uid: `${ownUid}.${name}`,
  source,
  schema: {
    kind: 'collectionType',
    collectionName: table,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    indexes,
  },
})

/** The outbox: one row for each write, in the transaction of the write. */
export const eventType = ownType(
  'event',
  'stele_events',
  {
    at: { type: 'datetime' },
    event: { type: 'string' },
    uid: { type: 'string' },
    entry: { type: 'biginteger' },
    locale: { type: 'string' },
    actor: { type: 'string' },
    requestId: { type: 'string' },
    /** The W3C `traceparent` of the request, while requests are traced. */
    trace: { type: 'string' },
    changed: { type: 'json' },
    ends: { type: 'json' },
    /** The entry as it was, of a delete. */
    gone: { type: 'json' },
    /** The place in the order of all events; empty until the row is committed and the next reader gives it one. */
    position: { type: 'biginteger' },
  },
  [{ attributes: ['position'], unique: true }],
)

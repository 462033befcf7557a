import type { Definition } from '../../core/index.js'

export const recordUid = 'plugin::audit.record'

/** What was done: one row for each write, in the transaction of the write, and for each sign-in and refusal. */
export const recordType: Definition = {
  uid: recordUid,
  source: 'plugin audit',
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_audit',
    info: { singularName: 'record', pluralName: 'records', displayName: 'record' },
    attributes: {
      at: { type: 'datetime' },
      event: { type: 'string' },
      uid: { type: 'string' },
      entry: { type: 'biginteger' },
      actor: { type: 'string' },
      address: { type: 'string' },
      request: { type: 'string' },
      requestId: { type: 'string' },
      // Text, so that it is read back as it was sealed.
      changes: { type: 'text' },
      seal: { type: 'string' },
    },
    indexes: [{ attributes: ['at'] }],
  },
}

import type { Definition } from '../../core/index.js'

export const recordUid = 'plugin::audit.record'

/** The audit record: one row for each write, in the transaction of the write, and for each sign-in and refusal. */
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
      /** The number of the seal that it belongs to; empty until it has one. */
      batch: { type: 'integer' },
    },
    indexes: [
      ...[{ attributes: ['at'] }, { attributes: ['batch'] }, { attributes: ['uid', 'entry'] }],
      ...[{ attributes: ['actor'] }, { attributes: ['event'] }],
    ],
  },
}

export const sealUid = 'plugin::audit.seal'

/** Seals over many records. */
export const sealType: Definition = {
  uid: sealUid,
  source: 'plugin audit',
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_audit_seals',
    info: { singularName: 'seal', pluralName: 'seals', displayName: 'seal' },
    attributes: {
      number: { type: 'integer' },
      count: { type: 'integer' },
      mac: { type: 'string' },
      ended: { type: 'string' },
      broken: { type: 'integer' },
    },
    indexes: [{ attributes: ['number'], unique: true }],
  },
}

import type { Definition } from '../../core/index.js'

export const versionUid = 'plugin::versions.version'

/** Entries as they were: one row for each state that a write has replaced, stored in the transaction of the write. */
export const versionType: Definition = {
  uid: versionUid,
  source: 'plugin versions',
  uidColumns: ['uid'],
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_versions',
    info: { singularName: 'version', pluralName: 'versions', displayName: 'version' },
    attributes: {
      uid: { type: 'string' },
      entry: { type: 'biginteger' },
      /** Counts the versions of an entry from 1 on. */
      number: { type: 'integer' },
      /** The time, caller and action of the write that replaced this state. */
      at: { type: 'datetime' },
      actor: { type: 'string' },
      action: { type: 'string' },
      // Text, for comparison with the next stored state.
      data: { type: 'text' },
    },
    // The other one finds what was deleted, the latest first.
    indexes: [{ attributes: ['uid', 'entry', 'number'], unique: true }, { attributes: ['uid', 'action', 'at'] }],
  },
}

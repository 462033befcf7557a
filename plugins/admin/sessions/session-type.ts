import type { Definition } from '../../../core/index.js'

export const sessionUid = 'plugin::admin.session'

const time = { type: 'biginteger', required: true } as const
const secret = { type: 'string', private: true } as const

/** A row for each session while it lasts; it changes in place, so that the table does not grow with its use. */
export const sessionType: Definition = {
  uid: sessionUid,
  source: 'plugin admin',
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_admin_sessions',
    info: { singularName: 'session', pluralName: 'sessions', displayName: 'Session' },
    attributes: {
      /** The hash of the token. */
      hash: { ...secret, required: true, unique: true, column: { unique: true } },
      /** That of the token before, which is good until the token was used, and a moment more. */
      former: { ...secret, index: true },
      account: { type: 'integer', required: true, index: true },
      /** A hash of the password's hash: a session ends with the password that it was begun with, whichever program changes that. */
      stamp: { ...secret, required: true },
      kept: { type: 'boolean', required: true },
      created: time,
      /** The time of the token. */
      renewed: time,
      /** The time at which the token was used first; none until it was. */
      used: { type: 'biginteger' },
      seen: time,
      ends: { ...time, index: true },
      address: { type: 'string' },
      agent: { type: 'string' },
    },
  },
}

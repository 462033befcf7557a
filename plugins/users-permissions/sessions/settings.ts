import type { Definition } from '../../../core/index.js'

/** `sessions` in the settings; times are seconds. */
export const sessionsSettings = {
  type: 'object',
  additionalProperties: false,
  default: {},
  properties: {
    enabled: { type: 'boolean', default: false },
    accessLifetime: { type: 'integer', minimum: 30, default: 600 },
    refreshLifetime: { type: 'integer', minimum: 60, default: 30 * 24 * 3600 },
  },
} as const

export const sessionUid = 'plugin::users-permissions.session'

/** A row for each session while it lasts; it changes in place, so that the table does not grow with its use. */
export const sessionType: Definition = {
  uid: sessionUid,
  source: 'plugin users-permissions',
  schema: {
    kind: 'collectionType',
    collectionName: 'stele_sessions',
    info: { singularName: 'session', pluralName: 'sessions', displayName: 'Session' },
    attributes: {
      family: { type: 'string', private: true, required: true, unique: true, column: { unique: true } },
      hash: { type: 'string', private: true, required: true },
      account: { type: 'integer', required: true, index: true },
      expires: { type: 'biginteger', required: true, index: true },
    },
  },
}

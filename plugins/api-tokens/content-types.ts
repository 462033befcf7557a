import type { Definition } from '../../core/index.js'

export const tokenUid = 'admin::api-token'
export const permissionUid = 'admin::api-token-permission'

/** The uid that the permissions of managing tokens belong to. */
export const ownUid = 'plugin::api-tokens'

export const tokenTypes = ['full-access', 'read-only', 'custom'] as const
export type TokenType = (typeof tokenTypes)[number]

const source = 'plugin api-tokens'

/** Tokens and the actions of custom ones stand in the tables of Strapi 4, so that both can read them. */
export const contentTypes: readonly Definition[] = [
  {
    uid: tokenUid,
    source,
    schema: {
      kind: 'collectionType',
      collectionName: 'strapi_api_tokens',
      info: { singularName: 'api-token', pluralName: 'api-tokens', displayName: 'API token' },
      attributes: {
        name: { type: 'string', minLength: 1, required: true, unique: true },
        description: { type: 'string', default: '' },
        type: { type: 'enumeration', enum: tokenTypes, required: true, default: 'read-only' },
        accessKey: { type: 'string', minLength: 1, required: true, private: true },
        lastUsedAt: { type: 'datetime' },
        permissions: { type: 'relation', relation: 'oneToMany', target: permissionUid, mappedBy: 'token' },
        expiresAt: { type: 'datetime' },
        lifespan: { type: 'biginteger' },
      },
    },
  },
  {
    uid: permissionUid,
    source,
    uidColumns: ['action'],
    schema: {
      kind: 'collectionType',
      collectionName: 'strapi_api_token_permissions',
      info: {
        singularName: 'api-token-permission',
        pluralName: 'api-token-permissions',
        displayName: 'API token permission',
      },
      attributes: {
        action: { type: 'string', minLength: 1, required: true },
        token: { type: 'relation', relation: 'manyToOne', target: tokenUid, inversedBy: 'permissions' },
      },
    },
  },
]

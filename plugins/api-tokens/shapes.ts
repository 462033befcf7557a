import { tokenTypes } from './content-types.js'

/** Request and response bodies of this plugin's routes, for descriptions of the API. */

const text = { type: 'string' }
const time = { type: ['string', 'null'], format: 'date-time' }
const wished = {
  name: { ...text, minLength: 1, maxLength: 255 },
  description: { ...text, maxLength: 255 },
  type: { ...text, enum: [...tokenTypes] },
  permissions: { type: 'array', items: text },
}

export const wish = {
  type: 'object',
  properties: {
    data: {
      type: 'object',
      properties: {
        ...wished,
        lifespan: { type: ['string', 'integer', 'null'], description: '7d, 30d, 90d, unlimited, or milliseconds' },
      },
    },
  },
  required: ['data'],
}

const token = {
  id: { type: 'integer' },
  ...wished,
  lifespan: { type: ['integer', 'null'] },
  expiresAt: time,
  lastUsedAt: time,
  createdAt: time,
  updatedAt: time,
}
const answer = (data: object) => ({
  type: 'object',
  properties: { data, meta: { type: 'object' } },
  required: ['data', 'meta'],
})

const one = { type: 'object', properties: token, required: ['id', 'name'] }
export const shown = answer(one)
export const listed = answer({ type: 'array', items: one })
export const actions = answer({
  type: 'array',
  items: {
    type: 'object',
    properties: { uid: text, action: text, mayGive: { type: 'boolean' } },
    required: ['uid', 'action', 'mayGive'],
  },
})
/** The one response that holds the key itself. */
export const fresh = answer({
  type: 'object',
  properties: { ...token, accessKey: text },
  required: ['id', 'name', 'accessKey'],
})

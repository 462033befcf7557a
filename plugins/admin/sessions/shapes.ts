import type { JsonSchema } from '../../../core/index.js'

export const text = { type: 'string' } as const
export const optionalText = { type: ['string', 'null'] } as const

export const objectShape = (properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)) =>
  ({ type: 'object', properties, required }) as const

export const sessionShape = objectShape({
  ...{ id: { type: 'integer' }, created: text, seen: text, ends: text },
  ...{ address: optionalText, agent: optionalText },
})

const accountShape = objectShape({
  ...{ id: { type: 'integer' }, name: text, email: text, firstname: optionalText, lastname: optionalText },
  ...{ username: optionalText, language: optionalText },
})

export const signedIn = objectShape({ account: accountShape, session: sessionShape })

/** The guard is in front of these routes, and they look themselves whether there is a session: no role is needed to sign in. */
export const own = { at: 'root', action: null } as const

export const nothing = { 204: 'nothing' } as const

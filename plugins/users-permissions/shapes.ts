import type { JsonSchemaObject } from '../../core/index.js'
import { refTo } from '../../core/plugin-kit.js'
import { userUid } from './content-types.js'

/** Request and response bodies of this plugin's routes, for descriptions of the API. */

const text = { type: 'string' }
const email = { type: 'string', format: 'email' }

const object = (
  properties: Readonly<Record<string, JsonSchemaObject>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchemaObject => ({ type: 'object', properties, required })

/** The response to a sign-in; `refreshToken` is there if sessions are enabled. */
export const signedIn = object({ jwt: text, refreshToken: text, user: refTo(userUid) }, ['jwt', 'user'])
/** The response to a registration; if the address has to be confirmed first, there is no token yet. */
export const registered = object({ jwt: text, refreshToken: text, user: refTo(userUid) }, ['user'])
export const ok = object({ ok: { type: 'boolean' } })

export const signIn = object({ identifier: { ...text, description: 'an address or a name' }, password: text })
export const registration: JsonSchemaObject = {
  ...object({ username: text, email, password: text }),
  additionalProperties: true,
}
export const address = object({ email })
export const mailed = object({ email, sent: { type: 'boolean' } })
export const newPassword = object({ currentPassword: text, password: text, passwordConfirmation: text })
export const resetPassword = object({ code: text, password: text, passwordConfirmation: text })
export const refresh = object({ refreshToken: text })
export const refreshed = object({ jwt: text, refreshToken: text, user: refTo(userUid) })

const account = {
  username: text,
  email,
  password: text,
  role: { description: 'the id of a role, as any relation is written; required of callers who may find roles' },
  confirmed: { type: 'boolean' },
  blocked: { type: 'boolean' },
}
export const newAccount: JsonSchemaObject = {
  ...object(account, ['username', 'email', 'password']),
  additionalProperties: true,
}
export const changedAccount: JsonSchemaObject = { ...object(account, []), additionalProperties: true }

const permissions: JsonSchemaObject = {
  type: 'object',
  description: 'by plugin or type, then by controller: { enabled, policy } of each action',
}
export const allPermissions = object({ permissions })
const maybe = { type: ['string', 'null'] }
export const role: JsonSchemaObject = object({ name: text, description: maybe, type: text, permissions }, [])
export const newRole: JsonSchemaObject = { ...role, required: ['name'] }
const time = { type: ['string', 'null'], format: 'date-time' }
const shownRole = {
  id: { type: 'integer' },
  name: text,
  description: maybe,
  type: maybe,
  createdAt: time,
  updatedAt: time,
}
export const roles = object({
  roles: { type: 'array', items: object({ ...shownRole, nb_users: { type: 'integer' } }, ['id', 'name', 'nb_users']) },
})
const declared = { type: 'boolean', description: 'config/permissions declares it; absent otherwise' }
export const oneRole = object({ role: object({ ...shownRole, permissions, declared }, ['id', 'name', 'permissions']) })

import { bodies } from '../../../../users-permissions/index.js'
import { YupValidationError } from '../../../packages/utils/errors.js'
import type { Bag, Fn, Loose } from '../../../types.js'

const { issue, issuesOfAll, issuesOfKnown, objectOf } = bodies
const { text, name, email } = bodies.rules
type Complaint = ReturnType<typeof issue>
type Complain = (sent: Bag) => readonly Complaint[]
type Rules = Parameters<typeof issuesOfAll>[1]

/** A function that returns the body, or throws one error for all that is wrong with it, as those of `validateYupSchema` do. */
const checked =
  (...steps: readonly Complain[]): Fn =>
  async (body: Loose = {}, message?: string) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const complaints = isObject ? steps.flatMap(step => step(body)) : [at([], 'this must be an object')]
    if (complaints.length === 0) return body
    const inner = complaints.map(({ path, message, older, name }) => ({
      path: path.join('.'),
      message: older ?? message,
      name,
    }))
    const errors = inner.map(({ message }) => message)
    throw new YupValidationError({ inner, errors, message: errors[0] }, message)
  }

const at = (path: readonly string[], message: string): Complaint => ({ path, message, name: 'ValidationError' })

/** All of the fields have to be there. */
const all =
  (wanted: Rules): Complain =>
  sent =>
    issuesOfAll(sent, wanted)

/** No other fields may be there. */
const noneBut =
  (...names: readonly string[]): Complain =>
  sent => {
    const others = Object.keys(sent).filter(name => !names.includes(name))
    return others.length === 0 ? [] : [at([], `this field has unspecified keys: ${others.join(', ')}`)]
  }

const samePasswords: Complain = ({ password, passwordConfirmation }) =>
  !passwordConfirmation || password === passwordConfirmation
    ? []
    : [at(['passwordConfirmation'], 'Passwords do not match')]

/** `@strapi/plugin-users-permissions/server/controllers/validation/auth` */
export const auth: Readonly<Record<string, Fn>> = {
  validateCallbackBody: checked(all({ identifier: name, password: text })),
  validateRegisterBody: checked(all({ email, username: name, password: text })),
  validateSendEmailConfirmationBody: checked(all({ email })),
  validateEmailConfirmationBody: checked(all({ confirmation: text })),
  validateForgotPasswordBody: checked(all({ email }), noneBut('email')),
  validateResetPasswordBody: checked(
    all({ passwordConfirmation: text, password: text, code: text }),
    noneBut('passwordConfirmation', 'password', 'code'),
  ),
  validateChangePasswordBody: checked(
    all({ passwordConfirmation: text, password: text, currentPassword: text }),
    samePasswords,
    noneBut('passwordConfirmation', 'password', 'currentPassword'),
  ),
}

const isId = (value: Loose): boolean =>
  typeof value === 'string' ? value !== '' : Number.isInteger(value) && value >= 0

/** The roles that a relation connects, each of which has to be an object with an id. */
const connected = (connect: Loose): Complaint[] => {
  if (!Array.isArray(connect)) return [at(['role', 'connect'], 'role.connect is a required field')]
  return connect.flatMap((one, place) =>
    isId(objectOf(one).id)
      ? []
      : [at(['role', 'connect', String(place), 'id'], `role.connect[${place}].id must be an ID`)],
  )
}

const givenRole: Complain = ({ role }) => {
  if (role === undefined || role === null || role === '') return [at(['role'], 'role is a required field')]
  if (typeof role !== 'object') return otherRole({ role })
  const wrong = connected(role.connect)
  return wrong.length === 0 && role.connect.length === 0 ? [at(['role', 'connect'], 'Users must have a role')] : wrong
}

const otherRole: Complain = ({ role }) => {
  if (role === undefined) return []
  if (typeof role !== 'object' || role === null) return isId(role) ? [] : [at(['role'], 'role must be an ID')]
  const { connect, disconnect } = role
  const wrong = connected(connect)
  if (!Array.isArray(disconnect)) return [...wrong, at(['role', 'disconnect'], 'role.disconnect is a required field')]
  return wrong.length === 0 && connect.length === 0 && disconnect.length > 0
    ? [at(['role', 'disconnect'], 'Cannot remove role')]
    : wrong
}

const filled: Rules[string] = value => text(value) ?? (value === '' ? 'must be at least 1 characters' : undefined)

/** Fields that code has set to `undefined` are not there. */
const known =
  (rules: Rules): Complain =>
  sent =>
    issuesOfKnown(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)), rules)

/** `@strapi/plugin-users-permissions/server/controllers/validation/user` */
export const user: Readonly<Record<string, Fn>> = {
  validateCreateUserBody: checked(all({ email, username: name, password: text }), givenRole),
  validateUpdateUserBody: checked(
    known({ email, username: value => filled(value) ?? name(value), password: filled }),
    otherRole,
  ),
  validateDeleteRoleBody: checked(all({ role: value => (isId(value) ? undefined : 'must be an ID') })),
}

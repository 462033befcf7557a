import { ApplicationError, type ContentType, type Link, type Route, ValidationError } from '../../../core/index.js'
import { objectOf, readBody, rules } from '../bodies.js'
import { makeCode } from '../codes.js'
import { ownUserFields, userUid } from '../content-types.js'
import { isPassword } from '../passwords.js'
import type { UsersPermissions } from '../service.js'
import * as shapes from '../shapes.js'
import type { AccountCall } from './calls.js'
import { confirmationRoutes, sendConfirmation } from './confirmation.js'
import { passwordRoutes } from './passwords.js'
import { authUid } from './uids.js'

const { text, name, email } = rules

export const authRoutes: readonly Route<UsersPermissions>[] = [
  {
    method: 'POST',
    path: '/auth/local',
    uid: authUid,
    action: 'callback',
    describe: 'sign in',
    accepts: shapes.signIn,
    answers: shapes.signedIn,
    run: signIn,
  },
  {
    method: 'POST',
    path: '/auth/local/register',
    uid: authUid,
    action: 'register',
    describe: 'make an account',
    accepts: shapes.registration,
    answers: shapes.registered,
    run: register,
  },
  ...passwordRoutes,
  ...confirmationRoutes,
]

/** Signs in with a name or an address, and a password. */
export async function signIn({ ctx, body, service }: AccountCall) {
  const { accounts, throttle, host } = service
  const { identifier: sent } = objectOf(body)
  const earlier = await throttle.check(ctx, 'local', typeof sent === 'string' ? sent : undefined)
  const { identifier, password } = readBody(body, { identifier: name, password: text })
  const grant = await host.shares.stored.get('grant')
  if (grant.email?.enabled === false) throw new ApplicationError('This provider is disabled')
  const account = await accounts.byIdentifier(identifier)
  if (!(await isPassword(password, account?.password)) || !account)
    throw new ValidationError('Invalid identifier or password')
  const { email_confirmation } = await host.shares.stored.get('advanced')
  if (email_confirmation && !account.confirmed) throw new ApplicationError('Your account email is not confirmed')
  if (account.blocked) throw new ApplicationError('Your account has been blocked by an administrator')
  if (earlier > 0) await throttle.forget('local', identifier)
  return accounts.signIn(account.id)
}

/** Makes an account that its owner asks for. */
export async function register({ ctx, body, service }: AccountCall) {
  const { accounts, throttle, mailer, host } = service
  const { email: address } = objectOf(body)
  await throttle.check(ctx, 'register', typeof address === 'string' ? address : undefined)
  const { allow_register, email_confirmation } = await host.shares.stored.get('advanced')
  if (!allow_register) throw new ApplicationError('Register action is currently disabled')
  const own = readBody(body, { email, username: name, password: text })
  if (email_confirmation) mailer.check()
  const code = makeCode(40, host.config.codes.confirmation)
  const account = await accounts.register({
    ...allowedOf(objectOf(body), service),
    ...own,
    provider: 'local',
    confirmed: !email_confirmation,
    ...(email_confirmation && { confirmationToken: code.stored }),
  })
  const id = Number(account.id)
  if (!email_confirmation) return accounts.signIn(id)
  await sendConfirmation(service, account, code.sent)
  return { user: account }
}

/** The fields that the app allows in a registration; everything else in the body is ignored. */
function allowedOf(body: Readonly<Record<string, unknown>>, { host }: UsersPermissions) {
  const type = host.types.get(userUid)
  const { allowedFields } = host.config.register
  const extra = allowedFields.includes('*')
    ? [...type.fields.values()].filter(({ readable }) => readable).map(({ name }) => name)
    : allowedFields
  const allowed = Object.entries(body).filter(([name]) => extra.includes(name) && !ownUserFields.includes(name))
  return writableIn(type, Object.fromEntries(allowed))
}

/** The values that requests may write, in components too: an account is made by code, which may write all. */
function writableIn(type: ContentType, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values).filter(
    ([name]) => (type.fields.get(name) ?? type.links.get(name))?.writable !== false,
  )
  return Object.fromEntries(entries.map(([name, value]) => [name, inParts(type.links.get(name), value)]))
}

function inParts(link: Link | undefined, value: unknown): unknown {
  if (!link?.embedded) return value
  if (Array.isArray(value)) return value.map(one => inParts(link, one))
  const [only, ...others] = link.types()
  const part = others.length === 0 ? only : link.types().find(({ uid }) => uid === objectOf(value).__component)
  return part && typeof value === 'object' && value !== null ? writableIn(part, objectOf(value)) : value
}

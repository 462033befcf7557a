import { type Entry, type RouteCall, ValidationError } from '../../../core/index.js'
import { bodies, isPassword, type Throttle } from '../../users-permissions/index.js'
import type { Account } from '../accounts/account.js'
import { readOwn } from '../accounts/account-input.js'
import type { Accounts } from '../accounts/accounts.js'
import { noSession } from './callers.js'
import type { OpenSession } from './kept-sessions.js'
import type { Sessions } from './sessions.js'

/** The parts of the plugin's service that signing in needs. */
export interface SignInService {
  readonly sessions: Sessions
  readonly accounts: Pick<Accounts, 'signingIn' | 'withPassword' | 'setPassword' | 'hasSuperAdmin' | 'update'>
  readonly throttle: Throttle
}

type SignInCall<Service = SignInService> = Pick<RouteCall<Service>, 'ctx' | 'body' | 'service'>

type ChangeCall = Pick<RouteCall<SignInService>, 'ctx' | 'body' | 'caller' | 'service'>

const { readBody, objectOf, rules, issue } = bodies

/** Signs in with an address and a password. What is refused is refused alike, for the same work: accounts cannot be guessed. */
export async function signIn({ ctx, body, service }: SignInCall) {
  const { sessions, accounts, throttle } = service
  sessions.assertSafe(ctx)
  const { email: sent, keep = false } = objectOf(body)
  const earlier = await throttle.check(ctx, 'local', typeof sent === 'string' ? sent : undefined)
  const { email, password } = readBody(body, { email: rules.name, password: rules.text })
  if (typeof keep !== 'boolean') throw ValidationError.of([issue('keep', 'must be true or false')])
  const account = await accounts.signingIn(email.trim())
  const isRight = await isPassword(password, account?.password)
  if (!isRight || !account?.isActive || account.blocked) throw refused()
  const open = await sessions.open(ctx, account.id, { kept: keep, checked: account.password })
  if (!open) throw refused()
  if (earlier > 0) await throttle.forget('local', email)
  return shown(open)
}

const refused = () => new ValidationError('This e-mail and password do not belong together, or the account is blocked.')

/** Changes the editor's own password. All sessions end with the former one, and this browser has a new one. */
export async function changePassword({ ctx, body, caller, service }: ChangeCall) {
  const { sessions, accounts, throttle } = service
  const { account, session } = editorOf(service, ctx)
  await throttle.check(ctx, 'change-password', String(account.id))
  const { current, password } = readBody(body, { current: rules.text, password: rules.text })
  const stored = await accounts.withPassword(account.id)
  if (!(await isPassword(current, stored?.password)))
    throw ValidationError.of([issue('current', 'is not the current password')])
  await accounts.setPassword(account.id, password, { caller })
  const open = await sessions.open(ctx, account.id, { kept: session.kept })
  if (!open) throw noSession()
  await throttle.forget('change-password', String(account.id))
  return shown(open)
}

/** Changes the names and the language of the editor's own account. */
export async function changeOwn({ ctx, body, caller, service }: ChangeCall) {
  const { account, session } = editorOf(service, ctx)
  return shown({ account: await service.accounts.update(account.id, readOwn(body), { caller }), session })
}

/** The session and the account of a request; 401 without one. */
export function editorOf({ sessions }: Pick<SignInService, 'sessions'>, ctx: RouteCall['ctx']): OpenSession {
  const open = sessions.current(ctx)
  if (!open) throw noSession()
  return open
}

/** A session as its owner sees it. */
export const shown = ({ account, session }: OpenSession) => ({
  account: shownAccount(account),
  session: shownSession(session),
})

export const shownAccount = ({ id, email, firstname, lastname, username, language }: Account): Entry => {
  const name = [firstname, lastname].filter(Boolean).join(' ') || username || email
  return { id, name, email, firstname, lastname, username, language }
}

export const shownSession = ({ id, created, seen, ends, address, agent }: OpenSession['session']): Entry => ({
  ...{ id, created: dateOf(created), seen: dateOf(seen), ends: dateOf(ends) },
  ...{ address, agent },
})

const dateOf = (time: number): string => new Date(time).toISOString()

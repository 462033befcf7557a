import { ApplicationError, change, type Route, type Session, ValidationError } from '../../../core/index.js'
import { issue, objectOf, readBody, rules } from '../bodies.js'
import type { UserCaller } from '../callers.js'
import { makeCode, storedForms } from '../codes.js'
import { userUid } from '../content-types.js'
import { serverUrl, writeLetter } from '../letters.js'
import { isPassword } from '../passwords.js'
import { accountOf, type UsersPermissions } from '../service.js'
import * as shapes from '../shapes.js'
import type { AccountCall } from './calls.js'
import { authUid } from './uids.js'

const { text, email } = rules

export const passwordRoutes: readonly Route<UsersPermissions>[] = [
  {
    method: 'POST',
    path: '/auth/change-password',
    uid: authUid,
    action: 'changePassword',
    describe: "change the caller's password",
    accepts: shapes.newPassword,
    answers: shapes.signedIn,
    run: changePassword,
  },
  {
    method: 'POST',
    path: '/auth/reset-password',
    uid: authUid,
    action: 'resetPassword',
    describe: 'set a new password with a code from a mail',
    accepts: shapes.resetPassword,
    answers: shapes.signedIn,
    run: resetPassword,
  },
  {
    method: 'POST',
    path: '/auth/forgot-password',
    uid: authUid,
    action: 'forgotPassword',
    describe: 'ask for a mail with a code',
    accepts: shapes.address,
    answers: shapes.ok,
    run: forgotPassword,
  },
]

/** Changes the password of the caller, who knows the current one. */
export async function changePassword({ ctx, body, caller, service }: AccountCall) {
  const { throttle, accounts, host } = service
  const id = accountOf(caller)
  await throttle.check(ctx, 'change-password', id === undefined ? undefined : String(id))
  if (id === undefined) throw new ApplicationError('You must be authenticated to reset your password')
  const { passwordConfirmation, password, currentPassword } = readBody(body, {
    passwordConfirmation: text,
    password: text,
    currentPassword: text,
  })
  if (password !== passwordConfirmation) {
    const message = 'Passwords do not match'
    throw ValidationError.of([{ ...issue('passwordConfirmation', ''), message }])
  }
  const [account] = await accounts.find({ id: { $eq: id } })
  if (!(await isPassword(currentPassword, account?.password)))
    throw new ValidationError('The provided current password is invalid')
  if (currentPassword === password)
    throw new ValidationError('Your new password must be different than your current password')
  await host.entries(userUid).update(id, { password })
  const answer = await accounts.signIn(id)
  // Strapi 4 returns the account as it was found, with the time of the change before this one.
  const { updatedAt } = (caller as UserCaller).user
  return { ...answer, user: { ...answer.user, updatedAt } }
}

/** Sends a code. The response is the same for every address, and as fast: all work happens after it. */
export async function forgotPassword({ ctx, body, service }: AccountCall) {
  const { throttle, mailer, accounts } = service
  const { email: sent } = objectOf(body)
  await throttle.check(ctx, 'forgot-password', typeof sent === 'string' ? sent : undefined)
  const { email: address } = readBody(body, { email })
  mailer.check()
  service.later(ctx, async () => {
    const account = await accounts.ofAddress(address)
    if (account && !account.blocked) await sendCode(service, account.id, account.email)
  })
  return { ok: true }
}

async function sendCode({ host, mailer }: UsersPermissions, id: number, to: string): Promise<void> {
  const { config, app, entries } = host
  const { stored } = host.shares
  const [{ reset_password }, { email_reset_password }] = await Promise.all([
    stored.get('email'),
    stored.get('advanced'),
  ])
  const code = makeCode(128, config.codes.reset)
  const user = await entries(userUid).update(id, { resetPasswordToken: code.stored })
  const server = serverUrl(app)
  const values = { URL: email_reset_password ?? server, SERVER_URL: server, USER: user, TOKEN: code.sent }
  await mailer.send(writeLetter(reset_password.options, to, values))
}

/** Sets a new password with a code from a mail. */
export async function resetPassword({ ctx, body, service }: AccountCall) {
  const { throttle, accounts, host } = service
  await throttle.check(ctx, 'reset-password')
  const { passwordConfirmation, password, code } = readBody(body, {
    passwordConfirmation: text,
    password: text,
    code: text,
  })
  if (password !== passwordConfirmation) throw new ValidationError('Passwords do not match')
  const where = { resetPasswordToken: { $in: storedForms(code, host.config.plainCodes) } }
  const account = await host.entries(userUid).first({ where, fields: ['blocked', 'resetPasswordToken'] })
  if (!account || account.blocked) throw wrongCode()
  const id = Number(account.id)
  await host.store.transaction(async session => {
    if (!(await takeCode(host, id, String(account.resetPasswordToken), session))) throw wrongCode()
    await host.entries(userUid, session).update(id, { password })
  })
  return accounts.signIn(id)
}

const wrongCode = () => new ValidationError('Incorrect code provided')

/** A code is good for one use: of two that come at once, one finds it gone. */
async function takeCode({ store, types }: UsersPermissions['host'], id: number, code: string, session: Session) {
  const { table, fields } = types.get(userUid)
  const column = fields.get('resetPasswordToken')?.column ?? ''
  const { changes } = await change(
    session,
    store
      .knex(table)
      .where({ id, [column]: code })
      .update({ [column]: null }),
  )
  return changes === 1
}

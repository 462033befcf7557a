import { ApplicationError, type Entry, type Route, type RouteCall, ValidationError } from '../../../core/index.js'
import { objectOf, readBody, rules } from '../bodies.js'
import { makeCode, storedForms } from '../codes.js'
import { userUid } from '../content-types.js'
import { serverUrl, writeLetter } from '../letters.js'
import type { UsersPermissions } from '../service.js'
import * as shapes from '../shapes.js'
import { authUid } from './uids.js'

type Call = RouteCall<UsersPermissions>
const { text, email } = rules

export const confirmationRoutes: readonly Route<UsersPermissions>[] = [
  {
    method: 'GET',
    path: '/auth/email-confirmation',
    uid: authUid,
    action: 'emailConfirmation',
    describe: 'follow the link of a confirmation mail',
    asks: { confirmation: { type: 'string' } },
    answers: { 302: 'nothing' },
    run: followLink,
  },
  {
    method: 'POST',
    path: '/auth/send-email-confirmation',
    uid: authUid,
    action: 'sendEmailConfirmation',
    describe: 'ask for another confirmation mail',
    accepts: shapes.address,
    answers: shapes.mailed,
    run: sendAgain,
  },
]

async function followLink({ ctx, query, service }: Call) {
  await confirmAddress(service, query)
  const { email_confirmation_redirection } = await service.host.shares.stored.get('advanced')
  ctx.redirect(email_confirmation_redirection || '/')
}

/** Confirms the address of the account that a code was sent to; returns its id. */
export async function confirmAddress({ host }: UsersPermissions, sent: unknown): Promise<number> {
  const { confirmation } = readBody(sent, { confirmation: text })
  const users = host.entries(userUid)
  const where = { confirmationToken: { $in: storedForms(confirmation, host.config.plainCodes) } }
  const account = await users.first({ where, fields: [] })
  if (!account) throw new ValidationError('Invalid token')
  const id = Number(account.id)
  await users.update(id, { confirmed: true, confirmationToken: null })
  return id
}

/** The response is the same, and comes as soon, for every address: the account is looked up after it. */
async function sendAgain({ ctx, body, service }: Call) {
  const { throttle, mailer, accounts, host } = service
  const { email: sent } = objectOf(body)
  await throttle.check(ctx, 'send-email-confirmation', typeof sent === 'string' ? sent : undefined)
  const { email: address } = readBody(body, { email })
  mailer.check()
  if (host.config.revealConfirmed && (await accounts.ofAddress(address))?.confirmed)
    throw new ApplicationError('Already confirmed')
  service.later(ctx, async () => {
    const account = await accounts.ofAddress(address)
    if (account && !account.blocked && !account.confirmed) await renewConfirmation(service, account.id)
  })
  return { email: address, sent: true }
}

/** Sends an account another link to confirm its address with. */
export async function renewConfirmation(service: UsersPermissions, id: number): Promise<void> {
  const { entries, config } = service.host
  const code = makeCode(40, config.codes.confirmation)
  const user = await entries(userUid).update(id, { confirmationToken: code.stored })
  await sendConfirmation(service, user, code.sent)
}

/** Sends the link that confirms an address; the account waits for its code already. */
export async function sendConfirmation({ host, mailer }: UsersPermissions, user: Entry, code: string): Promise<void> {
  const { email_confirmation } = await host.shares.stored.get('email')
  const server = serverUrl(host.app)
  const url = `${server}${host.app.api.prefix}/auth/email-confirmation`
  const values = { URL: url, SERVER_URL: server, USER: user, CODE: code }
  mailer.post(writeLetter(email_confirmation.options, String(user.email), values))
}

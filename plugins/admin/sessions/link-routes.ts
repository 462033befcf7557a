import { ApplicationError, type Route, type RouteCall } from '../../../core/index.js'
import { bodies } from '../../users-permissions/index.js'
import type { LinkPurpose } from '../accounts/link-rows.js'
import type { Links } from '../accounts/links.js'
import { noSession } from './callers.js'
import type { Later } from './later.js'
import { objectShape, own, signedIn, text } from './shapes.js'
import { type SignInService, shown } from './sign-in.js'

/** The parts of the plugin's service that links need. */
interface LinkService extends SignInService {
  readonly links: Links
  readonly later: Later
}

type Call = RouteCall<LinkService>

const { readBody, checkBody, objectOf, rules } = bodies

/** Routes for people without a session who have a link, or want one. */
export const linkRoutes: readonly Route<LinkService>[] = [
  {
    ...own,
    method: 'POST',
    path: '/console/password/forgotten',
    describe: 'ask for a mail with a link for a new password',
    body: 'json',
    accepts: objectShape({ email: text }),
    answers: objectShape({ ok: { type: 'boolean' } }),
    run: forgotten,
  },
  ...linkRoutesOf('password', '/console/password/new', 'choose a new password by a link'),
  ...linkRoutesOf('invitation', '/console/invitation', 'choose the first password by an invitation'),
]

/** Sends a link. The response is the same for every address, and as fast: all work happens after it. */
async function forgotten({ ctx, body, service }: Call) {
  const { throttle, links, accounts, later } = service
  const { email: sent } = objectOf(body)
  await throttle.check(ctx, 'forgot-password', typeof sent === 'string' ? sent : undefined)
  const { email } = readBody(body, { email: rules.name })
  if (!links.areSent) throw new ApplicationError('Ask an administrator for a link.')
  later.run(ctx, async () => {
    const account = await accounts.signingIn(email.trim())
    if (account?.isActive && !account.blocked) await links.renewPassword(account.id)
  })
  return { ok: true }
}

function linkRoutesOf(purpose: LinkPurpose, path: string, describe: string): readonly Route<LinkService>[] {
  const take = async ({ ctx, body, service }: Call) => {
    const { sessions, throttle, links } = service
    sessions.assertSafe(ctx)
    await throttle.check(ctx, purpose)
    const { code, password } = readBody(body, { code: rules.text, password: rules.text })
    checkBody(body, { firstname: rules.text, lastname: rules.text })
    const { firstname, lastname } = body as { readonly firstname?: string; readonly lastname?: string }
    const { id } = await links.take(purpose, code, { password, firstname, lastname })
    const open = await sessions.open(ctx, id, { kept: false })
    if (!open) throw noSession()
    return shown(open)
  }
  const look = async ({ ctx, body, service }: Call) => {
    await service.throttle.check(ctx, purpose)
    const { code } = readBody(body, { code: rules.text })
    const account = await service.links.accountOf(purpose, code)
    if (!account) throw new ApplicationError('This link is no longer valid; ask for a new one')
    const { email, firstname, lastname } = account
    return { account: { email, firstname, lastname } }
  }
  const person = { firstname: { type: ['string', 'null'] }, lastname: { type: ['string', 'null'] } } as const
  return [
    {
      ...own,
      method: 'POST',
      path,
      describe,
      body: 'json',
      accepts: objectShape({ code: text, password: text, firstname: text, lastname: text }, ['code', 'password']),
      answers: signedIn,
      run: take,
    },
    {
      ...own,
      method: 'POST',
      path: `${path}/owner`,
      describe: 'the owner of such a link',
      body: 'json',
      accepts: objectShape({ code: text }),
      answers: objectShape({ account: objectShape({ email: text, ...person }) }),
      run: look,
    },
  ]
}

import type { Route, RouteCall } from '../../../core/index.js'
import { bodies } from '../../users-permissions/index.js'
import { noSession } from '../sessions/callers.js'
import { objectShape, own, signedIn, text } from '../sessions/shapes.js'
import { type SignInService, shown } from '../sessions/sign-in.js'
import type { FirstAccount } from './first-account.js'

/** The parts of the plugin's service that the first account needs. */
interface FirstAccountService extends Pick<SignInService, 'sessions'> {
  readonly firstAccount: FirstAccount
}

const { readBody, checkBody, rules } = bodies
const names = { firstname: text, lastname: text }

export const accountRoutes: readonly Route<FirstAccountService>[] = [
  {
    ...own,
    method: 'POST',
    path: '/console/first-account',
    body: 'json',
    describe: 'make the first Super Admin, with the code that the terminal shows, and sign in',
    accepts: objectShape({ code: text, email: text, password: text, ...names }, ['code', 'email', 'password']),
    answers: signedIn,
    run: makeFirst,
  },
]

async function makeFirst({ ctx, body, service }: RouteCall<FirstAccountService>) {
  const { firstAccount, sessions } = service
  sessions.assertSafe(ctx)
  const { code, email, password } = readBody(body, { code: rules.text, email: rules.email, password: rules.text })
  checkBody(body, { firstname: rules.text, lastname: rules.text })
  const { firstname, lastname } = body as { readonly firstname?: string; readonly lastname?: string }
  const { id } = await firstAccount.take(code, { email, password, firstname, lastname })
  const open = await sessions.open(ctx, id, { kept: false })
  if (!open) throw noSession()
  return shown(open)
}

import { NotFoundError, type Route, type RouteCall, ValidationError } from '../../../core/index.js'
import * as shapes from '../shapes.js'
import type { Sessions } from './index.js'

/** The part of the plugin's service that the routes use. */
export interface SessionService {
  readonly sessions: Sessions
  readonly accounts: {
    /** A new token for requests and the account; 401 where it is gone or blocked. */
    resume(id: number): Promise<{ readonly jwt: string; readonly user: unknown }>
  }
}

type Call = RouteCall<SessionService>

/** A refresh token is a credential of its own, so the gate is open for who brings one. */
export const sessionRoutes: readonly Route<SessionService>[] = [
  {
    method: 'POST',
    path: '/auth/refresh',
    action: null,
    describe: 'change a refresh token for new tokens',
    accepts: shapes.refresh,
    answers: shapes.refreshed,
    async run(call: Call) {
      const { sessions, accounts } = call.service
      const { account, refreshToken } = await sessions.refresh(tokenOf(call))
      const { jwt, user } = await accounts.resume(account)
      return { jwt, refreshToken, user }
    },
  },
  {
    method: 'POST',
    path: '/auth/logout',
    action: null,
    describe: 'end the session of a refresh token',
    accepts: shapes.refresh,
    answers: shapes.ok,
    async run(call: Call) {
      await call.service.sessions.close(tokenOf(call))
      return { ok: true }
    },
  },
]

function tokenOf({ ctx, body, service }: Call): string {
  if (!service.sessions.enabled) throw new NotFoundError()
  ctx.set('Cache-Control', 'no-store')
  const token = (body as { refreshToken?: unknown } | null | undefined)?.refreshToken
  if (typeof token !== 'string' || token === '') throw new ValidationError('refreshToken is required')
  return token
}

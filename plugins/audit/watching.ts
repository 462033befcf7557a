import type { Context, Next } from 'koa'
import type { Caller } from '../../core/index.js'
import { isVisitor } from '../../core/plugin-kit.js'
import { signInPaths } from '../admin/index.js'
import type { AuditRecord } from './records.js'

/** The uid of routes that sign accounts in, or prepare it. */
const authUid = 'plugin::users-permissions.auth'

/** True for these routes, and for those that sign editors in. */
const isSignIn = ({ uid, method, pattern = '' }: NonNullable<State['route']>): boolean =>
  uid === authUid || (method === 'POST' && signInPaths.includes(pattern))

interface State {
  readonly requestId: string
  readonly route?: {
    readonly method: string
    readonly pattern?: string
    readonly uid?: string
    readonly action?: string
  }
  readonly caller?: Caller
}

/** Remembers where a request comes from, and records refusals. */
export const watching = (records: AuditRecord) => (ctx: Context, next: Next) => {
  const { requestId, route } = ctx.state as State
  const request = `${ctx.method} ${route?.pattern ?? ctx.path}`
  return records.origin.run({ address: ctx.ip, request, requestId }, async () => {
    try {
      await next()
    } catch (error) {
      await refused(ctx, error, records)
      throw error
    }
  })
}

/** Records refusals. Of anonymous callers only refused sign-ins are recorded: the rest could fill a disk. */
async function refused({ state, request }: Context, error: unknown, records: AuditRecord): Promise<void> {
  const { route, caller } = state as State
  const status = (error as { status?: unknown } | undefined)?.status
  const isAuth = route !== undefined && isSignIn(route)
  if (isAuth ? status !== 400 && status !== 401 : status !== 403 || !caller || isVisitor(caller)) return
  const { identifier: name, email } = ((request as { body?: unknown }).body ?? {}) as Record<string, unknown>
  const identifier = name ?? email
  await records.note({
    event: isAuth ? 'sign-in.refused' : 'refused',
    caller: caller ?? { scope: 'visitor' },
    ...(isAuth && typeof identifier === 'string' && { changes: { identifier: { to: records.hash(identifier) } } }),
  })
}

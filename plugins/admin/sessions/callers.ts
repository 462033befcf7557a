import type { Context } from 'koa'
import { type Caller, RequestError, UnauthorizedError } from '../../../core/index.js'
import type { KeptRights } from '../rights/kept-rights.js'
import { isConsole, isGuarded } from './cross-site.js'
import type { OpenSession } from './kept-sessions.js'
import type { Sessions } from './sessions.js'

/** The parts of the plugin's service that know editors. */
interface EditorService {
  readonly sessions: Sessions
  readonly rights: Pick<KeptRights, 'callerOf'>
}

/** A request below /console without a session: it may sign in, and nothing else. It is no visitor of the site. */
const stranger: Caller = { scope: 'admin', actor: 'admin', can: () => false, refusal: 401 }

/**
 * The caller of a request below /console: an editor by the cookie of a session. The cookie of any other request is not looked at;
 * and a request that goes on to the content API is an editor's, or refused.
 */
export function knowEditor(
  ctx: Context,
  { sessions, rights }: EditorService,
): Caller | undefined | Promise<Caller | undefined> {
  if (!isGuarded(ctx)) return undefined
  const known = (open: OpenSession | undefined): Caller => {
    if (open) return rights.callerOf(open.account)
    if (isConsole(ctx)) throw noSession()
    return stranger
  }
  const found = sessions.find(ctx)
  return found instanceof Promise ? found.then(known) : known(found)
}

export const noSession = (): UnauthorizedError => new UnauthorizedError('There is no session, or it has ended; sign in')

/** The page says how to make the first account, in place of a form that no account could use. */
export class NoAccountError extends RequestError {
  readonly status = 401
  override readonly name = 'NoAccountError'

  constructor() {
    super('No account yet. Run: stele admin create', {})
  }
}

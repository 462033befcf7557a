import { type Caller, ForbiddenError, UnauthorizedError } from '../../../core/index.js'
import { permitted } from '../packages/utils/access.js'
import { ForbiddenError as NotPermitted, UnauthorizedError as NotSignedIn } from '../packages/utils/errors.js'
import type { Bag, Loose, Strapi } from '../types.js'

const userUid = 'plugin::users-permissions.user'
const tokenUid = 'admin::api-token'

/** An account, as the plugin that knows accounts tells of it. */
interface Account {
  readonly id: number
}

/** A token of a program, as the plugin that knows tokens tells of it. */
interface Token {
  readonly id: number
  readonly name: string
  readonly type: string
}

const accountOf = (caller: Caller): Account | undefined =>
  'user' in caller && typeof caller.id === 'number' ? { id: caller.id } : undefined

const tokenOf = (caller: Caller): Token | undefined => ('token' in caller ? (caller.token as Token) : undefined)

/** The strategy by which a caller was known; visitors pass that of accounts. */
const strategyOf = (caller: Caller): string => (tokenOf(caller) ? 'api-token' : 'users-permissions')

/** True where a caller may do what a scope names: `api::shop.order.find`. */
function mayDo(caller: Pick<Caller, 'can'>, scope: string): boolean {
  const cut = scope.lastIndexOf('.')
  return cut > 0 && caller.can(scope.slice(cut + 1), scope.slice(0, cut))
}

/** The role of visitors, by what they may do: nothing of it is read. */
const visitors = new WeakMap<Caller['can'], Bag>()

/** The `user`, `auth` and `isAuthenticated` of `ctx.state` for a caller. The account is read anew: code sees all of its columns. */
export function identify(state: Bag, caller: Caller, strapi: Strapi): void | Promise<void> {
  state.isAuthenticated = true
  const account = accountOf(caller)
  const token = tokenOf(caller)
  if (account || token) return identifyKnown(state, caller, strapi)
  const known = visitors.get(caller.can) ?? authOf(caller, null)
  visitors.set(caller.can, known)
  state.auth = known
}

async function identifyKnown(state: Bag, caller: Caller, strapi: Strapi): Promise<void> {
  const account = accountOf(caller)
  const credentials = account ? await read(strapi, account) : await readToken(strapi, tokenOf(caller) as Token)
  if (account) state.user = credentials
  state.auth = authOf(caller, credentials)
}

function authOf(caller: Caller, credentials: Loose): Bag {
  const isAll = tokenOf(caller)?.type === 'full-access'
  return {
    strategy: { name: strategyOf(caller), authenticate: () => ({ authenticated: true, credentials }), verify },
    credentials,
    ability: isAll ? null : { can: (scope: string) => mayDo(caller, scope) },
    [permitted]: caller.can,
  }
}

/** Throws where `auth` has not all of a scope. */
function verify(auth: Loose, { scope = [] }: Bag = {}): void {
  const can: Caller['can'] = auth?.[permitted] ?? (() => false)
  if (([scope].flat() as string[]).every(one => mayDo({ can }, one))) return
  throw new NotPermitted()
}

async function read(strapi: Strapi, { id }: Account): Promise<Loose> {
  const found = await strapi.query(userUid).findOne({ where: { id }, populate: ['role'] })
  if (!found) throw new UnauthorizedError('Invalid credentials')
  return found
}

async function readToken(strapi: Strapi, token: Token): Promise<Loose> {
  // Only those of this type have any.
  const populate = token.type === 'custom' ? ['permissions'] : []
  const found = await strapi.query(tokenUid).findOne({ where: { id: token.id }, populate })
  const { accessKey: _, permissions = [], ...row } = found ?? token
  return { ...row, permissions: permissions.map((permission: Bag) => permission.action) }
}

/** The needs of a route beside the one permission that the server checks. */
export interface Needs {
  /** All of these, too. */
  readonly scopes: readonly string[]
  /** One of these strategies. */
  readonly strategies?: readonly string[] | undefined
  /** The route has no permission of its own: an account or a program that may do everything. */
  readonly anyone: boolean
}

/** Throws where a caller lacks what a route asks for. */
export function checkNeeds({ scopes, strategies, anyone }: Needs, caller: Caller): void {
  if (strategies && !strategies.includes(strategyOf(caller))) throw new UnauthorizedError()
  const token = tokenOf(caller)
  if (anyone && !token && !accountOf(caller)) throw new NotSignedIn()
  const isLimited = anyone && token !== undefined && token.type !== 'full-access'
  if (isLimited || !scopes.every(scope => mayDo(caller, scope))) throw new ForbiddenError()
}

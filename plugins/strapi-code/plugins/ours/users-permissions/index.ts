import { type CallerContent, type Definition, type Entry, optional, type RouteCall } from '../../../../../core/index.js'
import { accountOf, accountRequests, type NewAccount, usersPermissions } from '../../../../users-permissions/index.js'
import { callOf, queryTextOf } from '../../../http/context.js'
import type { Bag, Fn, LoadedPlugin, Loose, Runtime } from '../../../types.js'
import { facadeOf } from '../facade.js'
import type { Original } from '../original.js'
import { wantsAccount } from './replaced.js'
import { facadeRoutes } from './routes.js'
import { servicesOf, userUid } from './services.js'

const name = 'users-permissions'
const roleUid = 'plugin::users-permissions.role'
const seen: readonly string[] = [userUid, roleUid, 'plugin::users-permissions.permission']

/** Accounts and roles of this server, as code knows them from Strapi's plugin. */
export function accountsFacade(runtime: Runtime, config: Bag): LoadedPlugin {
  const services = servicesOf(runtime)
  const types = ((usersPermissions as Loose).contentTypes as readonly Definition[]).filter(({ uid }) =>
    seen.includes(uid),
  )
  /** A service as code has it, where that is another one. */
  const replaced = (service: string): Loose => {
    const server = runtime.project.plugins.get(name)?.server
    return server?.services?.[service] === services[service]
      ? undefined
      : runtime.strapi.service(`plugin::${name}.${service}`)
  }
  const writes: Partial<Original> = { writesOf: call => writesOf(call, replaced('user'), runtime) }
  return facadeOf(runtime, {
    name,
    plugin: usersPermissions,
    config,
    types,
    routes: facadeRoutes(),
    services,
    middlewares: { rateLimit: () => rateLimit(runtime) },
    controllers: { settings: {} },
    ways: {
      'auth.connect': {
        choose: ctx => (isWayBack(ctx) ? 1 : 0),
        paramsOf: ctx => ({ provider: afterConnect(ctx)[0] }),
      },
      'auth.callback': { choose: ({ params: { provider = 'local' } }) => (provider === 'local' ? 0 : 1) },
      'role.updateRole': { paramsOf: ({ params }) => ({ id: params.role ?? params.id }) },
      'role.deleteRole': { paramsOf: ({ params }) => ({ id: params.role ?? params.id }) },
      'user.create': writes,
      'user.update': writes,
      'user.destroy': writes,
    },
    around: (handler, original) => async ctx => {
      addBy(runtime, replaced('user'))
      if (handler === 'auth.emailConfirmation' && asksAccount(ctx)) await confirm(runtime, ctx)
      else await original(ctx)
      const jwt = handler.startsWith('auth.') && ctx.body?.jwt !== undefined ? replaced('jwt') : undefined
      if (jwt) ctx.body.jwt = await jwt.issue({ id: ctx.body.user.id })
    },
  })
}

const asksAccount = (ctx: Bag): boolean => wantsAccount(Object(callOf(ctx)).ctx ?? ctx)

/** Confirms an address for a client that is not sent to a page. */
async function confirm({ host }: Runtime, ctx: Loose): Promise<void> {
  const service = host?.service(optional(usersPermissions))
  if (!service) return
  const query = Object.fromEntries(new URLSearchParams(queryTextOf(ctx)))
  ctx.body = await service.accounts.signIn(await accountRequests.confirmAddress(service, query))
}

const afterConnect = ({ path }: Bag): string[] =>
  String(path)
    .split('/connect/')
    .at(-1)
    ?.split('/')
    .filter(part => part !== '') ?? []

const isWayBack = (ctx: Bag): boolean => afterConnect(ctx)[1] === 'callback'

/** Addresses are compared as they are stored: in small letters. */
const withSmallAddress = <T extends { readonly email?: unknown }>(account: T): T =>
  typeof account.email === 'string' ? { ...account, email: account.email.toLowerCase() } : account

/** Accounts that their owners ask for are made by the service of the code, where it has one of its own. */
function addBy({ host }: Pick<Runtime, 'host'>, user: Loose): void {
  const service = host?.service(optional(usersPermissions))
  if (!service || typeof user?.add !== 'function') return
  service.accounts.makeBy(async (account: NewAccount) => {
    const { id } = await user.add(withSmallAddress(account))
    return (await service.host.entries(userUid).first({ where: { id: { $eq: Number(id) } } })) as Entry
  })
}

/** Writes of the actions on accounts, by the service of the code. */
function writesOf({ content, caller }: RouteCall, user: Loose, { host }: Runtime): Partial<CallerContent> | undefined {
  if (!user) return undefined
  const shown = (id: unknown) => content.findOne(userUid, id, { query: 'populate=role' })
  const service = host?.service(optional(usersPermissions))
  return {
    async create(uid, data, options) {
      if (uid !== userUid || typeof user.add !== 'function') return content.create(uid, data, options)
      const { role, ...own } = Object(data) as Bag
      // A caller who may not find roles chooses none.
      const given = caller.can('find', roleUid) ? role : undefined
      const { id } = await user.add({
        ...withSmallAddress(own),
        role: given ?? (await service?.accounts.defaultRole()),
      })
      return shown(id)
    },
    async update(uid, id, data, options) {
      if (uid !== userUid || typeof user.edit !== 'function') return content.update(uid, id, data, options)
      const { role, ...own } = Object(data) as Bag
      const isGiven = role !== undefined && caller.can('find', roleUid)
      await user.edit(id, { ...withSmallAddress(own), ...(isGiven && { role }) })
      return shown(id)
    },
    async delete(uid, id, options) {
      if (uid !== userUid || typeof user.remove !== 'function') return content.delete(uid, id, options)
      const before = await shown(id)
      await user.remove({ id })
      return before
    },
  }
}

/** The middleware of the routes that passwords could be guessed at: it counts as the server's own actions do. */
function rateLimit(runtime: Runtime): Fn {
  return async (ctx, next) => {
    const service = runtime.host?.service(optional(usersPermissions))
    const call = callOf(ctx)
    if (service && call) {
      const { identifier, email } = Object(ctx.request.body) as Bag
      const bucket = bucketOf(ctx)
      const account = bucket === 'change-password' ? accountOf(call.caller) : (identifier ?? email)
      await service.throttle.check(call.ctx, bucket, account === undefined ? undefined : String(account))
    }
    return next()
  }
}

/** The name under which the server's own action counts a request. */
function bucketOf(ctx: Bag): string {
  if (afterConnect(ctx).length > 0 && String(ctx.path).includes('/connect/'))
    return isWayBack(ctx) ? 'connect-callback' : 'connect'
  return String(ctx.path).split('/').at(-1) ?? ''
}

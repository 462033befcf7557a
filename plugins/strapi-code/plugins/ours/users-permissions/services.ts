import { optional } from '../../../../../core/index.js'
import {
  type Claimed,
  createRole,
  deleteRole,
  isPassword,
  renewConfirmation,
  setGrants,
  typeOfName,
  type UsersPermissions,
  usersPermissions,
} from '../../../../users-permissions/index.js'
import { absent } from '../../../not-carried.js'
import { NotFoundError } from '../../../packages/utils/errors.js'
import type { Bag, Fn, Loose, Runtime } from '../../../types.js'
import { inTransaction, mustStandAlone } from '../in-transaction.js'

export const userUid = 'plugin::users-permissions.user'
const roleUid = 'plugin::users-permissions.role'
const permissionUid = 'plugin::users-permissions.permission'

/** The services of accounts and roles, as code has them from Strapi's plugin. */
export function servicesOf(runtime: Runtime): Record<string, Fn> {
  const ours = (): UsersPermissions => {
    const service = runtime.host?.service(optional(usersPermissions))
    if (!service) throw new Error('accounts can be asked for from bootstrap on')
    return service
  }
  return {
    jwt: () => jwtService(ours),
    user: ({ strapi }) => userService(strapi, ours, runtime),
    role: ({ strapi }) => roleService(strapi, ours, runtime),
    'users-permissions': ({ strapi }) => rightsService(strapi, ours),
    permission: ({ strapi }) => permissionService(strapi),
    providers: () => providersService(runtime),
  }
}

type Ours = () => UsersPermissions

/** Tokens of accounts. */
function jwtService(ours: Ours): Bag {
  const service = {
    issue(payload: Loose, options: Bag = {}): string {
      const said: Claimed = typeof payload?.toJSON === 'function' ? payload.toJSON() : payload
      return ours().tokens.sign({ ...said }, options)
    },
    async verify(token: Loose): Promise<Claimed> {
      const said = ours().tokens.said(String(token))
      if (!said) throw new Error('Invalid token.')
      return said
    },
    /** The content of the token of a request; null of one without. */
    async getToken(ctx: Loose): Promise<Loose> {
      const [scheme = '', token, ...more] = String(ctx?.request?.header?.authorization ?? '').split(/\s+/)
      if (scheme.toLowerCase() !== 'bearer' || token === undefined || more.length > 0) return null
      return service.verify(token)
    },
  }
  return service
}

function userService(strapi: Loose, ours: Ours, runtime: Runtime): Bag {
  return {
    count: (where: Loose) => strapi.query(userUid).count({ where }),
    add: (data: Bag) => strapi.entityService.create(userUid, { data, populate: ['role'] }),
    edit: (id: Loose, data: Bag = {}) => strapi.entityService.update(userUid, id, { data, populate: ['role'] }),
    fetch: (id: Loose, params?: Bag) => strapi.entityService.findOne(userUid, id, params),
    fetchAll: (params?: Bag) => strapi.entityService.findMany(userUid, params),
    fetchAuthenticatedUser: (id: Loose) => strapi.query(userUid).findOne({ where: { id }, populate: ['role'] }),
    remove: (where: Bag) => strapi.query(userUid).delete({ where }),
    validatePassword: (password: Loose, hash: Loose) => isPassword(String(password), hash),
    async sendConfirmationEmail({ id }: Bag) {
      mustStandAlone(runtime, 'sendConfirmationEmail')
      await renewConfirmation(ours(), Number(id))
    },
  }
}

function roleService(strapi: Loose, ours: Ours, runtime: Runtime): Bag {
  const granted = (permissions: Loose) => ours().actions.enabledIn(permissions)
  const told = <T>(value: T): T => {
    ours().rolesChanged()
    return value
  }
  return {
    async createRole({ name, type, description, permissions }: Bag) {
      const { host } = ours()
      const role = { name, type: type || typeOfName(String(name)), description, actions: granted(permissions) }
      return told(await inTransaction(runtime, host, session => createRole(host, role, session)))
    },
    async findOne(id: Loose) {
      const role = await strapi.query(roleUid).findOne({ where: { id }, populate: ['permissions'] })
      if (!role) throw new NotFoundError('Role not found')
      const { permissions = [], ...columns } = role
      const actions = new Set<string>(permissions.map(({ action }: Bag) => action))
      return { ...columns, permissions: ours().actions.tree(actions) }
    },
    async find() {
      const roles: Bag[] = await strapi.query(roleUid).findMany({ orderBy: 'id' })
      const counts = roles.map(({ id }) => strapi.query(userUid).count({ where: { role: { id } } }))
      return Promise.all(roles.map(async (role, at) => ({ ...role, nb_users: await counts[at] })))
    },
    async updateRole(id: Loose, { name, description, permissions }: Bag) {
      const { host, actions } = ours()
      const role = await strapi.query(roleUid).findOne({ where: { id } })
      if (!role) throw new NotFoundError('Role not found')
      await strapi.query(roleUid).update({ where: { id }, data: { name, description } })
      if (permissions === undefined) return told(undefined)
      const grants = { wanted: granted(permissions), among: (action: string) => actions.has(action) }
      return told(await inTransaction(runtime, host, session => setGrants(host, Number(id), grants, session)))
    },
    async deleteRole(id: Loose, publicRole: Loose) {
      const { host } = ours()
      return told(
        await inTransaction(runtime, host, session => deleteRole(host, Number(id), Number(publicRole), session)),
      )
    },
  }
}

function rightsService(strapi: Loose, ours: Ours): Bag {
  return {
    getActions: ({ defaultEnable = false }: Bag = {}) => {
      const tree = ours().actions.tree(new Set())
      return defaultEnable ? switchedOn(tree) : tree
    },
    getRoutes: async () => routesByPlugin(strapi),
    updateUserRole: (user: Bag, role: Loose) =>
      strapi.query(userUid).update({ where: { id: user.id }, data: { role } }),
    template: (layout: string, data: Bag) => templated(layout, data),
    // Roles and permissions are made by the server as it starts.
    initialize: async () => undefined,
    syncPermissions: async () => undefined,
  }
}

function switchedOn(tree: Bag): Bag {
  return JSON.parse(JSON.stringify(tree), (key, value) => (key === 'enabled' ? true : value))
}

function routesByPlugin(strapi: Loose): Bag {
  const found: Bag = {}
  for (const [name, { routes }] of Object.entries({ ...strapi.api, ...strapi.plugins }) as [string, Bag][])
    found[name] = Object.values(Object(routes) as Bag).flatMap(router => router?.routes ?? [])
  return found
}

/** `<%= USER.username %>` is filled in; what is not there stays empty. */
const templated = (layout: string, data: Bag): string =>
  layout.replace(/<%[=-]\s*([\w.]+)\s*%>/g, (_, name: string) => {
    const value = name.split('.').reduce<Loose>((at, key) => Object(at)[key], data)
    return value === undefined || value === null ? '' : String(value)
  })

function permissionService(strapi: Loose): Bag {
  return {
    findRolePermissions: (id: Loose) => strapi.query(permissionUid).findMany({ where: { role: { id } } }),
    findPublicPermissions: () => strapi.query(permissionUid).findMany({ where: { role: { type: 'public' } } }),
    toContentAPIPermission: ({ action }: Bag) => ({ action }),
  }
}

function providersService({ app }: Runtime): Bag {
  return {
    connect: absent("strapi.plugin('users-permissions').service('providers').connect"),
    buildRedirectUri: (provider = '') =>
      `${app.config.server.url ?? ''}${app.config.api.prefix}/connect/${provider}/callback`,
  }
}

import { GraphQLBoolean, type GraphQLFieldConfigMap, GraphQLID, GraphQLNonNull, GraphQLObjectType } from 'graphql'
import { type RouteCall, ValidationError } from '../../../core/index.js'
import { accountRequests, type UsersPermissions } from '../../users-permissions/index.js'
import type { OperationContext } from '../meaning.js'
import type { MadeTypes } from '../model/index.js'
import { assertMay } from './content.js'
import { onlyId } from './entries.js'

type Fields = GraphQLFieldConfigMap<unknown, OperationContext>
type Values = Readonly<Record<string, unknown>>

const uids = { user: 'plugin::users-permissions.user', role: 'plugin::users-permissions.role' } as const
const requiredId = { type: new GraphQLNonNull(GraphQLID) } as const

/** The answer of work that has nothing to show. */
export const okPayload = (name: string): GraphQLObjectType =>
  new GraphQLObjectType({
    name: `UsersPermissions${name}Payload`,
    fields: { ok: { type: new GraphQLNonNull(GraphQLBoolean) } },
  })

const rolePayloads = {
  create: okPayload('CreateRole'),
  update: okPayload('UpdateRole'),
  delete: okPayload('DeleteRole'),
}

/** Writes of accounts by those who may, with the rules of `/users`. */
export function userRoots(service: UsersPermissions, made: MadeTypes): Fields {
  const type = service.host.types.get(uids.user)
  const answer = new GraphQLNonNull(made.object('UsersPermissionsUserEntityResponse'))
  const data = { type: new GraphQLNonNull(made.input('UsersPermissionsUserInput')) }
  const may = (call: RouteCall, action: string) => assertMay(call, { uid: uids.user, action })
  const asked = (args: Values, call: RouteCall) => ({ ...call, body: args.data, service })
  return {
    createUsersPermissionsUser: {
      description: 'Create a new user',
      type: answer,
      args: { data },
      extensions: {
        stele: {
          is: 'entry',
          type,
          async act(args, { call }) {
            may(call, 'create')
            return onlyId.of(await accountRequests.createUser(asked(args, call), onlyId.options))
          },
        },
      },
    },
    updateUsersPermissionsUser: {
      description: 'Update an existing user',
      type: answer,
      args: { id: requiredId, data },
      extensions: {
        stele: {
          is: 'entry',
          type,
          async act(args, { call }) {
            may(call, 'update')
            return onlyId.of(await accountRequests.updateUser(args.id, asked(args, call), onlyId.options))
          },
        },
      },
    },
    deleteUsersPermissionsUser: {
      description: 'Delete an existing user',
      type: answer,
      args: { id: requiredId },
      extensions: { stele: { is: 'delete', type, permission: { uid: uids.user, action: 'destroy' } } },
    },
  }
}

/** Writes of roles by those who may. */
export function roleRoots(service: UsersPermissions, made: MadeTypes): Fields {
  const data = { type: new GraphQLNonNull(made.input('UsersPermissionsRoleInput')) }
  const may = (call: RouteCall, action: string) => assertMay(call, { uid: uids.role, action })
  return {
    createUsersPermissionsRole: {
      description: 'Create a new role',
      type: rolePayloads.create,
      args: { data },
      resolve(_source, args, { call }) {
        may(call, 'createRole')
        return accountRequests.createRoleAsSent({ body: withoutGrants(args.data), service })
      },
    },
    updateUsersPermissionsRole: {
      description: 'Update an existing role',
      type: rolePayloads.update,
      args: { id: requiredId, data },
      resolve(_source, args, { call }) {
        may(call, 'updateRole')
        return accountRequests.updateRole(args.id, { body: withoutGrants(args.data), service }, true)
      },
    },
    deleteUsersPermissionsRole: {
      description: 'Delete an existing role',
      type: rolePayloads.delete,
      args: { id: requiredId },
      resolve(_source, args, { call }) {
        may(call, 'deleteRole')
        return accountRequests.removeRole(args.id, { service })
      },
    },
  }
}

/** The input of a role, which says nothing of what the role may do: that and its accounts are set through REST. */
function withoutGrants(data: Values): Values {
  for (const name of ['permissions', 'users'])
    if (data[name] !== undefined) {
      const message = `${name} cannot be set here; PUT /users-permissions/roles/:id sets the permissions of a role, and an account names its role`
      throw ValidationError.of([{ path: [name], message, name: 'ValidationError' }])
    }
  return data
}

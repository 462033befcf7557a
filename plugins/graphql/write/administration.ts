import { GraphQLBoolean, type GraphQLFieldConfigMap, GraphQLID, GraphQLNonNull, GraphQLObjectType } from 'graphql'
import { type RouteCall, ValidationError } from '../../../core/index.js'
import { accountRequests, type UsersPermissions } from '../../users-permissions/index.js'
import type { OperationContext } from '../meaning.js'
import type { MadeTypes } from '../model/index.js'
import { assertMay } from './content.js'
import { onlyId } from './entries.js'
import { answersOf } from './replaced.js'

type Fields = GraphQLFieldConfigMap<unknown, OperationContext>
type Values = Readonly<Record<string, unknown>>

const uids = { user: 'plugin::users-permissions.user', role: 'plugin::users-permissions.role' } as const
const requiredId = { type: new GraphQLNonNull(GraphQLID) } as const

/** The response of work that has nothing to show. */
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
          once: () => service.replaced('user.create') === undefined,
          async act(args, { call }) {
            may(call, 'create')
            const made = service.replaced('user.create')?.({ body: args.data }, call)
            if (made) return answersOf.entry(await made)
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
            const made = service.replaced('user.update')?.({ body: args.data, params: { id: String(args.id) } }, call)
            if (made) return answersOf.entry(await made)
            return onlyId.of(await accountRequests.updateUser(args.id, asked(args, call), onlyId.options))
          },
        },
      },
    },
    deleteUsersPermissionsUser: {
      description: 'Delete an existing user',
      type: answer,
      args: { id: requiredId },
      extensions: {
        stele: {
          is: 'delete',
          type,
          permission: { uid: uids.user, action: 'destroy' },
          instead: ({ id }) => {
            const replaced = service.replaced('user.destroy')
            return replaced && (call => replaced({ params: { id: String(id) } }, call))
          },
        },
      },
    },
  }
}

/** Writes of roles by those who may. */
export function roleRoots(service: UsersPermissions, made: MadeTypes): Fields {
  const data = { type: new GraphQLNonNull(made.input('UsersPermissionsRoleInput')) }
  const may = (call: RouteCall, action: string) => assertMay(call, { uid: uids.role, action })
  const byCode = (action: string, { id, data }: Values, call: RouteCall) =>
    service
      .replaced(`role.${action}`)?.(
        { body: data, params: { ...(id !== undefined && { id: String(id), role: String(id) }) } },
        call,
      )
      .then(() => ({ ok: true }))
  return {
    createUsersPermissionsRole: {
      description: 'Create a new role',
      type: rolePayloads.create,
      args: { data },
      resolve(_source, args, { call }) {
        may(call, 'createRole')
        const data = withoutGrants(args.data)
        return (
          byCode('createRole', { data }, call) ??
          accountRequests.createRoleAsSent({ caller: call.caller, body: data, service })
        )
      },
    },
    updateUsersPermissionsRole: {
      description: 'Update an existing role',
      type: rolePayloads.update,
      args: { id: requiredId, data },
      resolve(_source, args, { call }) {
        may(call, 'updateRole')
        const { id } = args
        const data = withoutGrants(args.data)
        return (
          byCode('updateRole', { id, data }, call) ??
          accountRequests.updateRole(id, { caller: call.caller, body: data, service }, true)
        )
      },
    },
    deleteUsersPermissionsRole: {
      description: 'Delete an existing role',
      type: rolePayloads.delete,
      args: { id: requiredId },
      resolve(_source, args, { call }) {
        may(call, 'deleteRole')
        return byCode('deleteRole', { id: args.id }, call) ?? accountRequests.removeRole(args.id, { service })
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

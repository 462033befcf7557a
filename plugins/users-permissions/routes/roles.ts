import {
  ApplicationError,
  type Entry,
  type Finished,
  NotFoundError,
  type Route,
  type RouteCall,
  ValidationError,
} from '../../../core/index.js'
import { assertMayGive, readId } from '../../../core/plugin-kit.js'
import { checkBody, objectOf, readBody, rules } from '../bodies.js'
import { roleUid, userUid } from '../content-types.js'
import { createRole, deleteRole, grantsIn, lockRole, setGrants, typeOfName } from '../roles.js'
import type { UsersPermissions } from '../service.js'
import * as shapes from '../shapes.js'
import type { RoleCall } from './calls.js'
import { permissionsUid } from './uids.js'

type Call = RouteCall<UsersPermissions>
const { text, textOrNull } = rules
const base = { uid: roleUid }

export const roleRoutes: readonly Route<UsersPermissions>[] = [
  {
    ...base,
    method: 'POST',
    path: '/users-permissions/roles',
    action: 'createRole',
    describe: 'make a role with what it may do',
    accepts: shapes.newRole,
    answers: shapes.ok,
    run: createRoleAsSent,
  },
  {
    ...base,
    method: 'GET',
    path: '/users-permissions/roles/:id',
    action: 'findOne',
    describe: 'one role with what it may do',
    answers: shapes.oneRole,
    run: findOne,
  },
  {
    ...base,
    method: 'GET',
    path: '/users-permissions/roles',
    action: 'find',
    describe: 'list roles',
    answers: shapes.roles,
    run: find,
  },
  {
    ...base,
    method: 'PUT',
    path: '/users-permissions/roles/:id',
    action: 'updateRole',
    describe: 'change a role; what it may do is replaced, except what has no place in the tree of this app',
    accepts: shapes.role,
    answers: shapes.ok,
    run: call => updateRole(call.params.id, call),
  },
  {
    ...base,
    method: 'DELETE',
    path: '/users-permissions/roles/:id',
    action: 'deleteRole',
    describe: 'delete a role; its accounts become public',
    answers: shapes.ok,
    run: call => removeRole(call.params.id, call),
  },
  {
    uid: permissionsUid,
    method: 'GET',
    path: '/users-permissions/permissions',
    action: 'getPermissions',
    describe: 'all actions that roles may be granted',
    answers: shapes.allPermissions,
    run: ({ service }) => ({ permissions: service.actions.tree(new Set()) }),
  },
]

async function find({ caller, content, service }: Call) {
  const roles = read(await content.find(roleUid, { query: 'sort=id', paging: 'open' })) as Entry[]
  // A caller that sees nothing but names of roles is not shown how many accounts have them.
  if (caller.fields?.('find', roleUid)?.has('users') === false) return { roles }
  const users = service.host.entries(userUid)
  const counted = roles.map(async role => ({
    ...role,
    nb_users: await users.count({ role: { id: { $eq: role.id } } }),
  }))
  return { roles: await Promise.all(counted) }
}

async function findOne({ content, params, service }: Call) {
  const { actions, grants } = service
  const found = await content.findOne(roleUid, params.id, { query: '' }).catch(error => {
    throw error instanceof NotFoundError ? notFound() : error
  })
  const role = read(found) as Entry
  await service.reread()
  // Such a role is as code says it, and refuses changes here.
  const declared = service.declared.roles.has(String(role.type)) && { declared: true }
  return { role: { ...role, permissions: actions.tree(grants.of(Number(role.id)).actions), ...declared } }
}

const done = { ok: true } as const

/** Makes a role with what it may do. */
export async function createRoleAsSent({ caller, body, service }: RoleCall) {
  const sent = filled(body)
  const { name } = readBody(sent, { name: text })
  checkBody(sent, { description: textOrNull, type: text })
  const type = (sent.type as string | undefined) || typeOfName(name)
  const actions = service.actions.enabledIn(sent.permissions)
  assertMayGive(caller, actions)
  const role = { type, name, description: sent.description as string | null | undefined, actions }
  await service.host.store.transaction(session => createRole(service.host, role, session))
  return done
}

/** Changes a role. What it may do is replaced by what is sent, unless it keeps that. */
export async function updateRole(sentId: unknown, { caller, body, service }: RoleCall, keepsGrants = false) {
  const { host, actions } = service
  const sent = filled(body)
  checkBody(sent, { name: text, description: textOrNull })
  const id = readId(sentId)
  if (id === undefined) throw notFound()
  await assertUndeclared(id, service)
  const { name, description } = sent
  await host.store.transaction(async session => {
    await lockRole(host, id, session)
    const changes = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
    await host.entries(roleUid, session).update(id, changes)
    if (keepsGrants) return
    const known = (action: string) => actions.has(action)
    const wanted = actions.enabledIn(sent.permissions)
    const former = new Set((await grantsIn(host, id, session)).map(({ action }) => action))
    assertMayGive(
      caller,
      [...wanted].filter(action => !former.has(action)),
    )
    await setGrants(host, id, { wanted, among: known }, session)
  })
  return done
}

/** Deletes a role; its accounts become public. */
export async function removeRole(sentId: unknown, { service }: Pick<RoleCall, 'service'>) {
  const { host } = service
  const heir = await host.entries(roleUid).first({ where: { type: { $eq: 'public' } } })
  const id = readId(sentId)
  if (id === undefined) throw notFound()
  if (!heir) throw new ApplicationError('Impossible to find the public role')
  if (heir.id === id) throw new ApplicationError('Cannot delete public role')
  await assertUndeclared(id, service)
  await host.store.transaction(session => deleteRole(host, id, Number(heir.id), session))
  return done
}

/** Refuses to change a role that a file declares: it would be as before once the file is applied again. */
async function assertUndeclared(id: number, { host, declared }: UsersPermissions): Promise<void> {
  const role = declared.roles.size > 0 ? await host.entries(roleUid).first({ where: { id } }) : undefined
  if (!role || !declared.roles.has(String(role.type))) return
  throw new ApplicationError(`The role ${role.type} is declared in config/permissions; change it there`)
}

const notFound = () => new NotFoundError('Role not found')

function filled(body: unknown): Readonly<Record<string, unknown>> {
  const sent = objectOf(body)
  if (Object.keys(sent).length === 0) throw new ValidationError('Request body cannot be empty')
  return sent
}

/** A response that was made in the name of the caller, to be added to. */
const read = ({ reply }: Finished): unknown => ('text' in reply ? JSON.parse(String(reply.text)) : undefined)

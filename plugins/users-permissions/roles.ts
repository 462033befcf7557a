import { change, type Entry, type Host, NotFoundError, rowsOf, type Session } from '../../core/index.js'
import { permissionUid, roleUid, userUid } from './content-types.js'
import { defaultRoles } from './permissions/defaults.js'

type Store = Pick<Host, 'entries' | 'store' | 'types'>

export interface NewRole {
  readonly type: string
  readonly name: string
  readonly description?: string | null | undefined
  readonly actions: Iterable<string>
}

/** `Chief Editor` has the type `chief_editor`. */
export const typeOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('_') ?? ''

/** A role by its id, locked until the transaction ends: changes of its permissions come one after the other. */
export async function lockRole({ entries, store, types }: Store, id: number, session: Session): Promise<Entry> {
  if (!store.facts.oneWriter)
    await rowsOf(session, store.knex(types.get(roleUid).table).select('id').where({ id }).forUpdate())
  const role = await entries(roleUid, session).first({ where: { id: { $eq: id } } })
  if (!role) throw new NotFoundError('Role not found')
  return role
}

export async function createRole(host: Store, role: NewRole, session: Session): Promise<Entry> {
  const { type, name, description, actions } = role
  const made = await host.entries(roleUid, session).create({ type, name, description: description ?? null })
  await grant(host, Number(made.id), actions, session)
  return made
}

export async function grant(host: Store, role: number, actions: Iterable<string>, session: Session): Promise<void> {
  const permissions = host.entries(permissionUid, session)
  for (const action of actions) await permissions.create({ action, role })
}

/** The actions that the database grants to a role; one may be listed more than once. */
export async function grantsIn(
  host: Store,
  role: number,
  session?: Session,
): Promise<{ id: number; action: string }[]> {
  const where = { role: { id: { $eq: role } } }
  const found = await host.entries(permissionUid, session).find({ where, fields: ['action'] })
  return found.map(({ id, action }) => ({ id: Number(id), action: String(action) }))
}

/** The actions that a role is to be granted; of those that are not `among` them, the ones that it is granted stay. */
interface WantedGrants {
  readonly wanted: ReadonlySet<string>
  readonly among?: (action: string) => boolean
}

/** Takes away and gives until the role is granted these actions and no others. */
export async function setGrants(
  host: Store,
  role: number,
  { wanted, among = () => true }: WantedGrants,
  session: Session,
): Promise<void> {
  const missing = new Set(wanted)
  const permissions = host.entries(permissionUid, session)
  for (const { id, action } of await grantsIn(host, role, session))
    if (!missing.delete(action) && !wanted.has(action) && among(action)) await permissions.delete(id)
  await grant(host, role, missing, session)
}

/** Accounts of a role that goes become visitors with a name: they get the role `public`. */
export async function deleteRole(host: Store, id: number, heir: number, session: Session): Promise<void> {
  await lockRole(host, id, session)
  await moveUsers(host, id, heir, session)
  await setGrants(host, id, { wanted: new Set() }, session)
  await host.entries(roleUid, session).delete(id)
}

/** In one statement: a role may have any number of accounts. */
async function moveUsers({ store, types }: Store, from: number, to: number, session: Session): Promise<void> {
  const links = types.get(userUid).links.get('role')?.storage
  if (links?.via !== 'table') throw new Error('the role of an account stands in a table of its own')
  await change(session, store.knex(links.table).where(links.to, from).update(links.to, to))
}

/** A database without any role gets the two that every app has. */
export async function seedRoles(host: Store, session: Session): Promise<void> {
  if ((await host.entries(roleUid, session).count()) > 0) return
  for (const { type, name, description, actions } of defaultRoles) {
    const all = Object.entries(actions).flatMap(([uid, names]) => names.map(action => `${uid}.${action}`))
    await createRole(host, { type, name, description, actions: all }, session)
  }
}

import type { Entry, Host, Session } from '../../../core/index.js'
import { roleUid } from '../content-types.js'
import { createRole, grantsIn, lockRole, setGrants } from '../roles.js'
import type { DeclaredRole, RoleDeclarations } from './declared.js'
import { defaultRoles } from './defaults.js'

/** A difference between the declared roles and the database. */
export interface Change {
  readonly role: string
  readonly does: 'make' | 'rename' | 'describe' | 'grant' | 'revoke'
  /** The action, or the new name or description. */
  readonly what: string
}

type Store = Pick<Host, 'entries' | 'store' | 'types'>

/** Changes that make the roles in the database equal to the declared ones; other roles are left alone. */
export async function planChanges(host: Store, { roles }: RoleDeclarations, session?: Session): Promise<Change[]> {
  const changes: Change[] = []
  for (const role of roles.values()) {
    const found = await host.entries(roleUid, session).first({ where: { type: { $eq: role.type } } })
    changes.push(...(await changesOf(host, role, found, session)))
  }
  return changes
}

async function changesOf(
  host: Store,
  role: DeclaredRole,
  found: Entry | undefined,
  session: Session | undefined,
): Promise<Change[]> {
  const change = (does: Change['does'], what: string): Change => ({ role: role.type, does, what })
  const has = new Set(found ? (await grantsIn(host, Number(found.id), session)).map(({ action }) => action) : [])
  const changes = found ? [] : [change('make', nameOf(role))]
  if (found && role.name !== undefined && found.name !== role.name) changes.push(change('rename', role.name))
  if (found && role.description !== undefined && found.description !== role.description)
    changes.push(change('describe', role.description))
  for (const action of [...role.actions].sort()) if (!has.has(action)) changes.push(change('grant', action))
  for (const action of [...has].sort()) if (!role.actions.has(action)) changes.push(change('revoke', action))
  return changes
}

/** Brings the declared roles into the database, all of them or none; returns the changes. */
export async function applyChanges(host: Store, declared: RoleDeclarations): Promise<Change[]> {
  // Nearly always there is nothing to do, and then nothing is locked.
  if ((await planChanges(host, declared)).length === 0) return []
  return host.store.transaction(async session => {
    const changes = await planChanges(host, declared, session)
    for (const role of declared.roles.values())
      if (changes.some(change => change.role === role.type)) await applyRole(host, role, session)
    return changes
  })
}

async function applyRole(host: Store, role: DeclaredRole, session: Session): Promise<void> {
  const roles = host.entries(roleUid, session)
  const found = await roles.first({ where: { type: { $eq: role.type } } })
  if (!found) {
    await createRole(host, { ...role, name: nameOf(role), description: descriptionOf(role) }, session)
    return
  }
  await lockRole(host, Number(found.id), session)
  const { name = found.name, description = found.description } = role
  if (name !== found.name || description !== found.description)
    await roles.update(Number(found.id), { name, description })
  await setGrants(host, Number(found.id), { wanted: role.actions }, session)
}

const defaultOf = ({ type }: DeclaredRole) => defaultRoles.find(role => role.type === type)
const nameOf = (role: DeclaredRole): string => role.name ?? defaultOf(role)?.name ?? role.type
const descriptionOf = (role: DeclaredRole): string | undefined => role.description ?? defaultOf(role)?.description

const signs = { make: '+ role', rename: '~ name', describe: '~ description', grant: '+', revoke: '-' } as const

/** A change as a line of a diff: `author  + api::article.article.create`. */
export const lineOf = ({ role, does, what }: Change): string =>
  `${role}  ${signs[does]} ${does === 'grant' || does === 'revoke' ? what : JSON.stringify(what)}`

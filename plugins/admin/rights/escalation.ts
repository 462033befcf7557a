import { ForbiddenError, type Registry } from '../../../core/index.js'
import { superAdminCode } from '../content-types.js'
import type { StoredRole } from './kept-rights.js'
import { conditionNames, grantKey, grantOf, has, type PermissionRow } from './permissions.js'
import type { RoleRights } from './role-rights.js'

/** An editor who gives and takes rights. */
export interface Giver {
  readonly id: number
  readonly rights: RoleRights
}

type Types = Pick<Registry, 'types'>

/** The permissions among some that an editor does not have, and so cannot give. */
export function missing({ rights }: Giver, rows: readonly PermissionRow[], types: Types): readonly PermissionRow[] {
  return rights.isSuper ? [] : rows.filter(row => !hasRow(rights, row, types))
}

function hasRow({ grants }: RoleRights, row: PermissionRow, types: Types): boolean {
  const wanted = grantOf(row, types)
  // What is met by no entry here may be met by some where its code runs: only those give it who have it without a condition.
  const { makers: _, ...unlimited } = wanted ?? {}
  const isKnown = [row.conditions ?? []].flat().every(name => Object.values(conditionNames).includes(String(name)))
  const asked = wanted && isKnown ? wanted : unlimited
  return has(grants.get(grantKey(row.action, row.subject)) ?? [], asked)
}

/** Refuses to put permissions into a role that the editor does not have. */
export function assertMayGive(giver: Giver, rows: readonly PermissionRow[], types: Types): void {
  const [first, ...others] = missing(giver, rows, types)
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new ForbiddenError(
    `Permissions are given by those who have them; you lack ${grantKey(first.action, first.subject).trim()}${more}`,
  )
}

/** Refuses to change what a role may do, where that would take the role of Super Admins from its code, or give too much. */
export function assertMayChangeRole(
  giver: Giver,
  { role, rows }: { readonly role: Pick<StoredRole, 'code'> | undefined; readonly rows: readonly PermissionRow[] },
  types: Types,
): void {
  if (role?.code === superAdminCode)
    throw new ForbiddenError('The role Super Admin may everything; its permissions cannot be changed')
  assertMayGive(giver, rows, types)
}

/** Refuses to give an account roles that may more than the editor. */
export function assertMayGiveRoles(giver: Giver, roles: readonly StoredRole[], types: Types): void {
  if (giver.rights.isSuper) return
  for (const { code, name, rows } of roles) {
    if (code === superAdminCode) throw new ForbiddenError('The role Super Admin is given by Super Admins only')
    if (missing(giver, rows, types).length > 0)
      throw new ForbiddenError(`The role ${name} is given by those who have all of its permissions`)
  }
}

/** True if an editor may give a role, and so change accounts that have it. */
export const mayGiveRole = (giver: Giver, { code, rows }: StoredRole, types: Types): boolean =>
  giver.rights.isSuper || (code !== superAdminCode && missing(giver, rows, types).length === 0)

/** An account that is to be changed, with its present roles, and those that it is to get. */
interface AccountChange {
  readonly account: number
  readonly before: readonly StoredRole[]
  readonly after?: readonly StoredRole[]
}

/**
 * Refuses to change an account that may more than the editor, as a new password or e-mail address takes it over; and to change
 * one's own roles. Accounts without roles are open to all who may change accounts.
 */
export function assertMayChangeAccount(giver: Giver, { account, before, after }: AccountChange, types: Types): void {
  const isOwn = account === giver.id
  if (isOwn && after && idsOf(after) !== idsOf(before)) throw new ForbiddenError('Your own roles are changed by others')
  if (!isOwn) assertMayTouch(giver, before, types)
  if (!isOwn && after) assertMayGiveRoles(giver, after, types)
}

function assertMayTouch(giver: Giver, roles: readonly StoredRole[], types: Types): void {
  if (giver.rights.isSuper) return
  if (roles.some(({ code }) => code === superAdminCode))
    throw new ForbiddenError('Accounts of Super Admins are changed by Super Admins only')
  const beyond = roles.find(({ rows }) => missing(giver, rows, types).length > 0)
  if (beyond)
    throw new ForbiddenError(
      `Accounts with the role ${beyond.name} are changed by those who have all of its permissions`,
    )
}

const idsOf = (roles: readonly StoredRole[]): string =>
  roles
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(',')

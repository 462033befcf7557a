import type { Entry, Filters, Host } from '../../../core/index.js'
import { superAdminCode } from '../content-types.js'
import type { Giver } from '../rights/escalation.js'
import { leavesIn } from '../rights/names.js'
import { filtersOf, type PermissionRow } from '../rights/permissions.js'
import { RoleRights } from '../rights/role-rights.js'
import { givenNames } from '../rights/types.js'

interface Tried {
  readonly giver: Giver
  readonly role: { readonly id: number; readonly code: string }
  readonly rows: readonly PermissionRow[]
  readonly type: string
}

/** The entries and fields that a role shows of those that an editor sees. */
export interface Shown {
  readonly seen: number
  readonly of: number
  readonly fields: number
  readonly ofFields: number
  /** The first of them, with attributes that both may read. */
  readonly names: readonly string[]
  readonly entries: readonly Entry[]
}

const shownEntries = 25
const shownNames = 4

/** Counts the entries that an editor would see with a role alone. Own entries are those of the editor. */
export async function tryRole(host: Pick<Host, 'entries' | 'types'>, tried: Tried): Promise<Shown> {
  const { giver, role, rows, type: uid } = tried
  const rights = new RoleRights({ ids: [role.id], isSuper: role.code === superAdminCode, rows }, host.types)
  const type = host.types.get(uid)
  const readable = (of: RoleRights) => {
    const names = of.can('find', uid) ? of.fields('find', uid) : new Set<string>()
    return names && leavesIn(type, names)
  }
  const [own, others] = [readable(giver.rights), readable(rights)]
  const all = givenNames(type)
  const isIn = (name: string, leaves: ReadonlySet<string> | undefined) =>
    !leaves || [...leavesIn(type, [name])].every(leaf => leaves.has(leaf))
  const fields = all.filter(name => isIn(name, others))
  const names = fields.filter(name => isPlain(type.fields.get(name)) && isIn(name, own)).slice(0, shownNames)
  const mine = rowsOf(giver.rights, giver.id, uid)
  const where = both(mine, rowsOf(rights, giver.id, uid))
  const entries = host.entries(uid)
  const canFind = rights.can('find', uid)
  const [of, seen, found] = await Promise.all([
    entries.count(mine),
    canFind ? entries.count(where) : 0,
    canFind ? entries.find({ ...(where && { where }), sort: 'id', fields: names, limit: shownEntries }) : [],
  ])
  return { seen, of, fields: canFind ? fields.length : 0, ofFields: all.length, names, entries: found }
}

function rowsOf(rights: RoleRights, id: number, uid: string): Filters | undefined {
  return rights.isSuper ? undefined : filtersOf(rights.of('read', uid), rights.roles, id)
}

const both = (one: Filters | undefined, other: Filters | undefined): Filters | undefined =>
  one && other ? { $and: [one, other] } : (one ?? other)

const plainTypes = ['string', 'text', 'uid', 'email', 'enumeration', 'integer', 'decimal', 'float', 'boolean', 'date']

const isPlain = (field: { readonly attribute: Readonly<Record<string, unknown>> } | undefined): boolean =>
  field !== undefined && plainTypes.includes(String(field.attribute.type))

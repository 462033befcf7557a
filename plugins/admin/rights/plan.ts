import type { Host, Session } from '../../../core/index.js'
import { accountsLock } from '../accounts/accounts.js'
import { permissionUid, roleUid } from '../content-types.js'
import type { DeclaredEditors } from './declared.js'
import { leavesIn } from './names.js'
import { conditionNames, contentAction, grantOf, type Maker, type PermissionRow } from './permissions.js'
import { isOfFields, ownNames } from './types.js'

/** A difference between the declared roles of editors and the database. */
export interface Change {
  readonly role: string
  readonly does: 'make' | 'rename' | 'describe' | 'grant' | 'revoke'
  /** The permission, or the new name or description. */
  readonly what: string
}

type Store = Pick<Host, 'entries' | 'store' | 'types' | 'shares'>

interface StoredRow extends PermissionRow {
  readonly id: number
}

/** A declared role beside what is stored of it. */
interface Compared {
  readonly declared: DeclaredEditors
  readonly stored: { readonly id: number; readonly name: unknown; readonly description: unknown } | undefined
  readonly granted: readonly PermissionRow[]
  readonly revoked: readonly StoredRow[]
}

/** Changes that make the roles in the database equal to the declared ones; other roles are left alone. */
export async function planEditors(host: Store, roles: readonly DeclaredEditors[]): Promise<Change[]> {
  const compared: Compared[] = []
  for (const role of roles) compared.push(await compare(host, role))
  return compared.flatMap(one => changesOf(host, one))
}

/** Brings the declared roles into the database, all of them or none; returns the changes. */
export function applyEditors(host: Store, roles: readonly DeclaredEditors[]): Promise<Change[]> {
  return host.store.transaction(async session => {
    await host.shares.lock(session, accountsLock)
    const changes: Change[] = []
    for (const role of roles) {
      const compared = await compare(host, role, session)
      changes.push(...changesOf(host, compared))
      await write(host, compared, session)
    }
    return changes
  })
}

async function compare(host: Store, declared: DeclaredEditors, session?: Session): Promise<Compared> {
  const { entries } = host
  const role = await entries(roleUid, session).first({ where: { code: { $eq: declared.code } } })
  const stored = role && { id: Number(role.id), name: role.name, description: role.description }
  const rows = stored
    ? await entries(permissionUid, session).find({ where: { role: { id: stored.id } }, sort: 'id' })
    : []
  const kept = new Map<string, StoredRow>()
  const revoked: StoredRow[] = []
  const wanted = new Map(declared.rows.map(row => [meaningOf(row, host), row]))
  for (const row of rows as readonly unknown[] as readonly StoredRow[]) {
    const meaning = meaningOf(row, host)
    if (wanted.has(meaning) && !kept.has(meaning)) kept.set(meaning, row)
    else revoked.push(row)
  }
  const granted = [...wanted].flatMap(([meaning, row]) => (kept.has(meaning) ? [] : [row]))
  return { declared, stored, granted, revoked }
}

function changesOf(host: Store, { declared, stored, granted, revoked }: Compared): Change[] {
  const { code, name, description } = declared
  const change = (does: Change['does'], what: string): Change => ({ role: code, does, what })
  return [
    ...(stored ? [] : [change('make', name)]),
    ...(stored && stored.name !== name ? [change('rename', name)] : []),
    ...(stored && description !== undefined && stored.description !== description
      ? [change('describe', description)]
      : []),
    ...granted.map(row => change('grant', wordsOf(row, host))),
    ...revoked.map(row => change('revoke', wordsOf(row, host))),
  ]
}

async function write({ entries }: Store, { declared, stored, granted, revoked }: Compared, session: Session) {
  const { code, name, description } = declared
  const about = { name, ...(description !== undefined && { description }) }
  const roles = entries(roleUid, session)
  const id = stored?.id ?? Number((await roles.create({ ...about, code })).id)
  const isOther = stored && (stored.name !== name || (description !== undefined && stored.description !== description))
  if (isOther) await roles.update(id, about)
  const permissions = entries(permissionUid, session)
  for (const row of revoked) await permissions.delete(row.id)
  for (const row of granted) await permissions.create({ ...row, role: id })
}

/** The same for rows that mean the same; one that means nothing here is equal to no declared one. */
function meaningOf(row: PermissionRow, { types }: Pick<Store, 'types'>): string {
  const grant = grantOf(row, types)
  if (!grant) return JSON.stringify(row)
  const { locales, makers } = grant
  const fields = grant.fields ?? allFields(row, types)
  const conditions = [row.conditions ?? []].flat().map(String).sort()
  return JSON.stringify([row.action, row.subject, fields && [...fields].sort(), locales, makers && conditions])
}

/** The attributes of a permission that names none: those which `*` declares. */
function allFields({ action, subject }: PermissionRow, types: Store['types']): ReadonlySet<string> | undefined {
  const type = subject ? types.types.get(subject) : undefined
  const isTaken = isOfFields(action.replace(contentAction(''), ''))
  return type && isTaken ? leavesIn(type, ownNames(type)) : undefined
}

/** As many attributes are named in one line. */
const shownFields = 8

/** A permission for people: `read api::article.article (title, body; languages de; own)`. */
function wordsOf(row: PermissionRow, { types }: Pick<Store, 'types'>): string {
  const { locales, makers } = grantOf(row, types) ?? {}
  const { fields = [] } = Object(row.properties) as { readonly fields?: readonly string[] | null }
  const [first = [], rest = 0] = [fields?.slice(0, shownFields), Math.max(0, (fields?.length ?? 0) - shownFields)]
  const details = [
    ...(first.length > 0 ? [`${first.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`] : []),
    ...(locales ? [`languages ${locales.join(', ') || 'none'}`] : []),
    ...(makers ? [namesOf(row)] : []),
  ]
  const action = row.action.replace('plugin::content-manager.explorer.', '')
  return [action, row.subject, details.length > 0 ? `(${details.join('; ')})` : undefined].filter(Boolean).join(' ')
}

const namesOf = ({ conditions }: PermissionRow): string =>
  [conditions ?? []]
    .flat()
    .map(name => (Object.keys(conditionNames) as Maker[]).find(maker => conditionNames[maker] === name) ?? name)
    .join(' or ')

const signs = { make: '+ role', rename: '~ name', describe: '~ description', grant: '+', revoke: '-' } as const

/** A change as a line of a diff. */
export const lineOf = ({ role, does, what }: Change): string =>
  `${role}  ${signs[does]} ${does === 'grant' || does === 'revoke' ? what : JSON.stringify(what)}`

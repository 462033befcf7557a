import { type Caller, type ContentType, type Filters, late, type Registry } from '../../../core/index.js'
import { leavesIn } from './names.js'

/** A row of `admin_permissions`, as Strapi 4 keeps it. */
export interface PermissionRow {
  readonly action: string
  readonly subject?: string | null
  readonly properties?: unknown
  readonly conditions?: unknown
  readonly actionParameters?: unknown
}

/** An entry is the caller's own, or was made by an account that has one of the caller's roles. */
export type Maker = 'own' | 'role'

/** A permission, and the entries for which it holds. */
export interface Grant {
  /** The attributes, with the parts of components by dots; all without it. */
  readonly fields?: ReadonlySet<string>
  /** Entries in these languages; in any without it. */
  readonly locales?: readonly string[]
  /** Entries of these makers; of any without it. No maker at all is that of no entry. */
  readonly makers?: readonly Maker[]
}

/** The permissions of some roles, by `<action> <subject>`. */
export type Grants = ReadonlyMap<string, readonly Grant[]>

type Types = Pick<Registry, 'types'>
/** Attributes; all where it is undefined. */
type Fields = ReadonlySet<string> | undefined
type Values = Readonly<Record<string, unknown>>

export const contentAction = (right: string): string => `plugin::content-manager.explorer.${right}`
export const grantKey = (action: string, subject: string | null | undefined): string => `${action} ${subject ?? ''}`

/** The meaning of stored permissions; those that cannot be read grant nothing. */
export function grantsOf(rows: readonly PermissionRow[], types: Types): Grants {
  const grants = new Map<string, Grant[]>()
  for (const row of rows) {
    const grant = grantOf(row, types)
    if (!grant) continue
    const key = grantKey(row.action, row.subject)
    grants.set(key, [...(grants.get(key) ?? []), grant])
  }
  return grants
}

/** The meaning of one row. What it does not say is unlimited, except for languages: a row without them holds in none. */
export function grantOf({ subject, properties, conditions, actionParameters }: PermissionRow, { types }: Types) {
  const type = subject ? types.get(subject) : undefined
  const said = properties ?? {}
  // Parameters of an action belong to code that does not run here.
  if (!isObject(said) || Object.keys(Object(actionParameters ?? {})).length > 0) return undefined
  const fields = said.fields ?? undefined
  const kinds = conditions ?? []
  if ((fields !== undefined && !isTexts(fields)) || !isTexts(kinds)) return undefined
  const locales = type && isLocalized(type) ? localesOf(said.locales) : undefined
  const grant: Grant = {
    ...(fields && { fields: type ? leavesIn(type, fields) : new Set(fields) }),
    ...(locales && { locales }),
    ...(kinds.length > 0 && { makers: makersOf(kinds) }),
  }
  return grant
}

/** Strapi 4 stores null for all languages. */
const localesOf = (locales: unknown): readonly string[] | undefined =>
  locales === null ? undefined : isTexts(locales) ? [...new Set(locales)].sort() : []

/** The conditions of one row are alternatives, and unknown ones are met by no entry. */
const makersOf = (conditions: readonly string[]): readonly Maker[] =>
  (Object.entries(conditionNames) as [Maker, string][]).flatMap(([maker, name]) =>
    conditions.includes(name) ? [maker] : [],
  )

/** The conditions that are known here, by their names in Strapi 4. */
export const conditionNames: Readonly<Record<Maker, string>> = {
  own: 'admin::is-creator',
  role: 'admin::has-same-role-as-creator',
}

export const isLocalized = ({ fields, added }: ContentType): boolean => fields.has('locale') && added.includes('locale')

/** True if some entry may be meant. */
const meansSome = ({ locales, makers }: Grant): boolean => locales?.length !== 0 && makers?.length !== 0

/** True if every entry for which one holds is one for which the other holds. */
export const isWithin = (inner: Grant, outer: Grant): boolean =>
  isPart(inner.locales, outer.locales) && isPart(inner.makers, outer.makers)

function isPart(inner: readonly string[] | undefined, outer: readonly string[] | undefined): boolean {
  if (outer === undefined) return true
  return inner?.every(one => outer.includes(one)) ?? false
}

/** The same permissions for an entry that the caller makes, who is one of its makers then. */
export const asMaker = (grants: readonly Grant[]): readonly Grant[] =>
  grants.map(({ makers, ...grant }) => (makers?.length === 0 ? { ...grant, makers } : grant))

/** The filters that every entry meets for which one of the permissions holds; undefined where there is no limit. */
export function filtersOf(
  grants: readonly Grant[],
  roles: readonly number[],
  maker: unknown = late<Caller>(({ id }) => id),
): Filters | undefined {
  if (grants.some(({ locales, makers }) => !locales && !makers)) return undefined
  const parts = grants.filter(meansSome).map(grant => filterOf(grant, { roles, maker }))
  const [first = noEntry] = parts
  return parts.length > 1 ? { $or: parts } : first
}

/** The roles of a caller, and its id or what it is taken from. */
interface Viewer {
  readonly roles: readonly number[]
  readonly maker: unknown
}

/** No entry has this. */
export const noEntry: Filters = { id: { $null: true } }

function filterOf({ locales, makers }: Grant, { roles, maker }: Viewer): Filters {
  const byMaker: Readonly<Record<Maker, Filters>> = {
    own: { createdBy: { id: { $eq: maker } } } as Filters,
    role: { createdBy: { roles: { id: { $in: roles } } } },
  }
  const made = makers?.map(maker => byMaker[maker])
  const parts = [
    ...(locales ? [{ locale: { $in: locales } }] : []),
    ...(made ? [made.length > 1 ? { $or: made } : (made[0] as Filters)] : []),
  ]
  return parts.length > 1 ? { $and: parts } : (parts[0] as Filters)
}

/**
 * The attributes that may be named of every entry for which some permission holds; undefined for all. An entry has those of each
 * permission that covers the one it is reached by: what holds for some entries only is left out.
 */
export function fieldsOf(grants: readonly Grant[]): ReadonlySet<string> | undefined {
  const some = grants.filter(meansSome)
  const reached = (some.length > 0 ? some : grants).map(grant => unionOf(grants.filter(one => isWithin(grant, one))))
  return reached.reduce(common, undefined)
}

function unionOf(grants: readonly Grant[]): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const { fields } of grants) {
    if (!fields) return undefined
    for (const name of fields) names.add(name)
  }
  return names
}

/** The permissions that are limited to some entries, each with all attributes that hold for the same ones. */
export function limitedGrants(grants: readonly Grant[]): readonly { readonly grant: Grant; readonly fields: Fields }[] {
  const bySame = new Map<string, Grant[]>()
  for (const grant of grants.filter(one => meansSome(one) && (one.locales || one.makers))) {
    const key = JSON.stringify([grant.locales ?? null, grant.makers ?? null])
    bySame.set(key, [...(bySame.get(key) ?? []), grant])
  }
  return [...bySame.values()].map(same => ({ grant: same[0] as Grant, fields: unionOf(same) }))
}

const common = (one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined) =>
  one && other ? new Set([...one].filter(name => other.has(name))) : (one ?? other)

/** True if a caller with some permissions has what another permission gives. */
export function has(grants: readonly Grant[], wanted: Grant): boolean {
  const covering = grants.filter(one => isWithin(wanted, one))
  if (covering.length === 0) return false
  const fields = unionOf(covering)
  return fields === undefined || (wanted.fields !== undefined && [...wanted.fields].every(name => fields.has(name)))
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

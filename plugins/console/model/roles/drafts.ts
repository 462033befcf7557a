import {
  type About,
  actionOf,
  isOfFields,
  keyOf,
  type Maker,
  type Right,
  type Role,
  type RoleType,
  rights,
} from './types.js'

/** A permission as it stands in the form. */
export interface Draft extends About {
  /** Null for all, those that are added later too. */
  readonly fields: readonly string[] | null
  /** Parts of zones, which are kept. */
  readonly parts: readonly string[]
  readonly locales: readonly string[] | null
  /** Makers of entries, of which one is enough; none for any. */
  readonly where: readonly Maker[]
  /** Conditions of the project, which are kept. */
  readonly otherConditions: readonly string[]
}

export type Drafts = ReadonlyMap<string, Draft>

export interface Change extends About {
  readonly grant: Partial<Pick<Draft, 'fields' | 'locales' | 'where'>> | null
}

export const draftsOf = ({ permissions }: Role): Drafts =>
  new Map(
    permissions.map(({ action, subject, fields, parts, locales, where, otherConditions }) => [
      keyOf({ action, subject }),
      { action, subject, fields, parts, locales, where: where ?? [], otherConditions },
    ]),
  )

/** The changes that turn the stored permissions into those of the form. */
export function changesOf(before: Drafts, after: Drafts, types: readonly RoleType[]): readonly Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Change[] => {
    const [stored, draft] = [before.get(key), after.get(key)]
    if (!draft) return stored ? [{ action: stored.action, subject: stored.subject, grant: null }] : []
    const { action, subject, fields, locales, where } = draft
    const isLocalized = types.some(({ uid, localized }) => uid === subject && localized)
    const grant = {
      ...(fields !== null && !isSame(stored?.fields, fields) && { fields }),
      ...(isLocalized && !isSame(stored?.locales, locales) && { locales }),
      ...(!isSame(stored?.where ?? [], where) && { where }),
    }
    return stored && Object.keys(grant).length === 0 ? [] : [{ action, subject, grant }]
  })
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
const sorted = (value: unknown): unknown => (Array.isArray(value) ? [...value].sort() : value)

/** The limits within which the account may give a permission; undefined where it may not. */
export function givenFor({ gives, permissions }: Role, about: About): Role['gives'][number] | undefined {
  const key = keyOf(about)
  const isBeyond = permissions.some(one => keyOf(one) === key && !one.mayGive)
  return isBeyond ? undefined : gives.find(one => keyOf(one) === key)
}

/** The names of attributes that may be given. */
export function namesGiven(role: Role, type: RoleType, right: Right): readonly string[] {
  const given = givenFor(role, { action: actionOf(right), subject: type.uid })
  if (!given || !isOfFields(right)) return []
  const { fields } = given
  return type.fields.filter(name => !fields || fields.some(leaf => leaf === name || leaf.startsWith(`${name}.`)))
}

/** A permission as it begins: as wide as the account may give it, in the languages of the other rights to the type. */
export function newDraft(role: Role, about: About, drafts: Drafts): Draft | undefined {
  const given = givenFor(role, about)
  if (!given) return undefined
  const type = role.types.find(({ uid }) => uid === about.subject)
  const right = rights.find(one => actionOf(one) === about.action)
  const others = type && rights.flatMap(one => drafts.get(keyOf({ action: actionOf(one), subject: type.uid })) ?? [])
  return {
    ...{ action: about.action, subject: about.subject },
    fields: type && right && isOfFields(right) ? namesGiven(role, type, right) : null,
    parts: [],
    locales: given.locales ?? others?.[0]?.locales ?? null,
    where: given.where?.slice(0, 1) ?? [],
    otherConditions: [],
  }
}

/** Required attributes that new entries would lack. A part of a component counts where another part of it may be written. */
export function lacking({ fields, required }: RoleType, create: Draft | undefined): readonly string[] {
  const names = create?.fields ?? fields
  if (!create) return []
  const has = (path: string) => names.some(name => name === path || name.startsWith(`${path}.`))
  return required.filter(path => {
    const parent = path.slice(0, path.lastIndexOf('.'))
    const isReached = !path.includes('.') || (has(parent) && !names.includes(parent))
    return isReached && !has(path) && !names.some(name => path.startsWith(`${name}.`))
  })
}

interface FieldRow {
  /** The path of the attribute, or of a component with the parts below it. */
  readonly path: string
  readonly name: string
  readonly depth: number
  /** The names that the row stands for. */
  readonly names: readonly string[]
}

/** The attributes as a tree: components with their parts below them. */
export function fieldRows(names: readonly string[]): readonly FieldRow[] {
  const rows: FieldRow[] = []
  const seen = new Set<string>()
  for (const name of names) {
    const parts = name.split('.')
    parts.forEach((part, depth) => {
      const path = parts.slice(0, depth + 1).join('.')
      if (seen.has(path)) return
      seen.add(path)
      rows.push({ path, name: part, depth, names: names.filter(one => one === path || one.startsWith(`${path}.`)) })
    })
  }
  return rows
}

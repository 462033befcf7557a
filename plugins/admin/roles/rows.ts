import type { ContentType } from '../../../core/index.js'
import { leavesIn, storedNames } from '../rights/names.js'
import { conditionNames, grantKey, grantOf, type Maker, type PermissionRow } from '../rights/permissions.js'
import { givenNames } from '../rights/types.js'
import type { Catalogue, Known } from './catalogue.js'

export interface StoredRow extends PermissionRow {
  readonly id: number
}

/** The new state of a permission; parts that are not named stay as they are. */
export interface Wish {
  readonly fields?: readonly string[]
  readonly locales?: readonly string[] | null
  readonly where?: readonly Maker[]
}

/** A change of a permission; null takes it away. */
export interface Change {
  readonly action: string
  readonly subject: string | null
  readonly wish: Wish | null
}

type Types = Parameters<typeof grantOf>[1]

/** A row of a role as the console shows it, and what of it has no meaning here. */
export interface ReadRow {
  readonly row: StoredRow
  readonly known: Known
  /** Null for all that there are. */
  readonly fields: readonly string[] | null
  /** Stored names that are no whole attribute of the type. */
  readonly otherFields: readonly string[]
  /** Other fields with a meaning: parts of zones. */
  readonly parts: readonly string[]
  readonly locales: readonly string[] | null
  /** Null for entries of any maker. */
  readonly where: readonly Maker[] | null
  readonly otherConditions: readonly string[]
}

/** The rows of a role: those that the console shows and changes, and the others, which it keeps as they are. */
export function readRows(rows: readonly StoredRow[], catalogue: Catalogue, types: Types) {
  const keys = rows.map(({ action, subject }) => grantKey(action, subject))
  const read: ReadRow[] = []
  const kept: StoredRow[] = []
  for (const row of rows) {
    const known = catalogue.known(row.action, row.subject)
    const isAlone = keys.filter(key => key === grantKey(row.action, row.subject)).length === 1
    const grant = known && isAlone ? grantOf(row, types) : undefined
    if (known && grant) read.push({ row, known, ...readRow(row, known, grant) })
    else kept.push(row)
  }
  return { read, kept }
}

function readRow(
  row: StoredRow,
  { type, hasFields, hasLocales }: Known,
  grant: NonNullable<ReturnType<typeof grantOf>>,
) {
  const stored = storedFields(row)
  const fields = type && hasFields && grant.fields ? namesWithin(type, grant.fields) : null
  const otherFields = type && fields && stored ? otherNames(type, stored, fields) : []
  return {
    ...{ fields, otherFields },
    parts: otherFields.filter(name => type && leavesIn(type, [name]).size > 0),
    locales: hasLocales ? (grant.locales ?? null) : null,
    where: grant.makers ?? null,
    otherConditions: conditionsOf(row).filter(name => !isKnown(name)),
  }
}

/** The names whose leaves are all there. */
const namesWithin = (type: ContentType, leaves: ReadonlySet<string>): readonly string[] =>
  givenNames(type).filter(name => [...leavesIn(type, [name])].every(leaf => leaves.has(leaf)))

/** Stored names that mean something else than those which are shown: attributes that are gone, parts of zones. */
function otherNames(type: ContentType, stored: readonly string[], shown: readonly string[]): readonly string[] {
  const covered = leavesIn(type, shown)
  return stored.filter(name => {
    const leaves = [...leavesIn(type, [name])]
    return leaves.length === 0 || !leaves.every(leaf => covered.has(leaf))
  })
}

/** A row as it is after a change: what has no meaning here stays in it. */
export function changedRow(known: Known, wish: Wish, read: ReadRow | undefined): PermissionRow {
  const { action, type, hasFields, hasLocales } = known
  const before = read ? (Object(read.row.properties) as Readonly<Record<string, unknown>>) : {}
  const names = wish.fields ?? (read ? undefined : type && givenNames(type))
  const where = wish.where?.map(maker => conditionNames[maker])
  return {
    ...(read?.row ?? { actionParameters: {} }),
    action,
    subject: type?.uid ?? null,
    properties: {
      ...before,
      ...(type && hasFields && names && { fields: fieldsOf(type, names, read) }),
      ...(hasLocales && wish.locales !== undefined && { locales: wish.locales }),
    },
    conditions: where ? [...where, ...(read?.otherConditions ?? [])] : (read?.row.conditions ?? []),
  }
}

const fieldsOf = (type: ContentType, names: readonly string[], read: ReadRow | undefined): readonly string[] => [
  ...storedNames(type, leavesIn(type, names)),
  ...(read?.otherFields ?? []),
]

/** True for an action without a subject and without limits, which roles can be declared with. */
export const isPlain = (
  { action, subject, properties, conditions, actionParameters }: PermissionRow,
  { actions }: Pick<Catalogue, 'actions'>,
): boolean =>
  !subject &&
  actions.includes(action) &&
  [properties, conditions, actionParameters].every(part => Object.keys(Object(part ?? {})).length === 0)

const storedFields = ({ properties }: PermissionRow) =>
  (Object(properties) as { readonly fields?: readonly string[] | null }).fields ?? undefined

const conditionsOf = ({ conditions }: PermissionRow): readonly string[] => [conditions ?? []].flat().map(String)

const isKnown = (name: string): boolean => Object.values(conditionNames).includes(name)

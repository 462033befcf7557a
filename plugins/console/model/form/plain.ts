/** An entry or a component as data: what was read, what is in the form, what the browser stores. It holds no signals and fits into JSON. */
export interface PlainItem {
  readonly uid: string
  /** Absent until it is stored. */
  readonly id?: number
  /** By attribute; an attribute that the response lacks has none, and is never sent. */
  readonly values: Readonly<Record<string, PlainValue>>
}

export type PlainValue =
  | { readonly kind: 'typed'; readonly typed: Typed }
  | { readonly kind: 'items'; readonly items: readonly PlainItem[] }
  | { readonly kind: 'links'; readonly links: Links }

/**
 * A value as its control shows it. Texts, numbers, dates and JSON are the text that was typed, empty where there is no value; a
 * boolean is true, false or null; values of other types are those of the API.
 */
export type Typed = unknown

/** The entries behind a relation, in their order. */
export interface Links {
  readonly head: readonly Related[]
  /** Entries that were added behind those which are not loaded; empty if all are loaded. */
  readonly tail: readonly Related[]
  /** There are entries between `head` and `tail` that are not loaded. */
  readonly more: boolean
}

/** An entry or a file at the other end of a relation. */
export interface Related {
  readonly id: number
  readonly uid: string
  /** Its attributes, as far as they were read. */
  readonly values: Values
}

export type Values = Readonly<Record<string, unknown>>

export const noLinks: Links = { head: [], tail: [], more: false }

/** All that is known of a relation, in order. */
export const loaded = ({ head, tail }: Links): readonly Related[] => [...head, ...tail]

/** The name of a stored component in its list, or of an entry: in a zone, components of two types may have one id. */
export const refOf = ({ uid, id }: Pick<PlainItem, 'uid' | 'id'>): string => `${uid} ${id ?? ''}`

/** An item as a new one, the items in it too. */
export function withoutIds({ id: _, uid, values }: PlainItem): PlainItem {
  const fresh = Object.entries(values).map(([name, value]): [string, PlainValue] =>
    value.kind === 'items' ? [name, { kind: 'items', items: value.items.map(withoutIds) }] : [name, value],
  )
  return { uid, values: Object.fromEntries(fresh) }
}

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for equal JSON values, whatever the order of their names. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]))
  if (!isRecord(one) || !isRecord(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every(name => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  )
}

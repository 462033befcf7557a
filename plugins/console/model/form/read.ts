import type { AttributeInfo, LinkInfo } from '../meta.js'
import type { Kinds } from './kinds.js'
import { isRecord, type Links, type PlainItem, type PlainValue, type Related, type Values } from './plain.js'
import { isPaged, relatedPage } from './query.js'
import { typedOf } from './typed.js'

/** The values of an entry that the page shows beside its form. */
export interface Head {
  readonly id: number
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly publishedAt?: string | null
  readonly publishAt?: string | null
  readonly unpublishAt?: string | null
  /** The time since when it is in the trash. */
  readonly deletedAt?: string | null
  readonly locale?: string | null
  readonly createdBy?: Values
  readonly updatedBy?: Values
  readonly localizations: readonly Values[]
  /** Values for the address of its preview, where there is one. */
  readonly previewed?: Values
}

/** An entry in a response: with its attributes below `attributes`, or flat. */
export function flat(entry: Values): Values {
  const { attributes, ...rest } = entry
  // A flat entry may have an attribute of that name.
  const isNested = isRecord(attributes) && Object.keys(rest).every(name => name === 'id' || name === 'meta')
  return isNested ? { ...(rest.id !== undefined && { id: rest.id }), ...attributes } : entry
}

/** The entries at a link: below `data` or not, one or several, none where there are none. */
export function entriesAt(value: unknown): readonly Values[] {
  const data = isRecord(value) && 'data' in value && !('id' in value) ? value.data : value
  return (Array.isArray(data) ? data : [data]).filter(isRecord).map(flat)
}

/** The entry of a response of one: in `{ data }`, or by itself. */
export const entryOf = (response: unknown): Values | undefined => entriesAt(response)[0]

export function headOf(entry: Values, previewed: readonly string[] = []): Head {
  const [createdBy] = entriesAt(entry.createdBy)
  const [updatedBy] = entriesAt(entry.updatedBy)
  const names = ['createdAt', 'updatedAt', 'publishedAt', 'publishAt', 'unpublishAt', 'deletedAt', 'locale']
  const known = names.filter(name => entry[name] !== undefined).map(name => [name, entry[name]])
  return {
    id: Number(entry.id),
    ...Object.fromEntries(known),
    ...(createdBy && { createdBy }),
    ...(updatedBy && { updatedBy }),
    localizations: entriesAt(entry.localizations),
    ...(previewed.length > 0 && { previewed: Object.fromEntries(previewed.map(name => [name, entry[name]])) }),
  }
}

/** An entry, or a component of it, as its form reads it: only the attributes that the response has. */
export function plainOf(kinds: Kinds, uid: string, values: Values): PlainItem {
  const read = kinds.shown(uid).flatMap(attribute => {
    const value = readValue(kinds, attribute, values[attribute.name])
    return value ? [[attribute.name, value] as const] : []
  })
  const { id } = values
  return { uid, ...(id !== undefined && { id: Number(id) }), values: Object.fromEntries(read) }
}

function readValue(kinds: Kinds, attribute: AttributeInfo, value: unknown): PlainValue | undefined {
  if (value === undefined && attribute.type !== 'password') return undefined
  if (attribute.kind === 'field') return { kind: 'typed', typed: typedOf(attribute, value) }
  if (!attribute.embedded) return { kind: 'links', links: linksOf(kinds, attribute, value) }
  const parts = (Array.isArray(value) ? value : [value]).filter(isRecord)
  const items = parts.map(part => plainOf(kinds, String(part.__component ?? attribute.targets?.[0]), part))
  return { kind: 'items', items }
}

function linksOf(kinds: Kinds, link: LinkInfo, value: unknown): Links {
  const all = relatedAt(link, value)
  const more = isPaged(kinds, link) && all.length > relatedPage
  return { head: more ? all.slice(0, relatedPage) : all, tail: [], more }
}

/** The entries of a relation, as a response lists them. */
export const relatedAt = ({ targets }: LinkInfo, value: unknown): readonly Related[] =>
  entriesAt(value).map(({ id, __type, ...values }) => ({
    id: Number(id),
    uid: String(__type ?? targets?.[0] ?? ''),
    values,
  }))

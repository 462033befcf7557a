import { type ContentType, type Host, type Link, readId, rowsOf, type Session, type Write } from '../../core/index.js'
import type { End } from './event.js'

/** More would make an event larger than the write that it tells of. */
const most = 100

/** The relations that a write names, components left out: those are part of the entry. */
function linksIn(type: ContentType, data: Readonly<Record<string, unknown>>): Link[] {
  const found: Link[] = []
  for (const name in data) {
    const link = type.links.get(name)
    if (link && !link.embedded) found.push(link)
  }
  return found
}

/** The entries that a write names in its relations: those that it connects and those that it lets go. */
export function sentEnds(type: ContentType, { data, set = {} }: Pick<Write, 'data' | 'set'>): End[] {
  const found: End[] = []
  for (const link of [...linksIn(type, data), ...linksIn(type, set)]) {
    const items = itemsOf((Object.hasOwn(set, link.name) ? set : data)[link.name])
    for (let index = 0; index < items.length && index < most; index += 1) {
      const end = endOf(link, items[index])
      if (end) found.push(end)
    }
  }
  return found
}

/** An id, an object with one, a list of either, or an object of such lists. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'id')) return [value]
  const { set, connect, disconnect } = value as Readonly<Record<string, unknown>>
  return [set, connect, disconnect].flatMap(list => (list === undefined || list === null ? [] : list))
}

function endOf(link: Link, item: unknown): End | undefined {
  const { id = item, __type } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
  const known = readId(id)
  const uid = typeof __type === 'string' ? __type : link.targets?.length === 1 ? link.targets[0] : undefined
  return known === undefined || uid === undefined ? undefined : { attribute: link.name, uid, id: known }
}

/** The entries at the other ends of an entry's relations before it is written: those named in `data`, or all of a delete. */
export async function formerEnds(
  { type, data, id }: Linked,
  session: Session,
  { store: { knex }, types }: Host,
): Promise<End[]> {
  const links = data ? linksIn(type, data) : [...type.links.values()].filter(({ embedded }) => !embedded)
  const found: End[] = []
  for (const link of links) {
    const only = link.targets?.length === 1 ? link.targets[0] : undefined
    const target = only === undefined ? undefined : types.types.get(only)
    const place = placeOf(link, target?.table, id)
    if (!place || (only === undefined && place.typeColumn === undefined)) continue
    const columns = [place.column, ...(place.typeColumn === undefined ? [] : [place.typeColumn])]
    const query = knex(place.table).select(columns).where(place.where).limit(most)
    for (const [other, uid = only] of await rowsOf(session, query))
      if (other !== null && uid) found.push({ attribute: link.name, uid: String(uid), id: Number(other) })
  }
  return found
}

/** An entry that is written, and what of it; without `data`, all of it. */
export interface Linked {
  readonly id: number
  readonly type: ContentType
  readonly data?: Readonly<Record<string, unknown>>
}

/** Where the ids of the other ends stand. */
interface LinkPlace {
  readonly table: string
  readonly column: string
  readonly typeColumn?: string | undefined
  readonly where: Readonly<Record<string, unknown>>
}

function placeOf({ storage, table }: Link, target: string | undefined, id: number): LinkPlace | undefined {
  if (storage.via === 'column') return { ...storage, table, where: { id } }
  if (storage.via === 'target')
    return target === undefined
      ? undefined
      : { table: target, column: 'id', where: { [storage.column]: id, ...storage.match } }
  const { from, to, match, typeColumn } = storage
  return { table: storage.table, column: to, typeColumn, where: { [from]: id, ...match } }
}

/** The ends as they are stored, each of them once. Their beginnings are written once: that costs more than the rest. */
export function textOf(ends: readonly End[]): string {
  const texts = new Set<string>()
  for (const { attribute, uid, id } of ends) texts.add(`${beginningOf(attribute, uid)}${id}}`)
  return `[${[...texts].join()}]`
}

const beginnings = new Map<string, Map<string, string>>()

function beginningOf(attribute: string, uid: string): string {
  const known = beginnings.get(attribute) ?? new Map<string, string>()
  beginnings.set(attribute, known)
  const text = known.get(uid) ?? JSON.stringify({ attribute, uid, id: 0 }).slice(0, -2)
  known.set(uid, text)
  return text
}

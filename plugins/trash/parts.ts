import { type ContentType, change, type Entry, type Link, rowsOf, type Session } from '../../core/index.js'
import { isUnique } from '../../core/plugin-kit.js'
import type { Service, TrashType } from './service.js'
import type { Note } from './writing.js'

/** The populate that reads components, their ids alone. */
export type PartsPopulate = Readonly<Record<string, unknown>>

/** Components with their ids and unique values, as the data of a write. */
export type Aside = Readonly<Record<string, unknown>>

/** Components may hold each other in a circle; stored ones end somewhere. */
const deepest = 8

/** The query for components with unique values; undefined if the type has none. */
export function partsAsked(type: ContentType, depth = 0): PartsPopulate | undefined {
  const links = [...type.links.values()].filter(
    ({ embedded, readable, types }) => embedded && readable && types().some(part => holdsUnique(part, depth + 1)),
  )
  if (links.length === 0) return undefined
  const asked = (part: ContentType) => ({ fields: ['id'], populate: partsAsked(part, depth + 1) ?? [] })
  const ofLink = ({ shape, types }: Link) =>
    shape === 'zone'
      ? { on: Object.fromEntries(types().map(part => [part.uid, asked(part)])) }
      : asked(types()[0] as ContentType)
  return Object.fromEntries(links.map(link => [link.name, ofLink(link)]))
}

const uniqueOf = ({ fields }: ContentType) => [...fields.values()].filter(isUnique)

const holdsUnique = (part: ContentType, depth: number): boolean =>
  depth < deepest && (uniqueOf(part).length > 0 || partsAsked(part, depth) !== undefined)

/** The components of an entry with their unique values: a write with them as data gives them back. */
export async function partsOf(
  id: number,
  { type, parts }: TrashType,
  session: Session,
  service: Service,
): Promise<Aside> {
  const { entries, store } = service
  const [entry] = await entries(type.uid, session).find({ where: { id }, fields: ['id'], populate: parts, limit: 1 })
  const { id: _, ...aside } = (entry ?? {}) as Entry
  for (const [part, items] of itemsIn(type, aside)) {
    const unique = uniqueOf(part)
    if (unique.length === 0) continue
    const query = store.knex(part.table).select('id', ...unique.map(({ column }) => column))
    const rows = await rowsOf(
      session,
      query.whereIn(
        'id',
        items.map(item => Number(item.id)),
      ),
    )
    const stored = new Map(rows.map(([own, ...values]) => [Number(own), values]))
    for (const item of items)
      for (const [
        index,
        {
          name,
          type: { as },
        },
      ] of unique.entries())
        item[name] = store.decode(as, stored.get(Number(item.id))?.[index] ?? null)
  }
  return aside
}

/** Lets go of the unique values of components. */
export async function freeParts({ type }: TrashType, { parts = {} }: Note, session: Session, { store }: Service) {
  for (const [part, items] of itemsIn(type, parts)) {
    const none = Object.fromEntries(uniqueOf(part).map(({ column }) => [column, null]))
    if (Object.keys(none).length === 0) continue
    await change(
      session,
      store
        .knex(part.table)
        .whereIn(
          'id',
          items.map(item => Number(item.id)),
        )
        .update(none),
    )
  }
}

/** All components in the data, by their types. */
function itemsIn(type: ContentType, read: Aside, found = new Map<ContentType, Entry[]>()): Map<ContentType, Entry[]> {
  for (const link of type.links.values()) {
    if (!link.embedded) continue
    for (const item of [read[link.name] ?? []].flat() as Entry[]) {
      const part = link.types().find(({ uid }) => uid === item.__component) ?? link.types()[0]
      if (!part) continue
      found.set(part, [...(found.get(part) ?? []), item])
      itemsIn(part, item, found)
    }
  }
  return found
}

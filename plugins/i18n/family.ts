import { type ContentType, change, type LinkStorage, rowsOf, type Session, type Store } from '../../core/index.js'

/** A localization of an entry. */
export interface Member {
  readonly id: number
  readonly locale: string | null
}

/** The type and the session in which a family is read and written. */
export interface FamilyPlace {
  readonly type: ContentType
  readonly session: Session
  readonly store: Pick<Store, 'knex'>
}

const linksOf = ({ links }: ContentType) =>
  links.get('localizations')?.storage as Extract<LinkStorage, { via: 'table' }> & { readonly order: string }

/** An entry and its localizations, in the order in which it lists them; no other transaction changes them until this one ends. */
export async function familyOf(id: number, place: FamilyPlace): Promise<Member[]> {
  for (;;) {
    const ids = await linked(id, place)
    const members = await lock(ids, place)
    // The previous holder of the locks may have added one.
    const isWhole = (await linked(id, place)).every(one => ids.includes(one))
    if (isWhole) return ids.flatMap(one => members.filter(member => member.id === one))
  }
}

async function linked(id: number, { type, session, store: { knex } }: FamilyPlace): Promise<number[]> {
  const { table, from, to, order } = linksOf(type)
  const others = await rowsOf(session, knex(table).select(to).where(from, id).orderBy([order, 'id']))
  return [id, ...others.map(([other]) => Number(other))]
}

/**
 * Locks rows in the order of their ids, so that two requests for the same ones do not wait for each other. Deleted
 * entries are no members.
 */
async function lock(ids: readonly number[], { type, session, store: { knex } }: FamilyPlace): Promise<Member[]> {
  const column = type.fields.get('locale')?.column as string
  const query = knex(type.table)
    .select('id', column)
    .whereIn('id', [...ids])
    .orderBy('id')
    .forUpdate()
  if (type.gone) query.whereNull(type.gone.column)
  return (await rowsOf(session, query)).map(([id, locale]) => ({ id: Number(id), locale: locale as string | null }))
}

/** Rows that go into one statement. */
const atOnce = 300

/** Links every member with all others, in this order: the table holds every ordered pair. */
export async function linkAll(ids: readonly number[], { type, session, store: { knex } }: FamilyPlace): Promise<void> {
  const { table, from, to, order } = linksOf(type)
  const old = knex(table).whereIn(from, [...ids])
  await change(session, old.del())
  const pairs = ids.flatMap(id =>
    ids.filter(other => other !== id).map((other, index) => ({ [from]: id, [to]: other, [order]: index + 1 })),
  )
  for (let first = 0; first < pairs.length; first += atOnce)
    await change(session, knex(table).insert(pairs.slice(first, first + atOnce)))
}

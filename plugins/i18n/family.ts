import type { ContentType, LinkStorage, Session, Store } from '../../core/index.js'

/** One localization of an entry. */
export interface Member {
  readonly id: number
  readonly locale: string | null
}

/** Where a family is read and written. */
export interface Place {
  readonly type: ContentType
  readonly session: Session
  readonly store: Pick<Store, 'knex'>
}

const linksOf = ({ links }: ContentType) =>
  links.get('localizations')?.storage as Extract<LinkStorage, { via: 'table' }> & { readonly order: string }

/** An entry and its localizations, in the order in which it lists them; nobody changes them until the transaction ends. */
export async function familyOf(id: number, place: Place): Promise<Member[]> {
  for (;;) {
    const ids = await linked(id, place)
    const members = await lock(ids, place)
    // Whoever held the locks before may have added one.
    const isWhole = (await linked(id, place)).every(one => ids.includes(one))
    if (isWhole) return ids.flatMap(one => members.filter(member => member.id === one))
  }
}

async function linked(id: number, { type, session, store: { knex } }: Place): Promise<number[]> {
  const { table, from, to, order } = linksOf(type)
  const { sql, bindings } = knex(table).select(to).where(from, id).orderBy([order, 'id']).toSQL().toNative()
  return [id, ...(await session.all(sql, bindings)).map(([other]) => Number(other))]
}

/** In the order of their ids, so that two that want the same ones do not wait for each other. */
async function lock(ids: readonly number[], { type, session, store: { knex } }: Place): Promise<Member[]> {
  const column = type.fields.get('locale')?.column as string
  const query = knex(type.table)
    .select('id', column)
    .whereIn('id', [...ids])
    .orderBy('id')
    .forUpdate()
  const { sql, bindings } = query.toSQL().toNative()
  return (await session.all(sql, bindings)).map(([id, locale]) => ({ id: Number(id), locale: locale as string | null }))
}

/** Rows that go into one statement. */
const atOnce = 300

/** Links every member with all others, in this order: the table holds every ordered pair. */
export async function linkAll(ids: readonly number[], { type, session, store: { knex } }: Place): Promise<void> {
  const { table, from, to, order } = linksOf(type)
  const old = knex(table)
    .whereIn(from, [...ids])
    .del()
    .toSQL()
    .toNative()
  await session.run(old.sql, old.bindings)
  const pairs = ids.flatMap(id =>
    ids.filter(other => other !== id).map((other, index) => ({ [from]: id, [to]: other, [order]: index + 1 })),
  )
  for (let first = 0; first < pairs.length; first += atOnce) {
    const { sql, bindings } = knex(table)
      .insert(pairs.slice(first, first + atOnce))
      .toSQL()
      .toNative()
    await session.run(sql, bindings)
  }
}

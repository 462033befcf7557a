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
export async function familyOf(id: number, { type, session, store: { knex } }: Place): Promise<Member[]> {
  const { table, from, to, order } = linksOf(type)
  const links = knex(table).select(to).where(from, id).orderBy([order, 'id']).toSQL().toNative()
  const ids = [id, ...(await session.all(links.sql, links.bindings)).map(([other]) => Number(other))]
  const column = type.fields.get('locale')?.column as string
  const rows = knex(type.table).select('id', column).whereIn('id', ids).orderBy('id').forUpdate().toSQL().toNative()
  const locales = new Map((await session.all(rows.sql, rows.bindings)).map(([own, code]) => [Number(own), code]))
  return ids.filter(one => locales.has(one)).map(one => ({ id: one, locale: locales.get(one) as string | null }))
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

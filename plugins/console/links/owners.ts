import type { ContentType, Store } from '../../../core/index.js'
import type { LinkPath, Step } from './paths.js'

type Knex = Store['knex']
type Query = ReturnType<Knex>

/** The ids of the entries that lead to one by some ways, the latest first, at most so many. */
export function ownersBy(
  knex: Knex,
  paths: readonly LinkPath[],
  target: { readonly type: ContentType; readonly id: number },
  most: number,
): Query {
  const [first, ...others] = paths.map(path => ownersOf(knex, path, target)) as [Query, ...Query[]]
  const all = others.length === 0 ? first : first.union(others)
  return knex.select('id').from(all.as('owners')).orderBy('id', 'desc').limit(most) as unknown as Query
}

/** From the end of the way to its begin: the rows that have what the step before has found. */
function ownersOf(
  knex: Knex,
  { steps }: LinkPath,
  { type, id }: { readonly type: ContentType; readonly id: number },
): Query {
  const back = [...steps].reverse()
  const found = back.reduce<{ readonly ids: readonly number[] | Query; readonly of: ContentType }>(
    (inner, step) => ({ ids: stepBack(knex, step, inner.ids, inner.of), of: step.type }),
    { ids: [id], of: type },
  )
  return found.ids as Query
}

function stepBack(knex: Knex, { type, link }: Step, ids: readonly number[] | Query, of: ContentType): Query {
  const { storage } = link
  const isOne = (query: Query, column: string) => query.whereIn(column, ids as never)
  if (storage.via === 'table') {
    const { table, from, to, typeColumn, match } = storage
    const rows = knex(table)
      .distinct({ id: from })
      .where({ ...match, ...(typeColumn && { [typeColumn]: of.uid }) })
    return isOne(rows.whereNotNull(from), to) as Query
  }
  if (storage.via === 'column') {
    const { column, typeColumn } = storage
    return isOne(
      knex(type.table)
        .select('id')
        .where(typeColumn ? { [typeColumn]: of.uid } : {}),
      column,
    ) as Query
  }
  const { column, match } = storage
  return isOne(knex(of.table).distinct({ id: column }).where(match).whereNotNull(column), 'id') as Query
}

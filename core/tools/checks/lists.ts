import type { Knex } from 'knex'
import { change, rowsOf } from '../../engines/built.js'
import { transact } from '../../engines/transaction.js'
import type { Sides } from '../../layout/change/renames.js'
import type { Finding } from '../../plugin/parts.js'
import type { Link, LinkStorage } from '../../schema/types.js'
import type { CoreCheck } from './check.js'

type Table = Extract<LinkStorage, { via: 'table' }>

export const listCheck: CoreCheck = {
  name: 'lists',
  describe: 'lists count from 1, and what leads to one entry leads to one only',
  async run({ registry, sides }, report) {
    for (const type of registry.types.values())
      for (const link of type.links.values()) {
        const { storage } = link
        if (storage.via !== 'table' || !isThere(sides, storage)) continue
        const list: List = { uid: type.uid, link, storage }
        const finding = link.many ? await brokenListsOf(sides, list) : await doubleLinksOf(sides, list)
        if (finding) report(finding)
      }
  },
}

/** An attribute whose links have rows of their own. */
interface List {
  readonly uid: string
  readonly link: Link
  readonly storage: Table
}

async function doubleLinksOf(sides: Sides, { uid, link, storage }: List): Promise<Finding | undefined> {
  const twice = await groups(sides, link, storage, query => query.havingRaw('count(*) > 1'))
  if (twice.length === 0) return undefined
  return {
    severity: 'warning',
    says: `entries of ${uid} with more than one ${link.name}, which leads to one only: ${twice.length}`,
    examples: twice.map(([id]) => `id ${id}`),
    advice: `one of them is shown; set ${link.name} of these entries to the right one`,
  }
}

async function brokenListsOf(sides: Sides, { uid, link, storage }: List): Promise<Finding | undefined> {
  if (storage.order === undefined || !isKept(link)) return undefined
  const broken = await brokenLists(sides, link, storage, storage.order)
  if (broken.length === 0) return undefined
  return {
    severity: broken.some(({ isUnclear }) => isUnclear) ? 'warning' : 'note',
    says: `lists of ${uid}.${link.name} that do not count 1, 2, 3: ${broken.length}`,
    examples: broken.map(({ id }) => `id ${id}`),
    advice: 'what stands at the same place has no certain order; gaps do no harm',
    fix: {
      does: 'counts them anew, in the order in which they are shown',
      run: () => renumber(sides, link, storage, broken),
    },
  }
}

/** True if the order of targets in an entry is kept without gaps; the order in an inverse list is not. */
const isKept = ({ owning, targets, storage }: Link): boolean =>
  targets !== undefined && (owning === true || Object.keys(storage.via === 'table' ? storage.match : {}).length > 0)

function isThere({ found }: Sides, { table, from, to, order, match }: Table): boolean {
  const stored = found.tables.get(table)
  return ['id', from, to, ...(order === undefined ? [] : [order]), ...Object.keys(match)].every(column =>
    stored?.has(column),
  )
}

async function groups(
  { engine }: Sides,
  link: Link,
  storage: Table,
  which: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
) {
  const query = ofLink(engine.knex, link, storage).select(storage.from).whereNotNull(storage.from).groupBy(storage.from)
  return rowsOf(engine.reader, which(query).orderBy(storage.from))
}

/** The rows of this link, where others keep theirs in the same table. */
function ofLink(
  knex: Knex,
  { embedded, shape, targets = [] }: Link,
  { table, match, typeColumn }: Table,
): Knex.QueryBuilder {
  const query = knex(table).where(match)
  return embedded && shape === 'zone' && typeColumn !== undefined ? query.whereIn(typeColumn, [...targets]) : query
}

interface Broken {
  readonly id: number
  /** Two stand at the same place, or one at none. */
  readonly isUnclear: boolean
}

async function brokenLists(sides: Sides, link: Link, storage: Table, order: string): Promise<Broken[]> {
  const rows = await groups(sides, link, storage, query =>
    query
      .count()
      .countDistinct(order)
      .havingRaw('count(*) <> count(distinct ??) or min(??) <> 1 or max(??) <> count(*)', [order, order, order]),
  )
  return rows.map(([id, count, places]) => ({ id: Number(id), isUnclear: Number(count) !== Number(places) }))
}

async function renumber({ engine }: Sides, link: Link, storage: Table, broken: readonly Broken[]): Promise<void> {
  const { from, order = '' } = storage
  const { knex } = engine
  for (const { id } of broken)
    await transact(engine, async session => {
      const list = ofLink(knex, link, storage).select('id').where(from, id).orderBy([order, 'id'])
      const rows = await rowsOf(session, list)
      for (const [index, [row]] of rows.entries())
        await change(
          session,
          knex(storage.table)
            .where({ id: row })
            .update({ [order]: index + 1 }),
        )
    })
}

import type { Knex } from 'knex'
import { counted } from '../../kit/counted.js'
import type { Link } from '../../schema/types.js'
import { isUnique } from '../../schema/values.js'
import type { Origin, RecordedColumn, RecordedTable, WantedColumn, WantedTable } from '../layout.js'
import type { Change, PreventedChange } from './change.js'
import { countOf } from './counts.js'
import { exchangedLinks, type Move } from './exchanged.js'
import type { RenamedLayout, Sides } from './renames.js'

/** Values beside their place: the column or table that they belong in is there as well. */
export interface MisplacedValues {
  readonly changes: readonly Change[]
  /** Values whose place has another one: both stay. */
  readonly prevented: readonly PreventedChange[]
  /** Tables and columns (`table.column`) that still hold such values, so that nothing removes them. */
  readonly held: ReadonlySet<string>
}

/** A table that is wanted, and where an earlier version of this server put rows or values of it. */
interface StrayTable {
  readonly table: WantedTable
  /** The same table where only columns are called otherwise. */
  readonly source: string
  /** The names of columns in the source that differ from the ones wanted, by those. */
  readonly columns: ReadonlyMap<WantedColumn, string>
}

/**
 * Finds values that an earlier version stored beside the place that another server has for them. That version called a column or
 * a table otherwise, or took the other side of a relation for its owner, and added a table or column that seemed to be missing.
 * The links of a relation whose sides have been exchanged since are found as well, and those of one that has got a column, or a
 * table.
 */
export async function planMisplaced(
  sides: Sides,
  { known, found, changes: renames }: Pick<RenamedLayout, 'known' | 'found' | 'changes'>,
): Promise<MisplacedValues> {
  const strays = straysOf({ ...sides, known, found })
  const exchanged = exchangedLinks({ ...sides, known, found })
  if (renames.length > 0)
    return {
      changes: [],
      prevented: [],
      held: new Set([...strays.flatMap(placesOf), ...exchanged.flatMap(({ places }) => places)]),
    }
  const changes: Change[] = []
  const prevented: PreventedChange[] = []
  const held = new Set<string>()
  for (const move of [...strays.flatMap(stray => movesOf({ ...sides, found }, stray)), ...exchanged]) {
    const count = (query: Knex.QueryBuilder) => countOf(sides.engine, query.count())
    const [all, free, same] = [await count(move.all()), await count(move.free()), await count(move.same())]
    if (all === 0) continue
    for (const place of move.places) held.add(place)
    const sentence = (rows: number) => `move ${counted(rows, move.noun)} of ${move.from} to ${move.to}`
    if (free + same > 0)
      changes.push({ group: 'misplaced', describe: sentence(free + same), steps: move.steps.map(String) })
    if (all > free + same)
      prevented.push({
        describe: `${sentence(all - free - same)}: ${move.conflict}`,
        statements: [move.all().select('s.*').toString()],
        advice: `both are kept, and requests see ${move.to} only: compare them, write there what counts, and ${move.cleared}`,
      })
  }
  return { changes, prevented, held }
}

const movesOf = (sides: Sides, stray: StrayTable): Move[] =>
  stray.table.origin?.attribute === undefined
    ? [...stray.columns].map(([right, wrong]) => valuesOf(sides, stray.table, right, wrong))
    : [linksOf(sides, stray)]

const placesOf = ({ table, source, columns }: StrayTable): string[] =>
  source === table.name ? [...columns.values()].map(column => `${source}.${column}`) : [source]

function straysOf(sides: Sides): StrayTable[] {
  const { wanted, known, found } = sides
  const names = new Set(wanted.map(({ name }) => name))
  const recorded = new Map(known.map(table => [table.name, table]))
  const others = known.filter(({ name, foreign }) => !foreign && !names.has(name) && found.tables.has(name))
  return wanted.flatMap(table => {
    const own = recorded.get(table.name)
    return [...(own ? inColumns(table, own, sides) : []), ...others.flatMap(other => inTable(table, other, sides))]
  })
}

function inColumns(table: WantedTable, own: RecordedTable, { found }: Sides): StrayTable[] {
  const { name, origin } = table
  const stored = found.tables.get(name)
  if (!origin || !stored) return []
  const columns = columnsIn(own, table, stored, part => part)
  return columns.size === 0 ? [] : [{ table, source: name, columns }]
}

function inTable(table: WantedTable, source: RecordedTable, { found, registry }: Sides): StrayTable[] {
  const { origin } = table
  const stored = found.tables.get(source.name)
  if (!origin?.attribute || !stored) return []
  const isInverse = isOtherSide(source.origin, origin, registry.types.get(origin.uid)?.links.get(origin.attribute))
  if (!isInverse && !isSameLink(source.origin, origin)) return []
  const columns = columnsIn(source, table, stored, part => (isInverse ? (otherSide[part] ?? part) : part))
  return [{ table, source: source.name, columns }]
}

const isSameLink = (one: Origin, other: Origin): boolean => one.uid === other.uid && one.attribute === other.attribute

/** The relation was laid out from its other end, whose attribute gave the table its name. */
const isOtherSide = (one: Origin, { uid, target }: Origin, link: Link | undefined): boolean =>
  link?.inverse !== undefined && one.uid === (target ?? uid) && one.attribute === link.inverse

/** A side of a link, and its counterpart if the link is laid out from its other end. */
const otherSide: Readonly<Record<string, string>> = {
  from: 'to',
  to: 'from',
  order: 'inverse order',
  'inverse order': 'order',
}

/** The columns of a source that stand for those of a table; in the table itself only the ones that are called otherwise. */
function columnsIn(
  source: RecordedTable,
  table: WantedTable,
  stored: ReadonlyMap<string, string>,
  partOf: (part: string) => string,
): Map<WantedColumn, string> {
  const isSame = source.name === table.name
  const isFree = ({ name, foreign }: RecordedColumn) =>
    !isSame || (!foreign && !table.columns.some(other => other.name === name))
  const columns = new Map<WantedColumn, string>()
  for (const column of table.columns) {
    if (column.part === undefined) continue
    const part = partOf(column.part)
    const former = source.columns.find(one => one.part === part && stored.has(one.name) && isFree(one))
    if (former && !(isSame && former.name === column.name)) columns.set(column, former.name)
  }
  return columns
}

/** The values of one column of entries. */
function valuesOf({ engine: { knex }, registry }: Sides, table: WantedTable, right: WantedColumn, wrong: string): Move {
  const { name, origin } = table
  const field = registry.types.get(origin?.uid ?? '')?.fields.get(right.part ?? '')
  const all = () => knex(`${name} as s`).whereNotNull(`s.${wrong}`)
  const free = () => {
    const query = all().whereNull(`s.${right.name}`)
    if (!field || !isUnique(field)) return query
    const double = (column: string) =>
      knex(`${name} as d`)
        .select('d.id')
        .whereRaw('?? = ??', [`d.${column}`, `s.${wrong}`])
    return query
      .whereNotExists(double(right.name))
      .whereNotExists(double(wrong).whereNull(`d.${right.name}`).whereRaw('?? < ??', ['d.id', 's.id']))
  }
  // Not every engine compares JSON.
  const same = () =>
    right.as === 'json' ? all().whereRaw('1 = 0') : all().whereRaw('?? = ??', [`s.${right.name}`, `s.${wrong}`])
  return {
    noun: 'value',
    from: `${name}.${wrong}`,
    to: `${name}.${right.name}`,
    places: [`${name}.${wrong}`],
    all,
    free,
    same,
    steps: [
      among(knex, name, free()).update({ [right.name]: knex.ref(wrong), [wrong]: null }),
      among(knex, name, same()).update({ [wrong]: null }),
    ],
    conflict: 'another value is there, or an entry that has it already',
    cleared: `set ${wrong} to null`,
  }
}

/** Rows by their ids; engines that refuse to read the table that they change read it first. */
const among = (knex: Knex, table: string, rows: Knex.QueryBuilder): Knex.QueryBuilder =>
  knex(table).whereIn('id', knex.select('moved.id').from(rows.distinct('s.id').as('moved')))

/** The rows of a link, in a table of their own or in columns of the same one. */
function linksOf({ engine: { knex }, registry, found }: Sides, { table, source, columns }: StrayTable): Move {
  const { name, origin } = table
  const isSame = source === name
  const link = registry.types.get(origin?.uid ?? '')?.links.get(origin?.attribute ?? '')
  const columnOf = (part: string) => table.columns.find(column => column.part === part) as WantedColumn
  const [from, to] = [columnOf('from'), columnOf('to')]
  const ends = table.columns.filter(({ as, part }) => as !== 'order' && part !== undefined)
  /** The value of a row of the source in a column of the table. */
  const valueIn = (alias: string, column: WantedColumn): Knex.Raw => {
    const wrong = columns.get(column)
    if (!isSame) return wrong === undefined ? knex.raw('null') : knex.raw('??', [`${alias}.${wrong}`])
    if (wrong === undefined) return knex.raw('??', [`${alias}.${column.name}`])
    return knex.raw('coalesce(??, ??)', [`${alias}.${column.name}`, `${alias}.${wrong}`])
  }
  const rows = (alias: string) => {
    const query = knex(`${source} as ${alias}`)
    for (const column of [from, to]) query.whereRaw('? is not null', [valueIn(alias, column)])
    if (isSame) query.where(one => void one.whereNull(`${alias}.${from.name}`).orWhereNull(`${alias}.${to.name}`))
    return query
  }
  const all = () => {
    const query = rows('s')
    // A link to an entry that is gone is none any more, and no table with keys would take it.
    for (const column of [from, to])
      if (column.references)
        query.whereExists(
          knex(`${column.references.table} as e`)
            .select('e.id')
            .whereRaw('?? = ?', ['e.id', valueIn('s', column)]),
        )
    return query
  }
  const placed = (by: readonly WantedColumn[]) => {
    const query = knex(`${name} as p`).select('p.id').whereNotNull(`p.${from.name}`).whereNotNull(`p.${to.name}`)
    for (const column of by) query.whereRaw('?? = ?', [`p.${column.name}`, valueIn('s', column)])
    return query
  }
  const isThere = found.tables.has(name)
  const free = () => {
    const earlier = rows('d').select('d.id').whereRaw('?? < ??', ['d.id', 's.id'])
    for (const column of ends) earlier.whereRaw('? = ?', [valueIn('d', column), valueIn('s', column)])
    const query = all().whereNotExists(earlier)
    if (isThere) query.whereNotExists(placed([from]))
    if (isThere && link?.exclusive) query.whereNotExists(placed(ends.filter(column => column !== from)))
    return query
  }
  const same = () => (isThere ? all().whereExists(placed(ends)) : all().whereRaw('1 = 0'))
  const isPlaced = knex(`${name} as p`).select('p.id')
  for (const column of ends) isPlaced.whereRaw('?? = ?', [`p.${column.name}`, valueIn('s', column)])
  const steps = isSame
    ? [among(knex, name, free()).update(filled(knex, columns)), among(knex, name, same()).delete()]
    : [
        inserted(
          knex,
          table,
          free()
            .select(table.columns.map(column => valueIn('s', column)))
            .orderBy('s.id'),
        ),
        among(knex, source, all().whereExists(isPlaced)).delete(),
      ]
  const list = (names: readonly string[]) => (isSame ? ` (${names.join(', ')})` : '')
  return {
    noun: 'link',
    from: `${source}${list([...columns.values()])}`,
    to: `${name}${list([...columns.keys()].map(column => column.name))}`,
    places: placesOf({ table, source, columns }),
    all,
    free,
    same,
    steps,
    conflict: 'the entry has other links there',
    cleared: `delete these rows of ${source}`,
  }
}

const filled = (knex: Knex, columns: StrayTable['columns']) =>
  Object.fromEntries([
    ...[...columns].map(([{ name }, wrong]) => [name, knex.raw('coalesce(??, ??)', [name, wrong])]),
    ...[...columns.values()].map(wrong => [wrong, null]),
  ])

function inserted(knex: Knex, { name, columns }: WantedTable, rows: Knex.QueryBuilder): string {
  const names = columns.map(column => column.name)
  return `${knex.raw(`insert into ?? (${names.map(() => '??').join(', ')})`, [name, ...names])} ${rows}`
}

import type { Knex } from 'knex'
import type { Engine, Layout } from '../../engines/engine.js'
import type { Registry } from '../../schema/registry.js'
import type { RecordedLayout, RecordedTable, WantedColumn, WantedTable } from '../layout.js'

/** A move of values or rows: queries for them, whose rows are `s`, and statements. */
export interface Move {
  readonly noun: string
  readonly from: string
  readonly to: string
  readonly places: readonly string[]
  readonly all: () => Knex.QueryBuilder
  /** The rows whose place is free. */
  readonly free: () => Knex.QueryBuilder
  /** The rows that are in their place as well. */
  readonly same: () => Knex.QueryBuilder
  readonly steps: readonly { toString(): string }[]
  readonly conflict: string
  /** Completes the advice: how nothing of them is left. */
  readonly cleared: string
}

interface Sides {
  readonly engine: Engine
  readonly registry: Registry
  readonly wanted: readonly WantedTable[]
  readonly known: RecordedLayout
  readonly found: Layout
}

/** A relation that is stored in a column now, and was in a table of its own, or the other way. */
interface ExchangedRelation {
  /** The table of the type, and its column. */
  readonly type: string
  readonly column: string
  /** The table that the column leads to. */
  readonly target: string
  /** The table of the links, and its sides. */
  readonly links: string
  readonly from: string
  readonly to: string
}

/** The moves of links of relations for which `useJoinTable` has changed. */
export function exchangedLinks(sides: Sides): Move[] {
  const { wanted } = sides
  const intoColumns = wanted.flatMap(table => table.columns.flatMap(column => intoColumn(table, column, sides) ?? []))
  const moves = intoColumns.map(one => moveIntoColumn(sides, one, intoColumns))
  return [...moves, ...wanted.flatMap(table => intoTable(table, sides) ?? []).map(one => moveIntoTable(sides, one))]
}

function intoColumn(
  table: WantedTable,
  { name, part, leadsTo }: WantedColumn,
  sides: Sides,
): ExchangedRelation | undefined {
  const { wanted, known, found } = sides
  if (leadsTo === undefined || table.origin === undefined) return undefined
  const { uid } = table.origin
  const former = known.find(
    one => one.origin.uid === uid && one.origin.attribute === part && !wanted.some(other => other.name === one.name),
  )
  const [from, to] = [columnOf(former, 'from'), columnOf(former, 'to')]
  if (!former || from === undefined || to === undefined || !found.tables.has(former.name)) return undefined
  return { type: table.name, column: name, target: leadsTo, links: former.name, from, to }
}

function intoTable(table: WantedTable, { registry, known, found }: Sides): ExchangedRelation | undefined {
  const { origin } = table
  const type = origin?.attribute && registry.types.get(origin.uid)
  if (!origin || !type || origin.target === undefined) return undefined
  const former = known.find(({ name }) => name === type.table)
  const column = columnOf(former, origin.attribute as string)
  const [from, to] = [columnOf(table, 'from'), columnOf(table, 'to')]
  const isLeft = column !== undefined && type.links.get(origin.attribute as string)?.storage.via === 'table'
  if (!isLeft || from === undefined || to === undefined || !found.tables.get(type.table)?.has(column)) return undefined
  return { type: type.table, column, target: registry.get(origin.target).table, links: table.name, from, to }
}

const columnOf = (table: Pick<RecordedTable | WantedTable, 'columns'> | undefined, part: string) =>
  table?.columns.find(one => one.part === part)?.name

/** A moved row, and the entries that it is about. */
function moveIntoColumn(
  { engine: { knex }, wanted, found }: Sides,
  one: ExchangedRelation,
  all: readonly ExchangedRelation[],
): Move {
  const { type, column, target, links, from, to } = one
  const isThere = found.tables.get(type)?.has(column) === true
  const rows = (alias: string) => {
    const query = knex(`${links} as ${alias}`).whereNotNull(`${alias}.${from}`).whereNotNull(`${alias}.${to}`)
    query.whereExists(
      knex(`${type} as t`)
        .select('t.id')
        .where('t.id', knex.ref(`${alias}.${from}`)),
    )
    return query.whereExists(
      knex(`${target} as e`)
        .select('e.id')
        .where('e.id', knex.ref(`${alias}.${to}`)),
    )
  }
  /** The value that an entry has in a column, or will have once its links are moved as well. */
  const valueIn = (alias: string, name: string, isAdded: boolean): Knex.Raw => {
    const other = all.find(({ type: of, column: into }) => of === type && into === name)
    const own = isAdded || found.tables.get(type)?.has(name) ? `${alias}.${name}` : undefined
    if (!other) return own === undefined ? knex.raw('null') : knex.raw('??', [own])
    const link = knex(`${other.links} as k`)
      .min(`k.${other.to}`)
      .where(`k.${other.from}`, knex.ref(`${alias}.id`))
    return own === undefined ? knex.raw('?', [link]) : knex.raw('coalesce(??, ?)', [own, link])
  }
  const unique = (wanted.find(({ name }) => name === type)?.indexes ?? []).filter(
    index => index.unique && index.columns.includes(column),
  )
  /** Steps run when all columns have been added. */
  const free = (isAdded: boolean) => {
    const query = rows('s').whereNotExists(
      rows('d')
        .select('d.id')
        .where(`d.${from}`, knex.ref(`s.${from}`))
        .where('d.id', '<', knex.ref('s.id')),
    )
    if (isAdded || isThere)
      query.whereExists(
        knex(`${type} as f`)
          .select('f.id')
          .where('f.id', knex.ref(`s.${from}`))
          .whereNull(`f.${column}`),
      )
    for (const { columns } of unique) {
      const double = knex(`${type} as o`)
        .select('o.id')
        .join(`${type} as w`, 'w.id', knex.raw('??', [`s.${from}`]))
        .where('o.id', '<', knex.ref('w.id'))
        .whereRaw('? = ??', [valueIn('o', column, isAdded), `s.${to}`])
      for (const other of columns)
        if (other !== column) double.whereRaw('? = ?', [valueIn('o', other, isAdded), valueIn('w', other, isAdded)])
      query.whereNotExists(double)
    }
    return query
  }
  const placed = (alias: string) =>
    knex(`${type} as p`)
      .select('p.id')
      .where('p.id', knex.ref(`${alias}.${from}`))
      .where(`p.${column}`, knex.ref(`${alias}.${to}`))
  const first = knex(`${links} as l`)
    .select(`l.${to}`)
    .where(`l.${from}`, knex.ref(`${type}.id`))
    .whereNotNull(`l.${to}`)
    .orderBy('l.id')
    .limit(1)
  return {
    noun: 'link',
    from: links,
    to: `${type}.${column}`,
    places: [links],
    all: () => rows('s'),
    free: () => free(false),
    same: () => (isThere ? rows('s').whereExists(placed('s')) : rows('s').whereRaw('1 = 0')),
    steps: [
      among(knex, type, free(true).select(`s.${from} as id`)).update({ [column]: first }),
      among(knex, links, rows('s').whereExists(placed('s')).select('s.id')).delete(),
    ],
    conflict:
      unique.length > 0
        ? `the entry leads elsewhere already, or another one has the same ${unique.map(({ columns }) => columns.join(' and ')).join(', or ')}`
        : 'the entry leads elsewhere already',
    cleared: `delete these rows of ${links}`,
  }
}

function moveIntoTable({ engine: { knex }, wanted, found }: Sides, one: ExchangedRelation): Move {
  const { type, column, target, links, from, to } = one
  const all = () =>
    knex(`${type} as s`)
      .whereNotNull(`s.${column}`)
      .whereExists(
        knex(`${target} as e`)
          .select('e.id')
          .where('e.id', knex.ref(`s.${column}`)),
      )
  const isThere = found.tables.has(links)
  const placed = () => knex(`${links} as p`).select('p.id').where(`p.${from}`, knex.ref('s.id'))
  const same = () => placed().where(`p.${to}`, knex.ref(`s.${column}`))
  const orders = (wanted.find(({ name }) => name === links)?.columns ?? []).filter(({ as }) => as === 'order')
  const names = [from, to, ...orders.map(({ name }) => name)]
  const values = all()
    .whereNotExists(placed())
    .select(['s.id', `s.${column}`, ...orders.map(() => 's.id')].map(name => knex.raw('??', [name])))
    .orderBy('s.id')
  return {
    noun: 'link',
    from: `${type}.${column}`,
    to: links,
    places: [`${type}.${column}`],
    all,
    free: () => (isThere ? all().whereNotExists(placed()) : all()),
    same: () => (isThere ? all().whereExists(same()) : all().whereRaw('1 = 0')),
    steps: [
      knex.raw(`insert into ?? (${names.map(() => '??').join(', ')}) ${values}`, [links, ...names]),
      among(knex, type, all().whereExists(same()).select('s.id')).update({ [column]: null }),
    ],
    conflict: 'the entry has other links there',
    cleared: `set ${column} to null`,
  }
}

/** Rows by their ids; engines that refuse to read the table that they change read it first. */
const among = (knex: Knex, table: string, ids: Knex.QueryBuilder): Knex.QueryBuilder =>
  knex(table).whereIn('id', knex.select('moved.id').from(ids.as('moved')))

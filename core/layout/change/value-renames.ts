import { rowsOf } from '../../engines/built.js'
import type { Engine } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import { formerNames } from '../../schema/renamed.js'
import type { ContentType, Link } from '../../schema/types.js'
import { stepsTable } from '../marks.js'
import type { Change } from './change.js'
import { countOf } from './counts.js'
import type { RenamedLayout, Sides, StoredNames } from './renames.js'

/** A column of a plugin's type whose values are uids, or begin with one: actions. */
export interface UidColumn {
  readonly type: string
  readonly attribute: string
}

/** Values that hold former names: the types of polymorphic links, the attributes of components, permissions. */
export async function planValueRenames(
  sides: Sides,
  renamed: Pick<RenamedLayout, 'before' | 'found'>,
  uidColumns: readonly UidColumn[],
): Promise<Change[]> {
  const { engine } = sides
  const changes: Change[] = []
  for (const { table, set, where } of [
    ...attributeValues(sides, renamed),
    ...(await typeValues(sides, renamed, uidColumns)),
  ]) {
    const place = renamed.before.get(table) ?? inPlace(table)
    const rows = await countOf(engine, whereOf(engine.knex(place.table).count(), [set, ...where], place))
    if (rows === 0) continue
    const query = whereOf(engine.knex(table), [set, ...where], inPlace(table)).update({ [set.column]: set.to })
    changes.push({
      group: 'renames',
      describe: `${counted(rows, 'row')} of ${table} name ${set.to} in place of ${String(set.from)}`,
      steps: [query.toString()],
    })
  }
  return changes
}

/** A value that takes the place of another, in some rows of a table. */
interface NewValue {
  readonly table: string
  readonly set: Pair
  readonly where: RowCondition
}

/** The names of renamed attributes, where the rows of their links tell them. */
function attributeValues({ registry }: Sides, { found }: Pick<RenamedLayout, 'found'>): NewValue[] {
  const names = formerNames(registry)
  return [...registry.types.values()].flatMap(type =>
    [...type.links.values()].flatMap((link): NewValue[] => {
      const from = names.attribute(type.uid, link.name)
      const column = attributeColumn(link)
      if (from === undefined || !column || !found.tables.has(column.table)) return []
      const set = { column: column.name, from, to: link.name }
      return [{ table: column.table, set, where: sameLink(type, column.others) }]
    }),
  )
}

/** The uids of renamed types, and values that begin with one. */
async function typeValues(
  sides: Sides,
  { before, found }: Pick<RenamedLayout, 'before' | 'found'>,
  uidColumns: readonly UidColumn[],
): Promise<NewValue[]> {
  const { engine, registry, wanted } = sides
  const values: NewValue[] = []
  const add = (table: string, set: Pair) => values.push({ table, set, where: [] })
  const isThere = ({ table }: { readonly table: string }) => found.tables.has(table)
  const uids = wanted.flatMap(({ name: table, columns }) =>
    columns.filter(({ holds }) => holds === 'uids').map(({ name: column }) => ({ table, column })),
  )
  for (const { uid: to, renamedFrom: from } of registry.types.values()) {
    if (from === undefined) continue
    for (const { table, column } of uids.filter(isThere)) add(table, { column, from, to })
    for (const { table, column } of placesOf(sides, uidColumns).filter(isThere))
      for (const value of await namingValues(engine, before.get(table) ?? inPlace(table), column, from))
        add(table, { column, from: value, to: to + value.slice(from.length) })
    for (const value of isThere({ table: stepsTable }) ? await marksOf(engine, from) : [])
      add(stepsTable, { column: 'name', from: value, to: value.slice(0, -from.length) + to })
  }
  return values
}

interface Pair {
  readonly column: string
  readonly from: string
  readonly to: string
}
type RowCondition = readonly { readonly column: string; readonly from: string | readonly string[] }[]

const inPlace = (table: string): StoredNames => ({ table, column: name => name })

function whereOf<Query extends { whereIn(column: string, values: readonly string[]): unknown }>(
  query: Query,
  conditions: RowCondition,
  place: StoredNames,
): Query {
  for (const { column, from } of conditions) query.whereIn(place.column(column), [from].flat())
  return query
}

/** The column in which the rows of a link name their attribute, and the values of their other columns. */
function attributeColumn({ name, storage, embedded }: Link) {
  if (storage.via !== 'table') return undefined
  if (embedded) return { table: storage.table, name: 'field', others: {} }
  const column = Object.keys(storage.match).find(key => storage.match[key] === name)
  if (column === undefined) return undefined
  const { [column]: _, ...others } = storage.match
  return { table: storage.table, name: column, others }
}

/** The type of the link may be called otherwise as well, before or after. */
const sameLink = ({ uid, renamedFrom }: ContentType, match: Readonly<Record<string, string>>): RowCondition =>
  Object.entries(match).map(([column, value]) => ({
    column,
    from: value === uid && renamedFrom !== undefined ? [uid, renamedFrom] : value,
  }))

const placesOf = ({ registry }: Sides, columns: readonly UidColumn[]) =>
  columns.flatMap(({ type, attribute }) => {
    const found = registry.types.get(type)
    const column = found?.fields.get(attribute)?.column
    return found && column !== undefined ? [{ table: found.table, column }] : []
  })

async function namingValues(engine: Engine, place: StoredNames, column: string, uid: string): Promise<string[]> {
  const query = engine.knex(place.table).distinct(place.column(column))
  const values = (await rowsOf(engine.reader, query)).map(([value]) => String(value))
  return values.filter(value => value === uid || value.startsWith(`${uid}.`))
}

async function marksOf(engine: Engine, uid: string): Promise<string[]> {
  const rows = await rowsOf(engine.reader, engine.knex(stepsTable).select('name'))
  return rows.map(([name]) => String(name)).filter(name => name.endsWith(`/${uid}`))
}

import { counted } from '../../counted.js'
import { formerNames } from '../../schema/renamed.js'
import type { ContentType, Link } from '../../schema/types.js'
import { rowsOf } from '../built.js'
import type { Engine } from '../engine.js'
import { stepsTable } from '../steps.js'
import type { Change } from './change.js'
import { countOf } from './counts.js'
import type { Before, Renamed, Sides } from './renames.js'

/** A column of a plugin's type whose values are uids, or begin with one: actions. */
export interface UidColumn {
  readonly type: string
  readonly attribute: string
}

/** Values that name what is called otherwise now: the types of polymorphic links, the attributes of components, rights. */
export async function planValueRenames(
  sides: Sides,
  { before, found }: Pick<Renamed, 'before' | 'found'>,
  uidColumns: readonly UidColumn[],
): Promise<Change[]> {
  const { engine, registry, wanted } = sides
  const names = formerNames(registry)
  const changes: Change[] = []
  const add = async (table: string, set: Pair, where: Where) => {
    const place = before.get(table) ?? inPlace(table)
    const rows = await countOf(engine, whereOf(engine.knex(place.table).count(), [set, ...where], place))
    if (rows === 0) return
    const query = whereOf(engine.knex(table), [set, ...where], inPlace(table)).update({ [set.column]: set.to })
    changes.push({
      group: 'renames',
      describe: `${counted(rows, 'row')} of ${table} name ${set.to} in place of ${String(set.from)}`,
      steps: [query.toString()],
    })
  }

  for (const type of registry.types.values())
    for (const link of type.links.values()) {
      const from = names.attribute(type.uid, link.name)
      const column = attributeColumn(link)
      if (from === undefined || !column || !found.tables.has(column.table)) continue
      await add(column.table, { column: column.name, from, to: link.name }, sameLink(type, column.others))
    }
  const renamed = [...registry.types.values()].flatMap(({ uid, renamedFrom }) =>
    renamedFrom === undefined ? [] : [{ from: renamedFrom, to: uid }],
  )
  for (const pair of renamed) {
    for (const { name, columns } of wanted)
      for (const { name: column, holds } of columns)
        if (holds === 'uids' && found.tables.has(name)) await add(name, { column, ...pair }, [])
    for (const { table, column } of placesOf(sides, uidColumns)) {
      if (!found.tables.has(table)) continue
      for (const value of await namingValues(engine, before.get(table) ?? inPlace(table), column, pair.from))
        await add(table, { column, from: value, to: pair.to + value.slice(pair.from.length) }, [])
    }
    if (found.tables.has(stepsTable))
      for (const value of await marksOf(engine, pair.from))
        await add(stepsTable, { column: 'name', from: value, to: value.slice(0, -pair.from.length) + pair.to }, [])
  }
  return changes
}

interface Pair {
  readonly column: string
  readonly from: string
  readonly to: string
}
type Where = readonly { readonly column: string; readonly from: string | readonly string[] }[]

const inPlace = (table: string): Before => ({ table, column: name => name })

function whereOf<Query extends { whereIn(column: string, values: readonly string[]): unknown }>(
  query: Query,
  conditions: Where,
  place: Before,
): Query {
  for (const { column, from } of conditions) query.whereIn(place.column(column), [from].flat())
  return query
}

/** Where the rows of a link say to which attribute they belong, and what else they say. */
function attributeColumn({ name, storage, embedded }: Link) {
  if (storage.via !== 'table') return undefined
  if (embedded) return { table: storage.table, name: 'field', others: {} }
  const column = Object.keys(storage.match).find(key => storage.match[key] === name)
  if (column === undefined) return undefined
  const { [column]: _, ...others } = storage.match
  return { table: storage.table, name: column, others }
}

/** The type of the link may be called otherwise as well, before or after. */
const sameLink = ({ uid, renamedFrom }: ContentType, match: Readonly<Record<string, string>>): Where =>
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

async function namingValues(engine: Engine, place: Before, column: string, uid: string): Promise<string[]> {
  const query = engine.knex(place.table).distinct(place.column(column))
  const values = (await rowsOf(engine.reader, query)).map(([value]) => String(value))
  return values.filter(value => value === uid || value.startsWith(`${uid}.`))
}

async function marksOf(engine: Engine, uid: string): Promise<string[]> {
  const rows = await rowsOf(engine.reader, engine.knex(stepsTable).select('name'))
  return rows.map(([name]) => String(name)).filter(name => name.endsWith(`/${uid}`))
}

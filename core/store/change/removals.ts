import { counted } from '../../counted.js'
import type { Registry } from '../../schema/registry.js'
import type { Engine, Layout } from '../engine.js'
import type { Known, KnownTable } from '../known.js'
import { columnsUnder, type WantedTable } from '../layout.js'
import { strapiMark } from '../strapi-layout.js'
import type { Change, Group } from './change.js'
import { countRows, countValues } from './counts.js'
import { ddlOf } from './ddl.js'
import type { Renamed } from './renames.js'

interface Left {
  readonly engine: Engine
  readonly registry: Registry
  readonly wanted: readonly WantedTable[]
  readonly known: Known
  readonly found: Layout
  readonly before: Renamed['before']
  readonly disputed: Renamed['disputed']
}

/**
 * What content types of the app once made and no longer ask for. What plugins brought stays, as it is there again when
 * they are; what nobody here made is not even looked at.
 */
export async function planRemovals(left: Left): Promise<Change[]> {
  const { known, wanted, found, disputed } = left
  const changes: Change[] = []
  // What leads to a table goes before it.
  const gone = known.filter(table => !wanted.some(({ name }) => name === table.name) && isGone(table, left))
  for (const table of gone.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b))))
    changes.push(await dropTable(table, left))
  for (const table of wanted) {
    const former = known.find(({ name }) => name === table.name)
    if (!former) continue
    for (const { name, part = '', ofPlugin, foreign } of former.columns) {
      const [attribute = ''] = part.split(' ')
      const isWanted = table.columns.some(column => column.name === name)
      const isKept = ofPlugin || former.origin.ofPlugin || isUnserved(former, attribute, left.registry)
      if (isWanted || isKept || disputed.has(`${table.name}.${name}`) || !found.tables.get(table.name)?.has(name))
        continue
      changes.push(await dropColumn(former, name, foreign, left))
    }
    changes.push(...unwantedIndexes(table, former, left))
  }
  return changes
}

const isOwn = ({ origin }: KnownTable): boolean => origin.attribute === undefined

function isGone(table: KnownTable, { found, registry, disputed }: Left): boolean {
  const { origin, name } = table
  return (
    !disputed.has(name) &&
    found.tables.has(name) &&
    !origin.ofPlugin &&
    !isUnserved(table, origin.attribute ?? '', registry)
  )
}

/** The schema file has it, and the plugin that it needs is off. */
function isUnserved({ origin }: KnownTable, attribute: string, { types }: Registry): boolean {
  const unserved = types.get(origin.uid)?.unserved ?? []
  return attribute === '' ? unserved.length > 0 : unserved.includes(attribute)
}

const groupOf = (foreign: true | undefined): Group => (foreign ? 'strapi' : 'removals')

async function dropTable({ name, foreign }: KnownTable, { engine }: Left): Promise<Change> {
  const rows = await countRows(engine, name)
  return {
    group: groupOf(foreign),
    describe: `drop the table ${name} and its ${counted(rows, 'row')}`,
    steps: [ddlOf(engine).dropTable(name)],
    loses: rows,
  }
}

async function dropColumn(
  { name: table, indexes }: KnownTable,
  column: string,
  foreign: true | undefined,
  { engine, found, before }: Left,
): Promise<Change> {
  const ddl = ddlOf(engine)
  const values = await countValues(engine, before.get(table)?.table ?? table, column)
  const having = indexes.filter(index => columnsUnder(index).includes(column) && found.indexes.has(index.name))
  return {
    group: groupOf(foreign),
    describe: `drop the column ${table}.${column} and its ${counted(values, 'value')}`,
    steps: [...having.map(index => ddl.dropIndex(table, index)), ddl.dropColumn(table, column)],
    loses: values,
  }
}

/** Indexes that the schema asked for once: a unique one goes on refusing doubles that the schema allows. */
function unwantedIndexes(table: WantedTable, former: KnownTable, { engine, found }: Left): Change[] {
  // In a database of Strapi 4 fewer are wanted than are there: its own stay.
  if (found.tables.has(strapiMark)) return []
  const isCovered = (columns: readonly string[]) =>
    columns.every(column => table.columns.some(({ name }) => name === column))
  return former.indexes
    .filter(index => found.indexes.has(index.name) && isCovered(columnsUnder(index)) && !isAsked(table, index.name))
    .map(index => ({
      group: 'removals',
      describe: `drop the ${index.unique ? 'unique ' : ''}index ${index.name}`,
      steps: [ddlOf(engine).dropIndex(table.name, index)],
    }))
}

/** Wanted, or about to be replaced by one that is. */
const isAsked = ({ indexes }: WantedTable, name: string): boolean =>
  indexes.some(index => index.name === name || index.replaces === name)

import type { Engine, Layout } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import { snakeCase } from '../../schema/names.js'
import type { Registry } from '../../schema/registry.js'
import { columnsUnder, type RecordedLayout, type RecordedTable, type WantedTable } from '../layout.js'
import type { Change, Group } from './change.js'
import { countRows, countValues } from './counts.js'
import type { RenamedLayout } from './renames.js'

interface RemovalInputs {
  readonly engine: Engine
  readonly registry: Registry
  readonly wanted: readonly WantedTable[]
  readonly known: RecordedLayout
  readonly found: Layout
  readonly before: RenamedLayout['before']
  readonly disputed: RenamedLayout['disputed']
  /** True if another server made the database. */
  readonly isForeign: boolean
}

/**
 * Drops the tables and columns that content types of the app once created and no longer name. Those of plugins stay, as they are
 * used again when the plugins are; tables that stele did not create are not looked at.
 */
export async function planRemovals(left: RemovalInputs): Promise<Change[]> {
  const { known, wanted, found, disputed } = left
  const changes: Change[] = []
  // Tables that lead to others are dropped before them.
  const gone = known.filter(table => !wanted.some(({ name }) => name === table.name) && isGone(table, left))
  for (const table of gone.toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b))))
    changes.push(await dropTable(table, left))
  for (const table of wanted) {
    const former = known.find(({ name }) => name === table.name)
    if (!former) continue
    for (const { name, part = '', ofPlugin, foreign } of former.columns) {
      const [attribute = ''] = part.split(' ')
      const isWanted = table.columns.some(column => column.name === name)
      const isKept = ofPlugin || former.origin.ofPlugin || isDisabled(former, attribute, left.registry)
      if (isWanted || isKept || disputed.has(`${table.name}.${name}`) || !found.tables.get(table.name)?.has(name))
        continue
      changes.push(await dropColumn(former, name, foreign, left))
    }
    changes.push(...unwantedIndexes(table, former, left))
  }
  return changes
}

const isOwn = ({ origin }: RecordedTable): boolean => origin.attribute === undefined

function isGone(table: RecordedTable, { found, registry, disputed }: RemovalInputs): boolean {
  const { origin, name } = table
  return (
    !disputed.has(name) &&
    found.tables.has(name) &&
    !origin.ofPlugin &&
    !isDisabled(table, origin.attribute ?? '', registry)
  )
}

/** The schema file has it, and the plugin that it needs is disabled. */
function isDisabled({ origin }: RecordedTable, attribute: string, { types }: Registry): boolean {
  const unserved = types.get(origin.uid)?.unserved ?? []
  // Another server may remember no more of attributes of components than the names of their tables and columns.
  return attribute === '' ? unserved.length > 0 : unserved.map(snakeCase).includes(snakeCase(attribute))
}

const groupOf = (foreign: true | undefined): Group => (foreign ? 'foreign' : 'removals')

async function dropTable({ name, foreign }: RecordedTable, { engine }: RemovalInputs): Promise<Change> {
  const rows = await countRows(engine, name)
  return {
    group: groupOf(foreign),
    describe: `drop the table ${name} and its ${counted(rows, 'row')}`,
    steps: [engine.ddl.dropTable(name)],
    loses: rows,
  }
}

async function dropColumn(
  { name: table, indexes }: RecordedTable,
  column: string,
  foreign: true | undefined,
  { engine, found, before }: RemovalInputs,
): Promise<Change> {
  const { ddl } = engine
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
function unwantedIndexes(
  table: WantedTable,
  former: RecordedTable,
  { engine, found, isForeign }: RemovalInputs,
): Change[] {
  // A database of another server has more columns than are wanted: its own stay.
  if (isForeign) return []
  const isCovered = (columns: readonly string[]) =>
    columns.every(column => table.columns.some(({ name }) => name === column))
  return former.indexes
    .filter(index => found.indexes.has(index.name) && isCovered(columnsUnder(index)) && !isAsked(table, index.name))
    .map(index => ({
      group: 'removals',
      describe: `drop the ${index.unique ? 'unique ' : ''}index ${index.name}`,
      steps: [engine.ddl.dropIndex(table.name, index)],
    }))
}

/** Wanted, or about to be replaced by one that is. */
const isAsked = ({ indexes }: WantedTable, name: string): boolean =>
  indexes.some(index => index.name === name || index.replaces?.includes(name))

import type { Engine, Layout } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import type { Registry } from '../../schema/registry.js'
import { type FormerNames, formerNames } from '../../schema/renamed.js'
import {
  columnsUnder,
  type Origin,
  type RecordedColumn,
  type RecordedLayout,
  type RecordedTable,
  type WantedColumn,
  type WantedIndex,
  type WantedTable,
} from '../layout.js'
import { indexStatements } from '../sync.js'
import type { Change } from './change.js'
import { countRows, countValues } from './counts.js'
import { foreignKeysOf } from './foreign-keys.js'

/** The content types and the database that are compared with each other. */
export interface Sides {
  readonly engine: Engine
  readonly registry: Registry
  readonly wanted: readonly WantedTable[]
  readonly known: RecordedLayout
  readonly found: Layout
}

/** The renames of tables and columns, and everything as it is once they are done. */
export interface RenamedLayout {
  readonly changes: readonly Change[]
  readonly notes: readonly string[]
  readonly known: RecordedLayout
  readonly found: Layout
  /** The present names of a table and of its columns, before the renames. */
  readonly before: ReadonlyMap<string, StoredNames>
  /** Tables and columns (`table.column`) that would be renamed if nothing of that name were there. */
  readonly disputed: ReadonlySet<string>
}

export interface StoredNames {
  readonly table: string
  readonly column: (name: string) => string
}

/**
 * Finds tables and columns that exist under another name: they store the same part of the schema, or the one that the schema
 * gives as their former name.
 */
export async function planRenames(sides: Sides): Promise<RenamedLayout> {
  const { engine, wanted, found } = sides
  const { ddl } = engine
  const names = formerNames(sides.registry)
  const known = new Map(sides.known.map(table => [table.name, table]))
  const tables = new Map(found.tables)
  const indexes = new Set(found.indexes)
  const before = new Map<string, StoredNames>()
  const changes: Change[] = []
  const notes: string[] = []
  const disputed = new Set<string>()
  const dispute = (what: string, note: string) => {
    disputed.add(what)
    notes.push(note)
  }
  const replaced: string[] = []
  for (const table of wanted) {
    const source = await sourceOf(table, sides, names, dispute)
    const stored = source && found.tables.get(source.known.name)
    if (!source || !stored) continue
    if (source.replaces) {
      replaced.unshift(ddl.dropTable(table.name))
      // The indexes of a replaced table go with it, and their names are free for those of the renamed one.
      for (const { name } of table.indexes) indexes.delete(name)
    }
    const plan = await columnsOf(table, source.known, stored, { engine, names, dispute })
    const moved = source.known.name === table.name ? undefined : source.known.name
    before.set(table.name, { table: source.known.name, column: name => plan.renames.get(name) ?? name })
    if (moved === undefined && plan.renames.size === 0) continue
    const renamed = renamedTable(table, source.known, plan.renames)
    const kept = indexesOf(table, renamed, plan.dropped, indexes)
    const steps = [
      ...plan.dropped.flatMap(name => dropColumn(ddl, table.name, name, { former: source.known.indexes, indexes })),
      ...[...plan.renames].map(([to, from]) => ddl.renameColumn(table.name, from, to)),
      ...kept.flatMap(({ from, index }) => renameIndex(engine, table.name, from, index)),
    ]
    changes.push({
      group: 'renames',
      describe: sentence(table, moved, plan.renames),
      steps: moved === undefined ? steps : await movingSteps(engine, table, { moved, plan, steps }),
    })
    for (const { from, index } of kept) {
      indexes.delete(from)
      indexes.add(index.name)
    }
    known.delete(source.known.name)
    known.set(table.name, renamed)
    tables.delete(source.known.name)
    tables.set(table.name, renamedColumns(stored, plan))
  }
  if (replaced.length > 0)
    changes.unshift({ group: 'renames', describe: 'tables without rows make way for renamed ones', steps: replaced })
  return { changes, notes, known: [...known.values()], found: { tables, indexes }, before, disputed }
}

type Dispute = (what: string, note: string) => void

interface Source {
  readonly known: RecordedTable
  /** A table without rows has its name already. */
  readonly replaces?: boolean
}

async function sourceOf(
  table: WantedTable,
  { engine, wanted, known, found }: Sides,
  names: FormerNames,
  dispute: Dispute,
): Promise<Source | undefined> {
  const { name, origin } = table
  if (!origin) return undefined
  const isThere = found.tables.has(name)
  const own = isThere ? known.find(one => one.name === name) : undefined
  const former = known.find(
    one =>
      one.name !== name &&
      found.tables.has(one.name) &&
      !wanted.some(other => other.name === one.name) &&
      isSame(one.origin, origin, names),
  )
  if (!former) return own && { known: own }
  if (!isThere) return { known: former }
  // A table of this name was made before the schema said what it had been called.
  const isDeclared = former.origin.uid !== origin.uid || former.origin.attribute !== origin.attribute
  const rows = isDeclared ? await countRows(engine, name) : 0
  if (isDeclared && rows === 0) return { known: former, replaces: true }
  if (isDeclared)
    dispute(
      former.name,
      `${former.name} cannot become ${name}: both are there, and ${name} has ${counted(rows, 'row')}; move them by hand, or take renamedFrom away`,
    )
  return own && { known: own }
}

function isSame(one: Origin, origin: Origin, names: FormerNames): boolean {
  const attribute = origin.attribute && names.attribute(origin.uid, origin.attribute)
  return (
    (one.uid === origin.uid || one.uid === names.uid(origin.uid)) &&
    (one.attribute === origin.attribute || (one.attribute !== undefined && one.attribute === attribute))
  )
}

interface Columns {
  /** The names that columns have now, by those that they get. */
  readonly renames: ReadonlyMap<string, string>
  /** Columns without values that have such a name already. */
  readonly dropped: readonly string[]
}

async function columnsOf(
  table: WantedTable,
  source: RecordedTable,
  stored: ReadonlyMap<string, string>,
  { engine, names, dispute }: { engine: Engine; names: FormerNames; dispute: Dispute },
): Promise<Columns> {
  const renames = new Map<string, string>()
  const dropped: string[] = []
  const target = table.origin?.target
  const leadsElsewhere = source.origin.target !== target && source.origin.target !== names.uid(target ?? '')
  for (const column of table.columns) {
    if (leadsElsewhere && (column.part === 'to' || column.part === 'order')) continue
    const former = source.columns.find(
      one =>
        one.name !== column.name &&
        stored.has(one.name) &&
        !table.columns.some(other => other.name === one.name) &&
        isSamePart(one, column, table, names),
    )
    if (!former) continue
    if (!stored.has(column.name)) renames.set(column.name, former.name)
    else if (former.part !== column.part) {
      const values = await countValues(engine, source.name, column.name)
      if (values === 0) {
        dropped.push(column.name)
        renames.set(column.name, former.name)
      } else
        dispute(
          `${table.name}.${former.name}`,
          `${table.name}.${former.name} cannot become ${column.name}: both are there, and ${column.name} has ${counted(values, 'value')}; move them by hand, or take renamedFrom away`,
        )
    }
  }
  return { renames, dropped }
}

/** Attributes have former names; the sides of a link have none. */
function isSamePart(one: RecordedColumn, { part }: WantedColumn, { origin }: WantedTable, names: FormerNames): boolean {
  if (part === undefined || origin === undefined) return false
  if (one.part === part) return true
  if (origin.attribute !== undefined) return false
  const [attribute = '', side] = part.split(' ')
  const former = names.attribute(origin.uid, attribute)
  return former !== undefined && one.part === (side === undefined ? former : `${former} ${side}`)
}

function renamedTable(table: WantedTable, source: RecordedTable, renames: Columns['renames']): RecordedTable {
  const nameOf = newNames(renames)
  const columns = source.columns
    .filter(({ name }) => !renames.has(name))
    .map(column => {
      const name = nameOf(column.name)
      const part = table.columns.find(one => one.name === name)?.part ?? column.part
      return { ...column, name, ...(part !== undefined && { part }) }
    })
  const indexes = source.indexes.map(index => ({
    ...index,
    columns: index.columns.map(nameOf),
    ...(index.present && { present: index.present.map(nameOf) }),
  }))
  return { ...source, name: table.name, origin: table.origin ?? source.origin, columns, indexes }
}

const newNames = (renames: Columns['renames']) => {
  const byOld = new Map([...renames].map(([to, from]) => [from, to]))
  return (name: string): string => byOld.get(name) ?? name
}

function renamedColumns(stored: ReadonlyMap<string, string>, { renames, dropped }: Columns): Map<string, string> {
  const nameOf = newNames(renames)
  const left = [...stored].filter(([name]) => !dropped.includes(name))
  return new Map(left.map(([name, type]) => [nameOf(name), type]))
}

/** Indexes that the table still wants, under the names that they get. */
function indexesOf(
  table: WantedTable,
  renamed: RecordedTable,
  dropped: readonly string[],
  there: ReadonlySet<string>,
): { from: string; index: WantedIndex }[] {
  return table.indexes.flatMap(index => {
    if (there.has(index.name) && !columnsUnder(index).some(column => dropped.includes(column))) return []
    const old = renamed.indexes.find(
      one =>
        one.name !== index.name &&
        there.has(one.name) &&
        one.unique === index.unique &&
        columnsUnder(one).join() === columnsUnder(index).join(),
    )
    return old ? [{ from: old.name, index }] : []
  })
}

/** The steps within a table, when the table is called otherwise as well. */
async function movingSteps(
  engine: Engine,
  table: WantedTable,
  { moved, plan, steps }: { readonly moved: string; readonly plan: Columns; readonly steps: readonly string[] },
): Promise<string[]> {
  const keys = await foreignKeysOf(engine, table, moved, plan.renames)
  return [engine.ddl.renameTable(moved, table.name), ...steps, ...keys]
}

/** An index that keeps its name is created again. */
function renameIndex(engine: Engine, table: string, from: string, index: WantedIndex): string[] {
  const { ddl } = engine
  if (ddl.renameIndex) return [ddl.renameIndex(table, from, index.name)]
  return [ddl.dropIndex(table, { ...index, name: from }), ...indexStatements(engine, table, index)]
}

function dropColumn(
  ddl: Engine['ddl'],
  table: string,
  column: string,
  { former, indexes }: { readonly former: readonly WantedIndex[]; readonly indexes: Set<string> },
): string[] {
  // Some engines keep a column that an index has.
  const having = former.filter(index => columnsUnder(index).includes(column) && indexes.delete(index.name))
  return [...having.map(index => ddl.dropIndex(table, index)), ddl.dropColumn(table, column)]
}

function sentence(table: WantedTable, moved: string | undefined, renames: Columns['renames']): string {
  const columns = [...renames].map(
    ([to, from]) => `${moved === undefined ? `${table.name}.` : ''}${from} becomes ${to}`,
  )
  if (moved === undefined) return `the column ${columns.join(', ')}`
  return `the table ${moved} becomes ${table.name}${columns.length > 0 ? `, its ${columns.join(', ')}` : ''}`
}

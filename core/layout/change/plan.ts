import type { Engine, Layout } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import type { ForeignLayout } from '../foreign.js'
import type { RecordedLayout, WantedTable } from '../layout.js'
import { compare, type Step } from '../sync.js'
import { type PluginsOfApp, showEntries, type WithheldEntries, withheldEntries } from '../withheld.js'
import type { Change, Plan, PreventedChange } from './change.js'
import { countOf } from './counts.js'
import { planMisplaced } from './misplaced.js'
import { planMissingIds, tablesWithoutId } from './missing-ids.js'
import { planRemovals } from './removals.js'
import { planRenames, type RenamedLayout, type Sides } from './renames.js'
import { planTypeChanges } from './type-changes.js'
import { planValueRenames, type UidColumn } from './value-renames.js'

export interface PlanOptions {
  readonly uidColumns: readonly UidColumn[]
  readonly pluginsOfApp: PluginsOfApp
  readonly foreign: Pick<ForeignLayout, 'isHere'>
  /** Called with how far a long look at values has come. */
  readonly progress: (label: string, total: number) => (rows: number) => void
}

/** Everything that stands between the content types and the database. Nothing is changed. */
export async function planChanges(sides: Sides, options: PlanOptions): Promise<Plan> {
  const { uidColumns, pluginsOfApp, foreign, progress } = options
  const { engine, wanted } = sides
  const renamed = await planRenames(sides)
  const { found, known, before, disputed } = renamed
  const values = await planValueRenames(sides, renamed, uidColumns)
  const types = await planTypeChanges(sides, renamed, progress)
  const bare = new Set(tablesWithoutId(wanted, found).map(({ name }) => name))
  // SQLite refers to such a table by its present name.
  const links = renamed.changes.length > 0 ? [] : await planMissingIds(engine, wanted, found)
  const additions: Change[] = []
  const prevented: PreventedChange[] = []
  for (const step of compare(engine, wanted, found).additions) {
    // Their columns come with their ids, and their indexes need the columns.
    if (bare.has(step.table) && (step.adds === 'column' || links.length === 0)) continue
    const doubles = await doublesOf(step, sides, renamed)
    if (doubles === 0) additions.push({ group: 'additions', describe: step.describe, steps: step.statements })
    else
      prevented.push({
        describe: `${step.describe}: ${counted(doubles, 'value')} of ${step.index?.columns.join(', ')} ${doubles === 1 ? 'stands' : 'stand'} there more than once`,
        statements: step.statements,
        advice: `make the values of ${step.table} different from each other; requests refuse new doubles without the index as well`,
      })
  }
  const withheld = await withheldEntries(engine, sides.registry, pluginsOfApp, sides.found)
  const isForeign = foreign.isHere(sides.found)
  const misplaced = await planMisplaced(sides, renamed)
  const kept = new Set([...disputed, ...misplaced.held])
  const removals = await planRemovals({ ...sides, found, known, before, disputed: kept, isForeign })
  return {
    changes: [
      ...renamed.changes,
      ...values,
      ...types,
      ...links,
      ...additions,
      ...misplaced.changes,
      ...withheld.map(entries => shown(engine, entries)),
      ...removals,
    ],
    prevented: [...prevented, ...misplaced.prevented],
    known: united(sides.known, renamed),
    notes: [...renamed.notes, ...strangers(wanted, found, renamed)],
  }
}

/** Names from before and after renames, as a run that is broken off leaves some of each. */
function united(former: RecordedLayout, { known, before }: RenamedLayout): RecordedLayout {
  const names = new Set(known.map(({ name }) => name))
  const later = known.map(table => {
    const source = former.find(({ name }) => name === before.get(table.name)?.table)
    const columns = source?.columns.filter(({ name }) => !table.columns.some(column => column.name === name)) ?? []
    return { ...table, columns: [...table.columns, ...columns] }
  })
  return [...later, ...former.filter(({ name }) => !names.has(name))]
}

/** Changes no row: records that the entries may be read, so that the start no longer refuses. */
function shown(engine: Engine, entries: WithheldEntries): Change {
  const { what, plugin, mark } = entries
  return {
    group: 'withheld',
    describe: `make ${what} readable, which ${plugin} has hidden`,
    steps: [{ describe: `record the step ${mark}`, rows: 1, run: session => showEntries(engine, session, entries) }],
  }
}

/** Sentences about renames that are still to be made: a start must not go on as if the values stored under the old names were not there. */
export async function pendingRenames(sides: Sides, uidColumns: readonly UidColumn[]): Promise<readonly string[]> {
  const renamed = await planRenames(sides)
  const values = await planValueRenames(sides, renamed, uidColumns)
  return [...renamed.changes, ...values].map(({ describe }) => describe)
}

/** Sentences about values that requests do not see because they are stored beside their place. */
export async function misplacedIn(sides: Sides): Promise<readonly string[]> {
  const { changes, prevented } = await planMisplaced(sides, { ...sides, changes: [] })
  return [...changes, ...prevented].map(({ describe }) => describe)
}

/** The number of values that occur more than once in the columns of a future unique index. */
async function doublesOf(step: Step, { engine }: Sides, { before }: RenamedLayout): Promise<number> {
  const { index, table } = step
  const place = before.get(table)
  if (!index?.unique || !place) return 0
  const { knex } = engine
  const there = new Set((await engine.introspect()).tables.get(place.table)?.keys())
  const columns = index.columns.map(place.column)
  // A column that is yet to be added has no values.
  if (!columns.every(column => there.has(column))) return 0
  const groups = knex(place.table).select(knex.raw('1 as one')).groupBy(columns).havingRaw('count(*) > 1')
  for (const column of columns) groups.whereNotNull(column)
  return countOf(engine, knex.count().from(groups.as('doubles')))
}

/** Columns that stele did not create, in tables of the schema. */
function strangers(wanted: readonly WantedTable[], found: Layout, { known }: RenamedLayout): string[] {
  return wanted.flatMap(({ name, columns }) => {
    const ours = new Set(['id', ...columns.map(column => column.name)])
    for (const column of known.find(table => table.name === name)?.columns ?? []) ours.add(column.name)
    return [...(found.tables.get(name)?.keys() ?? [])]
      .filter(column => !ours.has(column))
      .map(column => `${name}.${column} is not of the schema, and was not made by it: it is left alone`)
  })
}

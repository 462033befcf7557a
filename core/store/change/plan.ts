import { counted } from '../../counted.js'
import type { Layout } from '../engine.js'
import type { Known } from '../known.js'
import type { WantedTable } from '../layout.js'
import { compare, type Step } from '../sync.js'
import type { Change, Plan, Prevented } from './change.js'
import { countOf } from './counts.js'
import { planRemovals } from './removals.js'
import { planRenames, type Renamed, type Sides } from './renames.js'
import { planTypeChanges } from './type-changes.js'
import { planValueRenames, type UidColumn } from './value-renames.js'

export interface PlanOptions {
  readonly uidColumns: readonly UidColumn[]
  /** Is told how far a long look at values has come. */
  readonly progress: (label: string, total: number) => (rows: number) => void
}

/** Everything that stands between the content types and the database. Nothing is changed. */
export async function planChanges(sides: Sides, { uidColumns, progress }: PlanOptions): Promise<Plan> {
  const { engine, wanted } = sides
  const renamed = await planRenames(sides)
  const { found, known, before, disputed } = renamed
  const values = await planValueRenames(sides, renamed, uidColumns)
  const types = await planTypeChanges(sides, renamed, progress)
  const additions: Change[] = []
  const prevented: Prevented[] = []
  for (const step of compare(engine, wanted, found).additions) {
    const doubles = await doublesOf(step, sides, renamed)
    if (doubles === 0) additions.push({ group: 'additions', describe: step.describe, steps: step.statements })
    else
      prevented.push({
        describe: `${step.describe}: ${counted(doubles, 'value')} of ${step.index?.columns.join(', ')} ${doubles === 1 ? 'stands' : 'stand'} there more than once`,
        statements: step.statements,
        advice: `make the values of ${step.table} different from each other; requests refuse new doubles without the index as well`,
      })
  }
  const removals = await planRemovals({ ...sides, found, known, before, disputed })
  return {
    changes: [...renamed.changes, ...values, ...types, ...additions, ...removals],
    prevented,
    known: united(sides.known, renamed),
    notes: [...renamed.notes, ...strangers(wanted, found, renamed)],
  }
}

/** Names from before and after renames, as a run that is broken off leaves some of each. */
function united(former: Known, { known, before }: Renamed): Known {
  const names = new Set(known.map(({ name }) => name))
  const later = known.map(table => {
    const source = former.find(({ name }) => name === before.get(table.name)?.table)
    const columns = source?.columns.filter(({ name }) => !table.columns.some(column => column.name === name)) ?? []
    return { ...table, columns: [...table.columns, ...columns] }
  })
  return [...later, ...former.filter(({ name }) => !names.has(name))]
}

/** Renames that are still to be made, in sentences: a start must not go on as if what was stored were not there. */
export async function pendingRenames(sides: Sides, uidColumns: readonly UidColumn[]): Promise<readonly string[]> {
  const renamed = await planRenames(sides)
  const values = await planValueRenames(sides, renamed, uidColumns)
  return [...renamed.changes, ...values].map(({ describe }) => describe)
}

/** How many values stand more than once where a unique index is wanted. */
async function doublesOf(step: Step, { engine }: Sides, { before }: Renamed): Promise<number> {
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

/** Columns that nobody here made, in tables of the schema. */
function strangers(wanted: readonly WantedTable[], found: Layout, { known }: Renamed): string[] {
  return wanted.flatMap(({ name, columns }) => {
    const ours = new Set(['id', ...columns.map(column => column.name)])
    for (const column of known.find(table => table.name === name)?.columns ?? []) ours.add(column.name)
    return [...(found.tables.get(name)?.keys() ?? [])]
      .filter(column => !ours.has(column))
      .map(column => `${name}.${column} is not of the schema, and was not made by it: it is left alone`)
  })
}

import type { Knex } from 'knex'
import { sqlOf } from '../engines/ddl.js'
import type { Engine, Layout } from '../engines/engine.js'
import type { Log } from '../log.js'
import type { WantedColumn, WantedIndex, WantedTable } from './layout.js'
import { withLease } from './lease.js'

/** The differences between the content types and the database. */
export interface SyncPlan {
  /** Steps that only add: done on boot. */
  readonly additions: readonly Step[]
  /** Differences that only a person should settle: printed, and left alone. */
  readonly differences: readonly string[]
}

export interface Step {
  readonly adds: 'table' | 'column' | 'index' | 'nothing'
  readonly table: string
  readonly describe: string
  readonly statements: readonly string[]
  /** May fail because of data that is there, such as doubles under a unique index; the server runs without it. */
  readonly optional: boolean
  readonly index?: WantedIndex
}

/** The receivers of messages about additions. */
export interface SyncReporters {
  readonly log: Log
  /** Receives every step: its number, and the number of all. */
  readonly progress: { at(doing: string, done: number, total: number): void }
}

/** Adds missing tables, columns and indexes. No data is ever dropped, renamed or narrowed here. */
export async function add(engine: Engine, wanted: readonly WantedTable[], told: SyncReporters): Promise<void> {
  const { log } = told
  const work = () => addAll(engine, wanted, told)
  // `locked` alone holds back every other writer, of whichever process.
  if (engine.facts.oneWriter) await work()
  else
    await withLease(engine, { maxWait, onWait: () => log.info('waiting for a process that changes the layout') }, work)
}

/** Milliseconds that a start waits for another process. */
const maxWait = 60_000

async function addAll(engine: Engine, wanted: readonly WantedTable[], { log, progress }: SyncReporters): Promise<void> {
  await engine.locked(async () => {
    // Another process may have done the work while this one waited.
    const { additions } = compare(engine, wanted, await engine.introspect())
    const taken: Step[] = []
    const groups = byNewTable(additions)
    for (const [done, steps] of groups.entries()) {
      progress.at('adding tables, columns and indexes to the database', done, groups.length)
      if (await takeTogether(engine, steps, log)) taken.push(...steps)
      else for (const step of steps) if (await take(engine, step, log)) taken.push(step)
    }
    if (taken.some(({ adds }) => adds !== 'nothing')) log.info(summary(taken))
  })
}

/** A new database gets a hundred things: told one by one only to those who ask for details. */
function summary(steps: readonly Step[]): string {
  const counted = (['table', 'column', 'index'] as const).flatMap(kind => {
    const { length } = steps.filter(({ adds }) => adds === kind)
    const plural = kind === 'index' ? 'indexes' : `${kind}s`
    return length === 0 ? [] : [`${length} ${length === 1 ? kind : plural}`]
  })
  return `added to the database: ${counted.join(', ')}`
}

/** A table that is made comes with all that belongs to it; every other step stands alone. */
function byNewTable(additions: readonly Step[]): Step[][] {
  const groups: Step[][] = []
  for (const step of additions) {
    const group = groups.at(-1)
    if (step.adds === 'index' && group?.[0]?.adds === 'table' && group[0].table === step.table) group.push(step)
    else groups.push([step])
  }
  return groups
}

/** False if that cannot be, and nothing is done: step by step it shows which of them the database refuses. */
async function takeTogether(engine: Engine, steps: readonly Step[], log: Log): Promise<boolean> {
  if (!engine.ddl.together || steps[0]?.adds !== 'table') return false
  try {
    await engine.alter(engine.ddl.together(steps.flatMap(({ statements }) => statements)))
  } catch {
    return false
  }
  for (const { describe } of steps) log.debug(describe)
  return true
}

async function take(engine: Engine, { adds, describe, statements, optional }: Step, log: Log): Promise<boolean> {
  try {
    await engine.alter(statements)
    if (adds === 'column' || adds === 'nothing') log.info(describe)
    else log.debug(describe)
    return true
  } catch (error) {
    if (!optional) throw Object.assign(error as Error, { message: `${describe}: ${(error as Error).message}` })
    log.warn({ reason: (error as Error).message }, `could not ${describe}; the data that is there forbids it`)
    return false
  }
}

/** Compares the layout that the content types want with that of the database. */
export function compare(engine: Engine, wanted: readonly WantedTable[], found: Layout): SyncPlan {
  const additions: Step[] = []
  const differences: string[] = []
  for (const table of wanted) {
    const columns = found.tables.get(table.name)
    if (columns) {
      const compared = compareColumns(engine, table, columns)
      additions.push(...compared.additions)
      differences.push(...compared.differences)
    } else additions.push(createTable(engine, table))
    for (const index of table.indexes) {
      if (!found.indexes.has(index.name)) additions.push(addIndex(engine, table.name, index))
      for (const replaced of index.replaces ?? [])
        if (found.indexes.has(replaced)) additions.push(dropReplaced(engine, table.name, index, replaced))
    }
  }
  return { additions, differences }
}

/** Compares a table that is there, by the names and types of its columns. */
function compareColumns(engine: Engine, table: WantedTable, columns: ReadonlyMap<string, string>): SyncPlan {
  const additions: Step[] = []
  const differences: string[] = []
  for (const column of table.columns) {
    const type = columns.get(column.name)
    if (type === undefined) additions.push(addColumn(engine, table.name, column))
    else if (!sameFamily(type, column.type))
      differences.push(`column ${table.name}.${column.name} is ${type}, the schema asks for ${column.type}`)
  }
  const known = new Set(['id', ...table.columns.map(column => column.name)])
  for (const name of columns.keys())
    if (!known.has(name))
      differences.push(
        `column ${table.name}.${name} is not in the schema; it is kept and not served; if the attribute was renamed, add "renamedFrom" with the former name to the new one, and \`stele apply\` keeps the values`,
      )
  return { additions, differences }
}

const dropReplaced = (engine: Engine, table: string, { name, unique }: WantedIndex, replaced: string): Step => ({
  adds: 'nothing',
  table,
  describe: `drop the index ${replaced}: ${name} takes its place`,
  statements: [engine.ddl.dropIndex(table, { name: replaced, unique })],
  optional: true,
})

export function addIndex(engine: Engine, table: string, index: WantedIndex): Step {
  return {
    adds: 'index',
    table,
    describe: `add the ${index.unique ? 'unique ' : ''}index ${index.name}`,
    statements: indexStatements(engine, table, index),
    optional: true,
    index,
  }
}

export function indexStatements({ knex }: Pick<Engine, 'knex'>, table: string, index: WantedIndex): string[] {
  const { name, columns, unique, present = [] } = index
  const areSet = knex.queryBuilder()
  for (const column of present) areSet.whereNotNull(column)
  return sqlOf(
    knex.schema.alterTable(table, builder => {
      if (unique) builder.unique([...columns], { indexName: name })
      else builder.index([...columns], name, present.length > 0 ? { predicate: areSet } : {})
    }),
  )
}

function createTable(engine: Engine, table: WantedTable): Step {
  const statements = createStatements(engine, table)
  return { adds: 'table', table: table.name, describe: `create the table ${table.name}`, statements, optional: false }
}

export function createStatements(engine: Engine, table: WantedTable): string[] {
  return sqlOf(
    engine.knex.schema.createTable(table.name, builder => {
      builder.increments('id')
      for (const column of table.columns) build(builder, table.name, column)
      engine.ddl.inTransactions?.(builder)
      engine.ddl.collate?.(builder)
    }),
  )
}

function addColumn(engine: Engine, table: string, column: WantedColumn): Step {
  const statements = sqlOf(
    engine.knex.schema.alterTable(table, builder =>
      build(builder, table, { ...column, references: undefined } as WantedColumn),
    ),
  )
  return { adds: 'column', table, describe: `add the column ${table}.${column.name}`, statements, optional: false }
}

function build(builder: Knex.CreateTableBuilder, table: string, { name, type, references }: WantedColumn): void {
  builder.specificType(name, type).nullable()
  if (references)
    builder
      .foreign(name, foreignKeyName(table, name))
      .references('id')
      .inTable(references.table)
      .onDelete(references.onDelete)
}

export const foreignKeyName = (table: string, column: string): string => `${table}_${column}_fk`.slice(-60)

const families: readonly [RegExp, string][] = [
  [/json/, 'json'],
  [/char|text|clob|enum/, 'text'],
  [/bool|tinyint\(1\)|^bit/, 'boolean'],
  [/bigint/, 'bigint'],
  [/int/, 'integer'],
  [/float|double|real|dec|numeric/, 'number'],
  [/datetime|timestamp/, 'datetime'],
  [/date/, 'date'],
  [/time/, 'time'],
]

export const familyOf = (type: string): string => families.find(([pattern]) => pattern.test(type))?.[1] ?? type

/** Types are compared by their families: engines spell the same one in many ways, and MariaDB's JSON is a text. */
export function sameFamily(found: string, wanted: string): boolean {
  const [a, b] = [familyOf(found), familyOf(wanted)]
  return a === b || (b === 'json' && found === 'longtext')
}

import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { change, rowsOf } from '../engines/built.js'
import type { Engine, Session } from '../engines/engine.js'
import { prepareState, stateTable, writeState } from '../engines/server/state.js'
import type { Log } from '../log.js'
import type { Registry } from '../schema/registry.js'
import { searchPrefix } from '../schema/search-index.js'
import type { SearchIndex } from '../schema/types.js'
import type { ForeignLayout } from './foreign.js'
import { withLease } from './lease.js'

/** Milliseconds that a start waits for another process, which may be building an index. */
const maxWait = 600_000

interface IndexContext {
  readonly registry: Pick<Registry, 'types'>
  readonly foreign: Pick<ForeignLayout, 'isHere' | 'protect'>
  readonly log: Log
}

/** The search indexes to build and those to drop. */
interface State {
  readonly missing: readonly SearchIndex[]
  /** Names of indexes for which no type asks. */
  readonly left: readonly string[]
}

/**
 * Builds the indexes of words that types ask for, where they are missing, and where the option, a column or the way of
 * folding has changed, and drops those for which no type asks: all that is in them is in the tables of the types. Where the
 * database does not allow it, texts are read instead. True if anything may have changed.
 */
export async function buildSearchIndexes(engine: Engine, setting: IndexContext): Promise<boolean> {
  const { registry, log } = setting
  if (isDone(await findSearchIndexes(engine, registry))) return false
  try {
    await prepareState(engine)
    await alone(engine, log, () => buildAll(engine, setting))
  } catch (error) {
    const reason = (error as Error).message
    log.warn({ err: error }, `the index of the words of texts could not be built, so _q reads the texts: ${reason}`)
  }
  await findSearchIndexes(engine, registry)
  return true
}

const isDone = ({ missing, left }: State): boolean => missing.length + left.length === 0

const markOf = (name: string): string => `search/${name.slice(searchPrefix.length)}`

/** A hash of the inputs that an index was built from. */
const printOf = ({ search }: Engine, index: SearchIndex): string =>
  createHash('sha256')
    .update(JSON.stringify([search.version, index.table, index.fields]))
    .digest('base64url')
    .slice(0, 16)

/** Finds which indexes are complete, so that searches use them; nothing is written. */
export async function findSearchIndexes(engine: Engine, { types }: IndexContext['registry']): Promise<State> {
  const wanted = [...types.values()].flatMap(({ search }) => (search ? [search] : []))
  const { knex, reader, search } = engine
  const found = new Map(
    (await reader.all(search.found, [])).map(([name, table]) => [String(name), String(table).toLowerCase()]),
  )
  const hasMarks = found.size > 0 && (await engine.introspect()).tables.has(stateTable)
  const marks = hasMarks
    ? await rowsOf(reader, knex(stateTable).select('name', 'value').where('name', 'like', 'search/%'))
    : []
  const prints = new Map(marks.map(([name, print]) => [String(name), String(print)]))
  for (const index of wanted)
    index.isComplete =
      found.get(index.name) === index.table.toLowerCase() && prints.get(markOf(index.name)) === printOf(engine, index)
  return {
    missing: wanted.filter(({ isComplete }) => !isComplete),
    left: [...found.keys()].filter(name => !wanted.some(index => index.name === name)),
  }
}

/** Runs work while no other process changes the layout. */
async function alone(engine: Engine, log: Log, work: () => Promise<void>): Promise<void> {
  const onWait = () => log.info('waiting for a process that changes the layout')
  if (!engine.facts.oneWriter) return withLease(engine, { maxWait, onWait }, work)
  for (const deadline = performance.now() + maxWait; ; await wait(100)) {
    try {
      return await work()
    } catch (error) {
      // A file that another process writes is locked: that one may be building the index.
      if (engine.classify(error)?.kind !== 'retry' || performance.now() > deadline) throw error
    }
  }
}

async function buildAll(engine: Engine, { registry, foreign, log }: IndexContext): Promise<void> {
  // Another process may have done the work while this one waited.
  const { missing, left } = await findSearchIndexes(engine, registry)
  const obstacle = missing.length > 0 ? await engine.search.obstacle?.(engine.reader) : undefined
  if (obstacle !== undefined) throw new Error(obstacle)
  for (const name of left) {
    await engine.altering(session => drop(engine, session, name))
    log.info(`dropped the index of words ${name}, for which no type asks`)
  }
  for (const index of missing) await build(engine, index, log)
  const found = await engine.introspect()
  const tables = [...found.tables.keys()].filter(name => name.startsWith(searchPrefix))
  if (foreign.isHere(found)) await foreign.protect(engine, tables)
}

/** Builds an index. Rows written meanwhile come through the triggers; the mark comes last, so that a half-built index is built again. */
async function build(engine: Engine, index: SearchIndex, log: Log): Promise<void> {
  const { search } = engine
  const start = performance.now()
  await engine.altering(async session => {
    await runAll(session, [...search.drop(index.name), ...search.create(index)])
  })
  await engine.altering(async session => {
    await runAll(session, search.fill(index))
    await writeState(engine, session, markOf(index.name), printOf(engine, index))
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  log.info(
    `built the index of the words of ${index.table} (${index.fields.map(({ name }) => name).join(', ')}) in ${seconds} s`,
  )
}

async function drop({ search, knex }: Engine, session: Session, name: string): Promise<void> {
  await runAll(session, search.drop(name))
  await change(
    session,
    knex(stateTable)
      .where({ name: markOf(name) })
      .delete(),
  )
}

/** Drops all indexes of words: the columns that they were read from are about to change their form. */
export async function dropSearchIndexes(engine: Engine, session: Session): Promise<void> {
  for (const [name] of await session.all(engine.search.found, [])) await drop(engine, session, String(name))
}

async function runAll(session: Session, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await session.run(sql, [])
}

import type { Engine, Layout } from '../engines/engine.js'
import { prepareState, readState, stateTable, writeState } from '../engines/server/state.js'
import { recordVersion } from './changed-by.js'
import type { ForeignLayout } from './foreign.js'
import type { RecordedColumn, RecordedLayout, RecordedTable, WantedColumn, WantedIndex, WantedTable } from './layout.js'
import { unlessTaken } from './marks.js'
import { sameFamily } from './sync.js'

const key = 'layout'

/** The layout recorded in the database; if this server has not recorded any yet, the one that another server remembers. */
export async function readRecordedLayout(
  engine: Engine,
  wanted: readonly WantedTable[],
  found: Layout,
  foreign: Pick<ForeignLayout, 'known'>,
): Promise<RecordedLayout> {
  if (found.tables.has(stateTable)) {
    const kept = await readState(engine, engine.reader, key)
    if (kept !== undefined) return JSON.parse(kept) as RecordedLayout
  }
  return foreign.known(engine, wanted, found)
}

/** Records the layout as it is now; nothing is written if it has not changed. */
export async function saveRecordedLayout(
  engine: Engine,
  known: RecordedLayout,
  wanted: readonly WantedTable[],
): Promise<void> {
  await prepareState(engine)
  const next = merged(known, wanted, await engine.introspect())
  const text = JSON.stringify(next)
  // A conflict means that another process, started at the same time, has written it.
  await unlessTaken(engine, () =>
    engine.transaction(async session => {
      if ((await readState(engine, session, key)) !== text) await writeState(engine, session, key, text)
      await recordVersion(engine, session)
    }),
  )
}

/** Keeps all of this, there or not. */
export async function writeRecordedLayout(engine: Engine, known: RecordedLayout): Promise<void> {
  await engine.transaction(async session => {
    await writeState(engine, session, key, JSON.stringify(known))
    await recordVersion(engine, session)
  })
}

/** The recorded layout once these tables are wanted: those of them that exist, and those that existed before and still do. */
export function merged(
  known: RecordedLayout,
  wanted: readonly WantedTable[],
  { tables, indexes }: Layout,
): RecordedLayout {
  const isThere = ({ name }: WantedIndex) => indexes.has(name)
  const now = wanted.flatMap(({ name, origin, columns, indexes: wished }): RecordedTable[] => {
    const stored = tables.get(name)
    if (!origin || !stored) return []
    const former = known.find(table => table.name === name)
    const left = (former?.columns ?? []).filter(old => stored.has(old.name) && !columns.some(isCalled(old.name)))
    const leftIndexes = (former?.indexes ?? []).filter(old => isThere(old) && !wished.some(isCalled(old.name)))
    const present = columns.filter(column => stored.has(column.name))
    return [
      {
        name,
        origin,
        columns: [...present.map(column => knownColumn(column, former, stored.get(column.name) ?? '')), ...left],
        indexes: [...wished.filter(isThere).map(({ replaces: _, ...index }) => index), ...leftIndexes],
      },
    ]
  })
  const gone = known.filter(({ name }) => tables.has(name) && !wanted.some(isCalled(name)))
  return [...now, ...gone].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const isCalled =
  (name: string) =>
  (one: { readonly name: string }): boolean =>
    one.name === name

function knownColumn(column: WantedColumn, former: RecordedTable | undefined, type: string): RecordedColumn {
  const { name, part, holds, ofPlugin } = column
  const as = former?.columns.find(isCalled(name))?.as ?? (sameFamily(type, column.type) ? column.as : undefined)
  return { name, ...(part && { part }), ...(as && { as }), ...(holds && { holds }), ...(ofPlugin && { ofPlugin }) }
}

import type { Engine } from '../../engines/engine.js'
import { BootError } from '../../errors.js'
import type { RecordedLayout, WantedTable } from '../layout.js'
import type { Lease } from '../lease.js'
import { saveRecordedLayout, writeRecordedLayout } from '../recorded-layout.js'
import { dropSearchIndexes } from '../search-indexes.js'
import type { Change } from './change.js'

export interface Job {
  readonly engine: Engine
  readonly wanted: readonly WantedTable[]
  readonly known: RecordedLayout
  readonly changes: readonly Change[]
  readonly lease: Lease
  /** Called with each change before it is made. */
  readonly begin: (change: Change) => void
  readonly progress: (label: string, total: number) => (rows: number) => void
}

/** Makes changes, in one transaction where the engine can undo changes of the layout. */
export async function applyChanges(job: Job): Promise<void> {
  const { engine, wanted, known, changes } = job
  const done: Change[] = []
  // A run that crashes leaves some names new and the others old: both have to be known afterwards.
  if (!engine.facts.undoesLayout) await writeRecordedLayout(engine, known)
  try {
    await makeAll(job, done)
  } catch (cause) {
    const count = engine.facts.undoesLayout ? 0 : done.length
    const state =
      count === 0 && engine.facts.undoesLayout
        ? 'Nothing was changed.'
        : `${count} of ${changes.length} changes were made; \`stele plan\` shows what is left.`
    throw new BootError(`${changes[done.length]?.describe ?? 'the changes'}: ${(cause as Error).message}\n${state}`, {
      cause,
      kind: 'data',
    })
  } finally {
    await saveRecordedLayout(engine, withoutSettled(known, done), wanted)
  }
}

async function makeAll({ engine, changes, lease, begin, progress }: Job, done: Change[]): Promise<void> {
  await engine.altering(async session => {
    // Triggers would hold on to columns that change. The next start builds the indexes again.
    if (changes.some(({ group }) => group !== 'additions')) await dropSearchIndexes(engine, session)
    for (const change of changes) {
      lease.check()
      begin(change)
      for (const step of change.steps)
        if (typeof step === 'string') await session.run(step, [])
        else await step.run(session, progress(step.describe, step.rows))
      done.push(change)
    }
  })
}

/** Forgets the former representation of the columns that were converted. */
function withoutSettled(known: RecordedLayout, done: readonly Change[]): RecordedLayout {
  const settled = new Set(done.flatMap(({ settles }) => (settles ? [`${settles.table}.${settles.column}`] : [])))
  return known.map(table => ({
    ...table,
    columns: table.columns.map(({ as, ...column }) =>
      as === undefined || settled.has(`${table.name}.${column.name}`) ? column : { ...column, as },
    ),
  }))
}

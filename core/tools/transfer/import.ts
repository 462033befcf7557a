import { change, rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'
import { transact } from '../../engines/transaction.js'
import { BootError } from '../../errors.js'
import { foreignLayout } from '../../foreign/known.js'
import { type ArchiveRow, type Head, linesOf, type Manifest, openArchive, partFolder, settingsName } from './archive.js'
import { raiseLastId } from './counters.js'
import type { Progress, TransferHost } from './host.js'
import type { Match, Target } from './match.js'
import type { ImportRecord } from './record.js'
import { insertRows } from './rows.js'
import type { Member } from './untar.js'
import { rowOf } from './verify.js'

export interface ImportJob {
  readonly file: string
  readonly head: Head
  readonly manifest: Manifest
  readonly match: Match
  readonly host: TransferHost
  readonly record: ImportRecord
  readonly progress: Progress
  /** Ends the work between two batches. */
  readonly signal: AbortSignal
}

/** Larger transactions are a burden for databases that share their work. */
const batchRows = 1000
const batchBytes = 1024 * 1024

/** Replaces the content with a verified archive, and continues where a former attempt ended. */
export async function importArchive(job: ImportJob): Promise<void> {
  const { file, match, manifest, host, record } = job
  await host.engine.beforeImport?.()
  if (!record.hasRows) {
    for (const { before } of host.plugins) await before?.()
    await clear(job)
    await record.step({ member: 0, last: 0 }, async () => undefined)
  }
  let index = -1
  for await (const member of openArchive(file)) {
    index += 1
    if (index < record.place.member) continue
    const target = match.targets.get(member.name)
    if (target) await load(job, member, index, target)
    else if (member.name === settingsName) await loadSettings(job, member, index)
    else if (member.name.startsWith(partFolder)) await loadPart(job, member, index)
  }
  await transact(host.engine, async session => {
    for (const { table } of match.targets.values())
      await raiseLastId(host.engine, session, table.name, manifest.tables[table.name]?.last ?? 0)
  })
  for (const { after } of host.plugins) await after?.()
  await record.end()
}

/** Removes the rows of all tables that the archive brings, those that lead to others first. */
async function clear({ host: { engine, tables }, match, record, progress, signal }: ImportJob): Promise<void> {
  const { knex } = engine
  const brought = new Set([...match.targets.values()].map(({ table }) => table.name))
  for (const { name } of [...tables].reverse()) {
    if (!brought.has(name)) continue
    for (;;) {
      stopIf(signal)
      const some = knex(name).select('id').orderBy('id').limit(batchRows)
      const rows = await transact(engine, session => rowsOf(session, some))
      if (rows.length === 0) break
      const place = { member: -1, last: record.place.last + rows.length }
      const last = Number(rows.at(-1)?.[0])
      await record.step(
        place,
        async session => void (await change(session, knex(name).where('id', '<=', last).delete())),
      )
      progress.at('rows removed', place.last)
    }
  }
}

async function load(job: ImportJob, { name, content }: Member, index: number, target: Target): Promise<void> {
  const { record, manifest, progress, signal } = job
  const begin = record.place.member === index ? record.place.last : 0
  const total = manifest.tables[target.table.name]?.rows ?? 0
  let batch: ArchiveRow[] = []
  let bytes = 0
  let done = 0
  const store = async () => {
    if (batch.length === 0) return
    stopIf(signal)
    await storeBatch(job, index, target, batch)
    done += batch.length
    progress.at(target.table.name, done, total)
    batch = []
    bytes = 0
  }
  for await (const line of linesOf(content, name)) {
    const row = rowOf(line, name)
    if (Number(row.id) <= begin) {
      done += 1
      continue
    }
    batch.push(row)
    bytes += line.length
    if (batch.length >= batchRows || bytes >= batchBytes) await store()
  }
  await store()
}

async function storeBatch(
  { host: { engine }, record }: ImportJob,
  member: number,
  target: Target,
  rows: readonly ArchiveRow[],
): Promise<void> {
  const place = { member, last: Number(rows.at(-1)?.id) }
  try {
    await record.step(place, session => insertRows(engine, session, target, rows))
  } catch (error) {
    if (error instanceof BootError) throw error
    throw await explained(engine, target, rows, error as Error)
  }
}

/** Finds the row of a batch that the database refuses. */
async function explained(
  engine: Engine,
  target: Target,
  rows: readonly ArchiveRow[],
  cause: Error,
): Promise<BootError> {
  const isBusy = ['unavailable', 'retry', 'timeout'].includes(engine.classify(cause)?.kind ?? '')
  const again = 'the same command goes on where it stopped'
  if (isBusy)
    return new BootError(`the database does not take the rows: ${cause.message}; ${again}`, { cause, kind: 'database' })
  let refused: ArchiveRow | undefined
  const oneByOne = async (session: Session) => {
    for (const row of rows) {
      refused = row
      await insertRows(engine, session, target, [row])
    }
    refused = undefined
    // This attempt only looks for the reason: nothing of it may stay.
    throw cause
  }
  const { message } = (await transact(engine, oneByOne).catch(reason => reason)) as Error
  const where = refused ? `${target.table.name}, row ${refused.id}` : target.table.name
  return new BootError(`${where}: the database refuses it: ${message}; when that is fixed, ${again}`, {
    cause,
    kind: 'data',
  })
}

async function loadSettings(
  { host: { engine }, head, match, record }: ImportJob,
  { content }: Member,
  index: number,
): Promise<void> {
  const { knex } = engine
  const keys = head.settings.filter(key => match.settings.has(key))
  if (keys.length === 0) return
  const rows: Record<string, unknown>[] = []
  for await (const line of linesOf(content, settingsName)) {
    const { key, value, type } = rowOf(line, settingsName)
    if (keys.includes(String(key))) rows.push({ key, value, type, environment: null, tag: null })
  }
  await record.step({ member: index + 1, last: 0 }, async session => {
    await change(session, knex(foreignLayout.settingsTable).whereIn('key', keys).delete())
    for (const row of rows) await change(session, knex(foreignLayout.settingsTable).insert(row))
  })
}

async function loadPart(
  { host, match, record, progress, signal }: ImportJob,
  member: Member,
  index: number,
): Promise<void> {
  stopIf(signal)
  const [plugin = '', ...rest] = member.name.slice(partFolder.length).split('/')
  const taker = match.plugins.has(plugin) ? host.plugins.find(({ name }) => name === plugin) : undefined
  if (!taker?.import) return
  await taker.import({ name: rest.join('/'), content: member.content })
  await record.step({ member: index + 1, last: 0 }, async () => undefined)
  progress.at(plugin, index + 1)
}

function stopIf({ aborted }: AbortSignal): void {
  if (aborted) throw new BootError('stopped; the same command goes on where it stopped', { kind: 'stopped' })
}

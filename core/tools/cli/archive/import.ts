import { knownSteps } from '../../../boot/run-once.js'
import type { BootOptions } from '../../../boot/start.js'
import { BootError } from '../../../errors.js'
import { counted } from '../../../kit/counted.js'
import { refuseNewer } from '../../../layout/changed-by.js'
import { wantedTables } from '../../../layout/layout.js'
import { createLog } from '../../../log.js'
import { type Head, type Manifest, partFolder } from '../../transfer/archive.js'
import { partsThatStay, rowsInTheWay } from '../../transfer/conflicts.js'
import { transferHost } from '../../transfer/host.js'
import { type ImportJob, importArchive } from '../../transfer/import.js'
import { type Match, match } from '../../transfer/match.js'
import { ImportRecord } from '../../transfer/record.js'
import { headOf, verify } from '../../transfer/verify.js'
import { findApp, openApp } from '../app.js'
import { confirm } from '../confirm.js'
import { interruption } from '../interruption.js'
import type { Io } from '../io.js'
import { progressOn, type ShownProgress } from '../progress.js'
import { withArchive } from './fetched.js'
import { summaryOf } from './transfer-summary.js'

export interface ImportOptions {
  readonly app: string
  readonly replace?: true
  readonly ignoreUnknown?: true
  readonly yes?: true
  readonly json?: true
}

/** The texts in which `import` and `restore` differ. */
interface Words {
  readonly command: 'import' | 'restore'
  readonly done: string
  /** Advice for a database with a half-finished import, and for one with rows. */
  readonly ifBegun: string
  readonly ifRows: string
}

const importing: Words = {
  command: 'import',
  done: 'imported',
  ifBegun: 'or say --replace to begin anew with this one',
  ifRows: 'nothing was imported. Say --replace to remove the rows of these tables first',
}

/** The options of a run, with its terminal. */
interface Order extends ImportOptions {
  readonly io: Io
  readonly words: Words
}

/** An archive on this disk, by the name under which it is found again, and as it was given. */
interface Source {
  readonly file: string
  readonly name: string
  readonly given: string
}

/** `stele import <file>`: the content of an archive in place of that of an app. */
export async function importFrom(given: string, options: ImportOptions, io: Io): Promise<void> {
  await withArchive(given, options, io, (file, name) => importArchiveOf({ file, name, given }, options, io, importing))
}

export async function importArchiveOf(
  { file, name, given }: Source,
  options: ImportOptions,
  io: Io,
  words: Words,
): Promise<void> {
  const head = await headOf(file)
  const found = await findApp({ app: options.app }, io, 'command', 'warn')
  const progress = progressOn(io.stderr)
  const { signal, release } = interruption(io)
  try {
    const manifest = await prepare({ file, name, head }, found, progress, { ...options, io, words })
    const app = await openApp({ ...found, imports: true }, 'app')
    try {
      const host = transferHost(app)
      const record =
        (await ImportRecord.find(host.engine)) ??
        (await ImportRecord.begin(host.engine, { archive: head.id, file: name, command: words.command }))
      const { tables } = await host.engine.introspect()
      const job = { file, head, manifest, match: match(head, host, tables), host, record, progress, signal }
      await importArchive(job).catch(goesOnLater)
      progress.end()
      tell(given, job, { ...options, io, words })
    } finally {
      await app.close()
    }
  } finally {
    progress.end()
    release()
  }
}

/** Looks at the archive and at the database, and decides before the app starts, which alone may write to a new one. */
async function prepare(
  { file, name, head }: { readonly file: string; readonly name: string; readonly head: Head },
  found: BootOptions,
  progress: ShownProgress,
  options: Order,
): Promise<Manifest> {
  // The silent log leaves warnings about the app to its start.
  const { outline, engine } = await openApp({ ...found, log: createLog('silent') }, 'database')
  const { registry: types, plugins, dialect } = outline
  try {
    await refuseNewer(engine, knownSteps(plugins))
    const tables = wantedTables(types, engine, dialect)
    const idle = plugins.map(plugin => ({ ...plugin, service: undefined }))
    const host = transferHost({ engine, types, tables, plugins: idle })
    const { tables: present } = await engine.introspect()
    const matched = match(head, host, present)
    checkUnknown(matched, options)
    const former = await ImportRecord.find(engine)
    const goesOn = former?.archive === head.id
    const rows = goesOn ? new Map<string, number>() : await rowsInTheWay(host, matched, present)
    if (former && !goesOn) checkFormer(options)
    else checkRows(rows, options)
    if (!goesOn) checkStaying(await partsThatStay(host, matched, present))
    const manifest = await verify({ file, head }, matched, engine, progress)
    progress.end()
    if (goesOn) progress.warn(`going on with the ${former.command} of the archive of ${head.made}`)
    else {
      await confirmRemoval(rows, options)
      await ImportRecord.begin(engine, { archive: head.id, file: name, command: options.words.command })
    }
    return manifest
  } finally {
    await engine.close()
  }
}

function checkUnknown({ unknown }: Match, { ignoreUnknown, io }: Order): void {
  if (unknown.length === 0) return
  if (ignoreUnknown) io.stderr.write(unknown.map(sentence => `left out: ${sentence}\n`).join(''))
  else
    throw new BootError(
      `${unknown.join('\n')}\nBring the content types and plugins of the app in line with the archive, or say --ignore-unknown to import without these.`,
      { kind: 'data' },
    )
}

function checkFormer({ replace, words }: Order): void {
  if (!replace)
    throw new BootError(
      `the import of another archive is half done here: import that one again to go on with it, ${words.ifBegun}`,
      { kind: 'data' },
    )
}

/** Refuses to replace rows without permission. */
function checkRows(rows: ReadonlyMap<string, number>, { replace, words }: Order): void {
  if (replace || rows.size === 0) return
  const [first, second, third, ...more] = [...rows].map(([table, count]) => `${table} (${count})`)
  const list = [first, second, third, ...(more.length > 0 ? [`${more.length} more`] : [])].filter(Boolean).join(', ')
  throw new BootError(`the database has content: ${list}; ${words.ifRows}`, { kind: 'data' })
}

function checkStaying(tables: readonly string[]): void {
  if (tables.length > 0)
    throw new BootError(
      `accounts of this database have parts in ${tables.join(', ')}, which the archive brings too: take an archive that was made --with-accounts`,
      { kind: 'data' },
    )
}

async function confirmRemoval(rows: ReadonlyMap<string, number>, { yes, io }: Order): Promise<void> {
  const count = [...rows.values()].reduce((all, some) => all + some, 0)
  if (count > 0)
    await confirm(
      `This removes ${counted(count, 'row')} of ${counted(rows.size, 'table')} before it imports. Go on?`,
      yes === true,
      io,
    )
}

/** Reports an error: the import's progress is recorded, and the same command continues after it. */
function goesOnLater(cause: Error): never {
  if (cause instanceof BootError) throw cause
  throw new BootError(`the import stopped: ${cause.message}; the same command goes on where it stopped`, {
    kind: 'failed',
    cause,
  })
}

function tell(
  given: string,
  { file, head, manifest, match: { targets, plugins, unknown } }: ImportJob,
  { json, io, words }: Order,
) {
  const names = [...targets.values()].map(({ table }) => table.name)
  const tables = Object.fromEntries(names.map(name => [name, manifest.tables[name]?.rows ?? 0]))
  const files = [...plugins].map(plugin => {
    const count = manifest.members.filter(({ name }) => name.startsWith(`${partFolder}${plugin}/`)).length
    return [plugin, count] as const
  })
  const parts = Object.fromEntries(files)
  if (json) io.stdout.write(`${JSON.stringify({ file, id: head.id, tables, parts, leftOut: unknown })}\n`)
  else io.stdout.write(`${summaryOf(tables, parts)} ${words.done} from ${given}\n`)
}

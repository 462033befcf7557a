import path from 'node:path'
import { BootError } from '../errors.js'
import { type BootOptions, boot, connect } from '../kernel.js'
import { rowsOf } from '../store/built.js'
import { partFolder } from '../transfer/archive.js'
import { type ImportJob, importArchive, partsThatStay, rowsInTheWay } from '../transfer/import.js'
import { type Match, match } from '../transfer/match.js'
import { ImportRecord } from '../transfer/record.js'
import { headOf, verify } from '../transfer/verify.js'
import { findApp } from './app.js'
import { confirm } from './confirm.js'
import { interruption } from './interruption.js'
import { progressOn } from './progress.js'
import { summaryOf } from './transfer-summary.js'

export interface ImportCommand {
  readonly app: string
  readonly replace?: true
  readonly ignoreUnknown?: true
  readonly yes?: true
  readonly json?: true
}

/** `stele import <file>`: the content of an archive in place of that of an app. */
export async function importFrom(given: string, options: ImportCommand): Promise<void> {
  const file = path.resolve(given)
  const head = await headOf(file)
  const found = await findApp({ app: options.app }, 'command', 'warn')
  // Plugins put first rows into a new database when they start; before that it shows whether it was one.
  const isNew = await isEmpty(found)
  const app = await boot(found)
  const progress = progressOn(process.stderr)
  const { signal, release } = interruption()
  const { transfer: host } = app
  try {
    const matched = match(head, host)
    checkUnknown(matched, options)
    const former = await ImportRecord.find(host.engine)
    const goesOn = former?.archive === head.id
    if (!goesOn) await checkPlace(former, isNew, host, matched, options)
    const manifest = await verify(file, head, matched, host.engine.name, progress)
    progress.end()
    if (!goesOn && !isNew) await confirmRemoval(host, matched, options)
    if (goesOn) progress.warn(`going on with the import of the archive of ${head.made}`)
    const record = goesOn ? former : await ImportRecord.begin(host.engine, head.id)
    const job: ImportJob = { file, head, manifest, match: matched, host, record, progress, signal }
    await importArchive(job).catch(goesOnLater)
    progress.end()
    tell(given, job, options)
  } finally {
    progress.end()
    release()
    await app.close()
  }
}

async function isEmpty({ config, log }: BootOptions): Promise<boolean> {
  const engine = await connect(config, log)
  try {
    const { tables } = await engine.introspect()
    for (const table of tables.keys()) {
      if (/^(stele|sqlite)_/.test(table)) continue
      if ((await rowsOf(engine.reader, engine.knex(table).select(engine.knex.raw('1')).limit(1))).length > 0)
        return false
    }
    return true
  } finally {
    await engine.close()
  }
}

function checkUnknown({ unknown }: Match, { ignoreUnknown }: ImportCommand): void {
  if (unknown.length === 0) return
  if (ignoreUnknown) process.stderr.write(unknown.map(sentence => `left out: ${sentence}\n`).join(''))
  else
    throw new BootError(
      `${unknown.join('\n')}\nBring the content types and plugins of the app in line with the archive, or say --ignore-unknown to import without these.`,
    )
}

/** Nothing is replaced that nobody said may be. */
async function checkPlace(
  former: ImportRecord | undefined,
  isNew: boolean,
  host: ImportJob['host'],
  matched: Match,
  { replace }: ImportCommand,
): Promise<void> {
  if (former && !replace)
    throw new BootError(
      'the import of another archive is half done here: import that one again to go on with it, or say --replace to begin anew with this one',
    )
  const staying = isNew ? [] : await partsThatStay(host, matched)
  if (staying.length > 0)
    throw new BootError(
      `accounts of this database have parts in ${staying.join(', ')}, which the archive brings too: take an archive that was made --with-accounts`,
    )
  if (isNew || replace) return
  const rows = await rowsInTheWay(host, matched)
  if (rows.size === 0) return
  const [first, second, third, ...more] = [...rows].map(([table, count]) => `${table} (${count})`)
  const list = [first, second, third, ...(more.length > 0 ? [`${more.length} more`] : [])].filter(Boolean).join(', ')
  throw new BootError(
    `the database has content: ${list}; nothing was imported. Say --replace to remove the rows of these tables first`,
  )
}

async function confirmRemoval(host: ImportJob['host'], matched: Match, { yes }: ImportCommand): Promise<void> {
  const rows = await rowsInTheWay(host, matched)
  const count = [...rows.values()].reduce((all, some) => all + some, 0)
  if (count > 0)
    await confirm(`This removes ${count} rows of ${rows.size} tables before it imports. Go on?`, yes === true)
}

/** Whatever it was: what is there is remembered, and the same command begins after it. */
function goesOnLater(cause: Error): never {
  if (cause instanceof BootError) throw cause
  throw new BootError(`the import stopped: ${cause.message}; the same command goes on where it stopped`, { cause })
}

function tell(
  given: string,
  { file, head, manifest, match: { targets, plugins, unknown } }: ImportJob,
  { json }: ImportCommand,
) {
  const names = [...targets.values()].map(({ table }) => table.name)
  const tables = Object.fromEntries(names.map(name => [name, manifest.tables[name]?.rows ?? 0]))
  const counted = [...plugins].map(plugin => {
    const count = manifest.members.filter(({ name }) => name.startsWith(`${partFolder}${plugin}/`)).length
    return [plugin, count] as const
  })
  const parts = Object.fromEntries(counted)
  if (json) process.stdout.write(`${JSON.stringify({ file, id: head.id, tables, parts, leftOut: unknown })}\n`)
  else process.stdout.write(`${summaryOf(tables, parts)} were imported from ${given}\n`)
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { BootOptions } from '../../../boot/start.js'
import { readDatabase } from '../../../config/database.js'
import { usualEngine } from '../../../config/engines.js'
import { BootError } from '../../../errors.js'
import { createLog } from '../../../log.js'
import type { Finding } from '../../../plugin/parts.js'
import { type Head, type Manifest, partFolder } from '../../transfer/archive.js'
import { exportArchive } from '../../transfer/export.js'
import { type TransferHost, transferHost } from '../../transfer/host.js'
import { importArchive } from '../../transfer/import.js'
import { match } from '../../transfer/match.js'
import { ImportRecord } from '../../transfer/record.js'
import { Spool } from '../../transfer/spool.js'
import { RefusedArchive } from '../../transfer/untar.js'
import { headOf, verify } from '../../transfer/verify.js'
import { findApp, openApp } from '../app.js'
import { withArchive } from '../archive/fetched.js'
import { summaryOf } from '../archive/transfer-summary.js'
import { interruption } from '../interruption.js'
import type { Io } from '../io.js'
import { progressOn, type ShownProgress } from '../progress.js'
import { type DoctorOptions, showFindings } from './findings.js'

const check = { check: 'backup', describe: 'the backup is whole, and can be restored' }

/** `stele doctor --backup <file>`: restores a backup beside the app, and compares the result. */
export async function proveBackup(given: string, options: DoctorOptions, io: Io): Promise<number> {
  if (options.fix)
    throw new BootError('--backup looks at a backup, in which nothing is fixed: leave out --fix', { kind: 'usage' })
  const progress = progressOn(io.stderr)
  const found = await withArchive(given, options, io, file => proved(file, options, io, progress))
    .catch(asFinding)
    .finally(() => progress.end())
  showFindings([{ ...found, check: check.check, fixed: false }], [check], { ...options, io })
  return found.severity === 'error' ? 1 : 0
}

function asFinding(error: unknown): Finding {
  // Anything else is no fault of the backup.
  if (!(error instanceof BootError) || error.kind !== 'data') throw error
  return {
    severity: 'error',
    says: error.message,
    advice: 'it cannot be restored as it is: try an older backup, and find out what is wrong before the next one',
  }
}

async function proved(file: string, options: DoctorOptions, io: Io, progress: ShownProgress): Promise<Finding> {
  const head = await headOf(file)
  const found = await findApp(options, io, 'command', 'error')
  // A folder for its owner alone, which is gone at the end with everything in it.
  const scratch = await mkdtemp(path.join(tmpdir(), 'stele-backup-'))
  const { signal, release } = interruption(io)
  try {
    const manifest = await restored({ file, head, scratch, found, progress, signal })
    const tables = Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]))
    return {
      severity: 'note',
      says: `made by stele ${head.stele} on ${head.made}: ${summaryOf(tables, partsOf(head, manifest))}`,
      advice: 'every checksum is right, and a database that it was restored into has the same rows',
    }
  } finally {
    release()
    await rm(scratch, { recursive: true, force: true })
  }
}

const partsOf = ({ plugins }: Head, { members }: Manifest) =>
  Object.fromEntries(
    plugins.map(name => [name, members.filter(member => member.name.startsWith(`${partFolder}${name}/`)).length]),
  )

interface Proof {
  readonly file: string
  readonly head: Head
  readonly scratch: string
  readonly found: BootOptions
  readonly progress: ShownProgress
  readonly signal: AbortSignal
}

/** Restores into a database of its own, and exports that again: each table has to be the same, byte for byte. */
async function restored({ file, head, scratch, found, progress, signal }: Proof): Promise<Manifest> {
  const { config } = found
  const place = { client: usualEngine, filename: path.join(scratch, 'data.db') }
  const database = readDatabase(scratch, undefined, place, { ...config, variables: {} })
  const app = await openApp({ ...found, config: { ...config, database }, log: createLog('silent') }, 'app')
  try {
    const host = transferHost(app)
    const { tables: present } = await host.engine.introspect()
    const matched = match(head, host, present)
    if (matched.unknown.length > 0)
      throw new RefusedArchive(
        `this app has no place for all of it: ${matched.unknown.slice(0, 3).join('; ')}. Ask with the content types and plugins of that time`,
      )
    const manifest = await verify({ file, head }, matched, host.engine, progress)
    const alone = ofThatTime(host, head)
    const record = await ImportRecord.begin(host.engine, { archive: head.id, file, command: 'restore' })
    const job = { file, head, manifest, match: { ...matched, plugins: new Set<string>() } }
    await importArchive({ ...job, host: alone, record, progress, signal })
    compare(manifest, await exportedAgain(alone, head, scratch, progress))
    return manifest
  } finally {
    await app.close()
  }
}

/** The host with the tables of the backup's time. Files that plugins keep beside the database belong to the app, and are left alone. */
const ofThatTime = (host: TransferHost, head: Head): TransferHost => ({
  ...host,
  tables: head.tables.flatMap(({ name, columns }) =>
    host.tables
      .filter(table => table.name === name)
      .map(table => ({
        ...table,
        columns: Object.keys(columns).flatMap(key => table.columns.filter(column => column.name === key)),
      })),
  ),
  plugins: host.plugins.map(({ name, accounts, stays, settings }) => ({ name, accounts, stays, settings })),
})

async function exportedAgain(
  host: TransferHost,
  { accounts, stele }: Head,
  scratch: string,
  progress: ShownProgress,
): Promise<Manifest> {
  const spool = new Spool(path.join(scratch, 'spool'))
  try {
    return await host.engine.snapshot(async session => {
      const archive = exportArchive(host, session, { accounts, stele, spool, progress })
      for (;;) {
        const part = await archive.next()
        if (part.done) return part.value.manifest
      }
    })
  } finally {
    await spool.close()
  }
}

function compare(wanted: Manifest, found: Manifest): void {
  const again = new Map(found.members.map(({ name, sha256 }) => [name, sha256]))
  for (const { name, sha256 } of wanted.members.slice(1))
    if (!name.startsWith(partFolder) && again.get(name) !== sha256)
      throw new RefusedArchive(`${name} is another one after it was restored`)
  for (const [name, counts] of Object.entries(wanted.tables))
    if (!isDeepStrictEqual(found.tables[name], counts))
      throw new RefusedArchive(`the counts of ${name} are others after it was restored`)
}

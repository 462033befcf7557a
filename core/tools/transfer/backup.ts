import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BootError } from '../../errors.js'
import { foreignLayout } from '../../foreign/known.js'
import { makeFolder } from '../../kit/folder.js'
import { withoutEnd } from '../../kit/without-end.js'
import type { Backup, BackupOrder } from '../../plugin/parts.js'
import { bucketPlace, isInBucket, namesIn, removeFrom, storeIn } from './bucket.js'
import type { Progress, TransferHost } from './host.js'
import { headOf, verify } from './verify.js'
import { writeArchive } from './write-archive.js'

/** Names sort by the time at which the backup began; files left by a killed run have a suffix. */
const named = /^backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz(\.part|\.spool)?$/
const nameAt = (date: Date): string => `backup-${date.toISOString().replace(/[:.]/g, '-')}.tar.gz`

/** Writes the whole content, accounts included, to a new file of a folder or bucket, reads it again, and then removes older ones. */
export async function backUp(host: TransferHost, order: BackupOrder, progress: Progress = silent): Promise<Backup> {
  const { folder, keep, signal, variables = process.env } = order
  if (!isInBucket(folder)) return backUpTo(host, folder, { keep, signal, progress })
  const place = bucketPlace(folder, variables)
  // The archive is completed here before it is sent, and read back from here.
  const scratch = await mkdtemp(path.join(tmpdir(), 'stele-backup-'))
  try {
    const backup = await backUpTo(host, scratch, { keep: undefined, signal, progress })
    const name = path.basename(backup.file)
    progress.at('sending the backup to the bucket', 0)
    await storeIn(place, backup.file, signal)
    const there = await namesIn(place)
    if (!there.some(object => object.name === name && object.size === backup.size)) {
      await removeFrom(place, name)
      throw new BootError(`the bucket of backups does not have all of ${name}`, { kind: 'failed' })
    }
    const names = there.map(object => object.name)
    const removed = keep === undefined ? [] : oldestOf(names, keep, name)
    for (const old of removed) await removeFrom(place, old)
    return { ...backup, file: `${withoutEnd(folder, '/')}/${name}`, removed }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

type Options = Pick<BackupOrder, 'keep' | 'signal'> & { readonly progress: Progress }

async function backUpTo(
  host: TransferHost,
  folder: string,
  { keep, signal = new AbortController().signal, progress }: Options,
): Promise<Backup> {
  prepare(folder)
  const name = nameAt(new Date())
  const file = path.join(folder, name)
  const { id, tables, parts } = await writeArchive(host, file, { accounts: true, progress, signal })
  try {
    // A backup is verified by reading it back from the disk.
    await verify({ file, head: await headOf(file) }, { targets: new Map() }, host.engine, progress)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  const { size } = await stat(file)
  const removed = keep === undefined ? [] : oldestOf(await readdir(folder), keep, name)
  for (const old of removed) await rm(path.join(folder, old), { force: true })
  return { ...{ file, id, size, tables, parts, removed }, leftOut: await leftOutOf(host, tables) }
}

const silent: Progress = { at: () => undefined, warn: () => undefined }

function prepare(folder: string): void {
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw new BootError(`the folder ${folder} cannot be made: ${(error as Error).message}`, {
      cause: error,
      kind: 'access',
    })
  }
}

/** Backups to remove: files with a backup's name only, and never the one that was just made, whatever the clock says. */
function oldestOf(names: readonly string[], keep: number, made: string): string[] {
  const found = names.filter(name => named.test(name)).sort()
  const complete = found.filter(name => name.endsWith('.gz') && name !== made)
  const oldest = keep > 1 ? complete.at(1 - keep) : made
  return oldest === undefined ? [] : found.filter(name => name < oldest && name !== made)
}

/** Tables of the database that the app does not have, so that no archive holds them. */
async function leftOutOf({ engine, tables }: TransferHost, exported: Backup['tables']): Promise<string[]> {
  const known = new Set([...Object.keys(exported), ...tables.map(({ name }) => name), foreignLayout.settingsTable])
  const { tables: present } = await engine.introspect()
  return [...present.keys()].filter(name => !known.has(name) && !/^(stele|sqlite)_/.test(name)).sort()
}

import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { settingsTableName } from '../boot/stored-settings.js'
import { BootError } from '../errors.js'
import { makeFolder } from '../folder.js'
import type { Backup, BackupOrder } from '../plugin/parts.js'
import type { TransferHost } from './host.js'
import type { Progress } from './progress.js'
import { headOf, verify } from './verify.js'
import { writeArchive } from './write-archive.js'

/** Names sort by the time at which the backup began; what a run that was killed has left has more behind it. */
const named = /^backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar\.gz(\.part|\.spool)?$/
const nameAt = (date: Date): string => `backup-${date.toISOString().replace(/[:.]/g, '-')}.tar.gz`

/** Writes the whole content, accounts included, to a new file of a folder, reads it again, and then removes older ones. */
export async function backUp(
  host: TransferHost,
  { folder, keep, signal = new AbortController().signal }: BackupOrder,
  progress: Progress = silent,
): Promise<Backup> {
  prepare(folder)
  const name = nameAt(new Date())
  const file = path.join(folder, name)
  const { id, tables, parts } = await writeArchive(host, file, { accounts: true, progress, signal })
  try {
    // What a disk has is known when it has been read.
    await verify({ file, head: await headOf(file) }, { targets: new Map() }, host.engine, progress)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  const { size } = await stat(file)
  const removed = keep === undefined ? [] : await removeOldest(folder, keep, name)
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

/** Only what has the name of a backup is removed, and never the one that was just made, whatever the clock says. */
async function removeOldest(folder: string, keep: number, made: string): Promise<string[]> {
  const found = (await readdir(folder)).filter(name => named.test(name)).sort()
  const complete = found.filter(name => name.endsWith('.gz') && name !== made)
  const oldest = keep > 1 ? complete.at(1 - keep) : made
  const old = oldest === undefined ? [] : found.filter(name => name < oldest && name !== made)
  for (const name of old) await rm(path.join(folder, name), { force: true })
  return old
}

/** Tables of the database that the app does not have, so that no archive holds them. */
async function leftOutOf({ engine, tables }: TransferHost, exported: Backup['tables']): Promise<string[]> {
  const known = new Set([...Object.keys(exported), ...tables.map(({ name }) => name), settingsTableName])
  const { tables: present } = await engine.introspect()
  return [...present.keys()].filter(name => !known.has(name) && !/^(stele|sqlite)_/.test(name)).sort()
}

import path from 'node:path'
import { BootError } from '../../../errors.js'
import { counted } from '../../../kit/counted.js'
import { backUp } from '../../transfer/backup.js'
import { isInBucket } from '../../transfer/bucket.js'
import { transferHost } from '../../transfer/host.js'
import { findApp, openApp } from '../app.js'
import { interruption } from '../interruption.js'
import type { Io } from '../io.js'
import { progressOn } from '../progress.js'
import { sizeOf, summaryOf } from './transfer-summary.js'

export interface BackupOptions {
  readonly app: string
  readonly keep?: string
  readonly json?: true
}

/** `stele backup <folder>`: everything that an app keeps, in a new file of a folder, while its servers run. */
export async function backUpInto(given: string, options: BackupOptions, io: Io): Promise<void> {
  const folder = isInBucket(given) ? given : path.resolve(io.cwd, given)
  const keep = countOf(options.keep)
  const app = await openApp(await findApp({ app: options.app }, io, 'look', 'warn'), 'app')
  const progress = progressOn(io.stderr)
  const { signal, release } = interruption(io)
  try {
    const backup = await backUp(transferHost(app), { folder, keep, signal, variables: io.env }, progress)
    progress.end()
    if (backup.leftOut.length > 0)
      progress.warn(
        `not in the backup: ${counted(backup.leftOut.length, 'table')} that this app does not have: ${backup.leftOut.join(', ')}`,
      )
    const { file, size, tables, parts, removed } = backup
    const old = removed.length === 0 ? '' : `; ${counted(removed.length, 'older file')} removed`
    if (options.json) io.stdout.write(`${JSON.stringify(backup)}\n`)
    else
      io.stdout.write(
        `${summaryOf(tables, parts)} backed up to ${isInBucket(given) ? file : path.join(given, path.basename(file))} (${sizeOf(size)})${old}\n`,
      )
  } finally {
    progress.end()
    release()
    await app.close()
  }
}

function countOf(said: string | undefined): number | undefined {
  if (said === undefined) return undefined
  if (/^[1-9]\d{0,5}$/.test(said)) return Number(said)
  throw new BootError(`--keep is ${JSON.stringify(said)}; expected how many backups stay: 1 or more`, { kind: 'usage' })
}

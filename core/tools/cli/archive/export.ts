import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { BootError } from '../../../errors.js'
import { transferHost } from '../../transfer/host.js'
import { writeArchive } from '../../transfer/write-archive.js'
import { findApp, openApp } from '../app.js'
import { interruption } from '../interruption.js'
import type { Io } from '../io.js'
import { progressOn } from '../progress.js'
import { sizeOf, summaryOf } from './transfer-summary.js'

export interface ExportOptions {
  readonly app: string
  readonly withAccounts?: true
  readonly force?: true
  readonly json?: true
}

/** `stele export <file>`: the whole content of an app as one archive. */
export async function exportTo(given: string, options: ExportOptions, io: Io): Promise<void> {
  const file = path.resolve(io.cwd, given)
  if (!/\.(tar|tar\.gz|tgz)$/.test(file))
    throw new BootError(
      `an archive is called <name>.tar, or <name>.tar.gz to compress it; ${path.basename(file)} is neither`,
      { kind: 'usage' },
    )
  if (existsSync(file) && !options.force)
    throw new BootError(`${given} is there already: choose another name, or say --force to write over it`, {
      kind: 'usage',
    })
  if (!existsSync(path.dirname(file)))
    throw new BootError(`there is no folder ${path.dirname(file)}`, { kind: 'usage' })

  const app = await openApp(await findApp({ app: options.app }, io, 'look', 'warn'), 'app')
  const progress = progressOn(io.stderr)
  const { signal, release } = interruption(io)
  try {
    const accounts = options.withAccounts === true
    const { id, tables, parts } = await writeArchive(transferHost(app), file, { accounts, progress, signal })
    progress.end()
    const { size } = await stat(file)
    if (options.json) io.stdout.write(`${JSON.stringify({ file, id, size, tables, parts })}\n`)
    else io.stdout.write(`${summaryOf(tables, parts)} exported to ${given} (${sizeOf(size)})\n`)
  } finally {
    progress.end()
    release()
    await app.close()
  }
}

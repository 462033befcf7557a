import { createWriteStream, existsSync } from 'node:fs'
import { open as openFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BootError } from '../../errors.js'
import { type Exported, exportArchive } from '../../transfer/export.js'
import { transferHost } from '../../transfer/host.js'
import { ImportRecord } from '../../transfer/record.js'
import { Spool } from '../../transfer/spool.js'
import { findApp, openApp } from '../app.js'
import { interruption } from '../interruption.js'
import type { Io } from '../io.js'
import { ownVersion } from '../own-folder.js'
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
      `an archive is called <name>.tar, or <name>.tar.gz to be packed; ${path.basename(file)} is neither`,
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
  const spool = new Spool(`${file}.spool`)
  const unfinished = `${file}.part`
  const { signal, release } = interruption(io)
  try {
    const former = await ImportRecord.find(app.engine)
    if (former) throw new BootError(former.explanation, { kind: 'data' })
    let exported: Exported | undefined
    await app.engine.snapshot(async session => {
      const settings = { accounts: options.withAccounts === true, stele: ownVersion(), spool, progress }
      const archive = exportArchive(transferHost(app), session, settings)
      const bytes = async function* () {
        exported = yield* archive
      }
      const packed = file.endsWith('.tar') ? new PassThrough() : createGzip()
      await pipeline(
        Readable.from(bytes(), { objectMode: false }),
        packed,
        createWriteStream(unfinished, { mode: 0o600 }),
        { signal },
      )
    })
    await keep(unfinished, file)
    progress.end()
    const { size } = await stat(file)
    const { id, tables, parts } = exported as Exported
    if (options.json) io.stdout.write(`${JSON.stringify({ file, id, size, tables, parts })}\n`)
    else io.stdout.write(`${summaryOf(tables, parts)} exported to ${given} (${sizeOf(size)})\n`)
  } catch (error) {
    progress.end()
    await rm(unfinished, { force: true })
    if (signal.aborted) throw new BootError('stopped; nothing was written', { kind: 'stopped' })
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new BootError(`the archive cannot be written: ${(error as Error).message}`, { cause: error, kind: 'access' })
  } finally {
    release()
    await spool.close()
    await app.close()
  }
}

/** An archive has its name only when all of it has reached the disk. */
async function keep(unfinished: string, file: string): Promise<void> {
  const handle = await openFile(unfinished, 'r+')
  await handle.sync().finally(() => handle.close())
  await rename(unfinished, file)
}

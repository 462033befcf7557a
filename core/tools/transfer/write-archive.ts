import { createWriteStream } from 'node:fs'
import { open as openFile, rename, rm } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BootError } from '../../errors.js'
import { ownVersion } from '../../kit/own-folder.js'
import { type ExportSummary, exportArchive } from './export.js'
import type { Progress, TransferHost } from './host.js'
import { ImportRecord } from './record.js'
import { Spool } from './spool.js'

export interface WriteOptions {
  /** True if the archive has accounts, their permissions and the sign-in settings. */
  readonly accounts: boolean
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Writes the whole content of an app to a file, compressed unless it is a `.tar`; its owner alone may read it. */
export async function writeArchive(
  host: TransferHost,
  file: string,
  { accounts, progress, signal }: WriteOptions,
): Promise<ExportSummary> {
  const former = await ImportRecord.find(host.engine)
  if (former) throw new BootError(former.explanation, { kind: 'data' })
  const spool = new Spool(`${file}.spool`)
  const unfinished = `${file}.part`
  try {
    let exported: ExportSummary | undefined
    await host.engine.snapshot(async session => {
      const archive = exportArchive(host, session, { accounts, stele: ownVersion(), spool, progress })
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
    return exported as ExportSummary
  } catch (error) {
    await rm(unfinished, { force: true })
    if (signal.aborted) throw new BootError('stopped; nothing was written', { kind: 'stopped' })
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new BootError(`the archive cannot be written: ${(error as Error).message}`, { cause: error, kind: 'access' })
  } finally {
    await spool.close()
  }
}

/** An archive has its name only when all of it has reached the disk. */
async function keep(unfinished: string, file: string): Promise<void> {
  const handle = await openFile(unfinished, 'r+')
  await handle.sync().finally(() => handle.close())
  await rename(unfinished, file)
}

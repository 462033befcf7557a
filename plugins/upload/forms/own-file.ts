import { copyFile, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { closed } from '../handles.js'
import { sample } from '../kind.js'
import { plainName } from '../names.js'
import { makeFolder, type SentFile } from './multipart.js'

/** A file that code of the app has somewhere, and keeps. */
export interface OwnFile {
  readonly path: string
  readonly name: string
  readonly mime?: string | undefined
}

/** Copies files of code to where sent ones arrive, and forgets them when the work is done. */
export async function withCopies<T>(
  files: readonly OwnFile[],
  staging: string,
  work: (sent: readonly SentFile[]) => Promise<T>,
): Promise<T> {
  const folder = await makeFolder(staging)
  try {
    const sent: SentFile[] = []
    for (const [at, file] of files.entries()) sent.push(await copied(file, path.join(folder, String(at))))
    return await work(sent)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function copied({ path: source, name, mime }: OwnFile, target: string): Promise<SentFile> {
  await copyFile(source, target)
  const handle = await open(target)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sample), 0, sample)
    const { size } = await stat(target)
    return {
      field: 'files',
      path: target,
      name: plainName(name),
      mime: mime?.split(';')[0]?.trim() || undefined,
      bytes: size,
      head: buffer.subarray(0, bytesRead),
    }
  } finally {
    closed(handle)
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bucketPlace, fetchFrom, isInBucket } from '../../transfer/bucket.js'
import { type AppOptions, configOf } from '../app.js'
import type { Io } from '../io.js'

/** Works on an archive of a bucket as a file, which is gone afterwards, or on one of a disk; with the name to find it by again. */
export async function withArchive<T>(
  given: string,
  options: AppOptions,
  io: Io,
  work: (file: string, name: string) => Promise<T>,
): Promise<T> {
  if (!isInBucket(given)) {
    const file = path.resolve(io.cwd, given)
    return work(file, file)
  }
  // Variables may stand in the app's `.env`.
  await configOf(options, io)
  const folder = await mkdtemp(path.join(tmpdir(), 'stele-archive-'))
  try {
    const file = path.join(folder, path.basename(given))
    await fetchFrom(bucketPlace(given, io.env), file)
    return await work(file, given)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { FormParts } from './multipart.js'

/** A fingerprint that is equal for two forms with the same fields and files, whatever the boundaries between their parts. */
export async function fingerprintOf({ fields, files }: FormParts): Promise<string> {
  const contents: unknown[] = []
  for (const { field, name, mime, path } of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    contents.push([field, name, mime, hash.digest('hex')])
  }
  return JSON.stringify([[...fields], contents])
}

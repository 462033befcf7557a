import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Environment, variableOf } from '../../config/variable.js'
import { BootError } from '../../errors.js'
import { Bucket, BucketError, bucketAddress } from '../../services/s3/bucket.js'

/** True for a place in a bucket, `s3://bucket/prefix`, rather than one on a disk. */
export const isInBucket = (place: string): boolean => place.startsWith('s3://')

/** A place in a bucket of a server that speaks S3. */
export interface BucketPlace {
  readonly bucket: Bucket
  /** The path within the bucket, without slashes around it; empty for the bucket itself. */
  readonly path: string
}

/** Opens `s3://bucket/path` with the credentials of backups, which are those of nothing else. */
export function bucketPlace(address: string, variables: Environment): BucketPlace {
  const [, name = '', rest = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? []
  if (name === '') throw new BootError(`${address} is no place in a bucket; expected s3://<bucket>/<path>`, usage)
  const read = (suffix: string) => variableOf(variables, `BACKUP_S3_${suffix}`) || undefined
  const need = (suffix: string): string => {
    const value = read(suffix)
    if (value === undefined)
      throw new BootError(
        `backups in a bucket need the environment variable BACKUP_S3_${suffix}, or BACKUP_S3_${suffix}_FILE`,
      )
    return value
  }
  const region = read('REGION') ?? 'us-east-1'
  const endpoint = read('ENDPOINT')
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new BootError(`the environment variable BACKUP_S3_ENDPOINT is no address: expected https://<host>`)
  const bucket = new Bucket({
    address: bucketAddress(name, region, endpoint),
    region,
    accessKeyId: need('ACCESS_KEY_ID'),
    secretAccessKey: need('SECRET_ACCESS_KEY'),
    sessionToken: read('SESSION_TOKEN'),
  })
  return { bucket, path: rest.replace(/^\/+|\/+$/g, '') }
}

const usage = { kind: 'usage' } as const

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Stores a file below a place, whole or not at all; objects have the bucket's own access list, which is private. */
export async function storeIn(
  { bucket, path: folder }: BucketPlace,
  file: string,
  signal?: AbortSignal,
): Promise<void> {
  const key = joined(folder, path.basename(file))
  try {
    await bucket.put(key, file, { headers: { 'Content-Type': 'application/gzip' }, signal })
  } catch (error) {
    // The response may have been lost, or the object may have other bytes.
    await bucket.remove(key).catch(() => undefined)
    refused(signal)(error)
  }
}

/** The names of objects directly below a place, in their order. */
export async function namesIn({ bucket, path: folder }: BucketPlace): Promise<{ name: string; size: number }[]> {
  const prefix = folder === '' ? '' : `${folder}/`
  const objects = await bucket.list(prefix).catch(refused())
  return objects.map(({ key, size }) => ({ name: key.slice(prefix.length), size }))
}

export async function removeFrom({ bucket, path: folder }: BucketPlace, name: string): Promise<void> {
  await bucket.remove(joined(folder, name)).catch(refused())
}

/** Reads an object into a file, for its owner alone. */
export async function fetchFrom({ bucket, path: key }: BucketPlace, file: string): Promise<void> {
  const content = await bucket.get(key).catch(refused())
  if (!content) throw new BootError(`there is no object ${key} in the bucket`, { kind: 'data' })
  await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600 }))
}

const refused =
  (signal?: AbortSignal) =>
  (cause: unknown): never => {
    if (signal?.aborted) throw new BootError('stopped; nothing was stored in the bucket', { kind: 'stopped' })
    if (!(cause instanceof BucketError)) throw cause
    const isDenied = cause.status === 401 || cause.status === 403
    throw new BootError(`the bucket of backups cannot be used: ${cause.message}`, {
      cause,
      kind: isDenied ? 'access' : 'failed',
    })
  }

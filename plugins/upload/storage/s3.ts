import { LRUCache } from 'lru-cache'
import { BootError, UnavailableError } from '../../../core/index.js'
import { Bucket, BucketError, bucketAddress } from '../../../core/plugin-kit.js'
import { isInline } from './headers.js'
import type { Storage, StoredFile } from './storage.js'

export interface S3Options {
  readonly bucket: string
  /** The bucket's address, with its name. */
  readonly address: string
  /** The public address for readers, such as a CDN. */
  readonly baseUrl: string
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  readonly acl: string | null
  readonly cacheControl: string
}

/** Files in a bucket of a server that speaks S3. */
export function s3Storage(options: S3Options): Storage {
  const bucket = new Bucket(options)
  const keyOf = (key: string) => [options.prefix, key].filter(Boolean).join('/')
  /** A version found in the bucket is used for a minute, as browsers too show a file without asking again. */
  const versions = new LRUCache<string, string>({ max: 10_000, ttl: 60_000 })
  const headersOf = ({ mime }: StoredFile): Record<string, string> => ({
    'Content-Type': mime,
    'Cache-Control': options.cacheControl,
    ...(!isInline(mime) && { 'Content-Disposition': 'attachment' }),
    ...(options.acl !== null && { 'X-Amz-Acl': options.acl }),
  })

  return {
    isPrivate: options.acl !== null && !options.acl.startsWith('public-'),
    async put(key, file) {
      await bucket
        .put(keyOf(key), file.path, { headers: headersOf(file) })
        .catch(toClients('refused a file, try again'))
      versions.delete(key)
      return `${options.baseUrl}/${encodeURI(keyOf(key))}`
    },
    get: key => bucket.get(keyOf(key)).catch(toClients(ofReading)),
    async version(key) {
      const known = versions.get(key)
      if (known !== undefined) return known
      const found = await bucket.version(keyOf(key)).catch(toClients(ofReading))
      if (found !== undefined) versions.set(key, found)
      return found
    },
    async remove(key) {
      await bucket.remove(keyOf(key)).catch(toClients('refused a file, try again'))
      versions.delete(key)
    },
  }
}

const ofReading = (status: number): string => `answered ${status} when it was asked for one`

/** Clients are told that the storage is at fault, and the log why. */
const toClients =
  (refused: string | ((status: number) => string)) =>
  (cause: unknown): never => {
    if (!(cause instanceof BucketError)) throw cause
    const { status } = cause
    const says =
      status === undefined ? 'does not answer, try again' : typeof refused === 'string' ? refused : refused(status)
    throw Object.assign(new UnavailableError(`The storage of files ${says}`), { cause })
  }

type Loose = Readonly<Record<string, unknown>>
const inner = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The options of Strapi's provider `aws-s3`, in both of the shapes that it knew. */
export function readS3Options(given: Loose, maxAge: number): S3Options {
  const s3 = { ...given, ...inner(given.s3Options) } as Loose
  const credentials = { ...s3, ...inner(s3.credentials) } as Loose
  const params = { ...inner(given.params), ...inner(s3.params) } as Loose
  const need = (value: unknown, name: string): string => {
    const found = text(value)
    if (found === undefined)
      throw new BootError(`config/plugins: upload.config.providerOptions.s3Options.${name} is missing`)
    return found
  }
  const bucket = need(params.Bucket, 'params.Bucket')
  const region = text(s3.region) ?? 'us-east-1'
  const endpoint = text(s3.endpoint)
  const address = addressOf(bucket, region, endpoint, s3.forcePathStyle ?? s3.s3ForcePathStyle)
  return {
    bucket,
    address,
    baseUrl: (text(given.baseUrl) ?? address).replace(/\/+$/, ''),
    prefix: (text(given.rootPath) ?? '').replace(/^\/+|\/+$/g, ''),
    region,
    accessKeyId: need(credentials.accessKeyId, 'credentials.accessKeyId'),
    secretAccessKey: need(credentials.secretAccessKey, 'credentials.secretAccessKey'),
    sessionToken: text(credentials.sessionToken),
    acl: params.ACL === null ? null : (text(params.ACL) ?? 'public-read'),
    cacheControl: `public, max-age=${maxAge}`,
  }
}

/** Amazon names the bucket in the host; other servers are mostly reached by address, and have it in the path. */
function addressOf(bucket: string, region: string, endpoint: string | undefined, pathStyle: unknown): string {
  if (endpoint !== undefined && !URL.canParse(endpoint))
    throw new BootError('config/plugins: upload.config.providerOptions.s3Options.endpoint is no address')
  return bucketAddress(bucket, region, endpoint, typeof pathStyle === 'boolean' ? pathStyle : undefined)
}

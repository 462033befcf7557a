import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { BootError, UnavailableError } from '../../../core/index.js'
import { isInline } from './headers.js'
import type { Storage, StoredFile } from './storage.js'

/** The parts of a large file; also all of it that is in memory at once. */
const partSize = 8 * 1024 * 1024
const deadline = 60_000

export interface S3Options {
  readonly bucket: string
  /** Where the bucket answers, its name included. */
  readonly address: string
  /** Where readers find it, such as a CDN. */
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
  type Client = InstanceType<typeof import('aws4fetch').AwsClient>
  let client: Promise<Client> | undefined
  const load = async (): Promise<Client> => {
    const { AwsClient } = await import('aws4fetch')
    const { accessKeyId, secretAccessKey, sessionToken, region } = options
    return new AwsClient({
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      retries: 3,
      ...(sessionToken && { sessionToken }),
    })
  }
  const keyOf = (key: string) => [options.prefix, key].filter(Boolean).join('/')
  const silent = (cause: unknown): never => {
    throw Object.assign(new UnavailableError('The storage of files does not answer, try again'), { cause })
  }
  const receive = async (key: string) => {
    client ??= load()
    // A large file may take long, so only the driver's own limits hold.
    const answer = await (await client).fetch(`${options.address}/${encodeURI(keyOf(key))}`).catch(silent)
    if (answer.ok && answer.body) return answer.body as AsyncIterable<Uint8Array>
    await answer.body?.cancel()
    if (answer.status === 404) return undefined
    throw new UnavailableError(`The storage of files answered ${answer.status} when it was asked for one`)
  }
  /** As long as browsers may show a file without asking, others may take what they have found for the file. */
  const versions = new LRUCache<string, string>({ max: 10_000, ttl: 60_000 })
  const look = async (key: string) => {
    client ??= load()
    const url = `${options.address}/${encodeURI(keyOf(key))}`
    const answer = await (await client)
      .fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(deadline) })
      .catch(silent)
    if (answer.ok) return `${answer.headers.get('etag')} ${answer.headers.get('last-modified')}`
    // Who may not list a bucket is not told what is missing in it.
    if (answer.status === 404 || answer.status === 403) return undefined
    throw new UnavailableError(`The storage of files answered ${answer.status} when it was asked for one`)
  }
  const send: Send = async (method, key, { query = '', headers = {}, body } = {}) => {
    client ??= load()
    const url = `${options.address}/${encodeURI(keyOf(key))}${query}`
    const signed = {
      ...headers,
      'X-Amz-Content-Sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    }
    const answer = await (await client)
      .fetch(url, {
        method,
        headers: signed,
        signal: AbortSignal.timeout(deadline),
        ...(body !== undefined && { body }),
      })
      .catch(silent)
    const text = await answer.text()
    // A multipart upload may fail behind a status of 200.
    if (answer.ok && !/<Error>/.test(text.slice(0, 500))) return { text, etag: answer.headers.get('etag') ?? '' }
    const cause = new Error(`${method} of an object was answered ${answer.status}: ${text.slice(0, 500)}`)
    throw Object.assign(new UnavailableError('The storage of files refused a file, try again'), { cause })
  }
  const headersOf = ({ mime }: StoredFile): Record<string, string> => ({
    'Content-Type': mime,
    'Cache-Control': options.cacheControl,
    ...(!isInline(mime) && { 'Content-Disposition': 'attachment' }),
    ...(options.acl !== null && { 'X-Amz-Acl': options.acl }),
  })

  return {
    isPrivate: options.acl !== null && !options.acl.startsWith('public-'),
    async put(key, file) {
      const { size } = await stat(file.path)
      if (size > partSize) await putParts(send, key, file, headersOf(file))
      else
        for await (const whole of partsOf(file.path)) await send('PUT', key, { headers: headersOf(file), body: whole })
      versions.delete(key)
      return `${options.baseUrl}/${encodeURI(keyOf(key))}`
    },
    get: receive,
    async version(key) {
      const known = versions.get(key)
      if (known !== undefined) return known
      const found = await look(key)
      if (found !== undefined) versions.set(key, found)
      return found
    },
    async remove(key) {
      await send('DELETE', key)
      versions.delete(key)
    },
  }
}

/** What goes with a request beside its method and key. */
interface Sent {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
}

type Send = (method: string, key: string, sent?: Sent) => Promise<{ readonly text: string; readonly etag: string }>

/** Sends a large file in parts; an upload that fails leaves none of them. */
async function putParts(send: Send, key: string, file: StoredFile, headers: Record<string, string>): Promise<void> {
  const { text } = await send('POST', key, { query: '?uploads=', headers })
  const id = encodeURIComponent(/<UploadId>([^<]+)<\/UploadId>/.exec(text)?.[1] ?? '')
  try {
    const tags: string[] = []
    for await (const part of partsOf(file.path)) {
      const { etag } = await send('PUT', key, {
        query: `?partNumber=${tags.length + 1}&uploadId=${id}`,
        body: part,
      })
      tags.push(`<Part><PartNumber>${tags.length + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    }
    const list = `<CompleteMultipartUpload>${tags.join('')}</CompleteMultipartUpload>`
    const xml = { 'Content-Type': 'application/xml' }
    await send('POST', key, { query: `?uploadId=${id}`, headers: xml, body: list })
  } catch (error) {
    await send('DELETE', key, { query: `?uploadId=${id}` }).catch(() => undefined)
    throw error
  }
}

/** One buffer for all parts: each has left before the next is read. */
async function* partsOf(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path)
  const buffer = Buffer.allocUnsafe(Math.min(partSize, (await handle.stat()).size))
  try {
    for (;;) {
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      if (filled > 0) yield buffer.subarray(0, filled)
      if (filled < buffer.length || buffer.length < partSize) return
    }
  } finally {
    await handle.close()
  }
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
  if (endpoint === undefined && pathStyle !== true) return `https://${bucket}.s3.${region}.amazonaws.com`
  const given = endpoint ?? `https://s3.${region}.amazonaws.com`
  if (!URL.canParse(given))
    throw new BootError('config/plugins: upload.config.providerOptions.s3Options.endpoint is no address')
  const url = new URL(given)
  if (pathStyle === false) url.hostname = `${bucket}.${url.hostname}`
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}${pathStyle === false ? '' : `/${bucket}`}`
}

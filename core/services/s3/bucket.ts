import { createHash } from 'node:crypto'
import { open, stat } from 'node:fs/promises'
import { withoutEnd } from '../../kit/without-end.js'
import { timeLimit } from '../../loop/time-limit.js'

/** A bucket of a server that speaks S3, with the credentials for it. */
export interface BucketOptions {
  /** The address of the bucket, its name included. */
  readonly address: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** A refusal of such a server, with its status; without one it did not reply. */
export class BucketError extends Error {
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** An object of a bucket. */
export interface BucketObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

type Client = InstanceType<typeof import('aws4fetch').AwsClient>

/** The rest of a request, beside its method and key. */
interface BucketRequest {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  readonly signal?: AbortSignal | undefined
}

/** The parts of a large file; also all of it that is in memory at once. */
const usualPart = 8 * 1024 * 1024
/** S3 takes no more parts of one object than that. */
const mostParts = 10_000
const deadline = 60_000

export class Bucket {
  readonly #options: BucketOptions
  #client: Promise<Client> | undefined

  constructor(options: BucketOptions) {
    this.#options = options
  }

  /** Stores a file, whole or not at all: in one request, or in parts where it is large. */
  async put(
    key: string,
    file: string,
    { headers = {}, signal }: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { size } = await stat(file)
    if (size > usualPart) return this.#putParts(key, file, headers, signal)
    for await (const whole of partsOf(file, usualPart)) await this.#store(key, { headers, body: whole, signal })
  }

  /** The content of an object; undefined where there is none of this name. */
  async get(key: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    // A large object may take long, so only the driver's own limits hold.
    const response = await (await this.#signer())
      .fetch(`${this.#options.address}/${encodeURI(key)}`)
      .catch((cause: unknown) => silent('GET', cause))
    if (response.ok && response.body) return response.body as AsyncIterable<Uint8Array>
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new BucketError(`GET of an object was answered ${response.status}`, response.status)
  }

  /** A tag that changes with the content of an object; undefined where there is none of this name. */
  async version(key: string): Promise<string | undefined> {
    const { ok, status, headers } = await (await this.#signer())
      .fetch(`${this.#options.address}/${encodeURI(key)}`, { method: 'HEAD', signal: AbortSignal.timeout(deadline) })
      .catch((cause: unknown) => silent('HEAD', cause))
    if (ok) return `${headers.get('etag')} ${headers.get('last-modified')}`
    // Without the permission to list, a server answers 403 for a missing object.
    if (status === 404 || status === 403) return undefined
    throw new BucketError(`HEAD of an object was answered ${status}`, status)
  }

  async remove(key: string): Promise<void> {
    await this.#send('DELETE', key)
  }

  /** The objects whose keys begin so, in the order of their keys. */
  async list(prefix: string): Promise<BucketObject[]> {
    const found: BucketObject[] = []
    for (let token: string | undefined, isMore = true; isMore; ) {
      const next = token === undefined ? '' : `&continuation-token=${encodeURIComponent(token)}`
      const { text } = await this.#send('GET', '', {
        query: `?list-type=2&prefix=${encodeURIComponent(prefix)}${next}`,
      })
      for (const [, object = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        found.push({ key: unescaped(elementOf(object, 'Key')), size: Number(elementOf(object, 'Size')) })
      token = unescaped(elementOf(text, 'NextContinuationToken'))
      isMore = elementOf(text, 'IsTruncated') === 'true' && token !== ''
    }
    return found
  }

  async #signer(): Promise<Client> {
    const { accessKeyId, secretAccessKey, sessionToken, region } = this.#options
    this.#client ??= import('aws4fetch').then(
      ({ AwsClient }) =>
        new AwsClient({
          ...{ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 },
          ...(sessionToken && { sessionToken }),
        }),
    )
    return this.#client
  }

  async #send(method: string, key: string, { query = '', headers = {}, body, signal }: BucketRequest = {}) {
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const response = await (await this.#signer())
      .fetch(`${this.#options.address}${key === '' ? '' : `/${encodeURI(key)}`}${query}`, {
        method,
        headers: { ...headers, 'X-Amz-Content-Sha256': hash },
        signal: timeLimit(deadline, signal),
        // Types of browsers, which tests of pages add, know no buffer as a body.
        ...(body !== undefined && { body: body as string }),
      })
      .catch((cause: unknown) => silent(method, cause))
    const text = await response.text()
    // An object in parts may fail behind a status of 200.
    if (response.ok && !/<Error>/.test(text.slice(0, 500))) return { text, headers: response.headers }
    const { status } = response
    throw new BucketError(`${method} of an object was answered ${status}: ${text.slice(0, 500)}`, status)
  }

  /** Stores bytes, which the server checks against their hashes, and checks the hash that it returns. */
  async #store(key: string, { body = '', headers, ...sent }: BucketRequest): Promise<string> {
    const md5 = createHash('md5').update(body).digest()
    const given = { ...headers, 'Content-MD5': md5.toString('base64') }
    const { headers: answered } = await this.#send('PUT', key, { ...sent, body, headers: given })
    const etag = answered.get('etag') ?? ''
    // An object that is encrypted with a key of its own has a tag of another kind.
    const isHash = /^"?[0-9a-f]{32}"?$/.test(etag) && !/kms/.test(answered.get('x-amz-server-side-encryption') ?? '')
    if (isHash && !etag.includes(md5.toString('hex')))
      throw new BucketError('the server has other bytes than it was sent')
    return etag
  }

  /** Sends a large file in parts; if one fails, all of them are removed. */
  async #putParts(
    key: string,
    file: string,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<void> {
    const { size } = await stat(file)
    const { text } = await this.#send('POST', key, { query: '?uploads=', headers, signal })
    const id = encodeURIComponent(unescaped(elementOf(text, 'UploadId')))
    try {
      const tags: string[] = []
      for await (const body of partsOf(file, Math.max(usualPart, Math.ceil(size / mostParts)))) {
        const query = `?partNumber=${tags.length + 1}&uploadId=${id}`
        const etag = await this.#store(key, { query, body, signal })
        tags.push(`<Part><PartNumber>${tags.length + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
      }
      const list = `<CompleteMultipartUpload>${tags.join('')}</CompleteMultipartUpload>`
      const xml = { 'Content-Type': 'application/xml' }
      await this.#send('POST', key, { query: `?uploadId=${id}`, headers: xml, body: list, signal })
    } catch (error) {
      await this.#send('DELETE', key, { query: `?uploadId=${id}` }).catch(() => undefined)
      throw error
    }
  }
}

function silent(method: string, cause: unknown): never {
  throw new BucketError(`${method} of an object was not answered: ${(cause as Error).message}`, undefined, { cause })
}

const elementOf = (xml: string, name: string): string => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const unescaped = (text: string): string => text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name] ?? '')

/** Reads all parts into the same buffer: each is sent before the next is read. */
async function* partsOf(file: string, partSize: number): AsyncGenerator<Buffer> {
  const handle = await open(file)
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

/** Amazon names the bucket in the host; other servers are mostly reached by address, and have it in the path. */
export function bucketAddress(
  bucket: string,
  region: string,
  endpoint: string | undefined,
  pathStyle?: boolean,
): string {
  if (endpoint === undefined && pathStyle !== true) return `https://${bucket}.s3.${region}.amazonaws.com`
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (pathStyle === false) url.hostname = `${bucket}.${url.hostname}`
  return `${url.origin}${withoutEnd(url.pathname, '/')}${pathStyle === false ? '' : `/${bucket}`}`
}

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdir, open, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import type { Context } from 'koa'
import type { KoaBodyMiddlewareOptions } from 'koa-body'
import { BadRequestError, PayloadTooLargeError, RequestError, UnavailableError } from '../../../core/index.js'
import { closed } from '../handles.js'
import { sample } from '../kind.js'
import { plainName } from '../names.js'

/** Limits of the files and fields of one request. */
export interface PartLimits {
  /** Bytes of all parts together, of one file, and of all plain fields. */
  readonly body: number
  readonly file: number
  readonly fields: number
  readonly parts: number
}

/** A file of a request, whole and on disk. */
export interface SentFile {
  readonly field: string
  readonly path: string
  readonly name: string
  readonly mime: string | undefined
  readonly bytes: number
  /** The first bytes, by which its kind is recognised. */
  readonly head: Buffer
}

/** The parts of a multipart body, each kind in the order in which it was sent. */
export interface FormParts {
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: readonly SentFile[]
  /** Removes the remaining files. */
  readonly discard: () => Promise<void>
}

/** Bytes that may pass without anything being found in them, such as endless headers. */
const silence = 256 * 1024
/** Reads a multipart body: files go straight to a folder of their own inside `staging`. */
export async function readParts(ctx: Context, staging: string, limits: PartLimits): Promise<FormParts> {
  const expected = Number(ctx.req.headers['content-length'] ?? 0)
  if (expected > limits.body) throw tooLarge(limits)
  const folder = await makeFolder(staging)
  // Removes the folder, which is empty unless something failed. The parser may open another file while its files are removed.
  const discard = () =>
    rmdir(folder).catch(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }))
  try {
    return { ...(await parse(ctx, folder, limits)), discard }
  } catch (error) {
    await discard()
    throw explain(error)
  }
}

/** Creates the folder for unchecked files, readable by this process only: another program may serve the folder around it. */
export async function makeStaging(staging: string): Promise<void> {
  await mkdir(path.dirname(staging), { recursive: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
}

/** A folder of one request's own, which only the server may enter. */
export async function makeFolder(staging: string): Promise<string> {
  const folder = path.join(staging, randomBytes(12).toString('hex'))
  const make = () => mkdir(folder, { mode: 0o700 })
  await make().catch(async error => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    await makeStaging(staging)
    await make()
  })
  return folder
}

type FormOptions = NonNullable<KoaBodyMiddlewareOptions['formidable']>
type FormPart = Parameters<NonNullable<FormOptions['onPart']>>[0]
type FormFile = Parameters<NonNullable<FormOptions['onFileBegin']>>[1]

async function parse(ctx: Context, folder: string, limits: PartLimits): Promise<Omit<FormParts, 'discard'>> {
  const { koaBody } = await import('koa-body')
  const source = new Source(ctx, limits)
  const begun: { field: string; file: FormFile }[] = []
  let parts = 0
  const formidable: FormOptions = {
    uploadDir: folder,
    filename: () => randomBytes(8).toString('hex'),
    allowEmptyFiles: true,
    minFileSize: 0,
    maxFileSize: limits.body,
    maxTotalFileSize: limits.body,
    maxFieldsSize: limits.fields,
    maxFields: Number.POSITIVE_INFINITY,
    onFileBegin: (field, file) => {
      // The parser would make it with the usual mode; a file that is there keeps its own.
      writeFileSync(file.filepath, '', { mode: 0o600, flag: 'wx' })
      begun.push({ field, file })
    },
    // Parts are counted here and not by the parser, which still opens a file for the one that is too many.
    onPart: (part, take) => {
      parts += 1
      const refused = source.failure ?? refusalOf(part, parts, limits)
      if (refused) return source.fail(refused)
      watch(part, source, limits)
      // The parser does not await this promise: an error would end the process.
      Promise.resolve(take(part)).catch(error => source.fail(error))
    },
  }
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable,
    onError: error => {
      throw error
    },
  })
  const request: { body?: Record<string, string | string[]> } = {}
  const place = { method: ctx.method, is: (types: string[]) => ctx.is(types), req: source.stream, request }
  await Promise.race([read(place as never, async () => undefined), source.failed])
  if (source.failure) throw source.failure
  const files: SentFile[] = []
  for (const { field, file } of begun) if (file.size > 0) files.push(await sentFile(field, file))
  return {
    fields: new Map(Object.entries(request.body ?? {}).map(([name, value]) => [name, [value].flat()])),
    files,
  }
}

const sentFile = async (field: string, file: FormFile): Promise<SentFile> => ({
  field,
  path: file.filepath,
  name: plainName(file.originalFilename ?? ''),
  mime: file.mimetype?.split(';')[0]?.trim() || undefined,
  bytes: file.size,
  head: await headOf(file),
})

/** The parser counts bytes handed to the disk, and may be done before the disk reports that it is full. */
async function headOf({ filepath, size }: FormFile): Promise<Buffer> {
  const lost = () => new UnavailableError('The file could not be stored, try again')
  const handle = await open(filepath).catch(() => {
    throw lost()
  })
  try {
    const [found, { buffer, bytesRead }] = await Promise.all([
      handle.stat(),
      handle.read(Buffer.alloc(sample), 0, sample),
    ])
    if (found.size !== size) throw lost()
    return buffer.subarray(0, bytesRead)
  } finally {
    closed(handle)
  }
}

function refusalOf({ name }: FormPart, count: number, { parts }: PartLimits): RequestError | undefined {
  if (count > parts) return new PayloadTooLargeError(`The body has more than ${parts} parts; send fewer at once`)
  if (name === null || name === '' || name.length > 255 || name === '__proto__')
    return new BadRequestError('A part of the body has no name that can be used; name it in its Content-Disposition')
  return undefined
}

function watch(part: FormPart, source: Source, limits: PartLimits): void {
  // A part with a file name is a file, and the encoding of its bytes has already been undone.
  if (part.originalFilename !== null) part.mimetype ??= 'application/octet-stream'
  Object.assign(part, { transferEncoding: 'utf-8' })
  let bytes = 0
  source.heard()
  part.on('data', ({ length }: Buffer) => {
    source.heard()
    bytes += length
    if (part.mimetype && bytes > limits.file) source.fail(tooLarge(limits))
  })
}

/** The bytes of a request on their way to the parser, which sets no bounds to many of the things it collects. */
class Source {
  readonly stream: Transform
  /** Settles only when the body cannot be read to its end. */
  readonly failed: Promise<never>
  failure: Error | undefined
  readonly #ctx: Context
  readonly #limits: PartLimits
  #bytes = 0
  #quiet = 0

  constructor(ctx: Context, limits: PartLimits) {
    this.#ctx = ctx
    this.#limits = limits
    const { req } = ctx
    this.stream = new Transform({ transform: (chunk: Buffer, _, done) => done(this.#refusalOf(chunk), chunk) })
    Object.assign(this.stream, { headers: req.headers })
    this.failed = new Promise((_, reject) => this.stream.on('error', reject))
    this.failed.catch(error => this.fail(error))
    req.pipe(this.stream)
    const endEarly = () =>
      this.fail(new BadRequestError('The body ended too early; send all of it, up to its last boundary'))
    req.once('error', endEarly)
    req.once('aborted', endEarly)
    // The client may have hung up while the caller was looked up or the folder was made: nothing tells that again.
    if (req.destroyed) endEarly()
  }

  /** The error for a body over the limits. Earlier chunks have been through the parser; this one has not. */
  #refusalOf({ length }: Buffer): RequestError | null {
    const isQuiet = this.#quiet > silence
    this.#bytes += length
    this.#quiet += length
    if (this.#bytes > this.#limits.body) return tooLarge(this.#limits)
    return isQuiet ? new BadRequestError('The body has headers that are too long, or no parts') : null
  }

  /** Called when the parser has found a part in the bytes. */
  heard(): void {
    this.#quiet = 0
  }

  /** Gives up; the rest of the body is read and dropped, so that the client gets the error. */
  fail(error: unknown): void {
    if (this.failure) return
    const isOurs = error instanceof RequestError || isOfSystem(error)
    this.failure = isOurs
      ? error
      : new BadRequestError('The body cannot be read: it is incomplete or damaged; send it again')
    this.#ctx.req.unpipe(this.stream)
    this.#ctx.req.resume()
    this.stream.destroy(this.failure)
  }
}

/** True for errors of the disk, which are no fault of the client. */
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined

const tooLarge = ({ file }: PartLimits) => new PayloadTooLargeError('FileTooBig', { limit: file })

/** The parser's messages are about its own options; clients get the limit that they exceeded. */
function explain(error: unknown): unknown {
  if (error instanceof RequestError) return error
  const { httpCode, code, message } = error as { httpCode?: number; code?: unknown; message: string }
  if (httpCode === 413) return new PayloadTooLargeError('The fields of the body are too large; send less in them')
  if (/boundary/.test(message))
    return new BadRequestError(
      'The Content-Type of the body names no boundary between its parts; send multipart/form-data; boundary=...',
    )
  // Numbers are the parser's own codes.
  return typeof code === 'number'
    ? new BadRequestError('The body is not a complete multipart message; send all of it, up to its last boundary')
    : error
}

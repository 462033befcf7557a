import { once } from 'node:events'
import { lookup } from 'mime-types'
import { NotFoundError, RequestError, type RouteCall } from '../../../core/index.js'
import { headersOf } from './headers.js'

export interface ServeOptions {
  readonly folder: string
  /** Seconds for which a response may be used again unasked. */
  readonly maxAge: number
  /** True if the address changes with the content. */
  readonly isPinned?: boolean
}

/** Sends a file of a folder: whole, in part, or only the word that it has not changed. */
export async function send({ ctx }: RouteCall<unknown>, name: string, serving: ServeOptions): Promise<void> {
  const { folder, maxAge, isPinned = false } = serving
  const { default: stream } = await import('send')
  const options = { root: folder, index: false, maxAge: maxAge * 1000, immutable: isPinned } as const
  const file = stream(ctx.req, encodeURIComponent(name), options)
  file.on('headers', response => {
    const headers = { 'X-Request-Id': ctx.state.requestId, Vary: 'Origin', ...headersOf(lookup(name) || '') }
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value)
  })
  const failed = new Promise<never>((_, reject) => {
    file.on('error', (error: Error & { status?: number }) => reject(refusalOf(error)))
    file.on('directory', () => reject(new NotFoundError()))
  })
  ctx.respond = false
  ctx.res.statusCode = 200
  file.pipe(ctx.res)
  try {
    await Promise.race([once(ctx.res, 'finish'), once(ctx.res, 'close'), failed])
  } catch (error) {
    if (ctx.res.headersSent) return void ctx.res.destroy()
    for (const header of ctx.res.getHeaderNames()) if (ofFiles.test(header)) ctx.res.removeHeader(header)
    ctx.respond = true
    throw error
  }
}

const ofFiles = /^(content-|etag$|last-modified$|cache-control$|accept-ranges$)/

/** The name of a file in the folder; anything with a path in it is none. */
export function nameOf(name = ''): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the null byte ends names for the system
  return /^\.|[\\/\u0000]/.test(name) || name === '' ? undefined : name
}

/** A range or condition of the client that the file cannot satisfy. */
class Unsatisfied extends RequestError {
  readonly status: number
  override readonly name: string
  constructor(status: number, name: string, message: string, headers?: Record<string, string>) {
    super(message, {}, headers)
    this.status = status
    this.name = name
  }
}

function refusalOf(error: Error & { status?: number; headers?: Record<string, string> }): unknown {
  const { status, headers } = error
  if (status === 416)
    return new Unsatisfied(416, 'RangeNotSatisfiableError', 'The file has no such bytes', {
      'Content-Range': headers?.['Content-Range'] ?? 'bytes */0',
    })
  if (status === 412) return new Unsatisfied(412, 'PreconditionFailedError', 'The file has changed')
  return status !== undefined && status < 500 ? new NotFoundError() : error
}

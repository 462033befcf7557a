import { finished } from 'node:stream'
import type { Context } from 'koa'
import type { Log } from '../../core/index.js'
import type { Loose } from './types.js'

/** A response whose body cannot be sent: its cause is in the log, and no client learns of it. */
class UnsentError extends Error {}

/**
 * Makes the body that code has left one that can be sent: an object becomes text, and a stream has given its first bytes. What
 * fails here is an error as any other; once a response has begun, it could only be cut.
 */
export async function makeSendable(koa: Context, whose: string, log: Pick<Log, 'error'>): Promise<void> {
  const { respond, response, status } = koa
  const { body } = response
  if (respond === false || body === undefined || body === null || withoutBody.includes(status)) return
  try {
    if (isStream(body)) {
      await firstBytes(body)
      watch(koa, whose, log)
    } else if (isValue(body)) response.body = textOf(body)
  } catch (cause) {
    throw new UnsentError(`the response of ${whose} cannot be sent: ${(cause as Error)?.message}`, { cause })
  }
}

const withoutBody = [204, 205, 304]

interface Source extends NodeJS.ReadableStream {
  readonly readableLength?: number
}

const failures = new WeakMap<object, Error>()

/** A stream may fail before anything reads it: an error that nothing hears would end the process. */
export function hearFailures(body: unknown): void {
  if (!isStream(body) || typeof body.on !== 'function') return
  body.on('error', error => failures.set(body, error))
}

const isStream = (body: unknown): body is Source =>
  typeof body === 'object' && body !== null && typeof (body as Partial<Source>).pipe === 'function'

/** Tells a body that is sent as JSON. */
const isValue = (body: unknown): boolean =>
  typeof body !== 'string' &&
  !Buffer.isBuffer(body) &&
  ![ReadableStream, Blob, Response].some(kind => body instanceof kind)

function textOf(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a ${typeof value} is no JSON`)
  return text
}

/** Resolves when a stream has something to be read, or has come to its end; rejects when it has failed before. */
async function firstBytes(stream: Source): Promise<void> {
  const failure = failures.get(stream)
  if (failure) throw failure
  if (!stream.readable || (stream.readableLength ?? 0) > 0) return
  await new Promise<void>((resolve, reject) => {
    const release = finished(stream, { writable: false }, error => end(error))
    const end = (error?: Error | null) => {
      release()
      stream.off('readable', begun)
      // One that its reader has left is no failure of the code.
      if (error && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') reject(error)
      else resolve()
    }
    const begun = () => end()
    stream.once('readable', begun)
  })
}

/** Has the server answer a request in which code has thrown after it began to answer by itself: a part of a response is cut. */
export function takeBack(koa: Context): void {
  const { res } = koa
  if (!res.headersSent) koa.respond = true
  else if (!res.writableEnded) res.destroy()
}

/** Logs the failure of a stream that is being sent: Koa, which then cuts the response, has nothing to log it with. */
function watch(koa: Context, whose: string, log: Pick<Log, 'error'>): void {
  const { onerror } = koa
  let isLogged = false
  koa.onerror = (error: Loose) => {
    // A client that has gone away is not an error of the server.
    if (error && !isLogged && !left.includes(error.code)) {
      isLogged = true
      const { requestId } = koa.state
      log.error({ err: error, requestId, path: koa.path }, `the response of ${whose} was cut`)
    }
    onerror.call(koa, error)
  }
}

const left = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE']

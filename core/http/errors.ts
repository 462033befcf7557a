import { randomBytes } from 'node:crypto'
import type { Dialect } from '../dialect.js'
import { FormatError, InvalidParameter, RequestError } from '../errors.js'
import type { Log } from '../log.js'

/** The error object of an answer, and the status and headers that go with it. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: Readonly<Record<string, unknown>>
}

/** What a client learns of an error: refusals in their own words, anything else only an id to find it in the log by. */
export function describeError(error: unknown, dialect: Dialect, log: Log, requestId: string): ErrorAnswer {
  if (error instanceof RequestError) {
    const terse = dialect.terseErrors && (error instanceof InvalidParameter || error instanceof FormatError)
    const { status, name, message, details, headers = {} } = error
    if (status >= 500) log.error({ err: error, cause: error.cause, requestId }, message)
    return {
      status,
      headers,
      error: {
        status,
        name,
        message: terse ? error.terse : message,
        ...(details && { details: terse ? {} : details }),
      },
    }
  }
  const status = 500
  log.error({ err: error, requestId }, 'a request failed')
  return {
    status,
    headers: {},
    error: {
      status,
      name: 'InternalServerError',
      message: 'Internal Server Error',
      ...(!dialect.terseErrors && { details: { requestId } }),
    },
  }
}

const instance = randomBytes(5).toString('hex')
let requests = 0

/** An id for a request: the client's own, where it is harmless, or one that occurs once. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent)) return sent
  requests += 1
  return `${instance}-${requests.toString(36)}`
}

import type { Dialect } from '../../dialect.js'
import { FormatError, InvalidParameter, RequestError } from '../../errors.js'
import type { Log } from '../../log.js'
import { thrown } from '../../thrown.js'

/** The error object of a response, and the status and headers that go with it. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: Readonly<Record<string, unknown>>
}

/** What the log says of a request that failed: where it was, and what it asked. */
export interface Failure {
  readonly requestId: string
  readonly [field: string]: unknown
}

/** Refusals of which the log tells the reason at debug. */
const explained = [401, 403, 404]

/** What a client learns of an error: refusals in their own words, anything else only an id to find it in the log by. */
export function describeError(error: unknown, dialect: Dialect, log: Log, about: () => Failure): ErrorAnswer {
  if (error instanceof RequestError) {
    const terse = dialect.terseErrors && (error instanceof InvalidParameter || error instanceof FormatError)
    const { status, name, headers = {} } = error
    const { message, details } = (!dialect.plainMessages && error.older) || error
    const isExplained = error.reason !== undefined || explained.includes(status)
    if (status >= 500) log.error({ err: error, cause: error.cause, ...about() }, message)
    else if (isExplained && log.isLevelEnabled('debug'))
      log.debug({ ...about(), status, reason: error.reason ?? message }, 'refused')
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
  const failure = about()
  const { requestId } = failure
  log.error({ err: thrown(error), ...failure }, 'a request failed')
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

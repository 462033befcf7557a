import type { Dialect } from '../../dialect.js'
import { FormatError, InvalidParameter, NoRouteError, RequestError, UnavailableError } from '../../errors.js'
import { thrown } from '../../kit/thrown.js'
import type { Log } from '../../log.js'

/** The error object of a response, and the status and headers that go with it. */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly error: Readonly<Record<string, unknown>>
}

/** The body of an error in its format, and its media type where that is not the one of JSON. */
export interface FormattedError {
  readonly body: unknown
  readonly type?: string
}

/** The log fields of a failed request: its place, and its query. */
export interface Failure {
  readonly requestId: string
  readonly [field: string]: unknown
}

/** Refusals of which the log tells the reason at debug. */
const explained = [401, 403, 404]

/** The inputs of the description of an error, besides the error. */
export interface ErrorContext {
  readonly dialect: Dialect
  readonly log: Log
  /** `development`: a developer may know why something is forbidden, or not there. */
  readonly environment: string
}

/** The response for an error: refusals in their own words, anything else only with an id to find it in the log by. */
export function describeError(
  error: unknown,
  { dialect, log, environment }: ErrorContext,
  about: () => Failure,
): ErrorAnswer {
  if (error instanceof RequestError) {
    const terse = dialect.terseErrors && (error instanceof InvalidParameter || error instanceof FormatError)
    const { status, headers = {} } = error
    const { message, name = error.name } = wordsOf(error, dialect)
    tellLog(error, message, log, about)
    const details = terse ? {} : detailsOf(error, { dialect, environment })
    return {
      status,
      headers,
      error: { status, name, message: terse ? error.terse : message, ...(details && { details }) },
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

const wordsOf = (error: RequestError, dialect: Dialect): NonNullable<RequestError['older']> =>
  (!dialect.plainMessages && error.older) || error

function tellLog(error: RequestError, message: string, log: Log, about: () => Failure): void {
  const { status, reason } = error
  const isExplained = reason !== undefined || explained.includes(status)
  // A server that refuses because it has much to do is well: the place in the code says nothing then.
  if (error instanceof UnavailableError && error.cause === undefined) log.warn({ ...about(), status }, message)
  else if (status >= 500) log.error({ err: error, cause: error.cause, ...about() }, message)
  else if (isExplained && log.isLevelEnabled('debug'))
    log.debug({ ...about(), status, reason: reason ?? message }, 'refused')
}

/** The details beside the message; a terse dialect says no more than the server whose dialect it is. */
function detailsOf(error: RequestError, { dialect, environment }: Omit<ErrorContext, 'log'>): RequestError['details'] {
  const { details } = wordsOf(error, dialect)
  if (dialect.terseErrors) return details
  // The reason why an entry is not found would tell that it exists.
  const isTold = error.status === 403 || error instanceof NoRouteError
  const tellsWhy = environment === 'development' && isTold && error.reason !== undefined
  return { ...details, ...(tellsWhy && { reason: error.reason }) }
}

/** One complaint about one place of a request, as it stands in `error.details.errors`. */
export interface Issue {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
  /** The message for a dialect without plain messages (see the flag plainMessages), where its words are others. */
  readonly older?: string | undefined
}

/** The reason for which a command ends without having done its work: each kind has an exit code, see `core/tools/cli/exit-codes.ts`. */
export type FailureKind =
  | 'configuration'
  | 'usage'
  | 'data'
  | 'database'
  | 'port'
  | 'access'
  | 'busy'
  | 'stopped'
  | 'failed'

interface BootErrorOptions extends ErrorOptions {
  /** Unless it is said: that of the cause, or `configuration`. */
  readonly kind?: FailureKind
}

/** Wrong settings, schemas or plugins: the server stops before it listens. */
export class BootError extends Error {
  override readonly name = 'BootError'
  readonly kind: FailureKind

  constructor(message: string, options: BootErrorOptions = {}) {
    super(message, options)
    this.kind = options.kind ?? (options.cause instanceof BootError ? options.cause.kind : 'configuration')
  }
}

/** An error as a dialect without plain messages has it; the name where it has another one. */
interface OlderWords {
  readonly message: string
  readonly details: RequestError['details']
  readonly name?: string
}

/** Everything a request can be refused for. Thrown anywhere, turned into a response in one place. */
export abstract class RequestError extends Error {
  abstract readonly status: number
  abstract override readonly name: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Headers that belong to the refusal, such as Allow or Retry-After. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The same for a dialect without plain messages, where its words are others. */
  older: OlderWords | undefined
  /** The reason, for the log alone: the client may not be allowed to know. */
  reason: string | undefined

  constructor(message: string, details?: Record<string, unknown>, headers?: Record<string, string>) {
    super(message)
    this.details = details
    this.headers = headers
  }

  /** The same error in the words of a dialect without plain messages, and under another name if it has one there. */
  withOlder(message: string, name?: string): this {
    this.older = { message, details: this.details, ...(name !== undefined && { name }) }
    return this
  }

  /** The same error with a reason that is logged at debug and never sent. */
  because(reason: string | undefined): this {
    this.reason = reason
    return this
  }
}

/** The request was understood and its content is wrong. */
export class ValidationError extends RequestError {
  readonly status = 400
  override readonly name = 'ValidationError'

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message, details)
  }

  /** A body that lacks the part which is the entry. */
  static missingData(): ValidationError {
    const message = 'Missing "data" payload in the request body'
    return new ValidationError(`${message}; the attributes are sent as { "data": { ... } }`).withOlder(message)
  }

  /** One error for all that is wrong with a body, in the order of the schema. */
  static of(issues: readonly Issue[]): ValidationError {
    const { message, details } = summary(issues.map(({ older: _, ...issue }) => issue))
    const error = new ValidationError(message, details)
    const isOlder = issues.some(({ older }) => older !== undefined)
    error.older = isOlder
      ? summary(issues.map(({ older, ...issue }) => ({ ...issue, message: older ?? issue.message })))
      : undefined
    return error
  }
}

function summary(errors: readonly Issue[]): { message: string; details: Record<string, unknown> } {
  const [first] = errors
  return {
    message: errors.length === 1 && first ? first.message : `${errors.length} errors occurred`,
    details: { errors },
  }
}

/** A query parameter that does not exist, may not be used or has a wrong value. */
export class InvalidParameter extends ValidationError {
  /** The short form that older clients compare against: only the key at fault. */
  readonly terse: string

  constructor(path: readonly string[], reason: string, key: string = path.at(-1) ?? '') {
    const parameter = bracketed(path)
    super(`${parameter}: ${reason}`, {
      parameter,
      errors: [{ path: [...path], message: reason, name: 'ValidationError' }],
    })
    this.terse = `Invalid parameter ${key}`
  }
}

/** A date or time that could not be read. */
export class FormatError extends ValidationError {
  /** The short form, without the field's name. */
  readonly terse: string
  /** The accepted values, for messages in plain words: "a date of the form yyyy-MM-dd". */
  readonly wanted: string | undefined
  constructor(message: string, wanted?: string) {
    super(message)
    this.terse = message
    this.wanted = wanted
  }

  /** The same complaint with its place in a body, as messages name it. */
  at(path: readonly string[], place: string): FormatError {
    const older = this.#inBody(path, `${place}: ${this.terse}`, this.terse)
    if (this.wanted === undefined) return older
    const message = `${place} must be ${this.wanted}`
    return Object.assign(this.#inBody(path, message, message), { older })
  }

  /** The same complaint about a parameter, with the value as it is shown. */
  inQuery(path: readonly string[], shown: string): InvalidParameter {
    const { terse, wanted } = this
    const older = Object.assign(new InvalidParameter(path, terse), { terse })
    if (wanted === undefined) return older
    return Object.assign(new InvalidParameter(path, `${shown} is not ${wanted}`), { terse, older })
  }

  #inBody(path: readonly string[], message: string, inDetails: string): FormatError {
    const errors = [{ path, message: inDetails, name: 'ValidationError' }]
    return Object.assign(new FormatError(message, this.wanted), { terse: this.terse, details: { errors } })
  }
}

/** A rule of the application, not of the schema, forbids the request. */
export class ApplicationError extends RequestError {
  readonly status = 400
  override readonly name = 'ApplicationError'

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message, details)
  }

  /** The message of another error, without its details. */
  static saying({ message, older }: RequestError): ApplicationError {
    const error = new ApplicationError(message)
    error.older = older && { message: older.message, details: {} }
    return error
  }
}

/** The page was asked for in a way that the API does not have. */
export class PaginationError extends RequestError {
  readonly status = 400
  override readonly name = 'PaginationError'

  constructor(message: string) {
    super(message, {})
  }
}

/** The HTTP message itself is wrong: its path, its form, its encoding. */
export class BadRequestError extends RequestError {
  readonly status = 400
  override readonly name: string

  constructor(message: string, name = 'BadRequestError', details?: Record<string, unknown>) {
    super(message, details)
    this.name = name
  }
}

/** Credentials were sent and are not good. */
export class UnauthorizedError extends RequestError {
  readonly status = 401
  override readonly name = 'UnauthorizedError'

  constructor(message = 'Missing or invalid credentials') {
    super(message, {})
  }
}

/** The caller is known (or anonymous) and may not do this. */
export class ForbiddenError extends RequestError {
  readonly status = 403
  override readonly name = 'ForbiddenError'

  constructor(message = 'Forbidden', details: Record<string, unknown> = {}) {
    super(message, details)
  }
}

export class NotFoundError extends RequestError {
  readonly status = 404
  override readonly name = 'NotFoundError'

  constructor(message = 'Not Found') {
    super(message, {})
  }
}

/** No route has the path. */
export class NoRouteError extends NotFoundError {}

/** The path exists, the method does not; `Allow` names those that do. */
export class MethodNotAllowedError extends RequestError {
  readonly status = 405
  override readonly name = 'MethodNotAllowedError'

  constructor(allowed: readonly string[]) {
    super('Method Not Allowed', {}, { Allow: allowed.join(', ') })
  }
}

/** Something else stands against the request right now; `Retry-After` says when it may have gone, if it goes by itself. */
export class ConflictError extends RequestError {
  readonly status = 409
  override readonly name = 'ConflictError'

  constructor(message: string, retryAfter?: number, details: Record<string, unknown> = {}) {
    super(message, details, retryAfter === undefined ? undefined : { 'Retry-After': String(retryAfter) })
  }
}

/** The request is well formed and contradicts an earlier one. */
export class UnprocessableError extends RequestError {
  readonly status = 422
  override readonly name = 'UnprocessableEntityError'

  constructor(message: string) {
    super(message, {})
  }
}

/** The entry is not as the client expects it to be. */
export class PreconditionFailedError extends RequestError {
  readonly status = 412
  override readonly name = 'PreconditionFailedError'

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message, details)
  }
}

export class PayloadTooLargeError extends RequestError {
  readonly status = 413
  override readonly name = 'PayloadTooLargeError'
}

/** The body is in a form that nothing here reads; the message names the header and the accepted forms. */
export class UnsupportedMediaTypeError extends RequestError {
  readonly status = 415
  override readonly name = 'UnsupportedMediaTypeError'

  constructor(message: string) {
    super(message, {})
  }
}

/** Too many attempts of one kind; `Retry-After` says in how many seconds the next one counts. */
export class RateLimitError extends RequestError {
  readonly status = 429
  override readonly name = 'RateLimitError'

  constructor(retryAfter: number, message = 'Too many requests, please try again later.') {
    super(message, {}, { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) })
  }
}

/** The database or the server cannot serve now and probably can soon. */
export class UnavailableError extends RequestError {
  readonly status = 503
  override readonly name = 'ServiceUnavailableError'

  constructor(message = 'The server is not available right now, try again', retryAfter = 1) {
    super(message, {}, { 'Retry-After': String(retryAfter) })
  }
}

/** ['filters', 'author', 'name'] reads filters[author][name]. */
export function bracketed([head = '', ...rest]: readonly string[]): string {
  return head + rest.map(part => `[${part}]`).join('')
}

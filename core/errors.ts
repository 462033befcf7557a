/** One complaint about one place of a request, as it stands in `error.details.errors`. */
export interface Issue {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
}

/** Wrong settings, schemas or plugins: the server stops before it listens. */
export class BootError extends Error {
  override readonly name = 'BootError'
}

/** Everything a request can be refused for. Thrown anywhere, turned into an answer in one place. */
export abstract class RequestError extends Error {
  abstract readonly status: number
  abstract override readonly name: string
  readonly details: Readonly<Record<string, unknown>> | undefined
  /** Headers that belong to the refusal, such as Allow or Retry-After. */
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(message: string, details?: Record<string, unknown>, headers?: Record<string, string>) {
    super(message)
    this.details = details
    this.headers = headers
  }
}

/** The request was understood and its content is wrong. */
export class ValidationError extends RequestError {
  readonly status = 400
  override readonly name = 'ValidationError'

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message, details)
  }

  /** One error for all that is wrong with a body, in the order of the schema. */
  static of(issues: readonly Issue[]): ValidationError {
    const [first] = issues
    const message = issues.length === 1 && first ? first.message : `${issues.length} errors occurred`
    return new ValidationError(message, { errors: issues })
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

/** A date or time that could not be read; raised alone, as it is found last. */
export class FormatError extends ValidationError {
  /** The short form, without the field's name. */
  readonly terse: string
  constructor(message: string) {
    super(message)
    this.terse = message
  }

  /** The same complaint with the place it belongs to. */
  at(path: readonly string[]): FormatError {
    const named = new FormatError(`${path.join('.')}: ${this.terse}`)
    Object.assign(named, {
      terse: this.terse,
      details: { errors: [{ path, message: this.terse, name: 'ValidationError' }] },
    })
    return named
  }
}

/** A rule of the application, not of the schema, forbids what was asked. */
export class ApplicationError extends RequestError {
  readonly status = 400
  override readonly name = 'ApplicationError'

  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message, details)
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

  constructor(message = 'Forbidden') {
    super(message, {})
  }
}

export class NotFoundError extends RequestError {
  readonly status = 404
  override readonly name = 'NotFoundError'

  constructor(message = 'Not Found') {
    super(message, {})
  }
}

/** The path exists, the method does not; `Allow` names those that do. */
export class MethodNotAllowedError extends RequestError {
  readonly status = 405
  override readonly name = 'MethodNotAllowedError'

  constructor(allowed: readonly string[]) {
    super('Method Not Allowed', {}, { Allow: allowed.join(', ') })
  }
}

/** Something else stands against the request right now; `Retry-After` says when it may have gone. */
export class ConflictError extends RequestError {
  readonly status = 409
  override readonly name = 'ConflictError'

  constructor(message: string, retryAfter: number) {
    super(message, {}, { 'Retry-After': String(retryAfter) })
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

export class PayloadTooLargeError extends RequestError {
  readonly status = 413
  override readonly name = 'PayloadTooLargeError'
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

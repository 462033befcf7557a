import type { Bag, Loose } from '../../types.js'

/** The errors that code throws: each is one kind of response. They are what `require('@strapi/utils').errors` has. */
export class ApplicationError extends Error {
  // biome-ignore lint/suspicious/noExplicitAny: code sets another name or other details on its errors
  details: any
  readonly error?: Loose

  constructor(message = 'An application error occured', details: Loose = {}) {
    super(message)
    this.name = 'ApplicationError'
    this.details = details
  }
}

export class ValidationError extends ApplicationError {
  constructor(message?: string, details?: Loose) {
    super(message, details)
    this.name = 'ValidationError'
  }
}

/** The complaints of a schema of yup, as details of a response. */
export class YupValidationError extends ValidationError {
  constructor(found: Loose, message?: string) {
    const { errors, message: first } = found ?? {}
    const inner: readonly Bag[] = found?.inner ?? []
    const list = inner.length > 0 ? inner : found ? [found] : []
    super(message || (errors?.length > 1 ? `${errors.length} errors occurred` : first))
    this.details = {
      errors: list.map(({ path, message, name }) => ({ path: pathOf(path), message, name })),
    }
  }
}

/** `a.b[0]` is the list of its names. */
const pathOf = (path: Loose): string[] =>
  typeof path === 'string' ? path.split(/[.[\]]+/).filter(name => name !== '') : []

export class PaginationError extends ApplicationError {
  constructor(message = 'Invalid pagination', details?: Loose) {
    super(message, details)
    this.name = 'PaginationError'
  }
}

export class NotFoundError extends ApplicationError {
  constructor(message = 'Entity not found', details?: Loose) {
    super(message, details)
    this.name = 'NotFoundError'
  }
}

export class ForbiddenError extends ApplicationError {
  constructor(message = 'Forbidden access', details?: Loose) {
    super(message, details)
    this.name = 'ForbiddenError'
  }
}

export class UnauthorizedError extends ApplicationError {
  constructor(message = 'Unauthorized', details?: Loose) {
    super(message, details)
    this.name = 'UnauthorizedError'
  }
}

export class RateLimitError extends ApplicationError {
  constructor(message = 'Too many requests, please try again later.', details?: Loose) {
    super(message, details)
    this.name = 'RateLimitError'
  }
}

export class PayloadTooLargeError extends ApplicationError {
  constructor(message = 'Entity too large', details?: Loose) {
    super(message, details)
    this.name = 'PayloadTooLargeError'
  }
}

export class PolicyError extends ForbiddenError {
  constructor(message = 'Policy Failed', details?: Loose) {
    super(message, details)
    this.name = 'PolicyError'
  }
}

export class NotImplementedError extends ApplicationError {
  constructor(message = 'This feature is not implemented yet', details?: Loose) {
    super(message, details)
    this.name = 'NotImplementedError'
  }
}

/** `require('@strapi/utils').errors`. `HttpError` is any error with a status that may be shown. */
export const errors = {
  HttpError: class HttpError extends Error {
    static override [Symbol.hasInstance](value: Loose): boolean {
      return value instanceof Error && typeof (value as Bag).status === 'number' && 'expose' in value
    }
  },
  ApplicationError,
  ValidationError,
  YupValidationError,
  PaginationError,
  NotFoundError,
  ForbiddenError,
  UnauthorizedError,
  RateLimitError,
  PayloadTooLargeError,
  PolicyError,
  NotImplementedError,
}

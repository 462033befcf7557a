import { RequestError } from '../../../core/index.js'
import { ApplicationError, ForbiddenError, UnauthorizedError } from '../packages/utils/errors.js'
import type { Bag, Loose } from '../types.js'
import { wordsOf } from './status-names.js'

/** The object that a response has under `error`. */
export interface ErrorObject {
  readonly status: number
  readonly name: string
  readonly message: string
  readonly details?: Loose
}

/** An error of code, as the server answers it. */
export class CodeError extends RequestError {
  readonly status: number
  override readonly name: string

  constructor({ status, name, message, details }: ErrorObject, cause?: unknown) {
    super(message, details)
    this.status = status
    this.name = name
    this.cause = cause
  }
}

/** The statuses of the errors of `@strapi/utils` that are not 400. */
const statuses: Readonly<Record<string, number>> = {
  UnauthorizedError: 401,
  ForbiddenError: 403,
  PolicyError: 403,
  NotFoundError: 404,
  PayloadTooLargeError: 413,
  RateLimitError: 429,
  NotImplementedError: 501,
}

/** The status of an error by its own class: code may give it another name. */
function statusOf(error: ApplicationError): number {
  for (let at = error.constructor; typeof at === 'function' && at !== ApplicationError; at = Object.getPrototypeOf(at))
    if (Object.hasOwn(statuses, at.name)) return statuses[at.name] as number
  return 400
}

/** The error object of a response to what code has thrown; undefined where clients learn nothing of it. */
export function describeThrown(thrown: unknown): ErrorObject | undefined {
  if (thrown instanceof ApplicationError) {
    const { name, message, details } = thrown
    return { status: statusOf(thrown), name: name === 'PolicyError' ? 'ForbiddenError' : name, message, details }
  }
  if (!(thrown instanceof Error)) return undefined
  const { expose, details } = thrown as Bag
  const status = Number((thrown as Bag).status ?? (thrown as Bag).statusCode)
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined
  // An error that `ctx.throw` has made is shown, and any other that is the client's.
  const isShown = isHttpError(thrown) || (typeof expose === 'boolean' ? expose : status < 500)
  const { text, error } = wordsOf(status)
  return isShown
    ? { status, name: thrown.name, message: thrown.message, details }
    : { status, name: error, message: text }
}

/** An error of `http-errors`, of whatever copy of the package. */
function isHttpError(error: Error): boolean {
  for (let at = Object.getPrototypeOf(error); at; at = Object.getPrototypeOf(at))
    if (at.constructor?.name === 'HttpError') return true
  return false
}

/**
 * An error of code, to be thrown on to the server: a refusal, or what is logged with the file that has thrown it and told to no
 * client.
 */
export function toThrow(thrown: unknown, whose: string): Error {
  if (thrown instanceof RequestError) return thrown
  try {
    const described = describeThrown(thrown)
    if (described) return new CodeError(described, thrown)
    if (thrown instanceof Error) return thrown
    return new Error(`${whose} threw ${JSON.stringify(thrown) ?? String(thrown)}`)
  } catch {
    return new Error(`${whose} threw what cannot be shown`)
  }
}

/** Refusals of a caller become a response around the handler, without their words. */
export function refusalOf(thrown: unknown): ErrorObject | undefined {
  if (thrown instanceof ForbiddenError)
    return { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} }
  if (thrown instanceof UnauthorizedError)
    return { status: 401, name: 'UnauthorizedError', message: 'Unauthorized', details: {} }
  return undefined
}

export const errorBody = (error: ErrorObject): Bag => ({ data: null, error })

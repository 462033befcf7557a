import type { GraphQLError, GraphQLFormattedError, SourceLocation } from 'graphql'
import type { Context } from 'koa'
import { ForbiddenError, type Host, RequestError, ValidationError } from '../../core/index.js'
import { describeError, snakeCase } from '../../core/plugin-kit.js'

/** The codes of refusals before an operation runs. */
export const codes = {
  syntax: 'GRAPHQL_PARSE_FAILED',
  validation: 'GRAPHQL_VALIDATION_FAILED',
  input: 'BAD_USER_INPUT',
  /** No operation to run, or none that may be run here. */
  request: 'BAD_REQUEST',
  internal: 'INTERNAL_SERVER_ERROR',
} as const

/** The place of an error in the response, and in the document. */
export interface ErrorPlace {
  readonly path?: readonly (string | number)[] | undefined
  readonly locations?: readonly SourceLocation[] | undefined
}

/** The request that a response belongs to, for the log and for the words of its dialect. */
export interface Answering {
  readonly host: Pick<Host, 'app' | 'log' | 'outline'>
  readonly ctx: Context
}

/** The error of a response for anything that was thrown while a field was made: refusals in their own words, others only logged. */
export function answerError(thrown: unknown, answering: Answering, place: ErrorPlace = {}): GraphQLFormattedError {
  const { error, path, locations } = placed(thrown, place)
  const where = { ...(locations && { locations }), ...(path && { path }) }
  if (isGraphqlError(error)) {
    const { code = codes.internal, ...extensions } = error.extensions
    return { message: error.message, ...where, extensions: { code, ...extensions } }
  }
  const described = describedFor(error, answering, path)
  if (!(error instanceof RequestError)) {
    const { message, requestId } = described
    return { message, ...where, extensions: { code: codes.internal, requestId } }
  }
  const { name, details } = described
  // Strapi 4 has other words for it here than in REST.
  const message = described.message === 'Forbidden' ? 'Forbidden access' : described.message
  const extensions = { code: codeOf(error), error: { name, message, ...(details !== undefined && { details }) } }
  return { message, ...where, extensions }
}

/** The errors of a response, in their order. */
export const answerErrors = (
  thrown: readonly { readonly error: unknown; readonly place?: ErrorPlace }[],
  answering: Answering,
): GraphQLFormattedError[] => thrown.map(({ error, place }) => answerError(error, answering, place))

/** The errors of a document that is refused: those of graphql-js, with the code of the step that found them. */
export function refused(errors: readonly GraphQLError[], code: string): GraphQLFormattedError[] {
  return errors.map(({ message, locations, extensions: { code: own, exception: _, ...more } }) => ({
    message,
    ...(locations && locations.length > 0 && { locations }),
    extensions: { code: typeof own === 'string' ? own : code, ...more },
  }))
}

/** A response without data. */
export const refusalText = (errors: readonly GraphQLFormattedError[]): string => JSON.stringify({ errors })

/** A response that has one error, about the request as a whole. */
export const refusalSaying = (message: string, code: string = codes.request): string =>
  refusalText([{ message, extensions: { code } }])

interface Located {
  readonly loc?: { readonly startToken: SourceLocation } | undefined
}

/** The places of parts of a document, in their order. */
export const locationsOf = (...nodes: readonly Located[]): SourceLocation[] =>
  nodes.flatMap(({ loc }) => (loc ? [{ line: loc.startToken.line, column: loc.startToken.column }] : []))

/** The error that graphql-js has wrapped, and the place that it knows. */
function placed(thrown: unknown, place: ErrorPlace): ErrorPlace & { readonly error: unknown } {
  if (!isGraphqlError(thrown)) return { error: thrown, ...place }
  const { path = place.path, locations, originalError } = thrown
  const at = { path, locations: locations && locations.length > 0 ? locations : place.locations }
  return originalError ? placed(originalError, at) : { error: thrown, ...at }
}

/** Told by its name: the package may be there twice, and this file must work without it. */
const isGraphqlError = (error: unknown): error is GraphQLError =>
  error instanceof Error && error.name === 'GraphQLError' && 'extensions' in error

function describedFor(error: unknown, { host, ctx }: Answering, path: ErrorPlace['path']) {
  const { outline, log, app } = host
  const { method, state } = ctx
  const requestId = String(state.requestId)
  const about = { requestId, method, path: ctx.path, ...(path && { field: path.join('.') }) }
  const told = describeError(error, { dialect: outline.dialect, log, environment: app.environment }, () => about)
  const { message, name, details } = told.error
  return { message: String(message), name: String(name), details, requestId }
}

/** The name of the error as Strapi 4 makes a code of it, unless the code has a name of its own. */
function codeOf(error: RequestError): string {
  if (error instanceof ForbiddenError) return 'FORBIDDEN'
  if (error instanceof ValidationError) return codes.input
  return `STRAPI_${snakeCase(error.name).toUpperCase()}`
}

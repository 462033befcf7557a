import type { BodyOutline, ContentType, JsonSchema, JsonSchemaObject, RouteOutline } from '../../core/index.js'
import { formatOf, typeOfRef } from '../../core/plugin-kit.js'
import { entryRef, type Style } from './entries.js'
import { inputRef } from './inputs.js'
import { anyOf, object } from './json.js'
import { mayShowSeveral, queryRef, takesKey, takesMatch } from './parameters.js'
import type { Schemas } from './schemas.js'

type Responses = Record<string, JsonSchemaObject>

const problems: Readonly<Record<number, string>> = {
  400: 'The request has to be changed: the message says what.',
  401: 'Credentials are missing or invalid.',
  403: 'Not open to this caller.',
  404: 'Does not exist, or not for this caller.',
  409: 'A request with the same Idempotency-Key is in flight.',
  412: 'The entry is not as If-Match expects it.',
  413: 'The body is too large, or asks for too many writes.',
  415: 'The media type of the body is not supported.',
  422: 'The Idempotency-Key was sent with another request before.',
  429: 'Too many attempts.',
  500: 'The server failed; the log has more under the id of the request.',
  503: 'The server is not available right now.',
}
const retried = [409, 429, 503]

/** Responses of a route, by status. */
export function responsesOf(schemas: Schemas, route: RouteOutline): Responses {
  const answers = Object.entries(route.answers ?? { 200: { kind: 'json', schema: {} } as const })
  const given = Object.fromEntries(answers.map(([status, body]) => [status, responseOf(schemas, route, status, body)]))
  const tagged = route.answers?.[200]?.kind.startsWith('entr') === true && route.method === 'GET'
  const failures = failuresOf(schemas, route).filter(status => !(status in given))
  const isRedirect = answers.every(([status]) => status.startsWith('3'))
  return {
    ...given,
    ...(isRedirect && { 200: { description: 'What the redirect leads to.', headers: {} } }),
    ...(tagged && { 304: { description: 'The client has this response already.', headers: headersOf([]) } }),
    ...Object.fromEntries(failures.map(status => [status, failureRef(status, route.format)])),
  }
}

function responseOf(schemas: Schemas, route: RouteOutline, status: string, body: BodyOutline): JsonSchemaObject {
  const isTagged = route.method === 'GET' && body.kind.startsWith('entr')
  const isReplayed = takesKey(schemas, route)
  const headers = headersOf([...(isTagged ? ['ETag'] : []), ...(isReplayed ? ['IdempotencyReplayed'] : [])])
  const type = route.asksAs && schemas.app.types.types.get(route.asksAs.uid)
  const isSeveral = status === '200' && type !== undefined && mayShowSeveral(schemas, type, route)
  const content = isSeveral ? json(oneOrSeveral(schemas, type)) : contentOf(schemas, body, route.asksAs?.action)
  const description = problems[Number(status)] ?? (Number(status) < 300 ? 'Done.' : 'See the headers.')
  return { description, headers, ...(content && { content }) }
}

const headersOf = (names: readonly string[]): JsonSchemaObject =>
  Object.fromEntries(
    ['XRequestId', ...names].map(name => [headerNames[name] ?? name, { $ref: `#/components/headers/${name}` }]),
  )

const headerNames: Readonly<Record<string, string>> = {
  XRequestId: 'X-Request-Id',
  ETag: 'ETag',
  IdempotencyReplayed: 'Idempotency-Replayed',
  RetryAfter: 'Retry-After',
}

/** Headers that responses refer to. */
export const sharedHeaders: Readonly<Record<string, JsonSchemaObject>> = {
  XRequestId: { description: 'Identifies the request in the log.', schema: { type: 'string' } },
  ETag: {
    description: 'Send it as If-None-Match to learn whether the response has changed.',
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: 'The entry was created by an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: { description: 'Seconds after which to try again.', schema: { type: 'integer' } },
}

/** The content of a body, by its media type; undefined for nothing. */
export function contentOf(
  schemas: Schemas,
  body: BodyOutline,
  action: string = body.kind === 'entries' ? 'find' : 'findOne',
): JsonSchemaObject | undefined {
  switch (body.kind) {
    case 'nothing':
      return undefined
    case 'media':
      return { [body.media]: { schema: resolved(schemas, body.schema ?? {}) } }
    case 'json':
      return json(resolved(schemas, body.schema))
    case 'input': {
      const type = schemas.app.types.get(body.uid)
      return json(object({ data: inputRef(schemas, type, body) }))
    }
    default:
      // A query has an action, as it takes the parameters of one.
      if ('action' in body) return json(queryRef(schemas, schemas.app.types.get(body.uid), String(body.action)))
      return entriesAs(schemas, schemas.app.types.get(body.uid), { isList: body.kind === 'entries', action })
  }
}

const json = (schema: JsonSchema, mediaType = 'application/json'): JsonSchemaObject => ({ [mediaType]: { schema } })

interface ShownEntries {
  readonly isList: boolean
  readonly action: string
}

const entriesAs = (schemas: Schemas, type: ContentType, shown: ShownEntries): JsonSchemaObject =>
  json(shownAs(schemas, type, shown), formatOf(schemas.app, type, shown.action).mediaType)

/** The response with one entry of a type or many, in the format of the action on the type. */
function shownAs(schemas: Schemas, type: ContentType, { isList, action }: ShownEntries): JsonSchema {
  const { entry: style, shape, name } = formatOf(schemas.app, type, action)
  if (!shape) return {}
  const entry = entryRef(schemas, type, style)
  const make = () => (isList ? shape.many(entry, listMeta(schemas, type)) : shape.one(entry))
  // Formats that give an entry as it is need no name for that.
  return name === undefined ? schemas.ofType(type, isList ? 'ListResponse' : 'Response', make) : make()
}

/** The entry, or a list of several where the query asks for them. */
function oneOrSeveral(schemas: Schemas, type: ContentType): JsonSchema {
  const { entry: style, shape } = formatOf(schemas.app, type, 'findOne')
  if (!shape) return {}
  const several = shape.many(entryRef(schemas, type, style), { type: 'object' })
  return anyOf(shownAs(schemas, type, { isList: false, action: 'findOne' }), several)
}

const count = { type: 'integer', minimum: 0 }
const cursor = { type: ['string', 'null'] }

/** `meta` of a list: the page, in the requested form, and highlights in its entries. */
const listMeta = (schemas: Schemas, { search }: ContentType): JsonSchemaObject => {
  const pagination = paginationRef(schemas)
  return object({ pagination, ...(search && { search: searchMeta(search) }) }, ['pagination'])
}

const searchMeta = ({ fields }: NonNullable<ContentType['search']>): JsonSchemaObject => {
  const parts = {
    type: 'array',
    items: { type: 'string' },
    description: 'a text in parts: those at odd places are marked',
  }
  const marked = object(Object.fromEntries(fields.map(({ name }) => [name, parts])), [])
  const description = 'by the id of each entry, where the query has `highlight`'
  return object({ highlights: { type: 'object', description, additionalProperties: marked } })
}

const paginationRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Pagination', () =>
    anyOf(
      object({ page: count, pageSize: count, pageCount: count, total: count }, ['page', 'pageSize']),
      object({ start: count, limit: count, total: count }, ['start', 'limit']),
      object({ limit: count, next: cursor, previous: cursor, total: count }, ['limit', 'next', 'previous']),
    ),
  )

/** Resolves references of plugins' routes to entries, which are flat objects. */
export function resolved(schemas: Schemas, schema: JsonSchema): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const uid = typeOfRef((value as { $ref?: unknown }).$ref)
    if (uid !== undefined) return entryRef(schemas, schemas.app.types.get(uid), 'plain' satisfies Style)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(schema) as JsonSchema
}

/** The statuses with which a route may refuse. */
function failuresOf(schemas: Schemas, route: RouteOutline): number[] {
  const { action, path, takesBody, asks, asksAs } = route
  const isSingle = schemas.app.types.types.get(asksAs?.uid ?? '')?.kind === 'singleType'
  return [
    400,
    401,
    ...(action === undefined ? [] : [403]),
    ...(path.includes(':') || 'id' in asks || isSingle ? [404] : []),
    ...(takesKey(schemas, route) ? [409, 422] : []),
    ...(takesMatch(route) ? [412] : []),
    ...(takesBody ? [413, 415] : []),
    500,
    503,
  ].sort((a, b) => a - b)
}

const failureRef = (status: number, format: string | undefined): JsonSchemaObject => ({
  $ref: `#/components/responses/${failureName(status, format)}`,
})

const failureName = (status: number | string, format: string | undefined): string =>
  format === undefined ? `Error${status}` : `Error${status}.${format}`

/** The responses of refusals that operations refer to, by name. */
export function sharedResponses(schemas: Schemas, used: ReadonlySet<string>): Responses {
  const all = schemas.app.formats.flatMap(({ name, shape, mediaType }) =>
    Object.entries(problems).map(([status, description]) => {
      const schema = shape?.error?.(errorRef(schemas)) ?? usual(schemas)
      const headers = headersOf(retried.includes(Number(status)) ? ['RetryAfter'] : [])
      return [
        failureName(status, name),
        { description, headers, content: json(schema, shape?.error && mediaType) },
      ] as const
    }),
  )
  return Object.fromEntries(all.filter(([name]) => used.has(name)))
}

const usual = (schemas: Schemas): JsonSchemaObject => object({ data: { type: 'null' }, error: errorRef(schemas) })

const errorRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Error', () => ({
    ...object(
      {
        status: { type: 'integer' },
        name: { type: 'string', description: 'the kind of error' },
        message: { type: 'string', description: 'what to change' },
        details: { type: 'object', description: 'with all problems of a body or of a parameter in `errors`' },
      },
      ['status', 'name', 'message'],
    ),
    examples: [{ status: 404, name: 'NotFoundError', message: 'Not Found', details: {} }],
  }))

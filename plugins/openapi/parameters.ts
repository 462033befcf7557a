import type { ContentType, JsonSchema, JsonSchemaObject, ParamOutline, RouteOutline } from '../../core/index.js'
import { exampleOf, filtersRef } from './filters.js'
import { described, object, sent } from './json.js'
import { canPopulate, ownParams, populateExample } from './populate.js'
import type { Schemas } from './schemas.js'
import { sentAs } from './truth.js'

/** A parameter of an operation. */
export type Parameter = JsonSchemaObject

/** The parameters of a route: in its path, of content, of its own, and headers. */
export function parametersOf(schemas: Schemas, route: RouteOutline): Parameter[] {
  const { asksAs, asks, path, method } = route
  const type = asksAs && schemas.app.types.types.get(asksAs.uid)
  return [
    ...namesIn(path).map(pathParameter),
    ...(type ? contentParameters(schemas, type, asksAs) : []),
    ...(type && showsOne(route) ? [filtersOfOne(schemas, type, route)] : []),
    ...Object.entries(asks).map(([name, schema]) => query(name, sentAs(schemas, schema), undefined)),
    ...(method === 'GET' && route.answers?.[200]?.kind.startsWith('entr') ? [ref('IfNoneMatch')] : []),
    ...(takesKey(schemas, route) ? [ref('IdempotencyKey')] : []),
    ...(takesMatch(route) ? [ref('IfMatch')] : []),
  ]
}

const ref = (name: string): Parameter => ({ $ref: `#/components/parameters/${name}` })

/** True if a create may be retried with an idempotency key. */
export const takesKey = ({ app }: Schemas, { method, accepts, generated, plugin }: RouteOutline): boolean =>
  method === 'POST' &&
  accepts?.kind === 'input' &&
  (generated || plugin !== undefined) &&
  app.app.server.idempotency.maxAge > 0

/** True if it changes or deletes an existing entry, which the client may have seen before. */
export const takesMatch = ({ method, asksAs }: RouteOutline): boolean =>
  method !== 'GET' && method !== 'QUERY' && (asksAs?.action === 'update' || asksAs?.action === 'delete')

/** `/articles/:id` in the notation of the document: `/articles/{id}`. */
export const templateOf = (path: string): string => path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}')

const namesIn = (path: string): string[] => [...templateOf(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const pathParameter = (name: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  schema: name === 'id' ? { type: 'integer', minimum: 1 } : { type: 'string' },
})

function query(name: string, schema: JsonSchema, description: string | undefined): Parameter {
  return { name, in: 'query', ...(description !== undefined && { description }), ...styleOf(schema), schema }
}

/** Objects stand in brackets, lists are repeated. */
const styleOf = (schema: JsonSchema): JsonSchemaObject =>
  mayBe(schema, 'object') ? { style: 'deepObject', explode: true } : {}

function mayBe(schema: JsonSchema, kind: string): boolean {
  if (typeof schema === 'boolean') return false
  const { type, anyOf, oneOf } = schema
  const options = [anyOf, oneOf].flatMap(list => (Array.isArray(list) ? (list as JsonSchema[]) : []))
  return [type].flat().includes(kind) || options.some(option => mayBe(option, kind))
}

type ContentQuery = NonNullable<RouteOutline['asksAs']>

/** The parameters that an action on a type has: core's and those of plugins. */
function contentParameters(schemas: Schemas, type: ContentType, asked: ContentQuery): Parameter[] {
  const { action, without = [] } = asked
  return takenBy(schemas, type, action).flatMap(param => {
    if (without.includes(param.name)) return []
    if (param.name === 'pagination') return pagination(param)
    if (param.name === 'populate' && !canPopulate(type)) return []
    return [contentParameter(schemas, type, param)]
  })
}

/** The parameters of an action on a type. */
export const takenBy = ({ app }: Schemas, { uid, search }: ContentType, action: string): ParamOutline[] =>
  app.params.filter(
    ({ name, plugin, types, actions }) =>
      (types === 'all' || types.includes(uid)) &&
      (actions === undefined || actions.includes(action)) &&
      (search !== undefined || plugin !== undefined || name !== 'highlight'),
  )

/** True if a route of core shows one entry: by its id, by a value, or as that of a single type. */
export const showsOne = ({ method, plugin, asksAs, answers }: RouteOutline): boolean =>
  method === 'GET' && plugin === undefined && asksAs?.action === 'findOne' && answers?.[200]?.kind === 'entry'

/** True if the entry that a route shows may be several, which are a list. */
export const mayShowSeveral = (schemas: Schemas, type: ContentType, route: RouteOutline): boolean =>
  showsOne(route) && !isById(route) && takenBy(schemas, type, 'findOne').some(({ several }) => several === true)

const isById = ({ path }: RouteOutline): boolean => namesIn(path).includes('id')

/** An entry takes filters, too. */
function filtersOfOne(schemas: Schemas, type: ContentType, route: RouteOutline): Parameter {
  const description = isById(route)
    ? 'checked, and without effect: the path names the entry'
    : 'what the entry has to meet: 404 if it does not'
  const schema = filtersRef(schemas, type)
  return { ...query('filters', schema, description), style: 'deepObject', explode: true, example: exampleOf(type) }
}

const recursive = ['filters', 'populate']

function contentParameter(schemas: Schemas, type: ContentType, param: ParamOutline): Parameter {
  const { name } = param
  const describe = describedFor(type, param)
  if (!recursive.includes(name)) return query(name, schemaOf(schemas, type, param), describe)
  const example = name === 'filters' ? exampleOf(type) : populateExample(type)
  return { ...query(name, schemaOf(schemas, type, param), describe), style: 'deepObject', explode: true, example }
}

/** Description of a parameter on a type: for a type with a search index it says so. */
function describedFor({ search }: ContentType, { name, plugin, describe }: ParamOutline): string | undefined {
  if (!search || plugin !== undefined) return describe
  if (name === 'sort') return `${describe}; _rank puts the best matches of _q first`
  const fields = search.fields.map(field => field.name).join(', ')
  return name === '_q'
    ? `words to look for in ${fields}: bread sour, "sour bread", the beginning of a word as brea*, and -rye for entries without it`
    : describe
}

/** Schema of a parameter on a type; in a query all values are text, so a list of one may be sent as one. */
export const schemaOf = (schemas: Schemas, type: ContentType, { name, plugin, schema }: ParamOutline): JsonSchema =>
  (plugin === undefined ? ownParams(schemas, type)[name]?.() : undefined) ?? sentAs(schemas, schema ?? {})

/** The query parameters of an action on a type as one object: the body of a query. */
export const queryRef = (schemas: Schemas, type: ContentType, action: string): JsonSchemaObject =>
  schemas.ofType(type, action === 'find' ? 'ListQuery' : 'Query', () => {
    const taken = takenBy(schemas, type, action).filter(({ name }) => name !== 'populate' || canPopulate(type))
    const properties = taken.map(param => {
      const schema = sent(schemaOf(schemas, type, param))
      const describe = describedFor(type, param)
      return [param.name, describe === undefined ? schema : described(schema, describe)] as const
    })
    return { ...object(Object.fromEntries(properties), []), additionalProperties: !schemas.app.dialect.strictParams }
  })

/** Each key of `pagination` is a parameter of its own: no tool has to understand brackets. */
function pagination({ name, schema }: ParamOutline): Parameter[] {
  const keys = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  return keys.map(key => ref(`${name}.${key}`))
}

/** The parameters that operations refer to. */
export function sharedParameters(schemas: Schemas): Readonly<Record<string, Parameter>> {
  const paging = schemas.app.params.find(({ name, plugin }) => name === 'pagination' && plugin === undefined)
  const { properties = {} } = Object(paging?.schema) as { properties?: Readonly<Record<string, JsonSchemaObject>> }
  const pages = Object.entries(properties).map(([key, { description, ...schema }]) => [
    `pagination.${key}`,
    {
      name: `pagination[${key}]`,
      in: 'query',
      ...(description !== undefined && { description }),
      schema: sentAs(schemas, schema),
    },
  ])
  return {
    ...Object.fromEntries(pages),
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'A key under which the request may be sent again: the entry is created once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description: 'The updatedAt of the entry as the client knows it, in quotes: 412 if it has been changed since.',
      schema: { type: 'string' },
      example: '"2026-01-31T09:30:00.000Z"',
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The ETag of a response that the client has: 304 where it is still the same.',
      schema: { type: 'string' },
    },
  }
}

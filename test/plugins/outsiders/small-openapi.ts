import {
  type AppOutline,
  type BodyOutline,
  type ContentType,
  definePlugin,
  type JsonSchema,
  type RouteOutline,
} from '../../../core/index.js'
import { shapeOfField, typeOfRef } from '../../../core/plugin-kit.js'

/** The whole API as an OpenAPI document: every route with its parameters, bodies and responses. */
export const smallOpenapi = definePlugin({
  name: 'small-openapi',
  commands: [
    {
      name: 'small-openapi',
      describe: 'print the API as an OpenAPI document',
      opens: 'outline',
      run: ({ app, print }) => print(JSON.stringify(documentOf(app))),
    },
  ],
})

export function documentOf(app: AppOutline) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of app.routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(app, route) }
  }
  const schemas = [...app.types.types.values()].map(type => [nameOf(type.uid), schemaOf(type)])
  return {
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  }
}

const nameOf = (uid: string): string => uid.replace(/[^\w.-]+/g, '.')
const refOf = (uid: string): JsonSchema => ({ $ref: `#/components/schemas/${nameOf(uid)}` })

function operation(app: AppOutline, route: RouteOutline) {
  const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {},
  }))
  const asked = Object.entries(route.asks).map(([name, schema]) => ({ name, in: 'query', schema }))
  const { asksAs } = route
  const ofContent = app.params
    .filter(
      ({ types, actions }) =>
        asksAs && (types === 'all' || types.includes(asksAs.uid)) && (actions?.includes(asksAs.action) ?? true),
    )
    .map(({ name, schema = {}, describe }) => ({
      name,
      in: 'query',
      schema,
      ...(describe && { description: describe }),
    }))
  const responses = Object.entries(route.answers ?? { 200: { kind: 'json', schema: {} } as BodyOutline })
  return {
    summary: route.describe ?? `${route.method} ${route.path}`,
    parameters: [...named, ...asked, ...ofContent],
    ...(route.accepts && { requestBody: contentOf(app, route.accepts) }),
    responses: Object.fromEntries(
      responses.map(([status, body]) => [status, { description: 'the response', ...contentOf(app, body) }]),
    ),
    ...(route.action !== undefined && { 'x-permission': `${route.uid}.${route.action}` }),
  }
}

function contentOf(app: AppOutline, body: BodyOutline): object {
  if (body.kind === 'nothing') return {}
  if (body.kind === 'media') return { content: { [body.media]: { schema: body.schema ?? {} } } }
  return { content: { 'application/json': { schema: bodySchema(app, body) } } }
}

function bodySchema(app: AppOutline, body: Exclude<BodyOutline, { kind: 'nothing' | 'media' }>): JsonSchema {
  const of = (properties: Record<string, JsonSchema>) => ({ type: 'object', properties })
  if (body.kind === 'json') return resolved(body.schema)
  if (body.kind === 'query') return { type: 'object' }
  if (body.kind === 'input') return of({ data: inputOf(app.types.get(body.uid)) })
  return of({ data: body.kind === 'entries' ? { type: 'array', items: refOf(body.uid) } : refOf(body.uid), meta: {} })
}

/** References of plugins stand for entries of types. */
function resolved(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const uid = typeof value?.$ref === 'string' ? typeOfRef(value.$ref) : undefined
    return uid === undefined ? value : refOf(uid)
  })
}

function schemaOf({ fields }: ContentType): JsonSchema {
  const shown = [...fields.values()].filter(({ readable }) => readable)
  const attributes = Object.fromEntries(shown.map(field => [field.name, shapeOfField(field).read]))
  return {
    type: 'object',
    properties: { id: { type: 'integer' }, attributes: { type: 'object', properties: attributes } },
  }
}

function inputOf({ fields }: ContentType): JsonSchema {
  const written = [...fields.values()].filter(({ writable }) => writable)
  return {
    type: 'object',
    properties: Object.fromEntries(written.map(field => [field.name, shapeOfField(field).write])),
  }
}

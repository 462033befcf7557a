import type { AppOutline, JsonSchema, JsonSchemaObject, RouteOutline } from '../../core/index.js'
import { Names } from './names.js'
import { operationOf, pathOf, tagOf } from './operations.js'
import { sharedParameters } from './parameters.js'
import { sharedHeaders, sharedResponses } from './responses.js'
import { Schemas } from './schemas.js'

/** The versions of OpenAPI in which the document is there. */
export const versions = { '3.1': '3.1.1', '3.2': '3.2.0' } as const
export type Version = keyof typeof versions

/** The document's `info` and servers. */
export interface About {
  readonly title: string
  readonly version: string
  readonly license: { readonly name: string; readonly identifier: string }
  readonly servers: readonly string[]
}

/** A member of the document, or of one of its parts: `paths./api/articles`. */
export type Piece = readonly [part: readonly string[], name: string, value: unknown]

/**
 * The document in pieces, so that requests are served between two of them. Paths come first: they decide which schemas
 * there are.
 */
export function* piecesOf(app: AppOutline, about: About, version: Version): Generator<Piece> {
  const schemas = new Schemas(app)
  const routes = app.routes.filter(({ method }) => method in methods && (version !== '3.1' || method !== 'QUERY'))
  yield* headOf(schemas, routes, about, version)
  const used = new Set<string>()
  const names = new Names()
  for (const [path, item] of pathItems(schemas, names, routes)) {
    for (const name of referencesIn(item)) used.add(name)
    yield [['paths'], path, item]
  }
  const parts = { parameters: sharedParameters(schemas), responses: sharedResponses(schemas, used) }
  for (const response of Object.values(parts.responses)) for (const name of referencesIn(response)) used.add(name)
  for (const [part, members] of Object.entries({ ...parts, headers: sharedHeaders }))
    for (const [name, value] of Object.entries(members)) if (used.has(name)) yield [['components', part], name, value]
  if (used.has('bearer')) yield [['components', 'securitySchemes'], 'bearer', { type: 'http', scheme: 'bearer' }]
  for (const [name, schema] of schemas.made()) yield [['components', 'schemas'], name, schema]
}

const methods: Readonly<Record<string, string>> = {
  GET: 'get',
  PUT: 'put',
  POST: 'post',
  DELETE: 'delete',
  PATCH: 'patch',
  QUERY: 'query',
}

function* headOf(
  schemas: Schemas,
  routes: readonly RouteOutline[],
  { title, version: own, license, servers }: About,
  version: Version,
): Generator<Piece> {
  const { dialectName, plugins } = schemas.app
  yield [[], 'openapi', versions[version]]
  yield [[], 'info', { title, version: own, license }]
  yield [[], 'servers', servers.map(url => ({ url }))]
  yield [[], 'x-stele', { dialect: dialectName, plugins: plugins.map(({ name }) => name) }]
  yield [[], 'tags', tagsOf(schemas, routes)]
}

function tagsOf(schemas: Schemas, routes: readonly RouteOutline[]): JsonSchemaObject[] {
  const tags = new Map<string, string>()
  for (const route of routes) {
    const type = schemas.app.types.types.get(route.uid ?? '')
    const plugin = schemas.app.plugins.find(({ name }) => name === route.plugin)
    const says = type?.routed ? (type.info.description ?? type.displayName) : plugin?.describe
    tags.set(tagOf(schemas, route), String(says || `Routes of the plugin ${route.plugin}.`))
  }
  return [...tags].map(([name, description]) => ({ name, description }))
}

function* pathItems(
  schemas: Schemas,
  names: Names,
  routes: readonly RouteOutline[],
): Generator<readonly [path: string, item: JsonSchemaObject]> {
  const byPath = new Map<string, RouteOutline[]>()
  for (const route of routes) byPath.set(pathOf(route), [...(byPath.get(pathOf(route)) ?? []), route])
  for (const [path, there] of byPath)
    yield [
      path,
      Object.fromEntries(there.map(route => [methods[route.method] ?? '', operationOf(schemas, names, route)])),
    ]
}

/** The names that a part of the document refers to, without schemas. */
function referencesIn(part: JsonSchema): Set<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string' && !inner.startsWith('#/components/schemas/'))
        found.add(inner.slice(inner.lastIndexOf('/') + 1))
      else if (key === 'security' && Array.isArray(inner) && inner.length > 0) found.add('bearer')
      else walk(inner)
    }
  }
  walk(part)
  return found
}

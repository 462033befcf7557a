import type { JsonSchema, JsonSchemaObject, RouteOutline } from '../../core/index.js'
import { sent } from './json.js'
import { type Names, pascal } from './names.js'
import { parametersOf, templateOf } from './parameters.js'
import { contentOf, responsesOf } from './responses.js'
import type { Schemas } from './schemas.js'

/** An operation of a path. */
export function operationOf(schemas: Schemas, names: Names, route: RouteOutline): JsonSchemaObject {
  const { action, uid, describe, method, path } = route
  const permission = action === undefined ? undefined : `${uid}.${action}`
  const parameters = parametersOf(schemas, route)
  const body = bodyOf(schemas, route)
  return {
    operationId: names.claim(idOf(schemas, route)),
    summary: sentence(describe ?? `${method} ${path}`),
    ...(permission !== undefined && { description: `Requires the permission \`${permission}\`.` }),
    tags: [tagOf(schemas, route)],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: responsesOf(schemas, route),
    security: securityOf(schemas, route),
    ...(permission !== undefined && { 'x-stele-permission': permission }),
    ...(route.plugin !== undefined && { 'x-stele-plugin': route.plugin }),
  }
}

/** Credentials, if a plugin knows any: they may be left out if requests without credentials have the permission. */
function securityOf({ app }: Schemas, { credentials, action }: RouteOutline): JsonSchemaObject[] {
  if (credentials === 'needed') return [{ bearer: [] }]
  const isKnown = action !== undefined && app.plugins.some(({ authenticates }) => authenticates)
  return isKnown ? [{ bearer: [] }, {}] : []
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

function bodyOf(schemas: Schemas, route: RouteOutline): JsonSchemaObject | undefined {
  const { accepts, takesBody, action } = route
  const content = accepts && sentContent(contentOf(schemas, accepts))
  if (!accepts) return takesBody ? { content: { 'application/json': { schema: {} } } } : undefined
  const type = accepts.kind === 'input' ? schemas.app.types.types.get(accepts.uid) : undefined
  const forms = type
    ? schemas.app.bodies.flatMap(({ type: media, shape }) => {
        const { schema: data } = dataOf(content)
        const schema = shape?.({ type, action: action ?? '', data })
        return schema === undefined ? [] : [[media, { schema: sent(schema) }] as const]
      })
    : []
  return content && { required: true, content: { ...content, ...Object.fromEntries(forms) } }
}

/** The content of a body that is sent. */
const sentContent = (content: JsonSchemaObject | undefined): JsonSchemaObject | undefined =>
  content &&
  Object.fromEntries(
    Object.entries(content as Record<string, { readonly schema: JsonSchema }>).map(([media, { schema }]) => [
      media,
      { schema: sent(schema) },
    ]),
  )

/** The `data` of a JSON body, for bodies that carry it in another form. */
function dataOf(content: JsonSchemaObject | undefined): { schema: JsonSchemaObject } {
  const { schema } = (content?.['application/json'] ?? {}) as { schema?: { properties?: { data?: JsonSchemaObject } } }
  return { schema: schema?.properties?.data ?? {} }
}

const verbs: Readonly<Record<string, string>> = {
  find: 'find',
  findOne: 'find',
  create: 'create',
  update: 'update',
  delete: 'delete',
}

/** `findArticles`, `createArticle`; of plugins' routes the method and the path: `postArticlesByIdActionsPublish`. */
function idOf(schemas: Schemas, { generated, uid = '', action = '', method, path }: RouteOutline): string {
  const type = schemas.app.types.types.get(uid)
  const verb = verbs[action]
  if (generated && type && verb !== undefined) {
    const isList = action === 'find' && type.kind === 'collectionType'
    return verb + (isList ? pascal(type.pluralName) : schemas.baseOf(uid))
  }
  const { prefix } = schemas.app.app.api
  const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  return method.toLowerCase() + pascal(below.replace(/:(\w+)/g, (_, name: string) => `by-${name}`))
}

/** Operations are grouped by type, and those of plugins by plugin. */
export function tagOf(schemas: Schemas, { uid = '', plugin = '' }: RouteOutline): string {
  const type = schemas.app.types.types.get(uid)
  return type?.routed ? schemas.baseOf(uid) : plugin
}

/** The path of a route in the document. */
export const pathOf = ({ path }: RouteOutline): string => templateOf(path)

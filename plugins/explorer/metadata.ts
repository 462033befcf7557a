import type { AppOutline, ContentType, RouteOutline } from '../../core/index.js'
import { attributesOf, given, operatorsOf } from '../pages/serving/attributes.js'
import type { Names } from '../pages/serving/names.js'
import type { Metadata, TypeInfo } from './builder/metadata.js'

/** Builds the page's description of the app: all of it follows from the app's outline, so it is built once. */
export function metadataOf(host: AppOutline, { name, version }: Names, graphql?: Metadata['graphql']): Metadata {
  const { app, dialect, types, routes, params, plugins } = host
  const { prefix, rest } = app.api
  const signIn = routes.find(({ method, path }) => method === 'POST' && path === `${prefix}/auth/local`)
  return {
    app: { name, version, environment: app.environment, prefix },
    paging: {
      defaultLimit: rest.defaultLimit,
      maxLimit: rest.maxLimit ?? null,
      withCount: rest.withCount,
      withPopulate: dialect.populateWithPagination,
    },
    limits: rest.limits,
    types: reached(types.types).map(type => describeType(type, routes, dialect)),
    operators: operatorsOf(host),
    params: params.flatMap(({ name, plugin, describe, actions, types, schema }) =>
      plugin === undefined
        ? []
        : [{ name, plugin, types, ...given({ describe, actions, choices: choicesOf(schema) }) }],
    ),
    plugins: plugins.map(({ name, describe }) => ({ name, ...given({ describe }) })),
    routes: routes
      .filter(({ generated, plugin }) => !generated && plugin !== 'explorer')
      .map(({ method, path, describe, plugin, action, uid }) => ({
        ...{ method, path },
        ...given({ describe, plugin, uid, permission: action && `${uid}.${action}` }),
      })),
    ...given({ signIn: signIn?.path }),
    queryBody: routes.some(({ method }) => method === 'QUERY'),
    ...given({ graphql }),
  }
}

/** The types with endpoints, and all types behind their links. */
function reached(types: ReadonlyMap<string, ContentType>): ContentType[] {
  const found = new Set([...types.values()].filter(({ routed }) => routed))
  // The set grows while it is gone through.
  for (const type of found)
    for (const link of type.links.values()) if (link.readable) for (const target of link.types()) found.add(target)
  return [...found]
}

function describeType(type: ContentType, routes: readonly RouteOutline[], dialect: AppOutline['dialect']): TypeInfo {
  const { uid, kind, displayName, singularName, pluralName, info } = type
  const own = routes.filter(route => route.uid === uid && route.generated)
  const path = own.find(({ path }) => !path.includes(':'))?.path
  const lists = routes.find(
    ({ method, path, answers }) =>
      method === 'GET' && !path.includes(':') && answers?.[200]?.kind === 'entries' && answers[200].uid === uid,
  )
  const described = info.description
  return {
    ...{ uid, kind, name: displayName, singular: singularName, plural: pluralName },
    ...(typeof described === 'string' && described !== '' && { description: described }),
    ...given({ path, listedAt: kind === 'collectionType' ? (lists?.path ?? path) : undefined }),
    ...given({ searched: type.search?.fields.map(({ name }) => name) }),
    actions: [...new Set(own.flatMap(({ action }) => action ?? []))],
    attributes: attributesOf(type, dialect),
  }
}

/** The words that a parameter takes, where its schema lists them. */
function choicesOf(schema: unknown): readonly string[] | undefined {
  const { enum: words, type } = Object(schema) as { readonly enum?: unknown; readonly type?: unknown }
  if (Array.isArray(words)) return words.map(String)
  return type === 'boolean' ? ['true', 'false'] : undefined
}

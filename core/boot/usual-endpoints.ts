import type { EnabledPlugin } from '../plugin/arrange.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import { arranged, nameOf, type Origin, ownRoutes, routesOfTypes, usualOf } from './endpoints.js'
import { type Declared, placeOf } from './standing-routes.js'

/** The endpoints by which all content of an app is reached. */
export interface UsualEndpoints {
  readonly origins: readonly Origin[]
  /** The types that have none, each with the reason. */
  readonly refused: readonly string[]
}

/**
 * The routes of plugins as they are declared, and those of all types of the app, with what plugins add to them: as if no route
 * had been replaced, taken away or moved. Two of these may have one path where the API offers one of them alone. It belongs to
 * the first, routes of plugins before all; a type whose path is taken has no endpoint at all, as some of them alone would lead
 * into the entries of another.
 */
export function usualEndpointsOf({ types }: Registry, plugins: readonly EnabledPlugin[]): UsualEndpoints {
  const routesOf = routesOfTypes(plugins)
  const origins = [...arranged(standard(plugins.flatMap(ownRoutes)), [], types)]
  const refused: string[] = []
  const owners = new Map(origins.map(origin => [placeOf(origin.endpoint), origin]))
  const ownerOf = ({ endpoint }: Origin) => owners.get(placeOf(endpoint))
  for (const type of [...types.values()].filter(isOfApp(plugins))) {
    const declared = standard(plugins.flatMap(plugin => routesOf(plugin, type)))
    const own = arranged(declared, usualOf(type), types).filter(
      origin => origin.endpoint.does !== 'aggregate' || !ownerOf(origin),
    )
    const taken = own.find(ownerOf)
    if (taken) {
      refused.push(refusalOf(type, taken, ownerOf(taken) as Origin))
      continue
    }
    origins.push(...own)
    for (const origin of own) owners.set(placeOf(origin.endpoint), origin)
  }
  return { origins, refused }
}

/** Routes that take the place of others are those of an app for its clients. */
const standard = (declared: readonly Declared[]): readonly Declared[] =>
  declared.filter(({ route }) => !route.removed && !route.replaces)

/** A test for the types of which no plugin of the server has the entries: code of an app may bring plugins with types, too. */
function isOfApp(plugins: readonly EnabledPlugin[]): (type: ContentType) => boolean {
  const names = new Set(plugins.map(({ spec }) => `plugin::${spec.name}`))
  return ({ uid, kind, routed }) =>
    kind !== 'component' && (routed || (uid.startsWith('plugin::') && !names.has(uid.split('.')[0] as string)))
}

function refusalOf({ uid, source, kind }: ContentType, { endpoint: { method, path } }: Origin, owner: Origin): string {
  const name = kind === 'singleType' ? 'singularName' : 'pluralName'
  return `${uid} (${source}), as ${method} ${path} is a route of ${nameOf(owner)}; another ${name} in its "info" gives it other paths`
}

import type { Config } from '../config/types.js'
import { usualShape } from '../content/format.js'
import type { Method } from '../http/endpoint.js'
import type { ShapePlace } from '../http/parts.js'
import { answersOutline, bodyOutline } from '../http/shape.js'
import { actionsOf } from '../plugin/actions.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import { type FurtherParts, furtherOf, furtherParts } from '../plugin/checks/further-parts.js'
import { appliesTo, usesOf } from '../plugin/declared.js'
import type {
  AppOutline,
  BodyTypeOutline,
  FormatOutline,
  ParamOutline,
  PluginOutline,
  RouteOutline,
} from '../plugin/outline.js'
import { coreParams, operatorOutlines } from '../query/describe.js'
import type { Registry } from '../schema/registry.js'
import type { TypeOutline } from '../schema/types.js'
import type { Origin } from './endpoints.js'
import { placeOf } from './standing-routes.js'
import type { Outline } from './start.js'
import { usualEndpointsOf } from './usual-endpoints.js'

/** The outline of the app for plugins and commands: all of it follows from declarations. */
export function appOutline(outline: Outline, origins: readonly Origin[], config: Config): AppOutline {
  const { dialect, dialectName, registry, plugins } = outline
  const { prefix } = config.api
  let usual: readonly RouteOutline[] | undefined
  return {
    ...{ app: config, dialect, dialectName, types: registry },
    actions: frozen(actionsOf(registry, plugins)),
    routes: frozen(allRoutes(origins, prefix)),
    get usualRoutes() {
      usual ??= frozen(allRoutes(usualEndpointsOf(registry, plugins).origins, prefix))
      return usual
    },
    params: frozen([
      ...coreParams().map(param => ({ ...param, types: 'all' as const })),
      ...plugins.flatMap(plugin => paramsOf(plugin, registry)),
    ]),
    operators: frozen(operatorOutlines(plugins.flatMap(({ spec }) => spec.fieldTypes ?? []))),
    formats: frozen([{ entry: 'nested', shape: usualShape }, ...plugins.flatMap(formatsOf)]),
    bodies: frozen(plugins.flatMap(bodiesOf)),
    listedInMeta: Object.freeze([...outline.listedInMeta]),
    plugins: frozen(plugins.map(plugin => pluginOf(plugin, furtherParts(plugins.map(({ spec }) => spec))))),
  }
}

/** A reader of the outline cannot change it for the others. */
const frozen = <Row extends object>(rows: readonly Row[]): readonly Row[] =>
  Object.freeze(rows.map(Object.freeze) as Row[])

/** The routes that requests reach: an earlier one that takes all requests of its method and path hides those that follow. */
function allRoutes(origins: readonly Origin[], prefix: string): RouteOutline[] {
  const taken = new Set<string>()
  return origins.flatMap(origin => {
    const reached = routesOf(origin, prefix).filter(({ method, path }) => !taken.has(placeOf({ method, path })))
    if (!origin.endpoint.matches) for (const { method, path } of reached) taken.add(placeOf({ method, path }))
    return reached
  })
}

/** A route of every method is one of each. */
function routesOf(origin: Origin, prefix: string): RouteOutline[] {
  const { method } = origin.endpoint
  return (method === 'ALL' ? methods : [method]).map(one => routeOf(origin, one, prefix))
}

const methods: readonly Method[] = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

function routeOf(origin: Origin, method: Method, prefix: string): RouteOutline {
  const { path, at, action, uid, credentials, open, describe, format, takesBody, ...rest } = origin.endpoint
  const { does, asks = {}, asksAs, accepts, answers } = rest
  return {
    method,
    path: at === 'root' ? path : prefix + path,
    generated: 'type' in origin && does === undefined && origin.plugin === undefined,
    ...(origin.plugin !== undefined && { plugin: origin.plugin }),
    ...(action !== undefined && { action }),
    ...(uid !== undefined && { uid }),
    ...(credentials && { credentials }),
    ...(open && { open }),
    ...(describe !== undefined && { describe }),
    ...(format !== undefined && { format }),
    takesBody,
    asks,
    ...(asksAs && { asksAs }),
    ...(accepts && { accepts: bodyOutline(accepts) }),
    ...(answers && { answers: answersOutline(answers) }),
  }
}

function paramsOf({ spec, config }: EnabledPlugin, { types }: Registry): ParamOutline[] {
  const { name: plugin, params = {} } = spec
  if (Object.keys(params).length === 0) return []
  const applied = [...types.values()].filter(type => appliesTo(spec, config, type)).map(({ uid }) => uid)
  return Object.entries(params).map(([name, param]) => {
    const { describe, actions, everywhere, nested = false, several, schema, default: fallback } = param
    return {
      ...{ name, plugin, nested },
      types: everywhere || applied.length === types.size ? 'all' : applied,
      ...(describe !== undefined && { describe }),
      ...(actions && { actions }),
      ...(several && { several }),
      ...(schema !== undefined && { schema }),
      ...(fallback !== undefined && { default: fallback }),
    }
  })
}

const formatsOf = ({ spec: { name: plugin, formats = {} }, config }: EnabledPlugin): FormatOutline[] =>
  Object.entries(formats).map(([name, { entry, shape, wants, serves, idText, mediaType }]) => ({
    ...{ name, plugin, entry },
    ...(idText !== undefined && { idText }),
    ...(mediaType !== undefined && { mediaType }),
    ...(shape && { shape }),
    ...(wants && { header: wants.header }),
    ...(serves && { serves: (type: TypeOutline, action: string) => serves.test(type, action, config) }),
  }))

const bodiesOf = ({ spec: { name: plugin, bodies = [] }, config }: EnabledPlugin): BodyTypeOutline[] =>
  bodies.map(body => ({
    ...{ type: body.type, plugin },
    ...(body.shape && { shape: (place: ShapePlace) => body.shape?.(place, config) }),
  }))

const pluginOf = ({ spec, file }: EnabledPlugin, further: FurtherParts): PluginOutline => {
  const { name, describe, authenticate, hides, words } = spec
  return {
    name,
    ...(describe !== undefined && { describe }),
    ...usesOf(spec),
    authenticates: authenticate !== undefined,
    ...(hides && { hides }),
    ...(words?.relations && { relationWords: words.relations }),
    parts: Object.freeze(furtherOf(spec, further)),
    ...(file !== undefined && { file }),
  }
}

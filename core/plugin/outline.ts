import type { Config } from '../config/types.js'
import type { FormatShape } from '../content/format.js'
import type { Dialect, DialectName } from '../dialect.js'
import type { Method } from '../http/endpoint.js'
import type { KnownAction } from '../http/gate.js'
import type { ShapePlace } from '../http/parts.js'
import type { BodyOutline, ContentQuery } from '../http/shape.js'
import type { OperatorOutline } from '../query/describe.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { Registry } from '../schema/registry.js'
import type { TypeOutline } from '../schema/types.js'
import type { PluginParts } from './plugin.js'

/**
 * The outline of an app, as its files and the declarations of its plugins say it: complete before anything runs, the same until
 * the process ends, and known without a database.
 */
export interface AppOutline {
  readonly app: Config
  readonly dialect: Dialect
  readonly dialectName: DialectName
  readonly types: Registry
  /** Everything that callers may be allowed to do: the actions of all routes. */
  readonly actions: readonly KnownAction[]
  readonly routes: readonly RouteOutline[]
  /** Routes of the requests that have the usual ones (`useUsualRoutes`), made when this is read. */
  readonly usualRoutes: readonly RouteOutline[]
  /** The query parameters, those of core first. */
  readonly params: readonly ParamOutline[]
  /** The operators of `filters`: on an attribute, and around conditions. */
  readonly operators: readonly OperatorOutline[]
  /** The formats of responses; the first, which has no name, is the usual one. */
  readonly formats: readonly FormatOutline[]
  /** The media types of bodies that plugins read, on routes that take a body. */
  readonly bodies: readonly BodyTypeOutline[]
  /** The names that the `meta` of every entry lists, in any app. */
  readonly listedInMeta: readonly string[]
  /** The enabled plugins, in the order in which they start. */
  readonly plugins: readonly PluginOutline[]
}

export interface RouteOutline {
  readonly method: Method
  /** The whole path in the router's notation: `/api/articles/:id`. */
  readonly path: string
  /** It is one of the five or three that every content type has. */
  readonly generated: boolean
  /** The plugin that has it; undefined for generated ones. */
  readonly plugin?: string
  /** The permission that it requires, of `uid`; undefined if it requires none. */
  readonly action?: string
  readonly uid?: string
  readonly credentials?: 'needed' | 'ignored'
  /** In development it requires no permission. */
  readonly open?: 'developing'
  readonly describe?: string
  /** The format of its errors, by name. Entries are in the format of their type: `formatOf`. */
  readonly format?: string
  readonly takesBody: boolean
  readonly asks: Readonly<Record<string, JsonSchema>>
  readonly asksAs?: ContentQuery
  readonly accepts?: BodyOutline
  /** The bodies by status; undefined if not declared. */
  readonly answers?: Readonly<Record<number, BodyOutline>>
}

export interface ParamOutline {
  readonly name: string
  /** The plugin that has it; undefined for core's own. */
  readonly plugin?: string
  readonly describe?: string
  /** The actions on which it has an effect; undefined for all. */
  readonly actions?: readonly string[]
  /** The types whose endpoints take it. */
  readonly types: 'all' | readonly string[]
  /** It may appear inside a populate as well. */
  readonly nested: boolean
  /** With some of its values, the response with the entry of a single type, or with one by its value, is a list. */
  readonly several?: boolean
  readonly schema?: JsonSchema
  readonly default?: unknown
}

export interface FormatOutline {
  readonly name?: string
  readonly plugin?: string
  /** The form of an entry: `{ id, attributes }`, or one flat object. */
  readonly entry: 'nested' | 'plain'
  /** The name under which entries have their id as a text, too. */
  readonly idText?: string
  /** The media type of its responses, where that is not the one of JSON. */
  readonly mediaType?: string
  readonly shape?: FormatShape
  /** The header by which requests choose it, where they can. */
  readonly header?: string
  /** Tells whether the responses of an action on a type are in it where nothing else names a format. */
  readonly serves?: (type: TypeOutline, action: string) => boolean
}

export interface BodyTypeOutline {
  readonly type: string
  readonly plugin: string
  readonly shape?: (place: ShapePlace) => JsonSchema | undefined
}

export interface PluginOutline {
  readonly name: string
  readonly describe?: string
  readonly needs: readonly string[]
  readonly uses: readonly string[]
  /** It knows callers by their credentials. */
  readonly authenticates: boolean
  /** The entries that it keeps from being read. Those that lack a value of its attribute may be incomplete. */
  readonly hides?: Hiding
  /** Words under which it takes new entries in relations. */
  readonly relationWords?: readonly string[]
  /** Its parts that other plugins read. */
  readonly parts: Readonly<Partial<PluginParts>>
  /** The file that it was loaded from, where `config/plugins` names it. */
  readonly file?: string
}

/** Entries that a plugin keeps from being read. */
export interface Hiding {
  /** They lack a value of this attribute, which the plugin adds. */
  readonly attribute: string
  /**
   * `set`: they have a value of it instead. `deleted`: so they do, and count as deleted. No write reaches or links to such
   * an entry, except one that a hook marks (`write.gone`); a delete for which a hook gives `set` keeps the row, with these
   * values.
   */
  readonly when?: 'set' | 'deleted'
  /** Entries are also withheld while this time is still to come. */
  readonly from?: string
  /** Entries are also withheld once this time has passed. */
  readonly until?: string
  /** The action on their type that shows them, where the plugin has it there (`actions`): without it, a caller sees none. */
  readonly shownBy?: string
  /** The name of one of them: `draft`. */
  readonly noun: string
  /** The noun with an s unless said otherwise. */
  readonly plural?: string
}

/** The format in which requests that choose none get the responses of an action on a type. */
export function formatOf(
  { app, formats }: Pick<AppOutline, 'app' | 'formats'>,
  type: TypeOutline,
  action: string,
): FormatOutline {
  const serving = () => formats.find(({ serves }) => serves?.(type, action))?.name
  const name = type.options.format ?? serving() ?? app.api.rest.format
  return formats.find(one => one.name === name) ?? { entry: 'nested' }
}

import type { SchemaObject, ValidateFunction } from 'ajv'
import { sentenceOf, validatorOf, type Words } from '../ajv.js'
import { merge } from '../config/merge.js'
import { type BoundHooks, stops } from '../content/hooks.js'
import type { DialectName } from '../dialect.js'
import { BootError } from '../errors.js'
import type { Route } from '../http/parts.js'
import type { UidColumn } from '../layout/change/value-renames.js'
import { isPromise } from '../query/ask.js'
import { nodeParams } from '../query/node.js'
import type { Param } from '../query/params.js'
import type { TypeOutline } from '../schema/types.js'
import {
  checkActions,
  checkFieldTypes,
  checkFormats,
  checkFunctions,
  checkHeaders,
  checkJobs,
  checkMiddleware,
  checkOwnTypes,
  checkParams,
  checkRoutes,
} from './check-plugin.js'
import type { AnyPlugin, PluginSpec } from './spec.js'

/** A schema of which no setting is known: with it, functions of the settings take any. */
type AnySchema = SchemaObject & { readonly properties: Readonly<Record<string, unknown>> }

/** What the kernel reads: every part, its types forgotten. */
export type RawPlugin = PluginSpec<
  string,
  AnySchema,
  readonly AnyPlugin[],
  Readonly<Record<string, Param>>,
  unknown,
  Readonly<Record<string, unknown>>
>

/** Enabled plugins, in the order of their needs, with their checked settings. */
export interface EnabledPlugin {
  readonly spec: RawPlugin
  readonly config: Readonly<Record<string, unknown>>
}

const parts = [
  'name',
  'describe',
  'needs',
  'uses',
  'config',
  'dialects',
  'stored',
  'standardIn',
  'typeOptions',
  'pluginOptions',
  'appliesTo',
  'contentTypes',
  'attributes',
  'uniqueWithin',
  'gone',
  'entryMeta',
  'uidColumns',
  'fieldTypes',
  'params',
  'verify',
  'register',
  'close',
  'refresh',
  'authenticate',
  'requestHeaders',
  'hooks',
  'middleware',
  'routes',
  'typeRoutes',
  'typeActions',
  'actions',
  'bodies',
  'formats',
  'commands',
  'files',
  'health',
  'checks',
  'jobs',
  'observe',
  'responseHeaders',
  'reload',
  'caching',
  'locks',
  'counts',
  'sync',
  'adopt',
  'withholds',
  'relationWords',
  'transfer',
] as const

/** Orders plugins by their needs and checks their settings; two that claim the same name stop the boot. */
export function arrangePlugins(
  wanted: readonly { readonly plugin: AnyPlugin; readonly config: Readonly<Record<string, unknown>> }[],
  dialect: DialectName,
): EnabledPlugin[] {
  const byName = new Map<string, EnabledPlugin>()
  for (const { plugin, config } of wanted) {
    const spec = plugin as RawPlugin
    if (byName.has(spec.name)) throw new BootError(`two plugins are called "${spec.name}"`)
    for (const part of Object.keys(spec))
      if (!(parts as readonly string[]).includes(part))
        throw new BootError(`plugin ${spec.name}: "${part}" is no part of a plugin; there are ${parts.join(', ')}`)
    for (const stop of Object.keys(spec.hooks ?? {}))
      if (!(stops as readonly string[]).includes(stop))
        throw new BootError(`plugin ${spec.name}: "${stop}" is no hook; there are ${stops.join(', ')}`)
    checkFunctions(spec)
    checkMiddleware(spec)
    checkFieldTypes(spec)
    checkParams(spec)
    checkOwnTypes(spec)
    checkActions(spec.name, 'actions', spec.actions?.map(({ action }) => action) ?? [])
    const enabled = { spec, config: checkSettings(spec, { ...spec.dialects?.[dialect], ...config }) }
    checkHeaders(enabled)
    checkJobs(enabled)
    byName.set(spec.name, enabled)
  }
  const ordered: EnabledPlugin[] = []
  const visiting = new Set<string>()
  const visit = (entry: EnabledPlugin): void => {
    if (ordered.includes(entry)) return
    if (visiting.has(entry.spec.name))
      throw new BootError(`plugins need each other in a circle: ${[...visiting].join(', ')}`)
    visiting.add(entry.spec.name)
    for (const { name } of entry.spec.needs ?? []) {
      const needed = byName.get(name)
      if (!needed)
        throw new BootError(
          `plugin ${entry.spec.name} needs the plugin ${name}, which is disabled; enable it in config/plugins`,
        )
      visit(needed)
    }
    for (const { name } of entry.spec.uses ?? []) {
      const used = byName.get(name)
      if (used) visit(used)
    }
    visiting.delete(entry.spec.name)
    ordered.push(entry)
  }
  for (const entry of byName.values()) visit(entry)
  checkClaims(ordered)
  return ordered
}

export function checkSettings(
  spec: RawPlugin,
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  // Settings may hold functions; only what is plain is copied, as defaults are put into it.
  const settings = merge({}, config) as Record<string, unknown>
  const validate = settingsValidator(spec)
  if (validate(settings)) return Object.freeze(settings)
  const words = settingWords(spec.name)
  throw new BootError((validate.errors ?? []).map(error => sentenceOf(error, words)).join('\n'))
}

/** The schema of a plugin's settings. */
export const settingsSchemaOf = ({ config }: Pick<RawPlugin, 'config'>): SchemaObject => ({
  type: 'object',
  additionalProperties: false,
  ...config,
})

function settingsValidator(spec: RawPlugin): ValidateFunction {
  try {
    return validatorOf(settingsSchemaOf(spec))
  } catch (cause) {
    const reason = (cause as Error).message
    throw new BootError(`plugin ${spec.name}: its "config" is not a JSON schema: ${reason}`, { cause })
  }
}

function settingWords(plugin: string): Words {
  return {
    place: path => `config/plugins: ${[plugin, 'config', ...path].join('.')}`,
    unknown: 'is not a setting of the plugin',
    name: path => [plugin, 'config', ...path].join('.'),
    others: known => (known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'),
    wrong: (place, { message }) => `${place} ${message}`,
  }
}

const ownParams = [...Object.keys(nodeParams), 'pagination', 'page', 'pageSize', 'start', 'limit']

/** Two plugins may not declare the same parameter, field type, format, content type, command or route. */
function checkClaims(plugins: readonly EnabledPlugin[]): void {
  const owners = new Map<string, string>()
  for (const plugin of plugins)
    for (const claim of claimsOf(plugin)) {
      const { name } = plugin.spec
      const former = owners.get(claim)
      if (former !== undefined) throw new BootError(`the plugins ${former} and ${name} both declare the ${claim}`)
      owners.set(claim, name)
    }
  for (const { spec } of plugins) checkFormats(spec)
}

/** What a plugin alone may declare. */
function* claimsOf(plugin: EnabledPlugin): Generator<string> {
  const {
    name: own,
    params = {},
    fieldTypes = [],
    formats = {},
    contentTypes = [],
    commands = [],
    bodies = [],
  } = plugin.spec
  for (const name of Object.keys(params)) {
    if (ownParams.includes(name))
      throw new BootError(`plugin ${own} declares the parameter "${name}", which is core's own`)
    yield `parameter "${name}"`
  }
  for (const { name } of fieldTypes) yield `field type "${name}"`
  for (const name of Object.keys(formats)) yield `format "${name}"`
  for (const { uid } of contentTypes) yield `content type ${uid}`
  for (const { name } of commands) yield `command "${name}"`
  for (const { type } of bodies) yield `body ${type}`
  for (const { method, path } of routesIn(plugin)) yield `route ${method} ${path}`
}

/** The hooks of the plugins that apply to a type, bound to their services. */
export function hooksFor(
  type: TypeOutline,
  plugins: readonly EnabledPlugin[],
  services: ReadonlyMap<string, unknown>,
): BoundHooks[] {
  return plugins.flatMap(({ spec, config }) =>
    spec.hooks && appliesTo(spec, config, type)
      ? [{ plugin: spec.name, hooks: spec.hooks as BoundHooks['hooks'], service: services.get(spec.name) }]
      : [],
  )
}

export function appliesTo(spec: RawPlugin, config: Readonly<Record<string, unknown>>, type: TypeOutline): boolean {
  const applies: unknown = spec.appliesTo ? spec.appliesTo(type, config) : true
  if (isPromise(applies)) throw new BootError(`plugin ${spec.name}: appliesTo gives a promise; expected true or false`)
  return Boolean(applies)
}

/** The routes that a plugin has with its settings. */
export const routesIn = ({ spec: { name, routes = [] }, config }: EnabledPlugin): readonly Route[] =>
  checkRoutes(name, 'routes', typeof routes === 'function' ? routes(config) : routes)

/** Those that it adds to a type that has endpoints. */
export const typeRoutesIn = ({ spec, config }: EnabledPlugin, type: TypeOutline): readonly Route[] =>
  spec.typeRoutes && appliesTo(spec, config, type)
    ? checkRoutes(spec.name, 'typeRoutes', spec.typeRoutes(type, config))
    : []

/** The actions on a type that a plugin has besides those of its routes. */
export const typeActionsIn = ({ spec, config }: EnabledPlugin, type: TypeOutline): readonly string[] =>
  spec.typeActions && appliesTo(spec, config, type) ? namedActions(spec.name, spec.typeActions(type, config)) : []

function namedActions(plugin: string, actions: readonly string[]): readonly string[] {
  checkActions(plugin, 'typeActions', actions)
  return actions
}

/** Columns that follow when a type is renamed, those of enabled plugins. */
export const uidColumnsOf = (plugins: readonly EnabledPlugin[]): readonly UidColumn[] =>
  plugins.flatMap(({ spec }) => spec.uidColumns ?? [])

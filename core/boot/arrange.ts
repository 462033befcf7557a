import type { SchemaObject } from 'ajv'
import { compiler } from '../ajv.js'
import { merge } from '../config/merge.js'
import type { DialectName } from '../dialect.js'
import { BootError } from '../errors.js'
import { type BoundHooks, stops } from '../hooks.js'
import type { AnyPlugin, PluginSpec } from '../plugin.js'
import { nodeParams } from '../query/node.js'
import type { Param } from '../query/params.js'
import type { TypeOutline } from '../schema/types.js'
import type { UidColumn } from '../store/change/value-renames.js'

/** What the kernel reads: every part, its types forgotten. */
export type RawPlugin = PluginSpec<
  string,
  SchemaObject,
  readonly AnyPlugin[],
  Readonly<Record<string, Param>>,
  unknown,
  Readonly<Record<string, unknown>>
>

/** Plugins that are on, in the order of their needs, with their checked settings. */
export interface EnabledPlugin {
  readonly spec: RawPlugin
  readonly config: Readonly<Record<string, unknown>>
}

const parts = [
  'name',
  'needs',
  'uses',
  'config',
  'dialects',
  'stored',
  'standardIn',
  'appliesTo',
  'contentTypes',
  'attributes',
  'uniqueWithin',
  'entryMeta',
  'uidColumns',
  'fieldTypes',
  'params',
  'register',
  'close',
  'refresh',
  'authenticate',
  'hooks',
  'middleware',
  'routes',
  'typeRoutes',
  'bodies',
  'formats',
  'commands',
  'health',
  'checks',
  'sync',
  'adopt',
  'transfer',
] as const

/** Orders plugins by their needs and checks their settings; two that claim the same name stop the boot. */
export function arrangePlugins(
  wanted: readonly { readonly plugin: AnyPlugin; readonly config: Readonly<Record<string, unknown>> }[],
  dialect: DialectName,
): EnabledPlugin[] {
  const byName = new Map<string, EnabledPlugin>()
  for (const { plugin, config } of wanted) {
    const spec = plugin as unknown as RawPlugin
    if (byName.has(spec.name)) throw new BootError(`two plugins are called "${spec.name}"`)
    for (const part of Object.keys(spec))
      if (!parts.includes(part as never))
        throw new BootError(`plugin ${spec.name}: "${part}" is no part of a plugin; there are ${parts.join(', ')}`)
    for (const stop of Object.keys(spec.hooks ?? {}))
      if (!stops.includes(stop as never))
        throw new BootError(`plugin ${spec.name}: "${stop}" is no hook; there are ${stops.join(', ')}`)
    byName.set(spec.name, { spec, config: checkSettings(spec, { ...spec.dialects?.[dialect], ...config }) })
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
          `plugin ${entry.spec.name} needs the plugin ${name}, which is off; turn it on in config/plugins`,
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
  const schema = { type: 'object', additionalProperties: false, ...spec.config }
  const validate = compiler({ useDefaults: true, allErrors: true, strict: false }).compile(schema)
  if (validate(settings)) return Object.freeze(settings)
  const known = Object.keys((spec.config as { properties?: object } | undefined)?.properties ?? {})
  const sentences = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty
    const at = `config/plugins: ${spec.name}.config${instancePath.replaceAll('/', '.')}`
    if (extra !== undefined)
      return `${at}.${extra} is not a setting of the plugin; ${known.length > 0 ? `there are ${known.join(', ')}` : 'it has none'}`
    return `${at} ${message}`
  })
  throw new BootError(sentences.join('\n'))
}

const ownParams = [...Object.keys(nodeParams), 'pagination', 'page', 'pageSize', 'start', 'limit']

/** Two plugins may not declare the same parameter, field type, format, content type, command or route. */
function checkClaims(plugins: readonly EnabledPlugin[]): void {
  const claims = new Map<string, string>()
  const claim = (plugin: string, what: string) => {
    const former = claims.get(what)
    if (former !== undefined) throw new BootError(`the plugins ${former} and ${plugin} both declare the ${what}`)
    claims.set(what, plugin)
  }
  for (const plugin of plugins) {
    const { spec } = plugin
    for (const name of Object.keys(spec.params ?? {})) {
      if (ownParams.includes(name))
        throw new BootError(`plugin ${spec.name} declares the parameter "${name}", which is core's own`)
      claim(spec.name, `parameter "${name}"`)
    }
    for (const { name } of spec.fieldTypes ?? []) claim(spec.name, `field type "${name}"`)
    for (const name of Object.keys(spec.formats ?? {})) claim(spec.name, `format "${name}"`)
    for (const { uid } of spec.contentTypes ?? []) claim(spec.name, `content type ${uid}`)
    for (const { name } of spec.commands ?? []) claim(spec.name, `command "${name}"`)
    for (const { type } of spec.bodies ?? []) claim(spec.name, `body ${type}`)
    for (const { method, path } of routesIn(plugin)) claim(spec.name, `route ${method} ${path}`)
  }
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
  return spec.appliesTo ? spec.appliesTo(type, config as never) : true
}

/** The routes that a plugin has with its settings. */
export const routesIn = ({ spec: { routes = [] }, config }: EnabledPlugin) =>
  typeof routes === 'function' ? routes(config as never) : routes

/** Columns that follow when a type is renamed, those of plugins that are on. */
export const uidColumnsOf = (plugins: readonly EnabledPlugin[]): readonly UidColumn[] =>
  plugins.flatMap(({ spec }) => spec.uidColumns ?? [])

import type { Config } from '../config/types.js'
import type { Dialect } from '../dialect.js'
import { BootError } from '../errors.js'
import type { OfferedPlugin } from '../kernel.js'
import type { Log } from '../log.js'
import { creatorType } from '../schema/creators.js'
import { type AttributeKind, valueTypes } from '../schema/field-types.js'
import { linkTypes } from '../schema/link-types.js'
import { loadDefinitions } from '../schema/load.js'
import { type Additions, buildRegistry, type Dormant, type Registry } from '../schema/registry.js'
import type { AttributeBase, Definition, TypeOutline } from '../schema/types.js'
import { appliesTo, type EnabledPlugin, type RawPlugin } from './arrange.js'

interface Sources {
  readonly config: Config
  readonly plugins: readonly EnabledPlugin[]
  readonly offered: readonly OfferedPlugin[]
  readonly unmentioned: (() => Promise<readonly OfferedPlugin[]>) | undefined
  readonly definitions: readonly Definition[] | undefined
  readonly dialect: Dialect
  readonly log: Log
}

/** The content types of the app and of its plugins, checked and laid out. */
export async function readTypes({ config, plugins, definitions, dialect, log, ...rest }: Sources): Promise<Registry> {
  const kinds = new Map<string, AttributeKind>()
  for (const kind of [...valueTypes, ...linkTypes, ...plugins.flatMap(({ spec }) => spec.fieldTypes ?? [])]) {
    if (kinds.has(kind.name))
      throw new BootError(`a plugin declares the field type "${kind.name}", which is core's own`)
    kinds.set(kind.name, kind)
  }
  const own = definitions ?? (await loadDefinitions(config.appDir))
  const ofPlugins = plugins.flatMap(({ spec }) => spec.contentTypes ?? [])
  const dormant = await dormantOf(own, [...own, ...ofPlugins, creatorType], kinds, rest)
  const registry = buildRegistry(
    [
      ...own.filter(({ uid }) => !uid.startsWith('plugin::')),
      ...ofPlugins.map(definition => extended(definition, own)),
      creatorType,
    ],
    {
      kinds,
      dormant,
      privateAttributes: config.api.privateAttributes,
      plainCreators: dialect.plainCreators,
      emptyPolymorphicLists: dialect.emptyPolymorphicLists,
      openZones: dialect.openZones,
      lenient: config.project !== 'stele',
      extend: type => additionsFor(type, plugins),
    },
  )
  for (const { uid, source } of own)
    if (uid.startsWith('plugin::') && !ofPlugins.some(definition => definition.uid === uid))
      log.warn(`${source} extends ${uid}, and no plugin that is on has this type`)
  for (const note of registry.notes) log.warn(note)
  return registry
}

/** Whether everything that the app's types name is there; where it is not, a plugin that is off may know it. */
async function dormantOf(
  own: readonly Definition[],
  all: readonly Definition[],
  kinds: ReadonlyMap<string, AttributeKind>,
  { offered, unmentioned }: Pick<Sources, 'offered' | 'unmentioned'>,
): Promise<Dormant> {
  const uids = new Set(all.map(({ uid }) => uid))
  const isUnknown = ({ type, target }: { type?: string; target?: string }) =>
    !kinds.has(String(type)) || (target !== undefined && !uids.has(target))
  const off = offered.filter(({ enabled }) => !enabled)
  const attributes = own.flatMap(({ schema }) => Object.values(Object(schema.attributes) as Record<string, object>))
  if (unmentioned && attributes.some(isUnknown)) off.push(...(await unmentioned()))
  const specs = off.map(({ plugin }) => plugin as unknown as RawPlugin)
  return {
    kinds: new Set(specs.flatMap(({ fieldTypes = [] }) => fieldTypes.map(({ name }) => name))),
    types: new Map(specs.flatMap(({ name, contentTypes = [] }) => contentTypes.map(({ uid }) => [uid, name] as const))),
  }
}

/** A plugin's type with what the app's own schema file adds to it and changes about it. */
function extended(definition: Definition, own: readonly Definition[]): Definition {
  const extension = own.find(({ uid }) => uid === definition.uid)
  if (!extension) return definition
  const { schema } = definition
  const { attributes = {}, options = {}, pluginOptions = {} } = extension.schema as Record<string, object | undefined>
  return {
    ...definition,
    source: extension.source,
    schema: {
      ...schema,
      options: { ...(schema.options as object), ...options },
      pluginOptions: { ...(schema.pluginOptions as object), ...pluginOptions },
      attributes: { ...(schema.attributes as object), ...attributes },
    },
  }
}

/** What the plugins add to a type; two that add the same attribute stop the boot. */
function additionsFor(type: TypeOutline, plugins: readonly EnabledPlugin[]): Additions {
  const attributes: Record<string, AttributeBase> = {}
  const uniqueWithin: string[] = []
  const entryMeta: Record<string, { link: string; fields: readonly string[] }> = {}
  const by = new Map<string, string>()
  for (const { spec, config } of plugins) {
    if (!appliesTo(spec, config, type)) continue
    const added = typeof spec.attributes === 'function' ? spec.attributes(type) : (spec.attributes ?? {})
    for (const [name, attribute] of Object.entries(added)) {
      if (Object.hasOwn(type.attributes, name))
        throw new BootError(
          `plugin ${spec.name} adds the attribute "${name}" to ${type.uid}, which has one in ${type.source}`,
        )
      const former = by.get(name)
      if (former !== undefined)
        throw new BootError(`the plugins ${former} and ${spec.name} both add the attribute "${name}" to ${type.uid}`)
      by.set(name, spec.name)
      attributes[name] = attribute
    }
    uniqueWithin.push(...(spec.uniqueWithin ?? []))
    Object.assign(entryMeta, spec.entryMeta)
  }
  return { attributes, uniqueWithin, entryMeta }
}

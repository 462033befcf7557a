import type { Config } from '../config/types.js'
import type { Dialect } from '../dialect.js'
import { BootError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { print } from '../kit/print.js'
import type { Log } from '../log.js'
import type { EnabledPlugin, RawPlugin } from '../plugin/arrange.js'
import { checkedKind } from '../plugin/checks/value-types.js'
import { appliesTo } from '../plugin/declared.js'
import { schemaWords } from '../plugin/find.js'
import type { ForeignProject } from '../plugin/foreign.js'
import type { OfferedPlugin } from '../plugin/plugin.js'
import { ownOptions } from '../schema/check.js'
import { creatorType } from '../schema/creators.js'
import { type AttributeKind, valueTypes } from '../schema/field-types.js'
import { foreignTargetsSentence } from '../schema/foreign-targets.js'
import { linkTypes } from '../schema/link-types.js'
import { type Additions, buildRegistry, type DormantPlugins } from '../schema/registry.js'
import type { AttributeBase, ContentType, Definition, TypeOutline } from '../schema/types.js'
import { openExisting } from './connect.js'
import type { Outline } from './start.js'

interface Sources {
  readonly config: Config
  readonly plugins: readonly EnabledPlugin[]
  readonly offered: readonly OfferedPlugin[]
  readonly unmentioned: (() => Promise<readonly OfferedPlugin[]>) | undefined
  readonly definitions: readonly Definition[]
  /** They come from the folder of the app. */
  readonly hasFiles: boolean
  readonly dialect: Dialect
  /** The other server whose app folder it is, if it is one. */
  readonly project: ForeignProject | undefined
  readonly log: Log
}

/** The content types of the app and of its plugins, checked and laid out. */
export async function readTypes({
  config,
  plugins,
  definitions,
  hasFiles,
  dialect,
  project,
  log,
  ...rest
}: Sources): Promise<Pick<Outline, 'registry' | 'definitions'>> {
  const kinds = kindsOf(plugins)
  const open = () => openExisting(config, log)
  const own = project ? await project.definitions(definitions, { kinds, open }) : definitions
  const unrouted = hasFiles ? await project?.unrouted(config.appDir, own) : undefined
  const ofPlugins = plugins.flatMap(({ spec }) => spec.contentTypes ?? [])
  const said = await schemaWords()
  const dormant = await dormantOf(own, [...own, ...ofPlugins, creatorType], { kinds, said, ...rest })
  const registry = buildRegistry(
    [
      ...own.filter(({ uid }) => !uid.startsWith('plugin::')),
      ...ofPlugins.map(definition => extended(definition, own)),
      creatorType,
    ],
    {
      kinds,
      dormant,
      words: wordsOf([...said, ...plugins.map(({ spec }) => spec), ...dormant.specs]),
      privateAttributes: config.api.privateAttributes,
      plainCreators: dialect.plainCreators,
      emptyPolymorphicLists: dialect.emptyPolymorphicLists,
      openZones: dialect.openZones,
      uidsOfAllEntries: dialect.uidsOfAllEntries,
      lenient: project !== undefined,
      ...(unrouted && { unrouted }),
      extend: type => additionsFor(type, { plugins, kinds, lenient: project !== undefined }),
    },
  )
  for (const { uid, source } of own)
    if (uid.startsWith('plugin::') && !ofPlugins.some(definition => definition.uid === uid))
      log.warn(`${source} extends ${uid}, and no enabled plugin has this type`)
  for (const note of registry.notes) log.warn(note)
  for (const type of registry.types.values()) if (hasOneName(type)) log.warn(oneNameSentence(type))
  if (registry.foreignTargets.length > 0) log.warn(foreignTargetsSentence(registry.foreignTargets))
  return { registry, definitions }
}

/** The attribute types of the server and of its enabled plugins, by name. */
export function kindsOf(plugins: readonly EnabledPlugin[]): ReadonlyMap<string, AttributeKind> {
  const kinds = new Map<string, AttributeKind>()
  for (const kind of [...valueTypes, ...linkTypes, ...plugins.flatMap(declaredKinds)]) {
    if (kinds.has(kind.name))
      throw new BootError(`a plugin declares the field type "${kind.name}", which is core's own`)
    kinds.set(kind.name, kind)
  }
  return kinds
}

/** The attribute types that a plugin declares. */
const declaredKinds = ({ spec: { name, fieldTypes = [] } }: EnabledPlugin): AttributeKind[] =>
  fieldTypes.map(kind => checkedKind(name, kind))

/** Names that are the same work here, and nowhere where one entry and a list are told apart by them. */
const hasOneName = ({ kind, routed, singularName, pluralName }: ContentType): boolean =>
  kind === 'collectionType' && routed && singularName === pluralName

const oneNameSentence = ({ source, singularName }: ContentType): string =>
  `${source}: singularName and pluralName are both "${singularName}"; programs that name one entry and a list by them cannot tell the two apart. Another pluralName, such as "${singularName}-list", avoids that, and is the address of the list`

function unknownKind(
  plugin: string,
  name: string,
  attribute: AttributeBase | undefined,
  kinds: ReadonlyMap<string, AttributeKind>,
): string {
  const meant = nearest(String(attribute?.type), [...kinds.keys()])
  const accepted = meant === undefined ? `there are ${[...kinds.keys()].join(', ')}` : `did you mean "${meant}"?`
  return `plugin ${plugin}: the attribute "${name}" that it adds has the type ${print(attribute?.type)}; ${accepted}`
}

/** The disabled plugins that know the kinds and types which the app's own types name and no enabled plugin has. */
async function dormantOf(
  own: readonly Definition[],
  all: readonly Definition[],
  {
    kinds,
    said,
    offered,
    unmentioned,
  }: Pick<Sources, 'offered' | 'unmentioned'> & {
    readonly kinds: ReadonlyMap<string, AttributeKind>
    readonly said: readonly WordedPlugin[]
  },
): Promise<DormantPlugins & { readonly specs: readonly RawPlugin[] }> {
  const uids = new Set(all.map(({ uid }) => uid))
  const isUnknown = (attribute: unknown) => {
    const { type, target } = Object(attribute) as { readonly type?: string; readonly target?: string }
    return !kinds.has(String(type)) || (target !== undefined && !uids.has(target))
  }
  const off = offered.filter(({ enabled }) => !enabled)
  const attributes = own.flatMap(({ schema }) => Object.values(Object(schema.attributes) as Record<string, object>))
  const words = wordsOf([...said, ...offered.map(({ plugin }) => plugin as RawPlugin)])
  const isUnread = ({ schema: { options, pluginOptions } }: Definition) =>
    Object.keys(Object(options)).some(key => !Object.hasOwn({ ...ownOptions, ...words.options }, key)) ||
    Object.keys(Object(pluginOptions)).some(name => !words.pluginOptions.has(name))
  if (unmentioned && (attributes.some(isUnknown) || own.some(isUnread))) off.push(...(await unmentioned()))
  const specs = off.map(({ plugin }) => plugin as RawPlugin)
  return {
    specs,
    kinds: new Set(specs.flatMap(({ fieldTypes = [] }) => fieldTypes.map(({ name }) => name))),
    types: new Map(specs.flatMap(({ name, contentTypes = [] }) => contentTypes.map(({ uid }) => [uid, name] as const))),
  }
}

type WordedPlugin = Pick<RawPlugin, 'name' | 'words'>

/** The keys that plugins declare for schema files; a key of a disabled plugin is no mistake either. */
export function wordsOf(specs: readonly WordedPlugin[]) {
  return {
    options: Object.assign({}, ...specs.map(({ words }) => words?.options)) as Readonly<Record<string, object>>,
    pluginOptions: new Map(specs.map(({ name, words }) => [name, words?.pluginOptions ?? {}] as const)),
  }
}

/** A plugin's type with the additions and changes of the app's own schema file. */
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

/** The additions of all plugins to a type; two that add the same attribute stop the boot. */
function additionsFor(
  type: TypeOutline,
  {
    plugins,
    kinds,
    lenient,
  }: {
    readonly plugins: readonly EnabledPlugin[]
    readonly kinds: ReadonlyMap<string, AttributeKind>
    /** An attribute of the file gives way, as it does in the other server. */
    readonly lenient: boolean
  },
): Additions {
  const attributes: Record<string, AttributeBase> = {}
  const uniqueWithin: string[] = []
  const entryMeta: Record<string, { link: string; fields: readonly string[] }> = {}
  const by = new Map<string, string>()
  for (const { spec, config } of plugins) {
    if (!appliesTo(spec, config, type)) continue
    const added = typeof spec.attributes === 'function' ? spec.attributes(type, config) : (spec.attributes ?? {})
    for (const [name, attribute] of Object.entries(added)) {
      mustBeFree(name, { plugin: spec.name, former: by.get(name), type, lenient })
      by.set(name, spec.name)
      if (!kinds.has(String(attribute?.type))) throw new BootError(unknownKind(spec.name, name, attribute, kinds))
      const { uniqueWithin: isWithin, inMeta = {}, ...own } = attribute
      attributes[name] = own
      if (isWithin) uniqueWithin.push(name)
      for (const [list, fields] of Object.entries(inMeta)) entryMeta[list] = { link: name, fields }
    }
  }
  return { attributes, uniqueWithin, entryMeta, ...goneIn(type, plugins) }
}

interface AttributeSource {
  readonly plugin: string
  /** Another plugin that adds it. */
  readonly former: string | undefined
  readonly type: TypeOutline
  readonly lenient: boolean
}

function mustBeFree(name: string, { plugin, former, type, lenient }: AttributeSource): void {
  if (Object.hasOwn(type.attributes, name) && !lenient)
    throw new BootError(`plugin ${plugin} adds the attribute "${name}" to ${type.uid}, which has one in ${type.source}`)
  if (former !== undefined)
    throw new BootError(`the plugins ${former} and ${plugin} both add the attribute "${name}" to ${type.uid}`)
}

/** The attribute that tells which entries of a type count as deleted: one plugin at most says so. */
function goneIn(type: TypeOutline, plugins: readonly EnabledPlugin[]): Pick<Additions, 'gone'> {
  const [one, other] = plugins.filter(
    ({ spec, config }) => spec.hides?.when === 'deleted' && appliesTo(spec, config, type),
  )
  if (one && other)
    throw new BootError(`the plugins ${one.spec.name} and ${other.spec.name} both say what is gone of ${type.uid}`)
  return one?.spec.hides ? { gone: one.spec.hides.attribute } : {}
}

import { BootError } from '../errors.js'
import { schemaChecker } from './check.js'
import { creators } from './creators.js'
import type { AttributeKind, LinkPlace, LinkType, ValueType } from './field-types.js'
import { snakeCase } from './names.js'
import { formerUid, wrongRenames } from './renamed.js'
import type {
  Attribute,
  AttributeBase,
  ContentType,
  Definition,
  Field,
  IndexWish,
  Link,
  TypeKind,
  TypeOutline,
} from './types.js'

/** All content types and components of the running app, by uid. */
export interface Registry {
  readonly types: ReadonlyMap<string, ContentType>
  /** The type of a uid that is known to exist. */
  get(uid: string): ContentType
  /** What boot should tell the operator: attributes that are not served and why. */
  readonly notes: readonly string[]
}

export interface RegistryOptions {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  readonly dormant?: Dormant
  /** What plugins add to a type. */
  readonly extend?: (type: TypeOutline) => Additions
  readonly privateAttributes?: readonly string[]
  /** Who made an entry is an object of id and names; otherwise an entry like any other. */
  readonly plainCreators?: boolean
  /** A polymorphic list without entries is an empty list; otherwise it is null. */
  readonly emptyPolymorphicLists?: boolean
  /** A zone takes every component of the app. */
  readonly openZones?: boolean
  /** The schema files are another server's as well: what it lives with is no reason to stop. */
  readonly lenient?: boolean
}

/** What belongs to plugins that are off: attributes that need it are not served. */
export interface Dormant {
  readonly kinds: ReadonlySet<string>
  /** Content types by uid, with the plugin that has them. */
  readonly types: ReadonlyMap<string, string>
}

/** What plugins add to a type beside its own attributes. */
export interface Additions {
  readonly attributes: Readonly<Record<string, AttributeBase>>
  /** Attributes of which each value is a world of its own to what is unique. */
  readonly uniqueWithin: readonly string[]
  /** What the meta of an entry lists, by its name there. */
  readonly entryMeta: Readonly<Record<string, { readonly link: string; readonly fields: readonly string[] }>>
}

const nothing: Additions = { attributes: {}, uniqueWithin: [], entryMeta: {} }

const reserved = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', '__component', '__type']

/** Checks the schema files, resolves what leads from one to another, and lays every type out. */
export function buildRegistry(definitions: readonly Definition[], options: RegistryOptions): Registry {
  const dormant = options.dormant ?? { kinds: new Set(), types: new Map() }
  const check = schemaChecker(options.kinds, dormant.kinds, options.lenient === true)
  const problems: string[] = []
  const notes: string[] = []
  for (const definition of definitions) {
    const said = check(definition)
    problems.push(...said.problems)
    notes.push(...said.notes)
  }
  stopOn(problems)
  problems.push(...wrongRenames(definitions))
  notes.push(...ofDormantPlugins(definitions, dormant))

  const outlines = new Map<string, TypeOutline>()
  const plugged: Plugged = new Map()
  for (const definition of definitions) {
    const outline = outlineOf(definition, options, plugged)
    const former = outlines.get(outline.uid)
    if (former) problems.push(`${outline.source}: ${outline.uid} is already defined by ${former.source}`)
    outlines.set(outline.uid, outline)
  }
  problems.push(...clashes([...outlines.values()]))
  stopOn(problems)

  const types = new Map<string, ContentType>()
  const find = (uid: string): ContentType => {
    const type = types.get(uid)
    if (!type) throw new Error(`no content type ${uid}`)
    return type
  }
  for (const outline of outlines.values()) {
    try {
      types.set(outline.uid, layOut(outline, outlines, plugged.get(outline.uid) ?? nothing, options, find, notes))
    } catch (reason) {
      if (!(reason instanceof BootError)) throw reason
      problems.push(reason.message)
    }
  }
  problems.push(...sharedTables([...types.values()]))
  stopOn(problems)
  return {
    types,
    notes,
    get: find,
  }
}

function stopOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new BootError(problems.join('\n'))
}

/** What plugins add to each type, by its uid. */
type Plugged = Map<string, Additions>

/** What is told about relations that lead to types of plugins that are off. */
function ofDormantPlugins(definitions: readonly Definition[], { types }: Dormant): string[] {
  return definitions.flatMap(({ source, schema }) =>
    Object.entries(schema.attributes as Record<string, { target?: string }>).flatMap(([name, { target = '' }]) => {
      const plugin = types.get(target)
      return plugin === undefined
        ? []
        : [`${source}: attribute "${name}" is not served: it leads to ${target}, and the plugin ${plugin} is off`]
    }),
  )
}

function outlineOf(
  { uid, source, schema }: Definition,
  { extend, kinds, dormant }: RegistryOptions,
  plugged: Plugged,
): TypeOutline {
  const raw = schema as {
    kind?: TypeKind
    collectionName: string
    info?: { singularName?: string; pluralName?: string; displayName?: string }
    options?: Record<string, unknown>
    pluginOptions?: Record<string, unknown>
    attributes: Record<string, Attribute>
    indexes?: IndexWish[]
  }
  const isComponent = !uid.includes('::')
  const shortName = uid.slice(uid.lastIndexOf('.') + 1)
  const isServed = ({ type, target }: { type: string; target?: unknown }) =>
    kinds.has(type) && !dormant?.types.has(String(target))
  const attributes = Object.entries(raw.attributes)
  const renamedFrom = formerUid({ uid, source, schema })
  const outline: TypeOutline = {
    uid,
    source,
    kind: isComponent ? 'component' : (raw.kind ?? 'collectionType'),
    singularName: isComponent ? shortName : (raw.info?.singularName ?? shortName),
    pluralName: raw.info?.pluralName ?? shortName,
    displayName: raw.info?.displayName ?? shortName,
    info: raw.info ?? {},
    table: raw.collectionName,
    options: raw.options ?? {},
    pluginOptions: raw.pluginOptions ?? {},
    attributes: Object.fromEntries(attributes.filter(([, attribute]) => isServed(attribute))),
    unserved: attributes.flatMap(([name, attribute]) => (isServed(attribute) ? [] : [name])),
    ...(renamedFrom !== undefined && { renamedFrom }),
    indexes: raw.indexes ?? [],
    routed: uid.startsWith('api::'),
  }
  if (isComponent) return outline
  const added = extend?.(outline) ?? nothing
  plugged.set(uid, added)
  return { ...outline, attributes: { ...outline.attributes, ...(added.attributes as Record<string, Attribute>) } }
}

/** Two types may share neither a table nor an address. */
function clashes(types: readonly TypeOutline[]): string[] {
  const problems: string[] = []
  const seen = new Map<string, TypeOutline>()
  const claim = (key: string, type: TypeOutline, what: string) => {
    const former = seen.get(key)
    if (former && former.uid !== type.uid) problems.push(`${type.source}: ${what} is already that of ${former.source}`)
    seen.set(key, type)
  }
  for (const type of types) {
    claim(`table ${type.table}`, type, `collectionName "${type.table}"`)
    if (!type.routed) continue
    const address = type.kind === 'singleType' ? type.singularName : type.pluralName
    claim(`path ${address.toLowerCase()}`, type, `the address "/${address}"`)
    for (const name of Object.keys(type.attributes))
      if (reserved.includes(name)) problems.push(`${type.source}: attribute "${name}" has a reserved name`)
  }
  return problems
}

function layOut(
  outline: TypeOutline,
  all: ReadonlyMap<string, TypeOutline>,
  { attributes: plugged, uniqueWithin, entryMeta }: Additions,
  options: RegistryOptions,
  find: Find,
  notes: string[],
): ContentType {
  const fields = new Map<string, Field>()
  const links = new Map<string, Link>()
  const isPrivate = (name: string, attribute: AttributeBase) =>
    attribute.private === true || (options.privateAttributes ?? []).includes(name)
  const addField = (name: string, kind: ValueType, attribute: AttributeBase, writable: boolean) =>
    fields.set(name, {
      name,
      column: attribute.column?.name ?? snakeCase(name),
      type: kind,
      attribute: attribute as Field['attribute'],
      readable: kind.secret !== true && !isPrivate(name, attribute),
      writable,
    })

  const note = (name: string) => (sentence: string) =>
    void notes.push(`${outline.source}: attribute "${name}": ${sentence}`)
  // In the order in which Strapi 4 comes upon their files, which is the one that it names them in.
  const components = options.openZones
    ? [...all.keys()]
        .filter(uid => !uid.includes('::'))
        .sort()
        .reverse()
    : undefined
  const add = ([name, attribute]: readonly [string, AttributeBase]) => {
    const kind = options.kinds.get(attribute.type) as AttributeKind
    const writable = attribute.writable !== false
    if (kind.kind === 'value') addField(name, kind, attribute, writable)
    else {
      const link = linkOf(
        kind,
        {
          ...placeOf(outline, name, attribute, all),
          ...(components && { components }),
          ...(options.lenient && { note: note(name) }),
        },
        outline.source,
        isPrivate(name, attribute),
        find,
      )
      const emptyIsNull = options.emptyPolymorphicLists === false && isPolymorphicList(link)
      links.set(name, emptyIsNull ? { ...link, emptyIsNull } : link)
    }
  }

  // Answers list the schema's own attributes first, then the server's, then those that plugins add.
  const own = Object.entries(outline.attributes).filter(([name]) => !Object.hasOwn(plugged, name))
  const stamp = options.kinds.get('datetime') as ValueType
  for (const entry of own) add(entry)
  if (outline.kind !== 'component')
    for (const name of ['createdAt', 'updatedAt']) addField(name, stamp, { type: 'datetime' }, false)
  for (const entry of Object.entries(plugged)) add(entry)
  if (outline.kind !== 'component')
    for (const link of creators(outline, options.plainCreators ?? true)) links.set(link.name, resolved(link, find))
  checkColumns(outline, fields, links)
  return {
    ...outline,
    fields,
    links,
    added: Object.keys(plugged),
    uniqueWithin: uniqueWithin.map(name => fields.get(name) as Field),
    entryMeta: Object.entries(entryMeta).map(([name, { link, fields: shown }]) => ({
      name,
      link: links.get(link) as Link,
      fields: shown,
    })),
  }
}

const isPolymorphicList = ({ polymorphic, many, shape, targets }: Link): boolean =>
  polymorphic === true && many && shape === 'data' && targets !== undefined

type Find = (uid: string) => ContentType

/** Types lead to each other in circles, so where a link leads is looked up when it is first followed. */
function resolved(link: Omit<Link, 'types'>, find: Find): Link {
  let types: readonly ContentType[] | undefined
  return { ...link, types: () => (types ??= (link.targets ?? []).map(find)) }
}

function linkOf(kind: LinkType, place: LinkPlace, source: string, hidden: boolean, find: Find): Link {
  const { name, attribute } = place
  try {
    const link = {
      ...kind.link(place),
      name,
      table: place.table,
      attribute,
      readable: !hidden,
      writable: attribute.writable !== false,
    }
    return resolved(link, find)
  } catch (reason) {
    if (typeof reason !== 'string') throw reason
    throw new BootError(`${source}: attribute "${name}": ${reason}`)
  }
}

function placeOf(
  outline: TypeOutline,
  name: string,
  attribute: AttributeBase,
  all: ReadonlyMap<string, TypeOutline>,
): LinkPlace {
  return {
    uid: outline.uid,
    table: outline.table,
    singularName: outline.singularName,
    name,
    attribute: attribute as LinkPlace['attribute'],
    other(uid) {
      const target = all.get(uid)
      if (!target) throw `there is no type "${uid}"`
      return {
        uid,
        table: target.table,
        singularName: target.singularName,
        attribute: other =>
          Object.hasOwn(target.attributes, other)
            ? (target.attributes[other] as unknown as LinkPlace['attribute'])
            : undefined,
      }
    },
  }
}

function checkColumns(
  { source, indexes }: TypeOutline,
  fields: ReadonlyMap<string, Field>,
  links: ReadonlyMap<string, Link>,
): void {
  const columns = new Map([['id', 'id']])
  const claim = (name: string, column: string) => {
    const former = columns.get(column)
    if (former !== undefined)
      throw new BootError(`${source}: attributes "${former}" and "${name}" would share the column "${column}"`)
    columns.set(column, name)
  }
  for (const { name, column } of fields.values()) claim(name, column)
  for (const { name, storage } of links.values())
    if (storage.via === 'column')
      for (const column of [storage.column, storage.typeColumn]) if (column !== undefined) claim(name, column)
  for (const { attributes } of indexes)
    for (const name of attributes)
      if (!fields.has(name)) throw new BootError(`${source}: indexes name "${name}", which is not a column of the type`)
}

/** Relations that kept their links in one table would take each other's for their own. */
function sharedTables(types: readonly ContentType[]): string[] {
  const owners = new Map(types.map(({ table, source }) => [table, `the type of ${source}`]))
  return types.flatMap(({ source, links }) =>
    [...links.values()].flatMap(({ name, storage, owning, embedded }) => {
      if (storage.via !== 'table' || !owning || embedded || Object.keys(storage.match).length > 0) return []
      const former = owners.get(storage.table)
      owners.set(storage.table, `attribute "${name}" of ${source}`)
      return former === undefined
        ? []
        : [`${source}: attribute "${name}" would share the table "${storage.table}" with ${former}`]
    }),
  )
}

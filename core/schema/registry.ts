import { advice } from '../ajv.js'
import { BootError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import { type SchemaWords, schemaChecker, schemaReader } from './check.js'
import { creators } from './creators.js'
import { wrongDefault } from './defaults.js'
import { words } from './expected.js'
import type { AttributeKind, LinkPlace, LinkType, ValueType } from './field-types.js'
import { reserved } from './file-words.js'
import { type Find, finderOf, resolved } from './find.js'
import { type ForeignTarget, foreignTargets } from './foreign-targets.js'
import { Refusal } from './link-types.js'
import { componentFile } from './load.js'
import { snakeCase } from './names.js'
import { formerUid, wrongRenames } from './renamed.js'
import { searchIndexOf } from './search-index.js'
import { type ServableFacts, servable } from './servable.js'
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
import { isUnique } from './values.js'

/** All content types and components of the running app, by uid. */
export interface Registry {
  readonly types: ReadonlyMap<string, ContentType>
  /** The type of a uid that is known to exist. */
  get(uid: string): ContentType
  /** Messages for the operator: attributes that are not served and why. */
  readonly notes: readonly string[]
  /** Relations that are not served, as they lead to plugins of another server. */
  readonly foreignTargets: readonly ForeignTarget[]
}

export interface RegistryOptions {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  readonly dormant?: DormantPlugins
  /** The words that plugins read in schema files beside types and attributes. */
  readonly words: Pick<SchemaWords, 'options' | 'pluginOptions'>
  /** Returns the additions of plugins to a type. */
  readonly extend?: (type: TypeOutline) => Additions
  readonly privateAttributes?: readonly string[]
  /** The creator of an entry is an object of id and names; otherwise an entry like any other. */
  readonly plainCreators?: boolean
  /** A polymorphic list without entries is an empty list; otherwise it is null. */
  readonly emptyPolymorphicLists?: boolean
  /** A zone takes every component of the app. */
  readonly openZones?: boolean
  /** Values that the layout of another server indexes as unique are so among all entries of a type. */
  readonly uidsOfAllEntries?: boolean
  /** The schema files are another server's as well: a mistake that it lives with is no reason to stop. */
  readonly lenient?: boolean
  /** Types of the app that have no endpoints. */
  readonly unrouted?: ReadonlySet<string>
}

/** Kinds and types of disabled plugins: attributes that need them are not served. */
export interface DormantPlugins {
  readonly kinds: ReadonlySet<string>
  /** Content types by uid, with the plugin that has them. */
  readonly types: ReadonlyMap<string, string>
}

/** Additions of plugins to a type beside its own attributes. */
export interface Additions {
  readonly attributes: Readonly<Record<string, AttributeBase>>
  /** Unique values are unique per value of these attributes. */
  readonly uniqueWithin: readonly string[]
  /** The attribute without which an entry is there. */
  readonly gone?: string
  /** The links listed in the meta of an entry, by their names there. */
  readonly entryMeta: Readonly<Record<string, { readonly link: string; readonly fields: readonly string[] }>>
}

/** Attributes that cannot be served, by the uid of their type. */
type UnservedAttributes = ReadonlyMap<string, readonly string[]>
const none: UnservedAttributes = new Map()

/** Schema files of another server as this one can use them. */
function readable(found: readonly Definition[], words: SchemaWords, notes: string[]) {
  const read = schemaReader(words)
  const all = found.map(definition => ({ uid: definition.uid, ...read(definition) }))
  notes.push(...all.flatMap(one => one.notes))
  return {
    definitions: all.map(({ definition }) => definition),
    unserved: new Map(all.map(({ uid, unserved }) => [uid, unserved])) as UnservedAttributes,
  }
}

const nothing: Additions = { attributes: {}, uniqueWithin: [], entryMeta: {} }

/** Checks the schema files, resolves links from one type to another, and lays every type out. */
export function buildRegistry(found: readonly Definition[], options: RegistryOptions): Registry {
  const dormant = options.dormant ?? { kinds: new Set(), types: new Map() }
  const words = { ...options.words, kinds: options.kinds, dormant: dormant.kinds }
  const check = schemaChecker(words, options.lenient === true)
  const problems: string[] = []
  const notes: string[] = []
  const { definitions, unserved } = options.lenient
    ? readable(found, words, notes)
    : { definitions: found, unserved: none }
  for (const definition of definitions) {
    const said = check(definition)
    problems.push(...said.problems)
    notes.push(...said.notes)
  }
  stopOn(problems)
  problems.push(...wrongRenames(definitions))
  notes.push(...ofDormantPlugins(definitions, dormant))
  const foreign = options.lenient
    ? foreignTargets(definitions, {
        isKnown: uid => dormant.types.has(uid),
        isAdded: (definition, name) => Object.hasOwn(additionsTo(definition, options), name),
      })
    : []

  const described = new Map<string, TypeOutline>()
  const plugged: PluginAdditions = new Map()
  for (const definition of definitions) {
    const outline = outlineOf(definition, options, { foreign, plugged, notes, unserved: unserved.get(definition.uid) })
    const former = described.get(outline.uid)
    if (former) problems.push(`${outline.source}: ${outline.uid} is already defined by ${former.source}`)
    described.set(outline.uid, outline)
  }
  problems.push(...clashes([...described.values()]))
  stopOn(problems)
  const added = (uid: string) => Object.keys(plugged.get(uid)?.attributes ?? {})
  const outlines = options.lenient
    ? servable(described, { kinds: options.kinds, added, link: trial(options) }, notes)
    : described

  const types = new Map<string, ContentType>()
  const find = finderOf(types)
  const app: App = { outlines, options, find, notes }
  for (const outline of outlines.values()) {
    try {
      types.set(outline.uid, layOut(outline, plugged.get(outline.uid) ?? nothing, app))
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
    foreignTargets: foreign,
    get: find,
  }
}

function stopOn(problems: readonly string[]): void {
  if (problems.length > 0) throw new BootError(problems.join('\n'))
}

/** Additions of plugins to each type, by its uid. */
type PluginAdditions = Map<string, Additions>

/** Notes about relations that lead to types of disabled plugins. */
function ofDormantPlugins(definitions: readonly Definition[], { types }: DormantPlugins): string[] {
  return definitions.flatMap(({ source, schema }) =>
    Object.entries(schema.attributes as Record<string, { target?: string }>).flatMap(([name, { target = '' }]) => {
      const plugin = types.get(target)
      return plugin === undefined
        ? []
        : [`${source}: attribute "${name}" is not served: it leads to ${target}, and the plugin ${plugin} is disabled`]
    }),
  )
}

interface OutlineInputs {
  readonly foreign: readonly ForeignTarget[]
  readonly plugged: PluginAdditions
  readonly notes: string[]
  /** Attributes of the file that cannot be served at all. */
  readonly unserved: readonly string[] | undefined
}

function outlineOf(
  { uid, source, schema }: Definition,
  { extend, kinds, dormant, lenient, unrouted }: RegistryOptions,
  { foreign, plugged, notes, unserved = [] }: OutlineInputs,
): TypeOutline {
  const raw = schema as {
    kind?: TypeKind
    collectionName?: string
    info?: { singularName?: string; pluralName?: string; displayName?: string }
    options?: Record<string, unknown>
    pluginOptions?: Record<string, unknown>
    attributes: Record<string, Attribute>
    indexes?: IndexWish[]
    search?: string[]
  }
  const isComponent = !uid.includes('::')
  const shortName = uid.slice(uid.lastIndexOf('.') + 1)
  const isServed = ([name, { type, target }]: [string, Attribute & { target?: unknown }]) =>
    kinds.has(type) &&
    !dormant?.types.has(String(target)) &&
    !foreign.some(one => one.uid === uid && one.attribute === name)
  const attributes = Object.entries(raw.attributes)
  const renamedFrom = formerUid({ uid, source, schema })
  const singularName = isComponent ? shortName : (raw.info?.singularName ?? shortName)
  const outline: TypeOutline = {
    uid,
    source,
    kind: isComponent ? 'component' : (raw.kind ?? 'collectionType'),
    singularName,
    pluralName: raw.info?.pluralName ?? shortName,
    displayName: raw.info?.displayName ?? shortName,
    info: raw.info ?? {},
    // A file that another server has written means the same table to both: these defaults are its as well.
    table: raw.collectionName ?? singularName,
    options: raw.options ?? {},
    pluginOptions: raw.pluginOptions ?? {},
    attributes: Object.fromEntries(attributes.filter(isServed)),
    unserved: [...attributes.flatMap(one => (isServed(one) ? [] : [one[0]])), ...unserved],
    ...(renamedFrom !== undefined && { renamedFrom }),
    indexes: raw.indexes ?? [],
    searched: raw.search ?? [],
    routed: uid.startsWith('api::'),
    ...(unrouted?.has(uid) && { withoutEndpoints: true as const }),
  }
  if (isComponent) return outline
  const own = lenient ? withoutReserved(outline, notes) : outline
  const added = extend?.(own) ?? nothing
  plugged.set(uid, added)
  for (const name of Object.keys(added.attributes))
    if (Object.hasOwn(own.attributes, name)) notes.push(replacedNote(source, name))
  return { ...own, attributes: { ...own.attributes, ...(added.attributes as Record<string, Attribute>) } }
}

/** The attributes that plugins add to a type, for when it is not laid out yet. */
function additionsTo(definition: Definition, options: RegistryOptions): Additions['attributes'] {
  const plugged: PluginAdditions = new Map()
  outlineOf(definition, options, { foreign: [], plugged, notes: [], unserved: undefined })
  return plugged.get(definition.uid)?.attributes ?? nothing.attributes
}

const replacedNote = (source: string, name: string): string =>
  `${source}: attribute "${name}": the server has one of this name itself, and what the file says of it does not count`

/** Another server has the same reserved names, and its own attributes replace those of the file. */
function withoutReserved(outline: TypeOutline, notes: string[]): TypeOutline {
  const { source, attributes } = outline
  const taken = Object.keys(attributes).filter(name => reserved.includes(name))
  if (taken.length === 0) return outline
  notes.push(...taken.map(name => replacedNote(source, name)))
  return {
    ...outline,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([name]) => !taken.includes(name))),
  }
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
      if (reserved.includes(name))
        problems.push(`${type.source}: attribute "${name}" has a reserved name; reserved are ${reserved.join(', ')}`)
  }
  return problems
}

/** The surroundings in which a type is laid out: all other types, the options, and the notes so far. */
interface App {
  readonly outlines: ReadonlyMap<string, TypeOutline>
  readonly options: RegistryOptions
  readonly find: Find
  readonly notes: string[]
}

function layOut(
  outline: TypeOutline,
  { attributes: plugged, uniqueWithin, gone, entryMeta }: Additions,
  { outlines, options, find, notes }: App,
): ContentType {
  const fields = new Map<string, Field>()
  const links = new Map<string, Link>()
  const isPrivate = (name: string, attribute: AttributeBase) =>
    attribute.private === true || (options.privateAttributes ?? []).includes(name)
  const problems: string[] = []
  const note = (name: string) => (sentence: string) =>
    void notes.push(`${outline.source}: attribute "${name}": ${sentence}`)
  const addField = (name: string, kind: ValueType, attribute: AttributeBase, writable: boolean) => {
    const madeFrom = sourceOf(kind, attribute, outline, options.kinds)
    const collation = collationOf(kind, attribute, outline)
    const field: Field = {
      name,
      column: attribute.column?.name ?? snakeCase(name),
      type: kind,
      attribute: attribute as Field['attribute'],
      readable: kind.secret !== true && !isPrivate(name, attribute),
      writable,
      ...(madeFrom !== undefined && { madeFrom }),
      ...(collation !== undefined && { collation }),
      // Entries that are gone do not count, and only this server's own indexes can leave them out.
      ...(options.uidsOfAllEntries && gone === undefined && isIndexedAlone(kind, attribute) && { uniqueOverall: true }),
    }
    fields.set(name, isIndexed(field, outline) ? { ...field, indexed: true } : field)
    const reason = wrongDefault(field)
    if (reason === undefined) return
    if (options.lenient) note(name)(reason)
    else problems.push(`${outline.source}: attribute "${name}": ${reason}`)
  }

  const components = options.openZones ? componentsIn(outlines) : undefined
  const add = ([name, attribute]: readonly [string, AttributeBase]) => {
    const kind = options.kinds.get(attribute.type) as AttributeKind
    const writable = attribute.writable !== false
    if (kind.kind === 'value') addField(name, kind, attribute, writable)
    else {
      const place = {
        ...placeOf(outline, name, attribute, outlines),
        ...(components && { components }),
        ...(options.lenient && { note: note(name) }),
      }
      const link = resolved({ ...specOf(kind, place, outline.source), readable: !isPrivate(name, attribute) }, find)
      const emptyIsNull = options.emptyPolymorphicLists === false && isPolymorphicList(link)
      links.set(name, emptyIsNull ? { ...link, emptyIsNull } : link)
    }
  }

  // Responses list the schema's own attributes first, then the server's, then those that plugins add.
  const own = Object.entries(outline.attributes).filter(([name]) => !Object.hasOwn(plugged, name))
  const stamp = options.kinds.get('datetime') as ValueType
  for (const entry of own) add(entry)
  if (outline.kind !== 'component')
    for (const name of ['createdAt', 'updatedAt']) addField(name, stamp, { type: 'datetime' }, false)
  for (const entry of Object.entries(plugged)) add(entry)
  if (outline.kind !== 'component')
    for (const link of creators(outline, options.plainCreators ?? true)) links.set(link.name, resolved(link, find))
  stopOn(problems)
  if (options.lenient)
    for (const [name, other] of alike([...links.keys(), ...fields.keys()]))
      note(name)(`it differs from "${other}" in case alone; both are served, each under its own name`)
  const indexes = options.lenient ? outline.indexes.filter(isOf(fields, links)) : outline.indexes
  checkColumns({ ...outline, indexes }, fields, links)
  checkSources(outline, options, notes)
  const search = options.lenient ? searchIfAny(outline, fields, notes) : searchIndexOf(outline, fields)
  return {
    ...outline,
    indexes,
    fields,
    links,
    ...(search && { search }),
    added: Object.keys(plugged),
    uniqueWithin: uniqueWithin.map(name => fields.get(name) as Field),
    ...(gone !== undefined && { gone: fields.get(gone) as Field }),
    entryMeta: Object.entries(entryMeta).map(([name, { link, fields: shown }]) => ({
      name,
      link: links.get(link) as Link,
      fields: shown,
    })),
  }
}

/** Names that differ from an earlier one in case alone, each with that one. */
function alike(names: readonly string[]): (readonly [string, string])[] {
  const first = new Map<string, string>()
  return names.flatMap(name => {
    const other = first.get(name.toLowerCase())
    if (other === undefined) first.set(name.toLowerCase(), name)
    return other === undefined ? [] : [[name, other] as const]
  })
}

/** The search index of a type. A mistake in the file of another server costs the index, not the start. */
function searchIfAny(...[outline, fields, notes]: [...Parameters<typeof searchIndexOf>, string[]]) {
  try {
    return searchIndexOf(outline, fields)
  } catch (reason) {
    if (!(reason instanceof BootError)) throw reason
    notes.push(`${reason.message}; it is ignored`)
    return undefined
  }
}

/** The components of a message: with open zones all of them, and in this order, as clients may compare the text. */
const componentsIn = (outlines: App['outlines']): string[] =>
  [...outlines.keys()]
    .filter(uid => !uid.includes('::'))
    .sort()
    .reverse()

const isPolymorphicList = ({ polymorphic, many, shape, targets }: Link): boolean =>
  polymorphic === true && many && shape === 'data' && targets !== undefined

function specOf(kind: LinkType, place: LinkPlace, source: string): Omit<Link, 'types' | 'readable'> {
  const { name, table, attribute } = place
  try {
    return { ...kind.link(place), name, table, attribute, writable: attribute.writable !== false }
  } catch (reason) {
    const sentence = reason instanceof Refusal ? reason.sentence : reason
    if (typeof sentence !== 'string') throw reason
    throw new BootError(`${source}: attribute "${name}": ${sentence}`)
  }
}

/** A trial of a link that shows if it leads anywhere; its notes are dropped, as laying it out gives them again. */
const trial =
  (options: RegistryOptions): ServableFacts['link'] =>
  (outline, name, all) => {
    const attribute = outline.attributes[name] as AttributeBase
    const kind = options.kinds.get(attribute.type) as LinkType
    return kind.link({ ...placeOf(outline, name, attribute, all), note: () => undefined })
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
      if (!target) throw absent(uid, [...all.keys()], outline.source)
      return {
        uid,
        table: target.table,
        singularName: target.singularName,
        attribute: other =>
          Object.hasOwn(target.attributes, other) ? (target.attributes[other] as LinkPlace['attribute']) : undefined,
        isUnserved: other => target.unserved.includes(other),
        relations: () => Object.keys(target.attributes).filter(other => target.attributes[other]?.type === 'relation'),
      }
    },
  }
}

/** The message about an unknown type: the name that was meant, or for a component the file in which it would be. */
function absent(uid: string, known: readonly string[], source: string): string {
  const isComponent = !uid.includes('::')
  const meant = nearest(
    uid,
    known.filter(other => other.includes('::') !== isComponent),
  )
  const what = `there is no ${isComponent ? 'component' : 'type'} "${uid}"`
  if (meant !== undefined) return `${what}; did you mean "${meant}"?`
  return isComponent ? `${what}: its file would be ${componentFile(uid, source)}` : what
}

/** The text attribute that a `uid` is named after. */
function sourceOf(
  { name }: ValueType,
  attribute: AttributeBase,
  { attributes }: TypeOutline,
  kinds: RegistryOptions['kinds'],
): string | undefined {
  const { targetField = '' } = attribute as { targetField?: string }
  if (name !== 'uid' || !Object.hasOwn(attributes, targetField)) return undefined
  const kind = kinds.get(attributes[targetField]?.type ?? '')
  return kind?.kind === 'value' && kind.operators === 'text' && kind.secret !== true ? targetField : undefined
}

/** The language that sorts a text: that of the attribute, or of its type. */
function collationOf({ as, operators }: ValueType, { collation }: AttributeBase, { options }: TypeOutline) {
  const isText = operators === 'text' && (as === 'text' || as === 'longtext')
  return isText ? (collation ?? options.collation) : undefined
}

/** The attribute that the value of another is made from: another server does without one that is not there. */
function checkSources(
  { source, attributes, unserved }: TypeOutline,
  { lenient }: RegistryOptions,
  notes: string[],
): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    const { targetField } = attribute as { targetField?: unknown }
    if (typeof targetField !== 'string' || Object.hasOwn(attributes, targetField) || unserved.includes(targetField))
      continue
    const sentence = `${source}: attribute "${name}": targetField names "${targetField}", which is not an attribute of the type; ${advice([targetField], Object.keys(attributes), words)}`
    if (!lenient) throw new BootError(sentence)
    notes.push(sentence)
  }
}

const isIndexedAlone = (kind: ValueType, { column }: AttributeBase): boolean =>
  kind.unique === true || column?.unique === true

const isOf =
  (fields: ReadonlyMap<string, Field>, links: ReadonlyMap<string, Link>) =>
  ({ attributes }: IndexWish): boolean =>
    attributes.every(name => isColumn(name, fields, links))

const isIndexed = (field: Field, { indexes }: TypeOutline): boolean =>
  field.attribute.index !== undefined ||
  isUnique(field) ||
  indexes.some(({ attributes: [first] }) => first === field.name)

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
      if (!isColumn(name, fields, links)) throw new BootError(`${source}: ${noColumn(name, links)}`)
}

/** True if an index of a type can include an attribute: its value is one column of the table. */
function isColumn(name: string, fields: ReadonlyMap<string, Field>, links: ReadonlyMap<string, Link>): boolean {
  const storage = links.get(name)?.storage
  return fields.has(name) || (storage?.via === 'column' && storage.typeColumn === undefined)
}

function noColumn(name: string, links: ReadonlyMap<string, Link>): string {
  const link = links.get(name)
  if (!link) return `indexes name "${name}", which is not a column of the type`
  if (link.attribute.type !== 'relation' || link.many || link.targets === undefined || link.owning !== true)
    return `indexes name "${name}", which is not a column of the type: of relations, those to one entry of one type can be, on the side that owns them`
  return `indexes name "${name}", whose links are in a table of their own, which no index covers; with "useJoinTable": false they are a column of this type`
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

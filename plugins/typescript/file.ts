import type { AppOutline, ContentType, ParamOutline } from '../../core/index.js'
import {
  changeOf,
  fieldMembers,
  type Ground,
  inputMembers,
  linkMembers,
  measureMembers,
  operatorMembers,
  throughMember,
} from './attributes.js'
import { pathMembers, type Resource, resourcesOf, routeMembers, styleOf } from './endpoints.js'
import { jsonType } from './json-type.js'
import { namesFor } from './names.js'
import { interfaceOf, type Member, objectOf } from './text.js'

/** The file of TypeScript types, from which `createClient` of `stele/client` knows the app. The same app gives the same text. */
export function typesFile(outline: AppOutline): string {
  const resources = resourcesOf(outline)
  const types = typesIn(outline, resources)
  const names = namesFor(types)
  const known = new Set(types.map(({ uid }) => uid))
  const ground: Ground = {
    dialect: outline.dialect,
    names,
    created: new Set(resources.flatMap(({ uid, methods }) => (methods.includes('create') ? [uid] : []))),
    relationWords: outline.plugins.flatMap(({ relationWords = [] }) => relationWords),
    anyTarget: types.filter(({ kind }) => outline.dialect.componentsInPolymorphic || kind !== 'component'),
  }
  const schema = [
    { name: 'paths', type: objectOf(pathMembers(resources, names), '  ') },
    {
      name: 'routes',
      type: objectOf(
        routeMembers(outline, names, uid => known.has(uid)),
        '  ',
      ),
    },
  ]
  return [
    header,
    interfaceOf('Schema', schema, 'What the API has: `createClient<Schema>({ url })`.'),
    ...types.map(type => typeText(type, ground, { outline, resources })),
    prelude,
    ...(ground.relationWords.length > 0 ? [newEntries] : []),
  ].join('\n')
}

const header = `// The types of this app's API, written by \`stele types --ts\`. Do not edit them: run the command again when content
// types or settings have changed, or let it run with --watch.
`

const prelude = `/** The id of an entry. */
export type Id = number | string
/** An entry that a relation is to lead to. */
export type Linked =
  | Id
  | { id: Id; position?: { before: Id } | { after: Id } | { start: true } | { end: true } }
/** A change of what a relation leads to: all of it, or some. */
export type Change<Item> =
  | { set: Item[]; connect?: never; disconnect?: never }
  | { set?: never; connect?: Item[]; disconnect?: Item[]; options?: { strict: boolean } }
export type ToOne = Id | { id: Id } | Change<Linked>
export type ToMany = Linked[] | Change<Linked>
/** An entry of any type. */
export type ToAny = { id: Id; __type: string }
/** A component: a new one, or with the id of one that is there, what is to change of it. */
export type Part<Input> = Input | ({ id: Id } & Partial<Input>)
export type ZonePart<Uid, Input> = { __component: Uid } & Part<Input>
`

const newEntries = `/** Relations with new entries. */
export type NewToOne<Word extends string, Input> = { [Name in Word]: Input }
export type NewToMany<Word extends string, Input> = { [Name in Word]?: Input | Input[] } & Change<Linked>
`

/** The types that clients can reach: those with paths, and those that their links lead to. */
function typesIn({ types }: AppOutline, resources: readonly Resource[]): ContentType[] {
  const found = new Set<ContentType>()
  const add = (type: ContentType): void => {
    if (found.has(type)) return
    found.add(type)
    for (const target of ledTo(type)) add(target)
  }
  for (const { uid } of resources) add(types.get(uid))
  return [...found].sort((one, other) => (one.uid < other.uid ? -1 : 1))
}

/** Types behind links that can be populated, and components that can be written. */
const ledTo = ({ links }: ContentType): ContentType[] =>
  [...links.values()]
    .filter(({ readable, only, writable, embedded }) => (readable && !only) || (writable && embedded))
    .flatMap(link => link.types())

interface InApp {
  readonly outline: AppOutline
  readonly resources: readonly Resource[]
}

/** The interfaces of one type: its fields, its inputs, its links, and all of it for the client. */
function typeText(type: ContentType, ground: Ground, app: InApp): string {
  const name = ground.names(type.uid)
  const resource = app.resources.find(({ uid }) => uid === type.uid)
  const isWritten =
    type.kind === 'component' || resource?.methods.some(method => method === 'create' || method === 'update')
  const links = linkMembers(type, ground)
  const own: Member[] = [
    { name: 'fields', type: name },
    { name: 'links', type: links.length > 0 ? `${name}Links` : '{}' },
    ...operatorMembers(type),
    ...measureMembers(type),
    throughMember(type, ground.dialect),
    {
      name: 'nested',
      type: objectOf(
        paramMembers(app, type, ({ nested }) => nested),
        '  ',
      ),
    },
    ...(resource ? resourceMembers(type, resource, name, app) : []),
  ]
  return [
    interfaceOf(name, fieldMembers(type), `${type.displayName} (${type.uid})`),
    ...(isWritten ? [interfaceOf(`${name}Input`, inputMembers(type, ground))] : []),
    ...(links.length > 0 ? [interfaceOf(`${name}Links`, links)] : []),
    interfaceOf(`${name}Type`, own),
  ].join('\n')
}

/** The client's type of a content type that has a path. */
function resourceMembers(type: ContentType, resource: Resource, name: string, app: InApp): Member[] {
  const takes = (...actions: string[]) =>
    paramMembers(app, type, ({ actions: some }) => some?.some(action => actions.includes(action)) ?? true)
  const asked = Object.entries(resource.asks).map(([key, schema]) => ({
    name: key,
    type: jsonType(schema),
    optional: true,
  }))
  const isWritten = resource.methods.includes('update') || resource.methods.includes('create')
  // An entry that is kept from being read may be incomplete.
  const withheld = app.outline.plugins
    .flatMap(({ hides }) => (hides && !hides.when ? [hides.attribute] : []))
    .find(attribute => type.fields.get(attribute)?.writable)
  const incomplete = withheld === undefined ? '' : ` | (Partial<${name}Input> & { ${withheld}: null })`
  const style = styleOf(type, app.outline)
  return [
    { name: 'style', type: `'${style}'` },
    ...(type.search
      ? [{ name: 'searched', type: type.search.fields.map(({ name: of }) => `'${of}'`).join(' | ') }]
      : []),
    { name: 'meta', type: style === 'nested' ? metaType(type, app) : 'unknown' },
    { name: 'find', type: objectOf([...takes(type.kind === 'singleType' ? 'findOne' : 'find'), ...asked], '  ') },
    { name: 'findOne', type: objectOf(takes('findOne'), '  ') },
    { name: 'write', type: objectOf(takes('create', 'update', 'delete'), '  ') },
    { name: 'create', type: isWritten ? `${name}Input${incomplete}` : 'never' },
    { name: 'update', type: isWritten ? changeOf(type, name) : 'never' },
  ]
}

/** The parameters of plugins that a type takes. */
const paramMembers = ({ outline }: InApp, { uid }: ContentType, fits: (param: ParamOutline) => boolean): Member[] =>
  outline.params
    .filter(param => param.plugin !== undefined && (param.types === 'all' || param.types.includes(uid)) && fits(param))
    .map(({ name, schema }) => ({ name, type: jsonType(schema), optional: true }))

function metaType(type: ContentType, { outline: { dialect, listedInMeta } }: InApp): string {
  if (!dialect.entryMeta || listedInMeta.length === 0) return 'unknown'
  const members = listedInMeta.map(name => {
    const entry = type.entryMeta.find(one => one.name === name)
    const target = entry?.link.types()[0]
    if (!entry || !target) return { name, type: 'never[]' }
    const shown = fieldMembers(target, entry.fields)
    return { name, type: `${objectOf([{ name: 'id', type: 'number' }, ...shown], '    ')}[]` }
  })
  return objectOf(members, '  ')
}

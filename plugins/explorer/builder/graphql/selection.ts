import type { Query } from '../../../pages/values/query-text.js'
import { isRecord } from '../../../pages/values/records.js'
import type { FieldInfo, LinkInfo, TypeInfo } from '../metadata.js'
import { filtersOf } from './filters.js'
import type { GraphqlField } from './schema.js'
import { sortArgument } from './sort.js'
import { lineOf, type Selected } from './text.js'
import { draftsShown, hasDrafts, inField, nameIn, type Writing } from './writing.js'

/** A level of a query: an entry, or a component. */
export interface Level {
  readonly type: TypeInfo
  readonly query: Query
  /** The only fields that are seen on the way here. */
  readonly only?: readonly string[] | undefined
  /** The names of the links that lead here. */
  readonly path: readonly string[]
}

/** The id and the attributes of an entry. */
export function entrySelection(writing: Writing, level: Level): readonly Selected[] {
  const { entity } = writing.graphql.types[level.type.uid] ?? {}
  const own = ownSelection(writing, level)
  if (!entity) return own
  return [{ name: entity.id }, ...(own.length > 0 ? [{ name: entity.attributes, below: own }] : [])]
}

/** The attributes of an entry or a component, with the id where it is one of their fields. */
function ownSelection(writing: Writing, level: Level): readonly Selected[] {
  const { id } = writing.graphql.types[level.type.uid] ?? {}
  return [...(id === undefined ? [] : [{ name: id }]), ...attributesOf(writing, level)]
}

/** The attributes that a query asks for: columns, and what is populated. */
function attributesOf(writing: Writing, level: Level): readonly Selected[] {
  const { graphql, missing, notes } = writing
  const { type, query } = level
  const fields = graphql.types[type.uid]?.fields
  if (!fields) {
    missing.add(`The schema of GraphQL has no type for ${type.name}.`)
    return []
  }
  const columns = columnsOf(writing, level).flatMap(({ name }): Selected[] => {
    const field = fields[name]
    if (field) return [{ name, type: field.type }]
    const sentence = `The schema of GraphQL does not have ${nameIn(type, name)}`
    if (query.fields) missing.add(`${sentence}.`)
    else notes.add(`${sentence}: the response does not contain it.`)
    return []
  })
  const links = populatedIn(query).flatMap(([name, asked]): Selected[] => {
    const link = writing.model.links(type).find(link => link.name === name)
    const field = fields[name]
    if (link && field) return [linkSelection(writing, { level, link, field, query: queryIn(asked) })]
    missing.add(`The schema of GraphQL does not have ${nameIn(type, name)}.`)
    return []
  })
  return [...columns, ...links]
}

function columnsOf({ model }: Writing, { type, query, only }: Level): readonly FieldInfo[] {
  const { fields: chosen } = query
  const all = model.fields(type, only).filter(({ name }) => name !== 'id')
  return Array.isArray(chosen) ? all.filter(({ name }) => chosen.includes(name)) : all
}

function populatedIn({ populate }: Query): readonly (readonly [string, unknown])[] {
  if (Array.isArray(populate)) return populate.map(name => [name, true] as const)
  return Object.entries(isRecord(populate) ? populate : {})
}

/** A query below another one; `true` is one that asks for nothing of its own. */
const queryIn = (asked: unknown): Query => (isRecord(asked) ? asked : {})

interface AskedLink {
  /** The level that it stands at. */
  readonly level: Level
  readonly link: LinkInfo
  readonly field: GraphqlField
  readonly query: Query
}

function linkSelection(writing: Writing, asked: AskedLink): Selected {
  const { level, link, field, query } = asked
  const { model } = writing
  const path = [...level.path, link.name]
  const args = argumentsOf(writing, asked, path)
  const about = { name: link.name, type: field.type, ...(args.length > 0 && { args }) }
  if (!model.isPlain(link)) return { ...about, below: unionSelection(writing, asked, path) }
  const [target] = model.targets(link) as readonly [TypeInfo]
  const below = { type: target, query, only: link.only, path }
  if (!link.embedded) noteDrafts(writing, asked, target)
  return { ...about, below: inField(field, entrySelection(writing, below)) }
}

/** The arguments of a relation or component: all of its entries, unlike the 10 of GraphQL. */
function argumentsOf(writing: Writing, { level, link, field, query }: AskedLink, path: readonly string[]): string[] {
  const { model, graphql, isPreview, variables, missing, notes } = writing
  const { args = {} } = field
  const [target] = model.targets(link)
  const of = nameIn(level.type, link.name)
  const made: string[] = []
  if (isRecord(query.filters) && args.filters !== undefined && target) {
    const value = filtersOf(writing, target, query.filters)
    made.push(`${args.filters.name}: ${variables.add(camel([...path, 'filters']), args.filters.type, value)}`)
  } else if (query.filters) missing.add(`GraphQL cannot filter ${of}.`)
  if (query.sort && args.sort !== undefined && target)
    made.push(sortArgument(writing, target, args.sort.name, query.sort))
  else if (query.sort) missing.add(`GraphQL cannot sort ${of}.`)
  if (args.pagination !== undefined) {
    made.push(`${args.pagination.name}: { limit: -1 }`)
    if (graphql.maxLimit !== undefined)
      notes.add(`GraphQL lists at most ${graphql.maxLimit} entries here (graphql.config.maxLimit), also of relations.`)
  }
  if (isPreview && args.publicationState !== undefined) made.push(draftsShown(args.publicationState))
  return made
}

/** `author`, `articles`, `filters` are `authorArticlesFilters`. */
const camel = (words: readonly string[]): string =>
  words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join('')

/** A relation to one entry has no argument that shows or hides its draft. */
function noteDrafts(writing: Writing, { level, link }: AskedLink, target: TypeInfo): void {
  const { graphql, isPreview, showsDrafts, notes } = writing
  if (!hasDrafts(graphql, target) || link.many || showsDrafts === isPreview) return
  const of = nameIn(level.type, link.name)
  notes.add(showsDrafts ? `GraphQL shows ${of} even if it is a draft.` : `GraphQL hides ${of} if it is a draft.`)
}

/** Fragments of the components of a zone, or of the types behind a relation to any type. */
function unionSelection(writing: Writing, asked: AskedLink, path: readonly string[]): readonly Selected[] {
  const { model, graphql, missing, notes } = writing
  const { level, link, field, query } = asked
  const members = graphql.unions[field.type.replaceAll(/\W/g, '')] ?? []
  const isMember = ({ uid }: TypeInfo) => members.includes(graphql.types[uid]?.name ?? '')
  const targets = model.targets(link).filter(isMember)
  const on = isRecord(query.on) ? query.on : undefined
  const chosen = on ? targets.filter(({ uid }) => on[uid] !== undefined) : targets
  const of = nameIn(level.type, link.name)
  // In Strapi 4 any component may be stored in a zone; the schema has those of its list.
  const unlisted = model.targets(link).filter(type => !isMember(type) && on?.[type.uid] !== undefined)
  for (const { name } of unlisted) missing.add(`The schema of GraphQL has no ${name} in ${of}.`)
  const others = link.shape === 'zone' ? 'components' : 'entries'
  if (chosen.length < targets.length)
    notes.add(`The other ${others} of ${of} keep their places, with their names only.`)
  if (chosen.some(({ uid }) => graphql.types[uid]?.id === undefined))
    notes.add(`GraphQL has no ids for the entries of ${of}.`)
  const shapes = new Map<string, string>()
  const fragments = chosen.flatMap((type): Selected[] => {
    const inner = queryIn(on?.[type.uid])
    if (inner.filters || inner.sort) missing.add(`GraphQL can neither filter nor sort ${of}.`)
    const below = ownSelection(writing, { type, query: inner, path })
    const name = `... on ${graphql.types[type.uid]?.name ?? type.uid}`
    return below.length > 0 ? [{ name, below: below.map(one => apart(one, shapes)) }] : []
  })
  return [{ name: '__typename' }, ...fragments]
}

/** The field under a name of its own, where another fragment has one of another type under this name. */
function apart(selected: Selected, shapes: Map<string, string>): Selected {
  const { name, type, below = [] } = selected
  const shape = `${type} ${below.map(lineOf).join(' ')}`
  let key = name
  for (let number = 2; (shapes.get(key) ?? shape) !== shape; number += 1) key = `${name}_${number}`
  shapes.set(key, shape)
  return key === name ? selected : { ...selected, alias: key }
}

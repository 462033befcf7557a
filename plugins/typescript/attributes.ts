import type { ContentType, Dialect, Field, Link } from '../../core/index.js'
import { isFilterable, isInput, isRequired, shapeOfField } from '../../core/plugin-kit.js'
import { bracketed, jsonType } from './json-type.js'
import type { Names } from './names.js'
import { type Member, objectOf, wordsOf } from './text.js'

/** The dependencies of attributes' types, beside the schema. */
export interface Ground {
  readonly dialect: Dialect
  readonly names: Names
  /** The types that a relation to any type may lead to, as far as the file has them. */
  readonly anyTarget: readonly ContentType[]
  /** The types that requests can create entries of. */
  readonly created: ReadonlySet<string>
  /** Words under which relations take new entries. */
  readonly relationWords: readonly string[]
}

const fieldsOf = ({ fields }: ContentType, only?: readonly string[]): Field[] =>
  [...fields.values()].filter(({ name, readable }) => readable && (only?.includes(name) ?? true))

export const linksOf = ({ links }: ContentType): Link[] => [...links.values()].filter(({ readable }) => readable)

/** The fields of responses. Required ones are always there; the server sets the times of an entry itself. */
export const fieldMembers = (type: ContentType, only?: readonly string[]): Member[] =>
  fieldsOf(type, only).map(field => {
    const isThere = field.attribute.required === true || isStamp(type, field)
    const read = jsonType(shapeOfField(field).read)
    return { name: field.name, type: isThere || read === 'unknown' ? read : `${read} | null` }
  })

const isStamp = ({ attributes }: ContentType, { name }: Field): boolean =>
  (name === 'createdAt' || name === 'updatedAt') && !Object.hasOwn(attributes, name)

export const linkMembers = (type: ContentType, ground: Ground): Member[] =>
  linksOf(type).map(link => ({ name: link.name, type: linkType(link, ground) }))

function linkType(link: Link, ground: Ground): string {
  const { shape, targets } = link
  if (shape === 'zone') return writtenLink('zone', typeMap(listedIn(link), ground), 'never')
  if (targets === undefined) return anyLink(link, ground)
  const [target] = link.types() as [ContentType]
  const to = link.only ? onlyType(target, link.only) : `${ground.names(target.uid)}Type`
  const { pagingInPopulate, countInPopulate, loosePolymorphicPopulate } = ground.dialect
  const isLoose = link.polymorphic === true && loosePolymorphicPopulate
  const paged = [
    ...(pagingInPopulate && !isLoose ? [{ name: 'paged', type: 'true' }] : []),
    ...(countInPopulate && !isLoose ? [{ name: 'counted', type: 'true' }] : []),
  ]
  return writtenLink(wordFor(link), to, isAlwaysThere(link) ? 'never' : 'null', paged)
}

const writtenLink = (as: string, to: string, or: string, more: readonly Member[] = []): string =>
  objectOf([{ name: 'as', type: `'${as}'` }, { name: 'to', type: to }, { name: 'or', type: or }, ...more], '  ')

const typeMap = (types: readonly ContentType[], { names }: Ground): string =>
  objectOf(
    types.map(({ uid }) => ({ name: uid, type: `${names(uid)}Type` })),
    '    ',
  )

/** The components of a zone: others may stand in it, but no schema says which. */
const listedIn = ({ types, listed }: Link): readonly ContentType[] =>
  listed ? types().filter(({ uid }) => listed.includes(uid)) : types()

function anyLink({ many }: Link, ground: Ground): string {
  const nested = many ? 'anyMany' : 'any'
  const plain = many ? 'plainAnyMany' : 'plainAny'
  const as = ground.dialect.plainPolymorphic ? plain : nested
  return writtenLink(as, typeMap(ground.anyTarget, ground), many ? 'never' : 'null')
}

const wordFor = ({ many, shape }: Link): string =>
  shape === 'inline' ? (many ? 'parts' : 'part') : many ? 'many' : 'one'

function isAlwaysThere({ many, embedded, attribute, emptyIsNull }: Link): boolean {
  return many ? !emptyIsNull : embedded === true && attribute.required === true
}

/** A type of which a link shows some fields and nothing else. */
function onlyType(type: ContentType, only: readonly string[]): string {
  const members = [
    { name: 'fields', type: objectOf(fieldMembers(type, only), '      ') },
    { name: 'links', type: '{}' },
    ...operatorMembers(type, only),
    { name: 'through', type: 'never' },
    { name: 'nested', type: '{}' },
  ]
  return objectOf(members, '    ')
}

/** The fields by the operators that they take. */
export function operatorMembers(type: ContentType, only?: readonly string[]): Member[] {
  const named = (family: string) =>
    wordsOf(fieldsOf(type, only).flatMap(field => (field.type.operators === family ? [field.name] : [])))
  return [
    { name: 'text', type: named('text') },
    { name: 'order', type: named('order') },
  ]
}

/** The operators that plugins give to fields, where there are any. */
export function measureMembers(type: ContentType): Member[] {
  const members = fieldsOf(type).flatMap(({ name, type: { measures } }): Member[] => {
    const own = Object.entries(measures ?? {}).map(([word, { schema = { type: 'string' }, describe }]) => ({
      ...{ name: word, type: jsonType(schema), optional: true, says: describe },
    }))
    return own.length > 0 ? [{ name, type: objectOf(own, '    ') }] : []
  })
  return members.length > 0 ? [{ name: 'measures', type: objectOf(members, '  ') }] : []
}

/** The links that filters and sort may go through. */
export const throughMember = (type: ContentType, dialect: Dialect): Member => ({
  name: 'through',
  type: wordsOf(linksOf(type).flatMap(link => (isFilterable(link, dialect) ? [link.name] : []))),
})

/** The input of a create; attributes with a default, and nullable ones, can be left out. */
export const inputMembers = (type: ContentType, ground: Ground): Member[] => [
  ...[...type.fields.values()].filter(sentWithNew).map(field => fieldInput(field, ground.dialect)),
  ...[...type.links.values()].filter(sentWithNew).map(link => linkMember(link, ground)),
]

const sentWithNew = (one: Field | Link): boolean => isInput(one, true)

/** The input of an update: any of a create's attributes, except those accepted with a new entry only. */
export function changeOf(type: ContentType, name: string): string {
  const kept = [...type.fields.values(), ...type.links.values()].filter(one => sentWithNew(one) && !isInput(one, false))
  const all = `${name}Input`
  return `Partial<${kept.length === 0 ? all : `Omit<${all}, ${wordsOf(kept.map(({ name }) => name))}>`}>`
}

function fieldInput(field: Field, { madeUids }: Dialect): Member {
  const { required, default: fallback } = field.attribute
  const written = jsonType(shapeOfField(field).write)
  const type = required || written === 'unknown' ? written : `${written} | null`
  const isMade = madeUids && field.madeFrom !== undefined
  return { name: field.name, type, optional: !required || fallback !== undefined || isMade }
}

function linkMember(link: Link, ground: Ground): Member {
  const isThere = isRequired(link, ground.dialect)
  const written = linkInput(link, ground)
  return { name: link.name, type: isThere ? written : `${written} | null`, optional: !isThere }
}

function linkInput(link: Link, { names, created, relationWords }: Ground): string {
  const { many, shape, targets, embedded, setOnly } = link
  if (shape === 'zone') {
    const parts = (link.listed ?? targets ?? []).map(uid => `ZonePart<'${uid}', ${names(uid)}Input>`)
    return `${bracketed(parts.join(' | ') || 'never')}[]`
  }
  if (embedded) return `Part<${names(String(targets?.[0]))}Input>${many ? '[]' : ''}`
  if (targets === undefined) return many ? 'ToAny[] | Change<ToAny>' : 'ToAny | Change<ToAny>'
  if (setOnly) return many ? 'Id[] | { set: Id[] }' : 'Id'
  const kind = many ? 'ToMany' : 'ToOne'
  const [target = ''] = targets
  if (relationWords.length === 0 || targets.length > 1 || !created.has(target)) return kind
  const words = relationWords.map(word => `'${word}'`).join(' | ')
  return `${kind} | New${kind}<${words}, ${names(target)}Input>`
}

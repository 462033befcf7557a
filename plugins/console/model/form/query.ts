import type { LinkInfo, TypeMeta } from '../meta.js'
import { placeholdersIn } from '../preview.js'
import { type Kind, type Kinds, reaches } from './kinds.js'

/** Parameters of a request, as an object. */
export type Query = Readonly<Record<string, unknown>>

/** The entries of a relation that a form shows first, and those that it adds each time. */
export const relatedPage = 20

/** Components may hold each other in a circle; deeper ones are not in the form, and stay as they are. */
const deepest = 5

/** The attributes beside those of the layout that the page shows of each entry. */
const besides = ['createdAt', 'updatedAt', 'publishedAt', 'publishAt', 'unpublishAt', 'deletedAt', 'locale']

/**
 * The query that opens an entry with all that its form shows, in one request; writes are sent with it as well, so that their
 * responses are read the same way.
 */
export function entryQuery(kinds: Kinds, type: TypeMeta): Query {
  const known = (names: readonly string[]) =>
    names.filter(name => type.attributes.some(one => one.kind === 'field' && one.name === name && one.readable))
  const shown = kinds.shown(type.uid).flatMap(({ name }) => (mayRead(type, [name]) ? [name] : []))
  const place = { kinds, type, path: [] }
  const populate = { ...populateOf(place, type, depthWithin(kinds, type)), ...sideLinks(kinds, type) }
  return {
    fields: ['id', ...known([...new Set([...shown, ...besides, ...placeholdersIn(type.preview ?? '')])])],
    ...(Object.keys(populate).length > 0 && { populate }),
    ...(kinds.hasDrafts && { publicationState: 'preview' }),
  }
}

/** The query that tells whether an entry is as it was read, and who has saved it since. */
export function stateQuery(kinds: Kinds, type: TypeMeta): Query {
  const { updatedBy } = sideLinks(kinds, type)
  return {
    fields: ['id', 'updatedAt'],
    ...(updatedBy !== undefined && { populate: { updatedBy } }),
    ...(kinds.hasDrafts && { publicationState: 'preview' }),
  }
}

/** The names of who made the entry, and its other languages. */
function sideLinks(kinds: Kinds, { attributes }: TypeMeta): Query {
  const names = ['createdBy', 'updatedBy', 'localizations']
  const links = attributes.filter(({ kind, name, readable }) => kind === 'link' && readable && names.includes(name))
  return Object.fromEntries(links.map(link => [link.name, sidePopulate(kinds, link as LinkInfo)]))
}

function sidePopulate(kinds: Kinds, { name, targets }: LinkInfo): unknown {
  if (name !== 'localizations') return true
  const names = kinds.type(targets?.[0])?.attributes.flatMap(({ name, kind }) => (kind === 'field' ? [name] : []))
  const fields = ['locale', 'publishedAt'].filter(name => names?.includes(name))
  return fields.length > 0 ? { fields } : true
}

/** The depth to which components are read, so that the request stays within the limit of statements. */
function depthWithin(kinds: Kinds, type: TypeMeta): number {
  // The entry itself, its side links and what plugins add.
  const left = kinds.limits.statements - 8
  let depth = 1
  while (depth < deepest && costOf(kinds, type, depth + 1) <= left) depth += 1
  return depth
}

/** A zone with many statements costs those of the components that stand in it, and one at first. */
const fewInZone = 10

function costOf(kinds: Kinds, kind: Kind, depth: number): number {
  return linksOf(kinds, kind).reduce((sum, link) => {
    if (!link.embedded) return sum + 1
    if (depth === 0) return sum
    const inner = (link.targets ?? [])
      .map(uid => kinds.of(uid))
      .map(one => 1 + (one ? costOf(kinds, one, depth - 1) : 0))
    const cost = inner.reduce((all, one) => all + one, 0)
    return sum + (link.shape === 'zone' && cost > fewInZone ? fewInZone : cost)
  }, 0)
}

const linksOf = (kinds: Kinds, { uid }: Kind): readonly LinkInfo[] =>
  kinds.shown(uid).filter((one): one is LinkInfo => one.kind === 'link' && one.readable)

/** The place of a component: in which type, behind which attributes. */
interface Place {
  readonly kinds: Kinds
  readonly type: TypeMeta
  readonly path: readonly string[]
}

/** Parts of components may be readable in one place, and not in another. */
const mayRead = ({ can }: TypeMeta, path: readonly string[]): boolean => can.read !== null && reaches(can.read, path)

function populateOf(place: Place, kind: Kind, depth: number): Query {
  const { kinds, type } = place
  return Object.fromEntries(
    linksOf(kinds, kind).flatMap(link => {
      const path = [...place.path, link.name]
      if ((link.embedded && depth === 0) || !mayRead(type, path)) return []
      return [[link.name, link.embedded ? partsOf({ ...place, path }, link, depth) : relatedOf(kinds, link, kind)]]
    }),
  )
}

function partsOf(place: Place, { shape, targets = [] }: LinkInfo, depth: number): unknown {
  const inner = targets.map(uid => {
    const kind = place.kinds.of(uid)
    const populate = kind ? populateOf(place, kind, depth - 1) : {}
    return [uid, Object.keys(populate).length > 0 ? { populate } : true] as const
  })
  return shape === 'zone' ? { on: Object.fromEntries(inner) } : (inner[0]?.[1] ?? true)
}

/** One entry more than is shown tells that there are more. Files are sent as a whole list, and hence read as one. */
function relatedOf(kinds: Kinds, link: LinkInfo, holder: Kind): unknown {
  if (link.type === 'media' || link.targets?.length !== 1) return true
  const titles = kinds.titleFields(link, holder)
  return { fields: titles.length > 0 ? titles : ['id'], ...(isPaged(kinds, link) && { limit: relatedPage + 1 }) }
}

/** True if a form loads the entries of a relation page by page. */
export const isPaged = ({ dialect }: Kinds, { many, type, targets }: LinkInfo): boolean =>
  many && type !== 'media' && targets?.length === 1 && dialect.pagingInPopulate

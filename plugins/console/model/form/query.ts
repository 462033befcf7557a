import type { LinkInfo, TypeMeta } from '../meta.js'
import type { Kind, Kinds } from './kinds.js'

/** Parameters of a request, as an object. */
export type Query = Readonly<Record<string, unknown>>

/** The entries of a relation that a form shows first, and those that it adds each time. */
export const relatedPage = 20

/** Components may hold each other in a circle. */
const deepest = 5

/** The attributes beside those of the layout that the page shows of each entry. */
const besides = ['createdAt', 'updatedAt', 'publishedAt', 'publishAt', 'unpublishAt', 'locale']

/**
 * The query that opens an entry with all that its form shows, in one request; writes are sent with it as well, so that their
 * responses are read the same way.
 */
export function entryQuery(kinds: Kinds, type: TypeMeta): Query {
  const known = (names: readonly string[]) =>
    names.filter(name => type.attributes.some(one => one.kind === 'field' && one.name === name && one.readable))
  const shown = kinds.shown(type.uid).map(({ name }) => name)
  const populate = { ...populateOf(kinds, type, 0), ...sideLinks(kinds, type) }
  return {
    fields: ['id', ...known([...new Set([...shown, ...besides])])],
    ...(Object.keys(populate).length > 0 && { populate }),
    ...(type.options.drafts && { publicationState: 'preview' }),
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

function populateOf(kinds: Kinds, kind: Kind, depth: number): Query {
  const links = kinds.shown(kind.uid).filter((one): one is LinkInfo => one.kind === 'link' && one.readable)
  return Object.fromEntries(
    links.flatMap(link => {
      const populate = link.embedded ? partsOf(kinds, link, depth) : relatedOf(kinds, link, kind)
      return populate === undefined ? [] : [[link.name, populate]]
    }),
  )
}

/** A list that is deeper than the form reads is not asked for, and hence never sent. */
function partsOf(kinds: Kinds, { shape, targets = [] }: LinkInfo, depth: number): unknown {
  if (depth >= deepest) return undefined
  const inner = targets.map(uid => {
    const kind = kinds.of(uid)
    const populate = kind ? populateOf(kinds, kind, depth + 1) : {}
    return [uid, Object.keys(populate).length > 0 ? { populate } : true] as const
  })
  return shape === 'zone' ? { on: Object.fromEntries(inner) } : (inner[0]?.[1] ?? true)
}

/** One entry more than is shown tells that there are more. Files are sent as a whole list, and hence read as one. */
function relatedOf(kinds: Kinds, link: LinkInfo, holder: Kind): unknown {
  if (link.type === 'media' || link.targets?.length !== 1) return true
  const fields = ['id', ...kinds.titleFields(link, holder)]
  return { fields, ...(isPaged(kinds, link) && { limit: relatedPage + 1 }) }
}

/** True if a form loads the entries of a relation page by page. */
export const isPaged = ({ dialect }: Kinds, { many, type, targets }: LinkInfo): boolean =>
  many && type !== 'media' && targets?.length === 1 && dialect.pagingInPopulate

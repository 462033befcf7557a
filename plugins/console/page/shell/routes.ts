import { keyOf, type SchemaType } from '../../model/schema.js'
import { base } from './address.js'

/** The purposes of links that people get by mail or at a terminal. */
export type LinkPurpose = 'invitation' | 'password' | 'first-account'

export type Route =
  | { readonly view: 'home' | 'media' | 'nowhere' }
  | { readonly view: 'list'; readonly singular: string }
  | { readonly view: 'deleted'; readonly singular: string; readonly isSingle: boolean }
  | { readonly view: 'entry'; readonly singular: string; readonly id: string }
  | { readonly view: 'single'; readonly singular: string }
  | { readonly view: 'versions'; readonly singular: string; readonly id: string | undefined }
  | { readonly view: 'settings'; readonly section: string | undefined; readonly id: string | undefined }
  | { readonly view: 'extension'; readonly path: string }
  | { readonly view: 'schema'; readonly name: string | undefined }
  | { readonly view: 'layout'; readonly name: string }
  | { readonly view: 'link'; readonly purpose: LinkPurpose }

const links: readonly string[] = ['invitation', 'password', 'first-account'] satisfies readonly LinkPurpose[]

/** The view of an address. */
export function routeOf(path: string): Route {
  const parts = path.slice(base.length + 1).split('/')
  const [kind = '', name = '', id, ...rest] = parts
  if (parts.length > 2 && parts.at(-1) === 'versions') return versionsOf(kind, name, parts.slice(2, -1))
  if (rest.length > 0) return { view: 'nowhere' }
  if (kind === '') return { view: 'home' }
  if (links.includes(kind) && name === '') return { view: 'link', purpose: kind as LinkPurpose }
  if (kind === 'media' && name === '') return { view: 'media' }
  if (kind === 'settings') return settingsOf(name, id)
  if (kind === 'x' && id !== undefined) return { view: 'extension', path: `${name}/${id}` }
  if (kind === 'schema') return schemaOf(name, id)
  return ofType(kind, name, id)
}

const settingsOf = (name: string, id: string | undefined): Route => ({
  view: 'settings',
  section: name || undefined,
  id: id ? decoded(id) : undefined,
})

/** The only entry of a type, its list, or one of its entries. */
function ofType(kind: string, singular: string, id: string | undefined): Route {
  if (singular === '') return { view: 'nowhere' }
  if (kind === 's' && id === undefined) return { view: 'single', singular }
  if (kind === 'layout' && id === undefined) return { view: 'layout', name: singular }
  if ((kind === 's' || kind === 'c') && id === 'deleted') return { view: 'deleted', singular, isSingle: kind === 's' }
  if (kind !== 'c') return { view: 'nowhere' }
  return id === undefined ? { view: 'list', singular } : { view: 'entry', singular, id }
}

const schemaOf = (name: string, id: string | undefined): Route =>
  id === undefined ? { view: 'schema', name: name ? decoded(name) : undefined } : { view: 'nowhere' }

/** The versions of an entry, or of the only one of a type. */
function versionsOf(kind: string, singular: string, [id, ...rest]: readonly string[]): Route {
  const isOne = kind === 's' ? id === undefined : kind === 'c' && id !== undefined && id !== 'new'
  return isOne && rest.length === 0 && singular !== '' ? { view: 'versions', singular, id } : { view: 'nowhere' }
}

interface Addressed {
  readonly kind: string
  readonly singular: string
}

export const addressOfType = ({ kind, singular }: Addressed): string =>
  `${base}/${kind === 'singleType' ? 's' : 'c'}/${singular}`

export const addressOfEntry = (type: Addressed, id: number | string): string =>
  type.kind === 'singleType' ? addressOfType(type) : `${addressOfType(type)}/${id}`

/** The address of the deleted entries of a type; of a single type, of the one that was deleted last in a language. */
export const addressOfDeleted = (type: Addressed, locale: string | null = null): string =>
  `${addressOfType(type)}/deleted${inLanguage(type, locale)}`

/** The address of an entry in the trash; of a single type, of the one that was deleted last in a language. */
export function addressOfTrashed(type: Addressed, id: number, locale: string | null = null): string {
  const own = inLanguage(type, locale)
  return `${addressOfEntry(type, id)}${own}${own === '' ? '?' : '&'}trash=only`
}

export const addressOfVersions = (type: Addressed, id: number, locale: string | null): string =>
  `${addressOfEntry(type, id)}/versions${inLanguage(type, locale)}`

/** The only entry of a type is named by its language. */
export const inLanguage = ({ kind }: Addressed, locale: string | null): string =>
  kind === 'singleType' && locale !== null ? `?locale=${encodeURIComponent(locale)}` : ''

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const addressOfMedia = `${base}/media`

export const addressOfPage = (path: string): string => `${base}/x/${path}`

export const addressOfSchema = (type?: Pick<SchemaType, 'uid' | 'singular'>): string =>
  type ? `${base}/schema/${encodeURIComponent(keyOf(type))}` : `${base}/schema`

export const addressOfSettings = `${base}/settings`

export const addressOfSection = (section: string, id?: number | string): string =>
  `${addressOfSettings}/${section}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`

/** The address of the layout of a type by its name, and of a component by its uid. */
export const addressOfLayout = (name: string): string => `${base}/layout/${name}`

import { base } from './address.js'

/** The purposes of links that people get by mail or at a terminal. */
export type LinkPurpose = 'invitation' | 'password' | 'first-account'

export type Route =
  | { readonly view: 'home' | 'nowhere' }
  | { readonly view: 'list'; readonly singular: string }
  | { readonly view: 'entry'; readonly singular: string; readonly id: string }
  | { readonly view: 'single'; readonly singular: string }
  | { readonly view: 'link'; readonly purpose: LinkPurpose }

const links: readonly string[] = ['invitation', 'password', 'first-account'] satisfies readonly LinkPurpose[]

/** The view of an address. */
export function routeOf(path: string): Route {
  const [kind = '', name = '', id, ...rest] = path.slice(base.length + 1).split('/')
  if (rest.length > 0) return { view: 'nowhere' }
  if (kind === '') return { view: 'home' }
  if (links.includes(kind) && name === '') return { view: 'link', purpose: kind as LinkPurpose }
  if (kind === 's' && name !== '' && id === undefined) return { view: 'single', singular: name }
  if (kind !== 'c' || name === '') return { view: 'nowhere' }
  return id === undefined ? { view: 'list', singular: name } : { view: 'entry', singular: name, id }
}

interface Addressed {
  readonly kind: string
  readonly singular: string
}

export const addressOfType = ({ kind, singular }: Addressed): string =>
  `${base}/${kind === 'singleType' ? 's' : 'c'}/${singular}`

export const addressOfEntry = (type: Addressed, id: number | string): string =>
  type.kind === 'singleType' ? addressOfType(type) : `${addressOfType(type)}/${id}`

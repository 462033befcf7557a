import { emptyGroup, type GroupState } from '../../../pages/values/filters.js'
import type { TypeMeta } from '../meta.js'
import { filtersIn, filterText } from './filter-text.js'

/** A list as its address says it. */
export interface ListView {
  readonly state: ListState
  /** The code of a language, or `all`; absent for the default language. */
  readonly locale?: string
  readonly search: string
  /** The text is searched for anywhere in the entries, not only where their titles begin. */
  readonly isWide?: boolean
  readonly filters: GroupState
  /** Absent: as the layout says. */
  readonly sort?: SortState
  /** Absent: as the layout says. */
  readonly size?: number
  readonly place: Place
}

export const listStates = ['all', 'published', 'draft', 'scheduled', 'trash'] as const
export type ListState = (typeof listStates)[number]

/** The states that the entries of a type may have. */
export const statesOf = ({ options }: Pick<TypeMeta, 'options'>): readonly ListState[] =>
  listStates.filter(state => {
    if (state === 'trash') return options.trash
    if (state === 'scheduled') return options.drafts && options.scheduling
    return state === 'all' || options.drafts
  })

export interface SortState {
  /** The name of a column. */
  readonly name: string
  readonly isDescending: boolean
}

/** The page of a list: beside an entry where there is a cursor, otherwise after a number of entries. */
export interface Place {
  /** The number of entries before the page. */
  readonly from: number
  readonly cursor?: { readonly key: 'after' | 'before'; readonly text: string }
}

export const firstPage: Place = { from: 0 }
export const startView: ListView = { state: 'all', search: '', filters: emptyGroup, place: firstPage }

/** The query of an address, empty for the list as it is opened. */
export function viewText(view: ListView): string {
  const { state, locale, search, isWide, filters, sort, size, place } = view
  const parts: [string, string][] = []
  const add = (name: string, value: string) => parts.push([name, value])
  if (locale !== undefined) add('locale', encodeURIComponent(locale))
  if (state !== 'all') add('state', state)
  if (search !== '') add('q', encodeURIComponent(search.replaceAll(/\p{Surrogate}/gu, '\ufffd')))
  if (search !== '' && isWide) add('in', 'all')
  if (filters.rows.length > 0) add('filters', filterText(filters))
  if (sort) add('sort', `${sort.isDescending ? '-' : ''}${encodeURIComponent(sort.name)}`)
  if (size !== undefined) add('size', String(size))
  if (place.cursor) add(place.cursor.key, encodeURIComponent(place.cursor.text))
  if (place.from > 0) add('from', String(place.from))
  return parts.map(([name, value]) => `${name}=${value}`).join('&')
}

/** The view of the query of an address. Parts that are wrong are left out. */
export function viewIn(text: string): ListView {
  // Filters have signs of their own that are not decoded here, so that no parser of queries reads the whole.
  const raw = new Map(
    text
      .replace(/^\?/, '')
      .split('&')
      .map(part => {
        const [name = '', ...value] = part.split('=')
        return [name, value.join('=')] as const
      }),
  )
  const read = (name: string) => decoded(raw.get(name) ?? '')
  const [state, locale, size] = [read('state'), read('locale'), number(read('size'))]
  const sort = read('sort')
  const cursor = (['after', 'before'] as const).flatMap(key => (read(key) === '' ? [] : [{ key, text: read(key) }]))[0]
  return {
    state: listStates.find(known => known === state) ?? 'all',
    ...(locale !== '' && { locale }),
    search: read('q'),
    ...(read('in') === 'all' && { isWide: true }),
    filters: filtersIn(raw.get('filters') ?? ''),
    ...(sort !== '' && { sort: { name: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') } }),
    ...(size !== undefined && size > 0 && { size }),
    place: { from: number(read('from')) ?? 0, ...(cursor && { cursor }) },
  }
}

/** The view with another part; another list begins with its first page, and another text at the start of titles. */
export function withView(view: ListView, part: Partial<ListView>): ListView {
  const { isWide: _, ...narrow } = view
  const before = part.search === undefined || part.search === view.search ? view : narrow
  return { ...before, place: firstPage, ...part }
}

/** The sort of a list: as chosen, else as the layout says; undefined while the best match comes first. */
export function sortOf(
  { layout }: TypeMeta,
  { sort, search, state }: ListView,
  isRanked = false,
): SortState | undefined {
  if (sort) return sort
  if (isRanked && search !== '') return undefined
  if (state === 'trash') return { name: 'deletedAt', isDescending: true }
  const { defaultSortBy, defaultSortOrder } = layout.settings
  return { name: defaultSortBy, isDescending: defaultSortOrder === 'DESC' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return ''
  }
}

const number = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

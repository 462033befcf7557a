import { emptyGroup, type GroupState } from '../../pages/values/filters.js'
import { type Query, withQuery } from '../../pages/values/query-text.js'
import { isRecord } from '../../pages/values/records.js'
import type { Kinds } from './form/kinds.js'
import { countIn, type PageOfRows, type Row } from './list/page.js'
import { ListRequests } from './list/requests.js'
import { type ListView, startView, viewText } from './list/view.js'
import type { Meta, TypeMeta } from './meta.js'

/** The lists of the start page: entries that the account has changed last, its drafts, and what will be published at a time. */
export const homeLists = ['changed', 'drafts', 'waiting'] as const
export type HomeList = (typeof homeLists)[number]

/** Entries of one list that are shown. */
export const mostShown = 5
/** Types of which entries are read, those that were used last: each costs a request for each list. */
export const mostTypes = 12

/** An entry in a list of the start page. */
export interface HomeEntry extends Row {
  readonly type: TypeMeta
  /** The time that it is listed by. */
  readonly time: string
}

/** The part of one list of the start page that is of one type: its request, and the address of the list with all of it. */
export interface HomeRequest {
  readonly list: HomeList
  readonly type: TypeMeta
  readonly url: string
  readonly search: string
}

/** The requests of the start page, at most one for each type and list. */
export function homeRequests(meta: Meta, kinds: Kinds, types: readonly TypeMeta[]): readonly HomeRequest[] {
  return types
    .filter(hasEntries)
    .slice(0, mostTypes)
    .flatMap(type => {
      const requests = new ListRequests(meta, kinds, type)
      return homeLists.flatMap((list): HomeRequest[] => {
        const view = viewOf(list, type, meta.account.id)
        if (!view || requests.fields.complete(view.filters).rows.length < view.filters.rows.length) return []
        return [{ list, type, url: requests.page({ ...view, size: mostShown }, []), search: viewText(view) }]
      })
    })
}

/** Lists with entries of their own makers and states; those of accounts of the site have neither. */
const hasEntries = ({ kind, isBare }: TypeMeta): boolean => kind === 'collectionType' && !isBare

function viewOf(list: HomeList, { options }: TypeMeta, account: number): ListView | undefined {
  const { drafts, scheduling, localized } = options
  const all = { ...startView, ...(localized && { locale: 'all' }), sort: { name: 'updatedAt', isDescending: true } }
  if (list === 'changed') return { ...all, filters: madeBy('updatedBy', account) }
  if (list === 'drafts') return drafts ? { ...all, state: 'draft', filters: madeBy('createdBy', account) } : undefined
  return drafts && scheduling
    ? { ...all, state: 'scheduled', sort: { name: 'publishAt', isDescending: false } }
    : undefined
}

const madeBy = (name: string, account: number): GroupState => ({
  ...emptyGroup,
  rows: [{ kind: 'condition', path: [name], operator: '$eq', values: [String(account)] }],
})

/** The first entries of a list across types: those changed last, or those published next. */
export function firstEntries(
  list: HomeList,
  pages: readonly { readonly type: TypeMeta; readonly page: PageOfRows }[],
): readonly HomeEntry[] {
  const name = list === 'waiting' ? 'publishAt' : 'updatedAt'
  const entries = pages.flatMap(({ type, page }) =>
    page.rows.map(row => ({ ...row, type, time: String(row.values[name] ?? '') })),
  )
  const sign = list === 'waiting' ? 1 : -1
  return entries
    .sort((one, other) => sign * (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    .slice(0, mostShown)
}

/** The request for the number of entries of a type. */
export function countUrl({ app }: Pick<Meta, 'app'>, { path, isBare, options }: TypeMeta): string {
  const which: Query = {
    ...(options.drafts && { publicationState: 'preview' }),
    ...(options.localized && { locale: 'all' }),
  }
  const list = `${app.api}${path}`
  if (isBare) return withQuery(`${list}/count`, which)
  if (options.aggregate) return withQuery(`${list}/aggregate`, { measures: { count: '*' }, ...which })
  return withQuery(list, { fields: ['id'], ...which, pagination: { withCount: true, limit: 1 } })
}

/** The number in its response. */
export function numberIn(body: unknown): number | undefined {
  const [first] = isRecord(body) && Array.isArray(body.data) ? body.data : []
  const count = isRecord(first) && isRecord(first.count) ? first.count['*'] : undefined
  return typeof count === 'number' ? count : countIn(body)
}

import { type Query, withQuery } from '../../../pages/values/query-text.js'
import type { Kinds } from '../form/kinds.js'
import type { LimitsInfo, Meta, TypeMeta } from '../meta.js'
import { type Column, columnsQuery, possibleColumns, sortQuery } from './columns.js'
import { FilterFields } from './fields.js'
import { type ListView, sortOf } from './view.js'

/** The addresses of the requests of a list. */
export class ListRequests {
  readonly fields: FilterFields
  readonly #meta: Meta
  readonly #kinds: Kinds
  readonly #type: TypeMeta
  /** The address of the list, without a query. */
  readonly path: string
  readonly #columns: readonly Column[]

  constructor(meta: Meta, kinds: Kinds, type: TypeMeta) {
    this.#meta = meta
    this.#kinds = kinds
    this.#type = type
    this.path = meta.app.api + (type.path ?? '')
    this.#columns = possibleColumns(kinds, type)
    this.fields = new FilterFields(kinds, type, meta.operators)
  }

  /** A page of the list. */
  page(view: ListView, columns: readonly Column[]): string {
    const sort = this.#sort(view)
    return withQuery(this.path, {
      ...columnsQuery(this.#kinds, this.#type, columns),
      ...(sort.length > 0 && { sort }),
      ...this.#which(view),
      ...this.#pagination(view),
    })
  }

  /** The number of entries of the list. */
  total(view: ListView): string {
    const which = this.#which(view)
    if (this.#type.isBare) return withQuery(`${this.path}/count`, which)
    return withQuery(this.path, { fields: ['id'], ...which, pagination: { withCount: true, limit: 1 } })
  }

  /** Ids of the list, in their order, after one of them. */
  ids(view: ListView, after: number): string {
    const { filters, ...which } = this.#which(view)
    const beyond = { id: { $gt: after } }
    return withQuery(this.path, {
      fields: ['id'],
      sort: ['id:asc'],
      ...which,
      filters: filters === undefined ? beyond : { $and: [filters, beyond] },
      pagination: { limit: this.idsAtOnce, withCount: false },
    })
  }

  get idsAtOnce(): number {
    return Math.min(mostWrites, this.#meta.limits.maxLimit ?? mostWrites)
  }

  /** The text of what a list has, without its order and pages: the total belongs to it. */
  listOf(view: ListView): string {
    return withQuery(this.path, this.#which(view))
  }

  /** The size of a page. */
  size(view: ListView): number {
    return sizeOf(this.#type, view, this.#meta.limits)
  }

  /** Pages are beside an entry, except where the server has no cursors for a list: by rank, and in bare lists. */
  hasCursors(view: ListView): boolean {
    return !this.#type.isBare && sortOf(this.#type, view, this.isRanked) !== undefined
  }

  isSortable(name: string): boolean {
    return this.#columns.some(column => column.name === name && column.sort !== undefined)
  }

  get isRanked(): boolean {
    return this.#type.search.length > 0 && this.#meta.dialect.rankedSearch
  }

  #sort(view: ListView): readonly string[] {
    return sortQuery(this.#columns, sortOf(this.#type, view, this.isRanked))
  }

  #pagination(view: ListView): Query {
    const { from, cursor } = view.place
    const limit = this.size(view)
    if (this.#type.isBare) return { start: from, limit }
    if (!this.hasCursors(view)) return { pagination: { start: from, limit, withCount: false } }
    const { key, text } = cursor ?? ({ key: 'after', text: '' } as const)
    return { pagination: { [key]: text, limit } }
  }

  /** Which entries the list has. */
  #which({ state, locale, search, filters }: ListView): Query {
    const { drafts, localized } = this.#type.options
    const wanted = [this.fields.groupQuery(filters), drafts ? stateFilters[state] : undefined]
    const conditions = wanted.filter(one => one !== undefined)
    const filter = conditions.length > 1 ? { $and: conditions } : conditions[0]
    return {
      ...(search !== '' && { _q: search.slice(0, 1000) }),
      ...(filter && { filters: filter }),
      ...(localized && locale !== undefined && { locale }),
      ...(drafts && { publicationState: 'preview' }),
    }
  }
}

/** The writes of one request, and hence the ids that are read for it. */
export const mostWrites = 1000

const stateFilters: Readonly<Record<ListView['state'], Query | undefined>> = {
  all: undefined,
  published: { publishedAt: { $notNull: true } },
  draft: { publishedAt: { $null: true } },
  scheduled: { publishAt: { $notNull: true } },
}

/** The size of a page: as chosen, else as the layout says, in the limit of the server. */
export function sizeOf({ layout }: TypeMeta, { size }: ListView, { maxLimit }: Pick<LimitsInfo, 'maxLimit'>): number {
  return Math.min(size ?? layout.settings.pageSize, maxLimit ?? 100, 100)
}

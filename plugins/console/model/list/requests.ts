import { type Query, withQuery } from '../../../pages/values/query-text.js'
import type { Kinds } from '../form/kinds.js'
import type { LimitsInfo, Meta, TypeMeta } from '../meta.js'
import { type Column, columnsQuery, possibleColumns, sortQuery } from './columns.js'
import { FilterFields } from './fields.js'
import type { EntryChange } from './standing.js'
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
    const { search } = this.#type
    return withQuery(this.path, {
      ...columnsQuery(this.#kinds, this.#type, columns),
      ...(sort.length > 0 && { sort }),
      ...this.#which(view),
      ...(view.search !== '' && search.length > 0 && { highlight: '*' }),
      ...this.#pagination(view, this.size(view)),
    })
  }

  /** A part of the list with everything that its columns have, for a file: beside other entries, or of some ids. */
  exported(view: ListView, columns: readonly Column[], { size, ids }: ExportPart): string {
    const sort = this.#sort(view)
    const { filters, ...which } = this.#which(view)
    const among = ids && { id: { $in: ids } }
    const wanted = [filters, among].filter(one => one !== undefined)
    return withQuery(this.path, {
      ...columnsQuery(this.#kinds, this.#type, columns, 'all links'),
      ...(sort.length > 0 && { sort }),
      ...which,
      ...(wanted.length > 0 && { filters: wanted.length > 1 ? { $and: wanted } : wanted[0] }),
      ...this.#pagination(view, size),
    })
  }

  /** The number of entries of the list. */
  total(view: ListView): string {
    const which = this.#which(view)
    if (this.#type.isBare) return withQuery(`${this.path}/count`, which)
    return withQuery(this.path, { fields: ['id'], ...which, pagination: { withCount: true, limit: 1 } })
  }

  /** An entry behind those that are counted without being asked; it tells whether there are more. */
  beyond(view: ListView): string {
    const page = { start: mostCounted, limit: 1 }
    const which = this.#which(view)
    if (this.#type.isBare) return withQuery(this.path, { ...which, ...page })
    return withQuery(this.path, { fields: ['id'], sort: ['id'], ...which, pagination: { ...page, withCount: false } })
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

  /** Some entries right before they are changed: their times, the files of some attributes, and their other languages. */
  standing(ids: readonly number[], { added, isShared }: Pick<EntryChange, 'added' | 'isShared'>): string {
    const { attributes, options, isBare } = this.#type
    const page = { limit: ids.length }
    const populate = [...Object.keys(added), ...(isShared ? ['localizations'] : [])].map(name => [name, onlyIds])
    return withQuery(this.path, {
      fields: [
        'id',
        ...(attributes.some(({ name, readable }) => name === 'updatedAt' && readable) ? ['updatedAt'] : []),
      ],
      ...(populate.length > 0 && { populate: Object.fromEntries(populate) }),
      filters: { id: { $in: ids } },
      ...(options.localized && { locale: 'all' }),
      ...(options.drafts && { publicationState: 'preview' }),
      ...(isBare ? page : { pagination: { ...page, withCount: false } }),
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

  /** The field whose start is compared with the text of a search; undefined where words are found by an index, or anywhere. */
  startField({ search, isWide }: ListView): string | undefined {
    const { search: indexed, layout, attributes } = this.#type
    const { mainField } = layout.settings
    if (search === '' || isWide || indexed.length > 0) return undefined
    const isText = attributes.some(one => one.kind === 'field' && one.name === mainField && one.family === 'text')
    return isText ? mainField : undefined
  }

  isSortable(name: string): boolean {
    return this.#columns.some(column => column.name === name && column.sort !== undefined)
  }

  /** A search by the index of words has the best match first. */
  get isRanked(): boolean {
    return this.#type.search.length > 0
  }

  #sort(view: ListView): readonly string[] {
    const sort = sortOf(this.#type, view, this.isRanked)
    // Servers that do not begin with the best match by themselves are asked to.
    if (!sort && !this.#meta.dialect.rankedSearch) return ['_rank']
    return sortQuery(this.#columns, sort)
  }

  #pagination(view: ListView, limit: number): Query {
    const { from, cursor } = view.place
    if (this.#type.isBare) return { start: from, limit }
    if (!this.hasCursors(view)) return { pagination: { start: from, limit, withCount: false } }
    const { key, text } = cursor ?? ({ key: 'after', text: '' } as const)
    return { pagination: { [key]: text, limit } }
  }

  /** The conditions that choose the entries of the list. */
  #which(view: ListView): Query {
    const { state, locale, search, filters } = view
    const { drafts, localized, trash } = this.#type.options
    const start = this.startField(view)
    const text = search.slice(0, 1000)
    const wanted = [
      this.fields.groupQuery(filters),
      drafts ? stateFilters[state] : undefined,
      start === undefined ? undefined : { [start]: { $startsWithi: text } },
    ]
    const conditions = wanted.filter(one => one !== undefined)
    const filter = conditions.length > 1 ? { $and: conditions } : conditions[0]
    return {
      ...(search !== '' && start === undefined && { _q: this.isRanked ? wordsTyped(text) : text }),
      ...(trash && state === 'trash' && { trash: 'only' }),
      ...(filter && { filters: filter }),
      ...(localized && locale !== undefined && { locale }),
      ...(drafts && { publicationState: 'preview' }),
    }
  }
}

/**
 * The text of a search as an index reads it, while it is typed: a last word is the beginning of one, unless the text has signs of a
 * query, and a quotation mark may not have its second one yet.
 */
export function wordsTyped(text: string): string {
  if (/^[\p{L}\p{N}\s]+$/u.test(text)) return `${text.trimEnd()}*`
  return text.split('"').length % 2 === 0 ? `${text}"` : text
}

interface ExportPart {
  readonly size: number
  readonly ids?: readonly number[]
}

/** Entries that are counted without being asked: more of them take long. */
export const mostCounted = 100_000

const onlyIds = { fields: ['id'] }

/** Entries whose standing is read at once: their ids are in the address. */
export const mostStanding = 100

/** The writes of one request, and hence the ids that are read for it. */
export const mostWrites = 1000

const stateFilters: Readonly<Record<ListView['state'], Query | undefined>> = {
  all: undefined,
  trash: undefined,
  published: { publishedAt: { $notNull: true } },
  draft: { publishedAt: { $null: true } },
  scheduled: { publishAt: { $notNull: true } },
}

/** The size of a page: as chosen, else as the layout says, in the limit of the server. */
export function sizeOf({ layout }: TypeMeta, { size }: ListView, { maxLimit }: Pick<LimitsInfo, 'maxLimit'>): number {
  return Math.min(size ?? layout.settings.pageSize, maxLimit ?? 100, 100)
}

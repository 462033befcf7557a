import { isRecord } from '../../../pages/values/records.js'
import type { Values } from '../form/plain.js'
import { flat } from '../form/read.js'
import type { Place } from './view.js'

export interface Row {
  readonly id: number
  readonly values: Values
  /** Texts in which a search has found words, by field: the parts at odd places are these words. */
  readonly found?: FoundTexts
}

type FoundTexts = Readonly<Record<string, readonly string[]>>

/** A page of a list, and the places of those beside it. */
export interface PageOfRows {
  readonly rows: readonly Row[]
  readonly next?: Place
  readonly previous?: Place
}

interface PageAsked {
  /** The number of entries before the page. */
  readonly from: number
  readonly size: number
  readonly hasCursors: boolean
}

/** The page in a response. */
export function pageIn(body: unknown, { from, size, hasCursors }: PageAsked): PageOfRows {
  const marked = highlightsIn(body)
  const rows = listIn(body)
    .filter(isRecord)
    .map((entry): Row => {
      const found = marked[String(entry.id)]
      return { id: Number(entry.id), values: flat(entry), ...(isRecord(found) && { found: found as FoundTexts }) }
    })
  const [after, before] = [from + rows.length, Math.max(0, from - size)]
  if (!hasCursors)
    return {
      rows,
      ...(rows.length === size && { next: { from: after } }),
      ...(from > 0 && { previous: { from: before } }),
    }
  const { next, previous } = paginationIn(body)
  return {
    rows,
    ...(typeof next === 'string' && { next: { from: after, cursor: { key: 'after', text: next } } }),
    ...(typeof previous === 'string' && { previous: { from: before, cursor: { key: 'before', text: previous } } }),
  }
}

/** The entries of a list. */
export const listIn = (body: unknown): readonly unknown[] =>
  isRecord(body) && Array.isArray(body.data) ? body.data : Array.isArray(body) ? body : []

/** The total of a list. */
export function countIn(body: unknown): number | undefined {
  if (typeof body === 'number') return body
  const { total } = paginationIn(body)
  return typeof total === 'number' ? total : undefined
}

function paginationIn(body: unknown): Readonly<Record<string, unknown>> {
  const pages = isRecord(body) && isRecord(body.meta) ? body.meta.pagination : undefined
  return isRecord(pages) ? pages : {}
}

function highlightsIn(body: unknown): Readonly<Record<string, unknown>> {
  const search = isRecord(body) && isRecord(body.meta) ? body.meta.search : undefined
  return isRecord(search) && isRecord(search.highlights) ? search.highlights : {}
}

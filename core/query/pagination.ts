import type { Dialect } from '../dialect.js'
import { InvalidParameter, PaginationError, ValidationError } from '../errors.js'
import { print } from '../kit/print.js'
import { besideCursor } from './cursor.js'
import type { Paging } from './params.js'
import { isObject, type Raw, readTruth } from './raw.js'
import type { CursorRequest, PageRequest, QueryNode } from './tree.js'
import type { QueryPlace, Visitor } from './visitor.js'

/** `open`: without a page by default; `none`: only how many there are is wanted. */
type Pages = { readonly paging?: 'open' | 'none' | 'first' | undefined; readonly settings: Paging }

/** The page of a list that was asked for. */
export function pageOf(
  raw: Raw,
  { ask: { dialect }, budget, slots }: Visitor,
  { paging, settings }: Pages,
): PageRequest {
  if (paging === 'none') return { ...readOpenPage({}, dialect), withCount: true }
  if (paging === 'open') return readOpenPage(raw, dialect)
  refuseTopLevelPaging(raw, dialect)
  if (!dialect.populateWithPagination && raw.pagination !== undefined && raw.populate !== undefined)
    throw new InvalidParameter(['pagination'], 'cannot be combined with populate')
  const page = readPagination(raw.pagination, settings, dialect)
  slots?.notePage(raw.pagination, pagination => readPagination(pagination, settings, dialect))
  if (page.withCount) budget.spend('statements', [])
  return page
}

/** The node of the page. */
export function paged(node: QueryNode, { start, limit, cursor }: PageRequest, raw: Raw, place: QueryPlace): QueryNode {
  return cursor
    ? besideCursor(node, { cursor, limit: limit as number }, raw, place)
    : { ...node, page: { start, limit } }
}

type PagingDialect = Pick<Dialect, 'strictParams' | 'clampPages' | 'plainMessages'>

/** Some lists take these without `pagination` around them. */
export const pageWords = ['page', 'pageSize', 'start', 'limit']
const keys = ['page', 'pageSize', 'start', 'limit', 'withCount', 'after', 'before']

/** `pagination[page]` with `pageSize`, `pagination[start]` with `limit`, or a cursor with either size. */
function readPagination(raw: unknown, paging: Paging, dialect: PagingDialect): PageRequest {
  const asked = pagingOf(raw, dialect)
  const { page, pageSize, start, limit, withCount: counted } = asked
  const cursor = cursorIn(asked)
  if (cursor) return cursorPage(asked, cursor, paging, dialect)
  const withCount = readWithCount(counted, paging.withCount, dialect.strictParams)
  const byPage = page !== undefined || pageSize !== undefined
  const byOffset = start !== undefined || limit !== undefined
  if (byPage && byOffset)
    throw new ValidationError('Invalid pagination parameters. Expected either start/limit or page/pageSize')
  const clamp = dialect.clampPages
  if (byOffset) {
    const most = atLeast(1, 'limit', limit, { clamp, all: -1 })
    return {
      form: 'offset',
      withCount,
      start: atLeast(0, 'start', start, { clamp }) ?? 0,
      limit: most === -1 ? paging.maxLimit : capped(most ?? paging.defaultLimit, paging),
    }
  }
  const size = capped(atLeast(1, 'pageSize', pageSize, { clamp }) ?? paging.defaultLimit, paging)
  const number = atLeast(1, 'page', page, { clamp }) ?? 1
  return { form: 'page', withCount, start: (number - 1) * size, limit: size }
}

/** `pagination[after]` or `pagination[before]`. */
function cursorIn({ after, before }: Raw): CursorRequest | undefined {
  if (after === undefined && before === undefined) return undefined
  if (after !== undefined && before !== undefined)
    throw new InvalidParameter(['pagination', 'before'], 'cannot be combined with pagination[after]')
  const key = before === undefined ? 'after' : 'before'
  const text = (before ?? after) || ''
  if (typeof text !== 'string' || text.length > longestCursor)
    throw new InvalidParameter(['pagination', key], 'takes one cursor, or nothing to begin', key)
  return { key, text }
}

const longestCursor = 8000

/** A page beside an entry has no number, and its total costs more than the page. */
function cursorPage(asked: Raw, cursor: CursorRequest, paging: Paging, dialect: PagingDialect): PageRequest {
  const { page, start, pageSize, limit, withCount } = asked
  const other = page !== undefined ? 'page' : start !== undefined ? 'start' : undefined
  if (other !== undefined)
    throw new InvalidParameter(['pagination', other], `cannot be combined with pagination[${cursor.key}]`)
  if (pageSize !== undefined && limit !== undefined)
    throw new InvalidParameter(['pagination', 'limit'], 'cannot be combined with pagination[pageSize]')
  const [key, size] = limit === undefined ? (['pageSize', pageSize] as const) : (['limit', limit] as const)
  const most = atLeast(1, key, size, { clamp: dialect.clampPages }) ?? paging.defaultLimit
  const counted = readWithCount(withCount, false, dialect.strictParams)
  return { form: 'cursor', cursor, withCount: counted, start: 0, limit: capped(most, paging) }
}

/** Reads `pagination` as an object; a strict dialect refuses keys it does not know. */
function pagingOf(raw: unknown, { strictParams: strict }: PagingDialect): Raw {
  if (!isObject(raw)) {
    if (strict && raw !== undefined && raw !== '' && raw !== null)
      throw new InvalidParameter(['pagination'], `takes ${keys.map(key => `pagination[${key}]`).join(', ')}`)
    return {}
  }
  const stray = strict ? Object.keys(raw).find(key => !keys.includes(key)) : undefined
  if (stray !== undefined) throw new InvalidParameter(['pagination', stray], `there are ${keys.join(', ')}`)
  return raw
}

/** Clients of other systems send these at the top level; silence would give them the wrong page. */
function refuseTopLevelPaging(raw: Readonly<Record<string, unknown>>, { plainMessages }: PagingDialect): void {
  const stray = pageWords.find(key => Object.hasOwn(raw, key))
  if (stray === undefined) return
  if (plainMessages) throw new InvalidParameter([stray], `is written as pagination[${stray}]`)
  throw new PaginationError(
    'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  )
}

/** Top-level `start` and `limit`, and everything where they are not sent: for lists without pages. */
function readOpenPage(
  { start, limit }: Readonly<Record<string, unknown>>,
  { clampPages: clamp }: Pick<PagingDialect, 'clampPages'>,
): PageRequest {
  const most = clamp ? integer('limit', limit, clamp, []) : atLeast(1, 'limit', limit, { clamp, all: -1, parents: [] })
  return {
    form: 'offset',
    withCount: false,
    start: atLeast(0, 'start', start, { clamp, parents: [] }) ?? 0,
    limit: most === undefined || most < 1 ? null : most,
  }
}

const capped = (limit: number, { maxLimit }: Paging): number => (maxLimit === null ? limit : Math.min(limit, maxLimit))

interface Bounds {
  /** Values that are too small are raised; otherwise they are refused. */
  readonly clamp: boolean
  /** The number that asks for no limit. */
  readonly all?: number
  /** The path of the parameter. */
  readonly parents?: readonly string[]
}

function atLeast(least: number, key: string, raw: unknown, bounds: Bounds): number | undefined {
  const { clamp, all, parents = ['pagination'] } = bounds
  const number = integer(key, raw, clamp, parents)
  if (number === undefined || number >= least || number === all) return number
  if (clamp) return least
  const orAll = all === undefined ? '' : `, or ${all} for as many as there may be`
  throw new InvalidParameter([...parents, key], `${print(raw)} is too small; it is an integer from ${least}${orAll}`)
}

const furthest = 1_000_000_000

/** `loose` takes an empty value for 0. */
export function integer(key: string, raw: unknown, loose: boolean, parents: readonly string[]): number | undefined {
  if (raw === undefined) return undefined
  if (loose && (raw === '' || raw === null)) return 0
  const number =
    typeof raw === 'number' ? raw : typeof raw === 'string' && /^[+-]?\d{1,15}$/.test(raw) ? Number(raw) : Number.NaN
  if (!Number.isInteger(number))
    throw new InvalidParameter([...parents, key], `${JSON.stringify(raw).slice(0, 100)} is not an integer`)
  return Math.min(number, furthest)
}

function readWithCount(raw: unknown, fallback: boolean, strict: boolean): boolean {
  if (raw === undefined) return fallback
  const truth = readTruth(raw)
  if (truth === undefined)
    throw new ValidationError(
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
      strict ? { parameter: 'pagination[withCount]' } : {},
    )
  return truth
}

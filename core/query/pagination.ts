import { InvalidParameter, PaginationError, ValidationError } from '../errors.js'
import { type Paging, readTruth } from './params.js'
import { isObject } from './raw.js'
import type { Page } from './tree.js'

/** Which page was asked for, in which of the two forms, and whether the total is wanted. */
export interface PageAsked extends Page {
  readonly form: 'page' | 'offset'
  readonly withCount: boolean
}

const keys = ['page', 'pageSize', 'start', 'limit', 'withCount']

/** `pagination[page]` with `pageSize`, or `pagination[start]` with `limit`: never both. */
export function readPagination(raw: unknown, paging: Paging, strict: boolean): PageAsked {
  if (!isObject(raw)) {
    if (strict && raw !== undefined && raw !== '' && raw !== null)
      throw new InvalidParameter(['pagination'], `takes ${keys.map(key => `pagination[${key}]`).join(', ')}`)
    return readPagination({}, paging, strict)
  }
  const { page, pageSize, start, limit } = raw
  if (strict)
    for (const key of Object.keys(raw))
      if (!keys.includes(key)) throw new InvalidParameter(['pagination', key], `there are ${keys.join(', ')}`)
  const withCount = readWithCount(raw.withCount, paging.withCount, strict)
  const byPage = page !== undefined || pageSize !== undefined
  const byOffset = start !== undefined || limit !== undefined
  if (byPage && byOffset)
    throw new ValidationError('Invalid pagination parameters. Expected either start/limit or page/pageSize')
  if (byOffset) {
    const asked = integer('limit', limit)
    return {
      form: 'offset',
      withCount,
      start: Math.max(integer('start', start) ?? 0, 0),
      limit: asked === -1 ? paging.maxLimit : capped(asked ?? paging.defaultLimit, paging),
    }
  }
  const size = capped(integer('pageSize', pageSize) ?? paging.defaultLimit, paging)
  const number = Math.max(integer('page', page) ?? 1, 1)
  return { form: 'page', withCount, start: (number - 1) * size, limit: size }
}

/** Clients of other systems send these at the top level; silence would give them the wrong page. */
export function refuseTopLevelPaging(raw: Readonly<Record<string, unknown>>): void {
  if (['page', 'pageSize', 'start', 'limit'].some(key => Object.hasOwn(raw, key)))
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    )
}

/** Top-level `start` and `limit`, and everything where they are not sent: for lists without pages. */
export function readOpenPage({ start, limit }: Readonly<Record<string, unknown>>): PageAsked {
  const most = integer('limit', limit, [])
  return {
    form: 'offset',
    withCount: false,
    start: Math.max(integer('start', start, []) ?? 0, 0),
    limit: most === undefined || most < 1 ? null : most,
  }
}

const capped = (limit: number, { maxLimit }: Paging): number =>
  Math.max(1, maxLimit === null ? limit : Math.min(limit, maxLimit))

const furthest = 1_000_000_000

export function integer(key: string, raw: unknown, parents: readonly string[] = ['pagination']): number | undefined {
  if (raw === undefined) return undefined
  if (raw === '' || raw === null) return 0
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

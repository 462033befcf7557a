import type { Dialect } from '../dialect.js'
import { InvalidParameter, PaginationError, ValidationError } from '../errors.js'
import { print } from '../schema/print.js'
import type { Paging } from './params.js'
import { isObject, type Raw, readTruth } from './raw.js'
import type { Page } from './tree.js'

/** Which page was asked for, in which of the two forms, and whether the total is wanted. */
export interface PageAsked extends Page {
  readonly form: 'page' | 'offset'
  readonly withCount: boolean
}

type PagingDialect = Pick<Dialect, 'strictParams' | 'clampPages'>

const keys = ['page', 'pageSize', 'start', 'limit', 'withCount']

/** `pagination[page]` with `pageSize`, or `pagination[start]` with `limit`: never both. */
export function readPagination(raw: unknown, paging: Paging, dialect: PagingDialect): PageAsked {
  const { page, pageSize, start, limit, withCount: counted } = pagingOf(raw, dialect)
  const withCount = readWithCount(counted, paging.withCount, dialect.strictParams)
  const byPage = page !== undefined || pageSize !== undefined
  const byOffset = start !== undefined || limit !== undefined
  if (byPage && byOffset)
    throw new ValidationError('Invalid pagination parameters. Expected either start/limit or page/pageSize')
  const clamp = dialect.clampPages
  if (byOffset) {
    const asked = atLeast(1, 'limit', limit, { clamp, all: -1 })
    return {
      form: 'offset',
      withCount,
      start: atLeast(0, 'start', start, { clamp }) ?? 0,
      limit: asked === -1 ? paging.maxLimit : capped(asked ?? paging.defaultLimit, paging),
    }
  }
  const size = capped(atLeast(1, 'pageSize', pageSize, { clamp }) ?? paging.defaultLimit, paging)
  const number = atLeast(1, 'page', page, { clamp }) ?? 1
  return { form: 'page', withCount, start: (number - 1) * size, limit: size }
}

/** What `pagination` holds; a strict dialect refuses what it does not know. */
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
export function refuseTopLevelPaging(raw: Readonly<Record<string, unknown>>): void {
  if (['page', 'pageSize', 'start', 'limit'].some(key => Object.hasOwn(raw, key)))
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    )
}

/** Top-level `start` and `limit`, and everything where they are not sent: for lists without pages. */
export function readOpenPage(
  { start, limit }: Readonly<Record<string, unknown>>,
  { clampPages: clamp }: Pick<PagingDialect, 'clampPages'>,
): PageAsked {
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
  /** What is too small is raised; otherwise it is refused. */
  readonly clamp: boolean
  /** The number that asks for no limit. */
  readonly all?: number
  /** Where the parameter stands. */
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

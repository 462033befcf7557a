import type { Bag, Loose } from '../../types.js'
import { PaginationError, ValidationError } from './errors.js'

/** The number of entries when a query does not say one, and the largest one. */
export interface Limits {
  readonly defaultLimit: number
  readonly maxLimit: number | undefined
}

export interface Page {
  readonly page: number
  readonly pageSize: number
}

export interface Stretch {
  readonly start: number
  readonly limit: number
}

/** The page that a query asks for, in its own words. */
export function pageOf(given: Loose, { defaultLimit, maxLimit }: Limits): Page | Stretch {
  const { page, pageSize, start, limit } = Object(given) as Bag
  const byPage = page !== undefined || pageSize !== undefined
  const byStart = start !== undefined || limit !== undefined
  if (byPage && byStart)
    throw new ValidationError('Invalid pagination parameters. Expected either start/limit or page/pageSize')
  const capped = (size: number) => (maxLimit !== undefined && maxLimit > 0 && size > maxLimit ? maxLimit : size)
  if (!byStart)
    return {
      page: Math.max(1, whole(page ?? 1, 'page')),
      pageSize: capped(Math.max(1, whole(pageSize ?? defaultLimit, 'pageSize'))),
    }
  const most = whole(limit ?? defaultLimit, 'limit')
  const all = maxLimit !== undefined && maxLimit > 0 ? maxLimit : -1
  return { start: Math.max(0, whole(start ?? 0, 'start')), limit: most === -1 ? all : capped(Math.max(1, most)) }
}

function whole(value: Loose, name: string): number {
  const number = Number(value)
  if (Number.isInteger(number)) return number
  throw new ValidationError(`Invalid parameter ${name}`)
}

const aside = ['page', 'pageSize', 'start', 'limit']

/** Throws where a query asks for its page beside `pagination`. */
export function refuseAside(query: Bag): void {
  if (aside.some(name => query[name] !== undefined))
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    )
}

export const isPage = (asked: Page | Stretch): asked is Page => 'page' in asked

/** The same as a stretch of the list; without a limit, all that follow. */
export const stretchOf = (asked: Page | Stretch): { start: number; limit?: number } =>
  isPage(asked)
    ? { start: (asked.page - 1) * asked.pageSize, limit: asked.pageSize }
    : { start: asked.start, ...(asked.limit >= 0 && { limit: asked.limit }) }

/** The page as responses tell of it; the total where it was counted. */
export function describePage(asked: Page | Stretch, total?: number): Bag {
  if (total === undefined) return { ...asked }
  if (!isPage(asked)) return { start: asked.start, limit: asked.limit < 0 ? total : asked.limit, total }
  const { page, pageSize } = asked
  return { page, pageSize, pageCount: pageSize > 0 ? Math.ceil(total / pageSize) : 0, total }
}

const yes: readonly Loose[] = ['true', 't', '1', 1, true]
const no: readonly Loose[] = ['false', 'f', '0', 0, false]

/** True where the total is to be counted. */
export function isCounted(given: Loose, usual: boolean): boolean {
  const { withCount } = Object(given) as Bag
  if (withCount === undefined) return usual
  if (yes.includes(withCount)) return true
  if (no.includes(withCount)) return false
  throw new ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"')
}

/** `require('@strapi/utils').pagination`. */
export const pagination = {
  withDefaultPagination: (
    args: Bag,
    { defaults = {}, maxLimit = -1 }: { defaults?: Bag; maxLimit?: number } = {},
  ): Bag => {
    const { page, pageSize, start, limit, ...rest } = args
    const usual = defaults.page?.pageSize ?? defaults.offset?.limit ?? 100
    const asked = pageOf({ page, pageSize, start, limit }, { defaultLimit: Number(usual), maxLimit })
    return { ...rest, ...stretchOf(asked) }
  },
  transformPagedPaginationInfo: ({ start, limit }: Bag, total: number): Bag =>
    limit === -1 || limit === undefined
      ? { page: 1, pageSize: total, pageCount: 1, total }
      : {
          page: Math.floor(start / limit) + 1,
          pageSize: limit,
          pageCount: limit > 0 ? Math.ceil(total / limit) : 0,
          total,
        },
  transformOffsetPaginationInfo: ({ start, limit }: Bag, total: number): Bag => ({ start, limit, total }),
}

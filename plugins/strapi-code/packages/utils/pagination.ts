import type { Bag, Loose } from '../../types.js'
import { PaginationError } from './errors.js'

/** How many entries there are when a query does not say, and at most. */
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
export function pageOf(given: Bag | undefined, { defaultLimit, maxLimit }: Limits): Page | Stretch {
  const { page, pageSize, start, limit } = given ?? {}
  const byPage = page !== undefined || pageSize !== undefined
  const byStart = start !== undefined || limit !== undefined
  if (byPage && byStart)
    throw new PaginationError(
      'Invalid pagination attributes. The page parameters are incorrect and must be in the same style',
    )
  const capped = (value: number) =>
    maxLimit !== undefined && maxLimit > 0 && (value === -1 || value > maxLimit) ? maxLimit : value
  if (byStart) return { start: whole(start ?? 0, 0, 'start'), limit: capped(whole(limit ?? defaultLimit, -1, 'limit')) }
  return { page: whole(page ?? 1, 1, 'page'), pageSize: capped(whole(pageSize ?? defaultLimit, 1, 'pageSize')) }
}

function whole(value: Loose, least: number, name: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= least) return number
  throw new PaginationError(`Invalid ${name} parameter. Expected an integer of at least ${least}`)
}

export const isPage = (asked: Page | Stretch): asked is Page => 'page' in asked

/** The same as a stretch of the list; without a limit, all that follow. */
export const stretchOf = (asked: Page | Stretch): { start: number; limit?: number } =>
  isPage(asked)
    ? { start: (asked.page - 1) * asked.pageSize, limit: asked.pageSize }
    : { start: asked.start, ...(asked.limit >= 0 && { limit: asked.limit }) }

/** What responses say of the page; the total where it was counted. */
export function describePage(asked: Page | Stretch, total?: number): Bag {
  if (total === undefined) return { ...asked }
  if (!isPage(asked)) return { ...asked, total }
  const { page, pageSize } = asked
  return { page, pageSize, pageCount: pageSize > 0 ? Math.ceil(total / pageSize) : 0, total }
}

const isAsked = (value: Loose): boolean =>
  value !== 'false' && value !== false && value !== 'f' && value !== '0' && value !== 0

/** Whether the total is to be counted. */
export const isCounted = (given: Bag | undefined, usual: boolean): boolean =>
  given?.withCount === undefined ? usual : isAsked(given.withCount)

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

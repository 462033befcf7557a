import type { Bag, Strapi } from '../types.js'
import { describePage, isCounted, isPage, type Page, pageOf, type Stretch, stretchOf } from './utils/pagination.js'

/** The functions by which core services read the page that a query asks for, and describe it; code may take them from a file of Strapi. */
export function pagingOf({ config }: Pick<Strapi, 'config'>) {
  return {
    getPaginationInfo: ({ pagination }: Bag = {}): Page | Stretch =>
      pageOf(pagination, {
        defaultLimit: Number(config.get('api.rest.defaultLimit', 25)),
        maxLimit: config.get('api.rest.maxLimit') ?? undefined,
      }),
    /** A stretch is returned as it is: `limit: -1` is no limit to `strapi.db.query`. */
    convertPagedToStartLimit: (asked: Page | Stretch): Bag => (isPage(asked) ? stretchOf(asked) : asked),
    shouldCount: ({ pagination }: Bag = {}): boolean =>
      isCounted(pagination, config.get('api.rest.withCount', true) !== false),
    transformPaginationResponse: describePage,
  }
}

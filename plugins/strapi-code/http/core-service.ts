import { pagingOf } from '../packages/paging.js'
import { contentTypes } from '../packages/utils/content-types.js'
import { refuseAside, stretchOf } from '../packages/utils/pagination.js'
import type { Bag, CodeType, Fn, Strapi } from '../types.js'

/** The functions that every core service has, of which those of a project are overridden ones. */
export type CoreService = Record<string, Fn>

/** The service of a type: what the core controller calls, and code too. */
export function coreService(strapi: Strapi, type: CodeType): CoreService {
  const base: CoreService = {
    getFetchParams: (params: Bag = {}) => ({ publicationState: 'live', ...params }),
  }
  return Object.assign(Object.create(base), type.kind === 'singleType' ? ofSingle(strapi, type) : ofMany(strapi, type))
}

/** Entries that code creates are published, unless it says otherwise. */
function published(type: CodeType, data: Bag): Bag {
  if (!contentTypes.hasDraftAndPublish(type)) return data
  return { ...data, publishedAt: data.publishedAt === undefined ? new Date() : data.publishedAt }
}

function ofMany(strapi: Strapi, type: CodeType): CoreService {
  const { uid } = type
  const paging = pagingOf(strapi)
  return {
    async find(this: Bag, params: Bag = {}) {
      const fetched: Bag = (this as CoreService).getFetchParams?.(params)
      refuseAside(fetched)
      const asked = paging.getPaginationInfo(fetched)
      const isTold = paging.shouldCount(fetched)
      const [results, total] = await Promise.all([
        strapi.entityService.findMany(uid, { ...fetched, ...stretchOf(asked) }),
        isTold ? strapi.entityService.count(uid, fetched) : undefined,
      ])
      return { results, pagination: paging.transformPaginationResponse(asked, total) }
    },
    findOne(this: Bag, id: unknown, params: Bag = {}) {
      return strapi.entityService.findOne(uid, id, (this as CoreService).getFetchParams?.(params))
    },
    create(params: Bag = {}) {
      return strapi.entityService.create(uid, { ...params, data: published(type, params.data) })
    },
    update(id: unknown, params: Bag = {}) {
      return strapi.entityService.update(uid, id, params)
    },
    delete(id: unknown, params: Bag = {}) {
      return strapi.entityService.delete(uid, id, params)
    },
  }
}

function ofSingle(strapi: Strapi, type: CodeType): CoreService {
  const { uid } = type
  return {
    find(this: Bag, params: Bag = {}) {
      return strapi.entityService.findMany(uid, (this as CoreService).getFetchParams?.(params))
    },
    async createOrUpdate(this: Bag, { data, ...params }: Bag = {}) {
      const entry = await (this as CoreService).find?.({ ...params, publicationState: 'preview' })
      return entry
        ? strapi.entityService.update(uid, entry.id, { ...params, data })
        : strapi.entityService.create(uid, { ...params, data: published(type, data ?? {}) })
    },
    async delete(this: Bag, params: Bag = {}) {
      const entry = await (this as CoreService).find?.({ ...params, publicationState: 'preview' })
      return entry ? strapi.entityService.delete(uid, entry.id, params) : null
    },
  }
}

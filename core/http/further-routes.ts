import type { Content } from '../content/content.js'
import type { ByValue } from '../query/by-value.js'
import type { ContentType } from '../schema/types.js'
import type { Endpoint, Further } from './endpoint.js'
import { askedBy, dataOf, type Reply, type Route, type RouteRequest } from './routes.js'

/** An endpoint of a content type beside those that every type has, with what answers there. */
export function furtherRoute(endpoint: Endpoint, type: ContentType, content: Content): Route {
  const run = further[endpoint.does as Further]
  return { ...endpoint, run: request => run(content, type, request) }
}

type Does = (content: Content, type: ContentType, request: RouteRequest) => Reply | Promise<Reply>

const further: Readonly<Record<Further, Does>> = {
  proposeUids: async ({ further }, type, request) => ({
    value: { data: await further.proposeUids(askedBy(request, type), dataOf(request.body)), meta: {} },
  }),
  findByValue: ({ further }, type, request) => further.named.findOne(askedBy(request, type), valueIn(request)),
  putByValue: async ({ further }, type, request) => {
    const asked = askedBy(request, type)
    const { answer, isNew } = await further.named.put(asked, valueIn(request), dataOf(request.body))
    request.ctx.status = isNew ? 201 : 200
    return answer
  },
  aggregate: async ({ further }, type, request) => ({
    value: { data: await further.aggregate(askedBy(request, type)), meta: {} },
  }),
  deleteByValue: ({ further }, type, request) => further.named.delete(askedBy(request, type), valueIn(request)),
}

const valueIn = ({ params: { field = '', value = '' } }: RouteRequest): ByValue => ({ field, value })

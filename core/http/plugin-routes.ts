import type { Context } from 'koa'
import type { Content } from '../content/content.js'
import type { Answer } from '../content/reads.js'
import type { ContentRequest } from '../content/request.js'
import type { Session } from '../engines/engine.js'
import type { Action, Caller } from '../query/ask.js'
import type { ContentType } from '../schema/types.js'
import type { Endpoint } from './endpoint.js'
import type { AskOptions, CallerContent, Route as PluginRoute, UpdateOptions } from './parts.js'
import { Finished } from './responses/responder.js'
import { askedBy, idOf, type Route, type RouteRequest } from './routes.js'

/** The services of the running app that plugin routes need. */
export interface RouteServices {
  readonly readQuery: (text: string) => Readonly<Record<string, unknown>>
  readonly content: (request: RouteRequest) => CallerContent
  readonly stopping: AbortSignal
  /** The current caller of a request, if that caller may use the endpoint. */
  readonly identify: (ctx: Context, endpoint: Endpoint) => Promise<Caller>
  readonly reader: Session
}

/** A plugin's own route as the router takes it. */
export function pluginRoute(
  endpoint: Endpoint,
  run: Exclude<PluginRoute['run'], string>,
  service: unknown,
  { readQuery, content, stopping, identify, reader }: RouteServices,
): Route {
  return {
    ...endpoint,
    run: async request => {
      const { ctx, caller, params, query } = request
      let asked: Readonly<Record<string, unknown>> | undefined
      const value = await run({
        ctx,
        caller,
        params,
        get query() {
          asked ??= readQuery(query)
          return asked
        },
        body: request.body,
        service,
        content: content(request),
        takeKey: body => {
          request.retry ??= request.retryFor?.(body)
          return request.retry !== undefined
        },
        stopping,
        renew: async () => {
          const now = await identify(ctx, endpoint)
          return { caller: now, content: content({ ...request, caller: now, session: reader }) }
        },
      })
      return value instanceof Finished ? value.reply : { value }
    },
  }
}

/** The content service as one request of a plugin's route may use it. */
export function callerContent(content: Content, typeOf: (uid: string) => ContentType) {
  const contentOf = (request: RouteRequest): CallerContent => {
    const asked = (uid: string, options: AskOptions = {}, id?: number): ContentRequest => {
      const { query, within, onlyId, among, meta: _, whole, expects, ...different } = options
      const sent = askedBy(request, typeOf(uid), { text: query ?? request.query, id, options: different })
      const met = expects === undefined ? sent : { ...sent, expects }
      const any = whole ? { ...met, knows: () => false } : met
      return within ? { ...any, within, onlyId, among, retry: undefined } : any
    }
    /** Responses to reads may be cached: only those to writes have a meta of their own. */
    const written = (uid: string, options: AskOptions = {}): ContentRequest =>
      options.meta ? { ...asked(uid, options), meta: options.meta } : asked(uid, options)
    const entry = async (uid: string, id: unknown, action: Action, options: AskOptions | undefined) => {
      const any = written(uid, options)
      const isSingle = id === undefined && any.type.kind === 'singleType'
      return { ...any, id: isSingle ? ((await content.single.id(any, action)) ?? 0) : idOf(id) }
    }
    const beginAlone = (uid: string, begin: UpdateOptions['begin']) => async (session: Session) => {
      await content.single.wait(session, uid)
      await begin?.(session)
    }
    /** Errors thrown at once become rejections, like later ones. */
    const finished = async (answer: () => Answer | Promise<Answer>) => new Finished(await answer())
    return {
      find: (uid, options) => finished(() => content.find(asked(uid, options))),
      findOne: (uid, id, options) => {
        const any = asked(uid, options)
        const isSingle = id === undefined && any.type.kind === 'singleType'
        return finished(() => content.findOne(isSingle ? any : { ...any, id: idOf(id) }))
      },
      idOfSingle: (uid, action, options) => content.single.id(asked(uid, options), action, options?.within),
      first: (uid, options) => finished(() => content.first(asked(uid, options))),
      count: (uid, options) => content.count(asked(uid, options)),
      snapshot: reads => {
        const { tally } = request.ctx.state
        return content.atOneState(request.session, session =>
          reads(contentOf({ ...request, session: tally && session.isSnapshot ? tally.counts(session) : session })),
        )
      },
      create: (uid, data, options) => finished(() => content.create(written(uid, options), data)),
      once: work => content.once(request.retry, work),
      transaction: (work, { each } = {}) => content.transaction(work, each),
      shown: (uid, writes, options) => {
        const known = writes.map(({ id, ...write }) => (id === undefined ? write : { ...write, id: idOf(id) }))
        return content.written.of(asked(uid, options), known)
      },
      update: async (uid, id, data, { begin, orCreate, ...options } = {}) => {
        const isSingle = typeOf(uid).kind === 'singleType'
        if (isSingle && id === undefined && orCreate)
          return finished(() => content.single.put(written(uid, options), data))
        // One that is named is not the one that is there, or it will be there only then.
        const alone = isSingle && id !== undefined ? beginAlone(uid, begin) : begin
        const target = await entry(uid, id, 'update', options)
        return finished(() => content.update(target, data, alone))
      },
      updatable: (uid, id, options) => content.updatable({ ...asked(uid, options), id: idOf(id) }),
      delete: async (uid, id, options) => {
        const target = await entry(uid, id, 'delete', options)
        return finished(() => content.delete(target))
      },
    }
  }
  return contentOf
}

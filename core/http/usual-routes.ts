import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

/** A set apart from `ctx.state`, which middleware of an app may replace. */
const marked = new WeakSet<IncomingMessage>()

/**
 * Routes a request by the usual routes, whatever the API offers: every content type has its standard endpoints at their usual
 * paths, with the routes that plugins add to types, and no route has been replaced, removed or moved. For middleware before
 * `cors` or `routing`.
 */
export const useUsualRoutes = ({ req }: Pick<Context, 'req'>): void => void marked.add(req)

export const usesUsualRoutes = ({ req }: Pick<Context, 'req'>): boolean => marked.has(req)

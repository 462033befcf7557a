import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import { BadRequestError, ForbiddenError, type Host } from '../../../core/index.js'
import { bearerOf, useUsualRoutes } from '../../../core/plugin-kit.js'
import { isOwn, ownOrigin } from './origin.js'

/** Everything that editors use stands below it, and their cookie is sent nowhere else. */
export const consolePath = '/console'

const guarded = new WeakSet<IncomingMessage>()
const marked = new WeakSet<IncomingMessage>()

/** True for a request that came in below the path of the console and was not refused, whatever its path has become. */
export const isGuarded = ({ req }: Pick<Context, 'req'>): boolean => guarded.has(req)

/** Marks a request that goes on to the content API: an editor sends it, or it is refused; it never is that of a visitor. */
export const markConsole = ({ req }: Pick<Context, 'req'>): void => void marked.add(req)

export const isConsole = ({ req }: Pick<Context, 'req'>): boolean => marked.has(req)

/** Headers of all responses. A policy that a route or the settings give replaces this one; the older header stays beside it. */
const headers = {
  'Cache-Control': 'private, no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
}

/** Refuses what other sites make a browser send with the editor's cookie, before anything is read. */
export function crossSiteGuard({ server }: Pick<Host['app'], 'server'>): Middleware {
  return (ctx, next) => {
    ctx.set(headers)
    if (isUnsaid(ctx)) return explain(ctx)
    if (!isNavigation(ctx)) assertOwnPage(ctx, server)
    assertOwnBody(ctx)
    if (bearerOf(ctx) !== undefined)
      throw new BadRequestError(
        'Requests below /console are those of a session: leave out the token of the Authorization header, or send it to the API',
      )
    guarded.add(ctx.req)
    // Code that has taken the place of a route knows nothing of the entries and attributes that an editor may see.
    useUsualRoutes(ctx)
    return next()
  }
}

/** A link or an address that was typed leads here: it reads, and its response is shown rather than handed to another page. */
const isNavigation = ({ method, req: { headers } }: Context): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate'

/** An address that was opened in a browser which does not say so, as browsers do not without TLS on another machine. */
const isUnsaid = ({ method, req: { headers } }: Context): boolean =>
  method === 'GET' &&
  headers['sec-fetch-site'] === undefined &&
  headers.origin === undefined &&
  headers.accept?.includes('text/html') === true

/** Says to a person what a program gets as an error. */
function explain(ctx: Context): void {
  const { protocol, host } = ctx
  ctx.status = 403
  ctx.type = 'text/plain; charset=utf-8'
  ctx.body =
    protocol === 'https'
      ? 'The console needs a browser that says which page sends a request. Open it in a current version of your browser.\n'
      : [
          `The console cannot be opened at http://${host}: without TLS, others in the network could steal the session.`,
          '- Open it over https. Where a proxy ends TLS, set server.url, or server.proxy, in config/server.',
          `- Or open it on the machine of the server, at http://localhost${portOf(host)}/console, if need be through an ssh tunnel.\n`,
        ].join('\n\n')
}

const portOf = (host: string): string => /:\d+$/.exec(host)?.[0] ?? ''

function assertOwnPage(ctx: Context, server: Host['app']['server']): void {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers
  if (site !== undefined) {
    if (site !== 'same-origin')
      throw new ForbiddenError(`Only pages of this server may use its console; the request is ${said(site)}`)
    return
  }
  if (origin === undefined)
    throw new ForbiddenError(
      'Open /console over https, or on localhost: elsewhere browsers do not say which page sends a request. Programs use the API with a token of their own',
    )
  if (!isOwn(origin, ctx, server))
    throw new ForbiddenError(
      `Only pages of ${ownOrigin(ctx, server)} may use its console; the request comes from ${said(origin)}. If that is this server, set server.url, or server.proxy`,
    )
}

/** Forms of other sites can send neither JSON nor a header of their own. */
function assertOwnBody({ req: { headers } }: Context): void {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (/^application\/(?:.+\+)?json$/.test(type)) return
  if (type === 'multipart/form-data' && headers['x-console'] === '1') return
  throw new ForbiddenError('A body below /console is JSON, or multipart/form-data with the header X-Console: 1')
}

const said = (value: string | string[]): string => JSON.stringify(String(value).slice(0, 100))

import type { Context } from 'koa'
import type { Host } from '../../../core/index.js'

type Server = Pick<Host['app']['server'], 'url'>

/** The origin of an address as browsers write it; undefined if it has none that pages can have. */
const originOf = (address: string): string | undefined =>
  /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address).origin : undefined

/** The origin of the server, where its settings name it: `https://cms.example.com`. */
const namedOrigin = ({ url = '' }: Server): string | undefined => originOf(url)

/** The origin that a request was sent to, by the headers of a proxy if the settings trust it. */
export const addressedOrigin = ({ protocol, host }: Context): string | undefined => originOf(`${protocol}://${host}`)

/**
 * The server's own origin: the one that is named in the settings, or else the one that the request was sent to. On its own machine
 * the server may be reached by an address of the machine, too.
 */
export function ownOrigin(ctx: Context, server: Server): string | undefined {
  const [named, addressed] = [namedOrigin(server), addressedOrigin(ctx)]
  return named === undefined || (addressed !== undefined && isLocal(addressed)) ? addressed : named
}

/** True for the server's own origin, as a browser names the page that sent a request. */
export const isOwn = (origin: string, ctx: Context, server: Server): boolean =>
  origin === namedOrigin(server) || origin === ownOrigin(ctx, server)

/** True for an origin that no other machine can have, and that browsers trust without TLS. */
export function isLocal(origin: string): boolean {
  if (originOf(origin) === undefined) return false
  const { hostname } = new URL(origin)
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** The origin of the page that sent a request: browsers name it with everything that is no `GET`. */
export const pageOrigin = (ctx: Context, server: Server): string | undefined =>
  originOf(ctx.get('Origin')) ?? namedOrigin(server) ?? addressedOrigin(ctx)

import type { Context } from 'koa'
import { ForbiddenError, type Host } from '../../../core/index.js'
import { addressedOrigin, isLocal, pageOrigin } from './origin.js'

/** Only TLS can set the first one; the other is for a server on the machine of the browser, which has none. */
export type CookieName = '__Secure-stele' | 'stele'

export interface TokenCookie {
  readonly name: CookieName
  readonly token: string
}

const names: readonly CookieName[] = ['__Secure-stele', 'stele']

/** The name that the cookie of a new session has; without TLS, any other machine on the way could read it. */
export function cookieName(ctx: Context, { server }: Pick<Host['app'], 'server'>): CookieName {
  const origin = pageOrigin(ctx, server) ?? ''
  if (origin.startsWith('https://')) return '__Secure-stele'
  if (isLocal(origin)) return 'stele'
  throw new ForbiddenError(
    `Signing in needs https: over ${origin || 'http'} the session could be stolen. Where a proxy ends TLS, set server.url, or server.proxy`,
  )
}

/**
 * The token of a request. Of two cookies with one name, one was set by another server of the domain: neither counts, as nothing
 * tells which is which.
 */
export function readCookie(ctx: Context): TokenCookie | undefined {
  const header = ctx.req.headers.cookie
  if (header === undefined) return undefined
  const pairs = header.split(';').map(pair => pair.trim())
  for (const name of names) {
    const found = pairs.filter(pair => pair.startsWith(`${name}=`))
    const token = found[0]?.slice(name.length + 1) ?? ''
    if (found.length !== 1 || !/^[\w-]{43}$/.test(token)) continue
    if (name === 'stele' && !isLocal(addressedOrigin(ctx) ?? '')) continue
    return { name, token }
  }
  return undefined
}

/** Sets the cookie: until the browser is closed, or for so many milliseconds. */
export function setCookie(ctx: Context, { name, token }: TokenCookie, age: number | undefined): void {
  const parts = [`${name}=${token}`, 'Path=/console', 'HttpOnly', 'SameSite=Strict']
  if (name === '__Secure-stele') parts.push('Secure')
  if (age !== undefined) parts.push(`Max-Age=${Math.floor(age / 1000)}`)
  ctx.set('Set-Cookie', parts.join('; '))
}

export const clearCookie = (ctx: Context, name: CookieName): void => setCookie(ctx, { name, token: '' }, 0)

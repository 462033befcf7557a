import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { HeadersConfig, ServerConfig } from '../../config/types.js'
import type { Answer } from '../../content/reads.js'
import { type Body, LongText, shortText } from '../../loop/long-text.js'
import { compressed } from './compression.js'
import { hashOf } from './hash.js'
import { type CommonHeaders, type Gate, keepVary } from './headers.js'
import { hashOfLong, writeLong } from './long-response.js'
import { type Codings, StaticBody, sendStatic } from './static-body.js'

/** The result of a route: a response of the content service, or a value to be sent as JSON. */
export type Reply = Answer | { readonly value: unknown }

/** A response that is ready to be sent: a plugin's route gives it on as it is. */
export class Finished {
  readonly reply: Reply
  constructor(reply: Reply) {
    this.reply = reply
  }

  /** The response as a value of its own: `{ data, meta }`, unless the type or the request has another format. */
  value(): unknown {
    const { reply } = this
    if ('value' in reply) return reply.value
    if ('unchanged' in reply)
      throw new Error('a response that the client has already has no value; ask for it with whole: true')
    return JSON.parse(String(reply.text))
  }
}

export interface Responder {
  /** Long responses are sent as fast as the client reads, without delaying other requests. */
  reply(ctx: Context, reply: Reply): void | Promise<void>
  json(ctx: Context, text: string | Buffer, tag?: string): void
}

/** The settings of sending, and the middleware of plugins. */
interface ResponderOptions {
  readonly middleware: Readonly<Record<string, readonly { readonly below?: string | undefined }[]>>
  readonly server: Pick<ServerConfig, 'compression'>
}

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends responses. Where no middleware of a plugin stands around the route, JSON goes straight to the socket: koa would
 * look at it several times more, which for a page of entries costs as much as reading them.
 */
export function responder(
  { middleware, server }: ResponderOptions,
  headersOf: CommonHeaders,
  bare: CommonHeaders = headersOf,
): Responder {
  const isFree = Object.values(middleware).every(all => all.every(({ below }) => below !== undefined))
  const isDirect = ({ state }: Context) => isFree && state.isAround !== true
  /** Writes the head of the response; false if the response has been given already. */
  const begin = (ctx: Context, length: number, tag?: string, coding?: keyof Codings): boolean => {
    const { res } = ctx
    ctx.respond = false
    if (res.headersSent || res.writableEnded) return false
    const { requestId, tally } = ctx.state
    if (tally) tally.bytes = length
    const headers = ((ctx.state.headersOf as CommonHeaders | undefined) ?? headersOf)(requestId, tally)
    keepVary(ctx, headers)
    if (tag !== undefined) headers.push('ETag', tag)
    if (coding !== undefined) headers.push('Content-Encoding', coding)
    headers.push('Content-Type', ctx.state.mediaType ?? jsonType, 'Content-Length', String(length))
    res.writeHead(res.statusCode, headers)
    return true
  }
  const json = (ctx: Context, text: string | Buffer, tag?: string, coding?: keyof Codings) => {
    if (!isDirect(ctx)) return leaveToKoa(ctx, text, tag, coding)
    // One text, so that headers and body leave in one piece.
    if (begin(ctx, Buffer.byteLength(text), tag, coding)) ctx.res.end(ctx.req.method === 'HEAD' ? undefined : text)
  }
  const longJson = async (ctx: Context, text: LongText, tag?: string) => {
    if (!isDirect(ctx)) {
      leaveToKoa(ctx, Readable.from(text.chunks), tag)
      ctx.length = text.byteLength
      return
    }
    if (begin(ctx, text.byteLength, tag)) await writeLong(ctx.res, ctx.req.method === 'HEAD' ? [] : text.chunks)
  }
  const plain = (ctx: Context, text: Body, tag?: string) =>
    text instanceof LongText ? longJson(ctx, text, tag) : json(ctx, text, tag)
  /** Entries are compressed; values of plugins' routes are not, as they may be secrets beside input of the client. */
  const send = (ctx: Context, text: Body, tag?: string): void | Promise<void> => {
    const coded = server.compression ? compressed(ctx.req.headers['accept-encoding'], text) : undefined
    return coded
      ? coded.then(as => (as ? json(ctx, as.bytes, tag, as.coding) : plain(ctx, text, tag)))
      : plain(ctx, text, tag)
  }
  const isReading = ({ state }: Context) => state.route.reads === true
  const unchanged = (ctx: Context, tag: string) => {
    ctx.status = 304
    ctx.set('ETag', tagOf(tag))
  }
  const long = async (ctx: Context, text: LongText, known: string | undefined) => {
    if (!isReading(ctx)) return send(ctx, text)
    // A known tag means that the cache has already asked whether the client has the response.
    if (known !== undefined) return send(ctx, text, tagOf(known))
    const tag = tagOfType(await hashOfLong(text), ctx.state.mediaType)
    return isKnown(ctx, tag) ? unchanged(ctx, tag) : send(ctx, text, tagOf(tag))
  }
  const short = (ctx: Context, whole: string | Buffer, known: string | undefined) => {
    // A text is turned into bytes once, not for its length, its tag and the socket each.
    const text = typeof whole === 'string' && whole.length > shortText ? Buffer.from(whole) : whole
    if (!isReading(ctx)) return send(ctx, text)
    if (known !== undefined) return send(ctx, text, tagOf(known))
    const tag = tagOfType(Buffer.isBuffer(whole) ? cachedHash(whole) : hashOf(text), ctx.state.mediaType)
    return isKnown(ctx, tag) ? unchanged(ctx, tag) : send(ctx, text, tagOf(tag))
  }
  /** Koa responds with 404 unless the status is set. */
  const markAnswered = (ctx: Context) => {
    if (ctx.res.statusCode !== 404) return
    if (isDirect(ctx)) ctx.res.statusCode = 200
    else ctx.status = 200
  }
  const value = (ctx: Context, value: unknown) => {
    if (ctx.respond === false || ctx.body !== undefined) return
    if (value instanceof StaticBody) return sendStatic(ctx, value, { tagOf, isKnown })
    if (ctx.status === 404) ctx.status = value === undefined ? 204 : 200
    if (value !== undefined) json(ctx, JSON.stringify(value))
  }
  return {
    json,
    reply(ctx, reply) {
      const own = 'headers' in reply ? reply.headers : undefined
      if (own) ctx.state.headersOf = (...about: Parameters<CommonHeaders>) => [...bare(...about), ...own]
      if ('unchanged' in reply) return unchanged(ctx, reply.unchanged)
      if (!('text' in reply)) return value(ctx, reply.value)
      const { text, tag, type } = reply
      if (type !== undefined) ctx.state.mediaType = type
      markAnswered(ctx)
      return text instanceof LongText ? long(ctx, text, tag) : short(ctx, text, tag)
    },
  }
}

function leaveToKoa(ctx: Context, body: string | Buffer | Readable, tag?: string, coding?: string): void {
  if (coding !== undefined) ctx.set('Content-Encoding', coding)
  if (tag !== undefined) ctx.set('ETag', tag)
  ctx.set('Content-Type', ctx.state.mediaType ?? jsonType)
  ctx.body = body
}

/** Cached responses are hashed once. */
const hashes = new WeakMap<Buffer, string>()
function cachedHash(text: Buffer): string {
  const known = hashes.get(text) ?? hashOf(text)
  hashes.set(text, known)
  return known
}

/** One text under two media types is two responses, of which a client may have one; tags of the cache are those of queries. */
const tagOfType = (tag: string, type: string = jsonType): string =>
  type === jsonType ? tag : `${tag}.${hashOf(type).slice(0, 8)}`

/** Browsers are to take a response as data, as far as is set; a server that stops asks clients to come back on a new connection. */
export function commonHeaders(set: HeadersConfig, gate: Gate, varies: readonly string[] = []): CommonHeaders {
  const named = {
    'Content-Security-Policy': set.contentSecurityPolicy,
    'Referrer-Policy': set.referrerPolicy,
    'Strict-Transport-Security': set.strictTransportSecurity,
    'X-Content-Type-Options': 'nosniff',
    Vary: ['Origin', ...varies].join(', '),
  }
  const fixed = Object.entries(named).flatMap(([name, value]) => (value === false ? [] : [name, value]))
  return requestId => {
    const headers = [...fixed, 'X-Request-Id', requestId]
    if (!gate.open) headers.push('Connection', 'close')
    return headers
  }
}

const instance = randomBytes(5).toString('base64url').slice(0, 6)
let requests = 0

/** The client's own id, where it is harmless, or one that occurs once: short, as long texts are put together with each use. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && /^[\w.:-]{1,64}$/.test(sent)) return sent
  requests += 1
  return `${instance}-${requests.toString(36)}`
}

/** The client has a response with this tag already. */
export function isKnown(ctx: Context, tag: string): boolean {
  const sent = ctx.req.headers['if-none-match']
  if (sent === undefined) return false
  const wanted = tagOf(tag)
  return sent === wanted || sent.split(',').some(one => one.trim().replace(/^W\//, '') === wanted.slice(2))
}

/** Tags are weak: they promise the same entries, not the same bytes on the wire. */
export const tagOf = (tag: string): string => `W/"${tag}"`

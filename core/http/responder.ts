import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { Breath } from '../store/breath.js'
import { LongText } from '../store/long-text.js'
import type { HttpParts } from './app.js'
import { commonHeaders } from './headers.js'
import { isKnown, type Reply, tagOf } from './routes.js'

export interface Responder {
  /** Long answers are sent as fast as they are read, and nobody else waits for that. */
  reply(ctx: Context, reply: Reply): void | Promise<void>
  json(ctx: Context, text: string | Buffer, tag?: string): void
}

const jsonType = 'application/json; charset=utf-8'

/**
 * Sends answers. Where no middleware of a plugin stands around the route, JSON goes straight to the socket: koa would
 * look at it several times more, which for a page of entries costs as much as reading them.
 */
export function responder({ outer, inner, health }: Pick<HttpParts, 'outer' | 'inner' | 'health'>): Responder {
  const direct = outer.length === 0 && inner.length === 0
  /** Says what comes; false where the answer has been given already. */
  const begin = (ctx: Context, length: number, tag?: string): boolean => {
    const { res } = ctx
    ctx.respond = false
    if (res.headersSent || res.writableEnded) return false
    const headers = commonHeaders(ctx.state.requestId, health)
    if (tag !== undefined) headers.push('ETag', tag)
    headers.push('Content-Type', jsonType, 'Content-Length', String(length))
    res.writeHead(res.statusCode, headers)
    return true
  }
  const json = (ctx: Context, text: string | Buffer, tag?: string) => {
    if (!direct) return leaveToKoa(ctx, text, tag)
    // As one text, so that headers and body leave in one piece.
    if (begin(ctx, Buffer.byteLength(text), tag)) ctx.res.end(ctx.method === 'HEAD' ? undefined : text)
  }
  const longJson = async (ctx: Context, text: LongText, tag?: string) => {
    if (!direct) {
      leaveToKoa(ctx, Readable.from(text.chunks), tag)
      ctx.length = text.byteLength
      return
    }
    if (begin(ctx, text.byteLength, tag)) await writeLong(ctx.res, ctx.method === 'HEAD' ? [] : text.chunks)
  }
  const isReading = ({ method }: Context) => method === 'GET' || method === 'HEAD'
  const unchanged = (ctx: Context, tag: string) => {
    ctx.status = 304
    ctx.set('ETag', tagOf(tag))
  }
  const long = async (ctx: Context, text: LongText, known: string | undefined) => {
    if (!isReading(ctx)) return longJson(ctx, text)
    // Where the store could tell, it has already been asked whether the client knows the answer.
    if (known !== undefined) return longJson(ctx, text, tagOf(known))
    const tag = await hashOfLong(text)
    return isKnown(ctx, tag) ? unchanged(ctx, tag) : longJson(ctx, text, tagOf(tag))
  }
  return {
    json,
    reply(ctx, reply) {
      if ('unchanged' in reply) return unchanged(ctx, reply.unchanged)
      if ('text' in reply) {
        const { text, tag: known } = reply
        if (ctx.res.statusCode === 404)
          if (direct) ctx.res.statusCode = 200
          else ctx.status = 200
        if (text instanceof LongText) return long(ctx, text, known)
        if (!isReading(ctx)) return json(ctx, text)
        if (known !== undefined) return json(ctx, text, tagOf(known))
        const tag = hashOf(text)
        return isKnown(ctx, tag) ? unchanged(ctx, tag) : json(ctx, text, tagOf(tag))
      }
      if (ctx.respond === false || ctx.body !== undefined) return
      if (reply.value === undefined) {
        if (ctx.status === 404) ctx.status = 204
        return
      }
      if (ctx.status === 404) ctx.status = 200
      json(ctx, JSON.stringify(reply.value))
    },
  }
}

function leaveToKoa(ctx: Context, body: string | Buffer | Readable, tag?: string): void {
  if (tag !== undefined) ctx.set('ETag', tag)
  ctx.set('Content-Type', jsonType)
  ctx.body = body
}

const hashOf = (text: string | Buffer): string => createHash('sha1').update(text).digest('base64url')

/** The same in pieces: others are answered in between. */
async function hashOfLong({ chunks }: LongText): Promise<string> {
  const breath = new Breath()
  const hash = createHash('sha1')
  for (const chunk of chunks) {
    hash.update(chunk)
    if (breath.isDue) await breath.take()
  }
  return hash.digest('base64url')
}

/** Bytes of an answer that are ready before the client has read what came first. */
const mostAhead = 1024 * 1024

/** Writes as fast as the client reads; what a client does not wait for any more is dropped. */
async function writeLong(res: ServerResponse, chunks: readonly Buffer[]): Promise<void> {
  const breath = new Breath()
  for (const chunk of chunks) {
    if (res.destroyed) return
    if (!res.write(chunk) && res.writableLength > mostAhead) await readOrGone(res)
    if (breath.isDue) await breath.take()
  }
  res.end()
}

async function readOrGone(res: ServerResponse): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })])
  } finally {
    ended.abort()
  }
}

import { createHash } from 'node:crypto'
import type { Context } from 'koa'

/** The same bytes as compressed before, by the names of their codings, the best first. */
export type Codings = Readonly<Partial<Record<'br' | 'gzip', Buffer>>>

/**
 * A body that is sent as it is: a page, a script, a document. A route that returns the same one every time has it hashed
 * once; clients that have it already get 304.
 */
export class StaticBody {
  /** The media type, with its charset where it has one. */
  readonly type: string
  readonly content: Buffer
  readonly codings: Codings
  #tag: string | undefined

  constructor(type: string, content: string | Buffer, codings: Codings = {}) {
    this.type = type
    this.content = Buffer.from(content as Buffer)
    this.codings = codings
  }

  get tag(): string {
    this.#tag ??= createHash('sha1').update(this.content).digest('base64url')
    return this.#tag
  }
}

interface Tags {
  readonly tagOf: (tag: string) => string
  readonly isKnown: (ctx: Context, tag: string) => boolean
}

/** Sends it in the best coding that the client accepts, or says that the client has it. */
export function sendStatic(ctx: Context, { type, content, codings, tag }: StaticBody, { tagOf, isKnown }: Tags): void {
  const offered = Object.keys(codings) as (keyof Codings)[]
  const chosen = offered.length > 0 && ctx.acceptsEncodings(...offered, 'identity')
  const coding = offered.find(name => name === chosen)
  const reads = ['GET', 'HEAD', 'QUERY'].includes(ctx.method)
  if (reads) ctx.set('ETag', tagOf(tag))
  if (offered.length > 0) ctx.vary('Accept-Encoding')
  if (reads && isKnown(ctx, tag)) {
    ctx.status = 304
    return
  }
  if (ctx.status === 404) ctx.status = 200
  ctx.body = coding === undefined ? content : codings[coding]
  ctx.set('Content-Type', type)
  if (coding !== undefined) ctx.set('Content-Encoding', coding)
}

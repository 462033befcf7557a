import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { ValidationError } from '../errors.js'
import type { Retry } from '../idempotency/retries.js'
import type { Caller } from '../query/ask.js'
import { identityOrScope } from './gate.js'

/** The key under which a request may be sent again; undefined if the client gave it none. */
export function retryKey({ req }: Context): string | undefined {
  const sent = req.headers['idempotency-key']
  if (sent === undefined) return undefined
  if (typeof sent === 'string' && /^[\x21-\x7e]{1,255}$/.test(sent)) return sent
  throw new ValidationError('Idempotency-Key: a key has 1 to 255 visible ASCII characters, and no spaces', {
    header: 'Idempotency-Key',
  })
}

/** The parts of a request that its key is stored with; `fingerprint` stands for a body whose bytes differ each time. */
interface KeyedRequest {
  readonly ctx: Context
  readonly caller: Caller
  readonly body: unknown
  readonly fingerprint?: string | undefined
}

/** A key means something to one caller at one path. */
export function retryOf(key: string, { ctx, caller, body, fingerprint }: KeyedRequest): Retry {
  return {
    name: hashOf(identityOrScope(caller, ctx), ctx.method, ctx.path, key),
    print: hashOf(ctx.querystring, fingerprint ?? JSON.stringify(body)),
    writes: 0,
    isReplayed: false,
  }
}

const hashOf = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

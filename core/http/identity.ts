import type { Context } from 'koa'
import type { Caller } from '../query/ask.js'
import { bearerOf } from './gate.js'

/** What tells a caller from others: an account its id, however it came in; a program its credentials. Visitors have nothing. */
export function identityOf({ id }: Caller, ctx: Context): string | undefined {
  if (id !== undefined) return `id ${JSON.stringify(id)}`
  const credentials = bearerOf(ctx)
  return credentials === undefined ? undefined : `credentials ${credentials}`
}

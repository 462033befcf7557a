import type { Context } from 'koa'
import type { HttpParts } from './app-parts.js'

/** Says whether the server can serve, and what keeps it from that. */
export async function tellReady(ctx: Context, { ready, notes }: HttpParts['health']): Promise<void> {
  const [problems, said] = await Promise.all([ready(), notes()])
  ctx.status = problems.length === 0 ? 200 : 503
  if (problems.length > 0) ctx.set('Retry-After', '1')
  ctx.body = { ready: problems.length === 0, problems, ...(said.length > 0 && { notes: said }) }
}

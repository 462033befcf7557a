import type { Context } from 'koa'
import type { HttpSettings } from '../settings.js'
import { Refusal } from './refusal.js'

/** Media types that pages of any origin may send without asking. */
const unasked = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']

/** Refuses a request that a page of another origin can have sent without a preflight, where the settings say so. */
export function checkOrigin(ctx: Context, { csrfHeaders }: Pick<HttpSettings, 'csrfHeaders'>): void {
  if (!csrfHeaders || isAsked(ctx) || csrfHeaders.some(name => ctx.get(name) !== '')) return
  throw new Refusal(
    `The request may come from a page of another origin; send one of the headers ${csrfHeaders.join(', ')}`,
  )
}

/** True if a browser asks before it sends such a body. */
function isAsked(ctx: Context): boolean {
  const [type = ''] = ctx.get('content-type').split(';')
  const name = type.trim().toLowerCase()
  return /^[\w.+-]+\/[\w.+-]+$/.test(name) && !unasked.includes(name)
}

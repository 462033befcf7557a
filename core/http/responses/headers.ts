import type { Context } from 'koa'
import type { Tally } from '../../content/tally.js'

/** The switch that a stopping server closes. */
export interface Gate {
  /** False while the server stops. */
  readonly open: boolean
}

/** The headers of every response, by its request id and the counts of the request. */
export type CommonHeaders = (requestId: string, tally?: Tally) => string[]

/** The headers of the responses of a route that has headers of its own: they replace those of the same name. */
export function replacing(common: CommonHeaders, own: Readonly<Record<string, string>>): CommonHeaders {
  const names = new Set(Object.keys(own).map(name => name.toLowerCase()))
  const added = Object.entries(own).flat()
  return (requestId, tally) => {
    const headers = common(requestId, tally)
    const others = headers.filter((_, index) => !names.has((headers[index - (index % 2)] as string).toLowerCase()))
    return [...others, ...added]
  }
}

const isVary = (name: string | undefined): boolean => name?.toLowerCase() === 'vary'

/** Sets a header; values of `Vary` add up. */
export function setHeader(ctx: Context, name: string, value: string): void {
  if (isVary(name)) ctx.vary(value)
  else ctx.set(name, value)
}

/** Sets headers that are written as one flat list of names and values. */
export function setHeaders(ctx: Context, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = headers.slice(index, index + 2) as [string, string]
    if (name !== 'Cache-Control' || !ctx.res.hasHeader(name)) setHeader(ctx, name, value)
  }
}

/** Adds what a response varies by already to the headers of its head, which would replace it. */
export function keepVary(ctx: Context, headers: string[]): void {
  if (!ctx.res.hasHeader('Vary')) return
  const at = headers.findIndex((name, index) => index % 2 === 0 && isVary(name))
  if (at < 0) return
  ctx.vary(headers[at + 1] as string)
  headers[at + 1] = String(ctx.res.getHeader('Vary'))
}

import { type InjectOptions, inject } from 'light-my-request'
import type { App } from '../../core/kernel.js'

/** The address that clients of an app without a socket use. */
export const url = 'http://localhost/api'

/** A `fetch` that leads into an app; `seen` is told of each request. */
export function fetchOf({ koa }: Pick<App, 'koa'>, seen: (request: Request) => void = () => undefined): typeof fetch {
  const handle = koa.callback()
  return async (input, init) => {
    const request = new Request(input, init)
    seen(request.clone())
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const { statusCode, headers, rawPayload } = (await inject(
      handle as never,
      {
        method: request.method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(request.body && { payload: Buffer.from(await request.arrayBuffer()) }),
      } as InjectOptions,
    )) as unknown as { statusCode: number; headers: Record<string, string>; rawPayload: Buffer }
    return new Response(rawPayload.length > 0 ? new Uint8Array(rawPayload) : null, { status: statusCode, headers })
  }
}

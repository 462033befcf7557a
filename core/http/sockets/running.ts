import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** The place where connections and requests arrive. */
export interface Entrance {
  connected(): void
  enter(request: IncomingMessage, response: ServerResponse): void
}

/**
 * Requests go to the entrance that is the current one when they arrive. Those of one connection take turns with those of
 * others: one packet may hold a thousand.
 */
export function entering(at: { readonly current: Entrance }): RequestListener {
  const enter: RequestListener = (request, response) => at.current.enter(request, response)
  return (request, response) => {
    if (response.socket) enter(request, response)
    else response.once('socket', () => setImmediate(enter, request, response))
  }
}

/** Requests at work: some clear up behind their response, when their connection does not show them any more. */
export class RunningRequests {
  #count = 0
  #whenNone: () => void = () => undefined

  /** Serves requests, and counts them until they end. */
  serving(serve: (...request: Parameters<RequestListener>) => Promise<unknown>): RequestListener {
    return (request, response) => {
      this.#count += 1
      serve(request, response).then(this.#end, this.#end)
    }
  }

  readonly #end = (): void => {
    this.#count -= 1
    if (this.#count === 0) this.#whenNone()
  }

  /** The number of running requests. */
  get count(): number {
    return this.#count
  }

  /** Resolves when none is at work, or at the deadline. */
  async ended(deadline: number): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, Math.max(0, deadline - performance.now()))
      this.#whenNone = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }
}

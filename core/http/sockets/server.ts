import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/types.js'
import { BootError } from '../../errors.js'
import { closeUnread, refuse } from './connections.js'
import type { Entrance } from './doorway.js'

/**
 * Connections that may wait to be accepted; the system caps it. Node's 511 is less than what a site builder opens at once,
 * and the system drops what comes beyond it: such a client waits seconds for its next try, or is cut off.
 */
const backlog = 4096

/** Begins to accept requests; they go to the entrance that is the current one when they arrive. */
export async function listen(at: { readonly current: Entrance }, config: Config): Promise<Server> {
  const { host, port, requestTimeout, headersTimeout, keepAliveTimeout } = config.server
  // Node looks for connections that are too slow every half minute, whatever the limits say.
  const connectionsCheckingInterval = Math.min(Math.max(100, Math.min(headersTimeout, requestTimeout) / 2), 5_000)
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize: 16_384, connectionsCheckingInterval },
    interleaved((request, response) => at.current.enter(request, response)),
  )
  server.on('connection', () => at.current.connected())
  // A process that stood still finds the time of idle connections over before it finds what has arrived on them.
  server.on('timeout', (socket: Socket) => setImmediate(() => socket.timeout && socket.destroy()))
  // A broken message is answered in the one form of all errors, and its connection is not used again.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket))
  if (requestTimeout > 0) closeUnread(server, requestTimeout, connectionsCheckingInterval)
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'the port is taken; choose another with PORT' : message
      reject(new BootError(`cannot listen on ${host}:${port}: ${reason}`, { kind: 'port' }))
    })
    server.listen({ port, host, backlog }, resolve)
  })
  return server
}

/** The requests of one connection take turns with those of others: one packet may hold a thousand. */
export function interleaved(answer: RequestListener): RequestListener {
  return (request, response) => {
    if (response.socket) answer(request, response)
    else response.once('socket', () => setImmediate(answer, request, response))
  }
}

/** Requests at work: some clear up behind their response, when their connection does not show them any more. */
export class Running {
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

  /** How many are at work. */
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

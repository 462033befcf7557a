import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/types.js'
import { BootError } from '../../errors.js'
import { closeUnread, refuse } from './connections.js'
import { type Entrance, entering } from './running.js'

/**
 * Connections that may wait to be accepted; the system caps it. A site builder opens more than Node's 511 at once, and the system
 * drops the rest: such a client waits seconds for its next try, or is cut off.
 */
const backlog = 4096

/** Begins to accept requests. */
export async function listen(at: { readonly current: Entrance }, config: Config): Promise<Server> {
  const { host, port, requestTimeout, headersTimeout, keepAliveTimeout } = config.server
  // Node looks for connections that are too slow every half minute, whatever the limits say.
  const connectionsCheckingInterval = Math.min(Math.max(100, Math.min(headersTimeout, requestTimeout) / 2), 5_000)
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize: 16_384, connectionsCheckingInterval },
    entering(at),
  )
  server.on('connection', () => at.current.connected())
  // After a stall the idle timers fire before pending data is read; give the data one tick.
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

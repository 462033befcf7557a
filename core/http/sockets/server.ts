import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../config/types.js'
import { BootError } from '../../errors.js'
import { closeUnread, refuse } from './connections.js'
import { type Entrance, entering } from './running.js'
import { noteUpgrades } from './upgrades.js'

/**
 * Connections that may wait to be accepted; the system caps it. A site builder opens more than Node's 511 at once, and the system
 * drops the rest: such a client waits seconds for its next try, or is cut off.
 */
const backlog = 4096

/** The server of a process: there when it is first asked for, and open when it is to accept requests. */
export class Port {
  readonly #config: Config
  readonly #entrance: { current: Entrance } = { current: nowhere }
  #server: Server | undefined

  constructor(config: Config) {
    this.#config = config
  }

  get server(): Server {
    this.#server ??= serverOf(this.#entrance, this.#config)
    return this.#server
  }

  get isOpen(): boolean {
    return this.#server?.listening === true
  }

  /** From now on requests go there. */
  leadTo(entrance: Entrance): void {
    this.#entrance.current = entrance
  }

  /** Begins to accept requests; where it does already, nothing happens. */
  async open(): Promise<Server> {
    const { server } = this
    if (!this.isOpen) await listen(server, this.#config)
    return server
  }
}

/** Nothing arrives before there is something to answer it. */
const nowhere: Entrance = { connected: () => undefined, enter: request => request.destroy() }

/** Node looks for connections that are too slow every half minute, whatever the limits say. */
const checkingInterval = ({ server: { headersTimeout, requestTimeout } }: Config): number =>
  Math.min(Math.max(100, Math.min(headersTimeout, requestTimeout) / 2), 5_000)

function serverOf(at: { readonly current: Entrance }, config: Config): Server {
  const { requestTimeout, headersTimeout, keepAliveTimeout } = config.server
  const connectionsCheckingInterval = checkingInterval(config)
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize: 16_384, connectionsCheckingInterval },
    entering(at),
  )
  server.on('connection', () => at.current.connected())
  // After a stall the idle timers fire before pending data is read; give the data one tick.
  server.on('timeout', (socket: Socket) => setImmediate(() => socket.timeout && socket.destroy()))
  // A broken message is answered in the one form of all errors, and its connection is not used again.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket))
  noteUpgrades(server)
  return server
}

async function listen(server: Server, config: Config): Promise<void> {
  const { host, port, requestTimeout } = config.server
  if (requestTimeout > 0) closeUnread(server, requestTimeout, checkingInterval(config))
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'the port is taken; choose another with PORT' : message
      reject(new BootError(`cannot listen on ${host}:${port}: ${reason}`, { kind: 'port' }))
    })
    server.listen({ port, host, backlog }, resolve)
  })
}

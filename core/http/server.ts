import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Config } from '../config/types.js'
import { BootError } from '../errors.js'
import type { Log } from '../log.js'
import { closeUnread, inTurn } from './connections.js'
import type { Door } from './door.js'

/** Begins to accept requests. */
export async function listen(door: Door, config: Config): Promise<Server> {
  const { host, port, requestTimeout, headersTimeout, keepAliveTimeout } = config.server
  // Node looks for connections that are too slow every half minute, whatever the limits say.
  const connectionsCheckingInterval = Math.min(Math.max(100, Math.min(headersTimeout, requestTimeout) / 2), 5_000)
  const server = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, maxHeaderSize: 16_384, connectionsCheckingInterval },
    inTurn((request, response) => door.enter(request, response)),
  )
  server.on('connection', () => door.connected())
  // A process that stood still finds the time of idle connections over before it finds what has arrived on them.
  server.on('timeout', (socket: Socket) => setImmediate(() => socket.timeout && socket.destroy()))
  // A broken message is answered in the one form of all errors, and its connection is not used again.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket))
  if (requestTimeout > 0) closeUnread(server, requestTimeout, connectionsCheckingInterval)
  await new Promise<void>((resolve, reject) => {
    server.once('error', error =>
      reject(
        new BootError(
          `cannot listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'the port is taken; choose another with PORT' : error.message}`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
  return server
}

function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  // What is being answered came before the broken message: nothing may get in front of it.
  const isAnswering = Boolean((socket as Socket & { _httpMessage?: unknown })._httpMessage)
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request']
  const body = JSON.stringify({ data: null, error: { status, name: 'BadRequestError', message } })
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // Nobody else looks after the connection any more, and the client may never close its end.
    () => socket.destroy(),
  )
}

/** Milliseconds without any request after which nobody is about to ask on an open connection. */
const grace = 250

/** Stops accepting, lets running requests finish, and cuts what is left at the deadline. */
export async function drain(server: Server, door: Door, deadline: number, log: Log): Promise<void> {
  const done = once(server, 'close')
  // What arrives between the last look and the end is reset by the system: nothing long may happen in between.
  door.hold()
  await accepted(server)
  // The server's own way to close would cut connections between two requests, with the next one on its way.
  NetServer.prototype.close.call(server)
  door.goOn()
  const late = setTimeout(() => {
    log.warn('requests were still running at the deadline and were cut')
    server.closeAllConnections()
  }, deadline)
  // As long as clients ask on the connections that they have, each is told with its answer to close it. One that they do
  // not use is closed when they know that it is too old.
  const begun = performance.now()
  let last = begun
  server.on('request', () => {
    last = performance.now()
  })
  const latest = begun + Math.min(server.keepAliveTimeout || Number.POSITIVE_INFINITY, deadline / 2)
  const sweep = setInterval(() => {
    const now = performance.now()
    if (now - last >= grace || now >= latest) void closeIdle(server, door)
  }, 50)
  await done
  clearTimeout(late)
  clearInterval(sweep)
  // Nothing is open any more: this ends the timers of its own.
  server.close()
}

async function closeIdle(server: Server, door: Door): Promise<void> {
  door.hold()
  await arrived()
  server.closeIdleConnections()
  door.goOn()
}

/** Milliseconds for which connections are accepted that came before the server was told to stop, or right after. */
const acceptance = 1000
/** Turns of the event loop without a new connection: the one that is running has looked for them before. */
const still = 3

/** Resolves when the connections that were waiting have been accepted, one a turn. */
async function accepted(server: Server): Promise<void> {
  const end = performance.now() + acceptance
  let turns = 0
  const note = () => {
    turns = 0
  }
  server.on('connection', note)
  while (turns < still && performance.now() < end) {
    turns += 1
    await arrived()
  }
  server.off('connection', note)
}

/** Resolves when what had already arrived has been accepted and read: closed before that, it would be answered with a reset. */
const arrived = (): Promise<void> => new Promise(done => setImmediate(done))

import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Responds to a broken message in the one form of all errors, and closes its connection. */
export function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  // A response in flight belongs to an earlier request: nothing may get in front of it.
  const isAnswering = Boolean((socket as Socket & { _httpMessage?: unknown })._httpMessage)
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const [status, more] = refusals[error.code ?? ''] ?? [400]
  const phrase = STATUS_CODES[status] ?? ''
  const message = more ?? phrase
  const body = JSON.stringify({ data: null, error: { status, name: 'BadRequestError', message } })
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    // Node does not handle this connection any more, and the client may never close its end.
    () => socket.destroy(),
  )
}

const encode =
  'The address contains characters that a URL must not have; percent-encode them (%20 is a space, %C3%A4 is ä)'

/** Status and message by Node's code for a broken message; the message is the status in words otherwise. */
const refusals: Readonly<Record<string, readonly [status: number, message?: string]>> = {
  HPE_HEADER_OVERFLOW: [431],
  ERR_HTTP_REQUEST_TIMEOUT: [408],
  HPE_INVALID_URL: [400, encode],
  // The protocol comes behind the method and an address: a space in the address ends it too early.
  HPE_INVALID_CONSTANT: [400, encode],
}

/**
 * Closes connections whose clients leave a response unread for so many milliseconds. Node knows connections only on which
 * nothing moves at all, and who goes on talking gets around that.
 */
export function closeUnread(server: Server, maxWait: number, interval: number): void {
  const seen = new Map<Socket, { readonly progress: string; readonly at: number }>()
  server.on('connection', (socket: Socket) => {
    seen.set(socket, { progress: '', at: 0 })
    socket.once('close', () => seen.delete(socket))
  })
  const watching = setInterval(() => {
    const now = performance.now()
    for (const [socket, last] of seen) {
      const progress = progressOf(socket)
      if (progress === '' || progress !== last.progress) seen.set(socket, { progress, at: now })
      else if (now - last.at > maxWait) socket.destroy()
    }
  }, interval).unref()
  server.once('close', () => clearInterval(watching))
}

/** The progress of the responses on a connection; empty if all have been sent. */
function progressOf(socket: Socket): string {
  if (socket.writableLength === 0) return ''
  const { _handle: handle } = socket as Socket & { _handle?: { readonly writeQueueSize: number } | null }
  return `${socket.bytesWritten} ${handle?.writeQueueSize}`
}

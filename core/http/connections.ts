import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of one connection take turns with those of others: one packet may hold a thousand. */
export function inTurn(answer: RequestListener): RequestListener {
  return (request, response) => {
    if (response.socket) answer(request, response)
    else response.once('socket', () => setImmediate(answer, request, response))
  }
}

/**
 * Closes connections whose clients leave an answer unread for so many milliseconds. Node knows connections only on which
 * nothing moves at all, and who goes on talking gets around that.
 */
export function closeUnread(server: Server, patience: number, interval: number): void {
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
      else if (now - last.at > patience) socket.destroy()
    }
  }, interval).unref()
  server.once('close', () => clearInterval(watching))
}

/** How far the answers of a connection have come; nothing where they are all out. */
function progressOf(socket: Socket): string {
  if (socket.writableLength === 0) return ''
  const { _handle: handle } = socket as Socket & { _handle?: { readonly writeQueueSize: number } | null }
  return `${socket.bytesWritten} ${handle?.writeQueueSize}`
}

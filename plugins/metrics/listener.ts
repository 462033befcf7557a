import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { BootError, type Log } from '../../core/index.js'
import type { Metrics } from './metrics.js'
import { formatFor, formats } from './page.js'

interface ListenAddress {
  readonly host: string
  readonly port: number
  readonly path: string
}

/** Serves the page on a port of its own, beside the queue of requests: it answers while the server is overloaded. */
export async function listen(
  { host, port, path }: ListenAddress,
  metrics: Pick<Metrics, 'page'>,
  log: Log,
): Promise<Server> {
  const server = createServer(async ({ method, url = '', headers }, response) => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead || url.split('?', 1)[0] !== path) {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain', ...(!isRead && { allow: 'GET, HEAD' }) })
      response.end(isRead ? `The metrics are at ${path}\n` : 'Method Not Allowed\n')
      return
    }
    const format = formatFor(headers.accept)
    try {
      const text = await metrics.page(format)
      response.writeHead(200, { 'content-type': formats[format], 'content-length': Buffer.byteLength(text) })
      response.end(method === 'HEAD' ? undefined : text)
    } catch (error) {
      log.error({ err: error }, 'the page of metrics failed')
      response.writeHead(500).end()
    }
  })
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new BootError(
      `cannot listen on ${host}:${port}: ${code === 'EADDRINUSE' ? 'the port is taken; metrics.config.port in config/plugins names another' : message}`,
      { kind: 'port' },
    )
  }
  server.unref()
  return server
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../config/types.js'
import { commonHeaders, requestIdOf } from '../responses/responder.js'
import { Port } from './server.js'

/** The step that a start is at. */
interface StartProgress {
  readonly doing: string
}

/** A port that is open before the app is there: until then the response to a request is the step that the start has reached. */
export class Doorway {
  readonly #progress: StartProgress
  /** The same when the app is there. */
  readonly port: Port

  constructor(config: Config, progress: StartProgress) {
    this.#progress = progress
    const headersOf = commonHeaders(config.server.headers, { open: false })
    this.port = new Port(config)
    this.port.leadTo({
      connected: () => undefined,
      enter: (request, response) => this.#refuse(request, response, headersOf(requestIdOf(idOf(request)))),
    })
  }

  async open(): Promise<AddressInfo> {
    return (await this.port.open()).address() as AddressInfo
  }

  /** The start failed. */
  close(): void {
    this.port.server.close()
    this.port.server.closeAllConnections()
  }

  #refuse({ method, url }: IncomingMessage, response: ServerResponse, headers: readonly string[]): void {
    const { doing } = this.#progress
    const message = 'The server is starting, try again'
    const said = isProbe.test(url ?? '')
      ? { ready: false, problems: ['the server is starting'], state: 'starting', doing }
      : { data: null, error: { status: 503, name: 'ServiceUnavailableError', message, details: {} } }
    const body = JSON.stringify(said)
    const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))]
    response.writeHead(503, [...headers, ...own, 'Retry-After', '1'])
    response.end(method === 'HEAD' ? undefined : body)
  }
}

const idOf = ({ headers }: IncomingMessage) => headers['x-request-id']

const isProbe = /^\/_health(\/ready)?\/?(\?|$)/i

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../config/types.js'
import { commonHeaders, requestIdOf } from '../responses/responder.js'
import type { Entrance } from './running.js'
import { listen } from './server.js'

/** The step that a start is at. */
interface StartProgress {
  readonly doing: string
}

/** A port that is open before the app is there: until then the response to a request is the step that the start has reached. */
export class Doorway {
  readonly #config: Config
  readonly #progress: StartProgress
  readonly #entrance: { current: Entrance }
  #server: Server | undefined

  constructor(config: Config, progress: StartProgress) {
    this.#config = config
    this.#progress = progress
    const headersOf = commonHeaders(config.server.headers, { open: false })
    this.#entrance = {
      current: {
        connected: () => undefined,
        enter: (request, response) => this.#refuse(request, response, headersOf(requestIdOf(idOf(request)))),
      },
    }
  }

  async open(): Promise<AddressInfo> {
    this.#server = await listen(this.#entrance, this.#config)
    return this.#server.address() as AddressInfo
  }

  /** From now on requests go to the app. */
  handOver(entrance: Entrance): Server | undefined {
    this.#entrance.current = entrance
    return this.#server
  }

  /** The start failed. */
  close(): void {
    this.#server?.close()
    this.#server?.closeAllConnections()
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

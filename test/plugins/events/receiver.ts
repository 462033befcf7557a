import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at
  readonly body: any
}

/** A receiver of webhooks, which keeps what it gets and answers as it is told. */
export class Receiver {
  readonly got: ReceivedMessage[] = []
  /** Answers a request; 200 where it is left as it is. */
  answer: (got: ReceivedMessage, response: ServerResponse) => void = (_, response) => response.end('thanks')
  readonly #server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const got = { headers: request.headers, text, body: JSON.parse(text) }
    this.got.push(got)
    this.answer(got, response)
  })

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** The deliveries since the last call. */
  take(): ReceivedMessage[] {
    return this.got.splice(0)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(done => this.#server.close(done))
  }
}

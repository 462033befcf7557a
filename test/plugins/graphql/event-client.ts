import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'

interface Told {
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at
  readonly data: any
}

/** A client of one operation, as graphql-sse sends it. */
export class Client {
  readonly told: Told[] = []
  readonly response: IncomingMessage
  isEnded = false
  #text = ''
  #heard: () => void = () => undefined

  constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', part => this.#read(part))
    response.on('close', () => {
      this.isEnded = true
      this.#heard()
    })
    response.on('error', () => undefined)
  }

  async next(): Promise<Told> {
    while (this.told.length === 0) {
      if (this.isEnded) throw new Error('the stream has ended')
      await new Promise<void>(resolve => {
        this.#heard = resolve
      })
    }
    return this.told.shift() as Told
  }

  #read(part: string): void {
    this.#text += part
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const lines = this.#text.slice(0, end).split('\n')
      this.#text = this.#text.slice(end + 2)
      const value = (name: string) =>
        lines
          .find(line => line.startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim()
      const event = value('event')
      const data = value('data')
      if (event !== undefined) this.told.push({ event, data: data ? JSON.parse(data) : undefined })
    }
    this.#heard()
  }
}

interface Asked {
  readonly name: string
  readonly variables?: object
  readonly accept?: string
}

/** Sends an operation with a name in its headers, and reads the stream that it gets. */
export async function follow(
  url: string,
  query: string,
  { name, variables = {}, accept = 'text/event-stream' }: Asked,
): Promise<Client> {
  const headers = { accept, 'content-type': 'application/json', 'x-name': name }
  const sent = request(url, { method: 'POST', headers, agent: false })
  sent.end(JSON.stringify({ query, variables }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  onTestFinished(() => void response.destroy())
  return new Client(response)
}

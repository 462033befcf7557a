import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

/** A message of a feed: its id, and what it tells. */
export interface Message {
  readonly id: number
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks at
  readonly data: any
}

/** A client that follows a feed. */
export class Stream {
  readonly response: IncomingMessage
  readonly messages: Message[] = []
  /** The last id, as a client sends it to go on. */
  lastId = 0
  isEnded = false
  #text = ''
  #heard: () => void = () => undefined

  private constructor(response: IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (part: string) => this.#read(part))
    response.on('close', () => {
      this.isEnded = true
      this.#heard()
    })
    response.on('error', () => undefined)
  }

  /** Opens one; resolves when the head of the response is there, and with the body where it is a refusal. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<Stream> {
    const sent = request(url, { headers, agent: false })
    sent.end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return new Stream(response)
  }

  get status(): number {
    return this.response.statusCode ?? 0
  }

  /** The body of a refusal. */
  async body(): Promise<{ error: { message: string } }> {
    await this.end()
    return JSON.parse(this.#text) as { error: { message: string } }
  }

  /** Resolves when there are so many messages; fails where the feed ends before. */
  async take(count: number): Promise<Message[]> {
    while (this.messages.length < count) {
      if (this.isEnded) throw new Error(`the feed ended after ${this.messages.length} messages`)
      await this.#next()
    }
    return this.messages.splice(0, count)
  }

  async end(): Promise<void> {
    while (!this.isEnded) await this.#next()
  }

  close(): void {
    this.response.destroy()
  }

  #next(): Promise<void> {
    return new Promise(resolve => {
      this.#heard = resolve
    })
  }

  #read(part: string): void {
    this.#text += part
    if (this.status === 200)
      for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
        const lines = this.#text.slice(0, end).split('\n')
        this.#text = this.#text.slice(end + 2)
        const value = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
        this.lastId = Number(value('id') ?? this.lastId)
        const data = value('data')
        if (data !== undefined) this.messages.push({ id: this.lastId, data: JSON.parse(data) })
      }
    this.#heard()
  }
}

import { strict as assert } from 'node:assert'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, inject, it } from 'vitest'
import type { DatabaseSettings } from '../../support/engines.js'
import { hidden, inside } from '../world.js'
import { type FilledWorld, type Who, words } from './fill.js'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The JSON of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what tests are about
  readonly body: any
}

export interface RequestOptions {
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export interface Options {
  readonly dialect?: 'spec' | 'strapi4'
  readonly database?: DatabaseSettings
  /** The settings of users-permissions, over those of the world. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The number of articles beside the few known ones. */
  readonly many?: number
  /** `config/server` */
  readonly server?: Readonly<Record<string, unknown>>
}

interface Route {
  readonly method: string
  readonly path: string
  readonly at?: 'root'
  readonly action?: string
  readonly uid?: string
}

type World = FilledWorld & {
  readonly folder: string
  readonly routes: readonly Route[]
  readonly secrets: readonly string[]
}

/** `npm run verify -- security` tries everything everywhere; `npm run test:all` leaves out what another dialect or engine tries as well. */
export const isFull = process.env.STELE_SECURITY === 'full'
/** A part of a list, taken from all over it. */
export const some = <T>(list: readonly T[], every: number): readonly T[] =>
  isFull ? list : list.filter((_, index) => index % every === 0)

/**
 * Milliseconds that others may have to wait; beside the other tests they wait for those as well, and nothing is judged. A server
 * of databases runs several statements at once, which share the processors with those of others.
 */
const maxWait = ({ database }: Options) =>
  isFull ? (database && database.client !== 'sqlite' ? 1000 : 400) : Number.POSITIVE_INFINITY
/** Three times of an attack on a machine that has much else to do. */
const longest = 120_000

/** A server with all plugins on that is attacked from outside: every answer of it is looked at, and every wait of others. */
export class AttackedServer {
  readonly known: World
  readonly dialect: 'spec' | 'strapi4'
  requests = 0
  worst = { wait: 0, name: '' }
  readonly maxWait: number
  readonly #server: ChildProcess
  readonly #pinger: ChildProcess
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  /** The server's own output: empty, unless a request fails by a fault of the server. */
  #log = ''

  private constructor(known: World, options: Options, server: ChildProcess) {
    this.known = known
    this.dialect = options.dialect ?? 'spec'
    this.maxWait = maxWait(options)
    this.#server = server
    this.#pinger = fork(fileURLToPath(new URL('pinger.mjs', import.meta.url)), [`${known.url}/api/tags?fields=name`])
    server.stdout?.on('data', chunk => {
      this.#log += chunk
    })
    server.stderr?.pipe(process.stderr)
  }

  static async start(options: Options = {}): Promise<AttackedServer> {
    const script = fileURLToPath(new URL('server-process.mjs', import.meta.url))
    const server = fork(script, [JSON.stringify({ parent: inject('folder'), dialect: 'spec', ...options })], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let said = ''
    server.stderr?.on('data', chunk => {
      said += chunk
    })
    const [known] = await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(() => Promise.reject(new Error(`the server did not start: ${said}`))),
    ])
    return new AttackedServer(known as World, options, server)
  }

  /** Sends a request as it stands, and looks at the answer as every answer is looked at. */
  async send(who: Who, method: string, path: string, sending: RequestOptions = {}): Promise<Answer> {
    const answer = await this.sendUnseen(who, method, path, sending)
    this.look(who, `${method} ${path}`, answer, typeof sending.body === 'string' ? sending.body : '')
    return answer
  }

  get(who: Who, path: string): Promise<Answer> {
    return this.send(who, 'GET', path)
  }

  /** The same with a JSON body. */
  write(who: Who, method: string, path: string, body: unknown): Promise<Answer> {
    return this.send(who, method, path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  }

  async sendUnseen(
    who: Who,
    method: string,
    path: string,
    { body, headers = {} }: RequestOptions = {},
  ): Promise<Answer> {
    this.requests += 1
    const { url, tokens } = this.known
    const credentials = who === 'visitor' ? {} : { authorization: `Bearer ${tokens[who]}` }
    const place = new URL(url)
    const sent = request({
      host: place.hostname,
      port: place.port,
      path,
      method,
      agent: this.#agent,
      headers: { ...credentials, ...lengthOf(body), ...headers } as Record<string, string>,
    })
    sent.end(body)
    const [response] = await once(sent, 'response').catch(error => {
      // A connection that was idle too long may be closed by the server at the moment in which it is used again.
      if (method === 'GET' && sent.reusedSocket && error.code === 'ECONNRESET') return [undefined]
      throw error
    })
    if (!response) return this.sendUnseen(who, method, path, { headers })
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    return { status: response.statusCode, headers: response.headers, text, body: parsed(text) }
  }

  /** No failure of the server, no word that this caller may not read, nothing of what the server is made of. */
  look(who: Who, what: string, { status, text, headers }: Answer, sent = ''): void {
    const said = [what, decoded(what), sent].filter(part => part.length > 3)
    const own = said.reduce((rest, part) => rest.split(part).join(''), `${text}\n${JSON.stringify(headers)}`)
    const at = `${who}: ${what.slice(0, 300)} answered ${status}: ${text.slice(0, 500)}`
    assert.ok(status >= 200 && status < 500, at)
    assert.doesNotMatch(own, hidden, at)
    for (const word of [...this.#forbidden(who, what), ...this.known.secrets]) assert.ok(!own.includes(word), at)
    if (status >= 400) for (const word of inside) assert.doesNotMatch(own, word, at)
    assert.equal(this.#server.exitCode, null, `the server has ended: ${at}`)
    const logged = this.#log
    this.#log = ''
    assert.equal(logged, '', at)
  }

  #forbidden(who: Who, what: string): string[] {
    const reads = who === 'fullToken' || who === 'readToken'
    return [
      words.hidden,
      ...(reads ? [] : [words.vault]),
      ...(reads || who === 'bob' ? [] : [words.ofBob]),
      ...(reads || who === 'alice' ? [] : [words.ofAlice]),
      ...(this.dialect === 'spec' && what.startsWith('GET') && !what.includes('preview') ? [words.draft] : []),
    ]
  }

  /** The longest wait of the other client since the last call. */
  async wait(): Promise<number> {
    this.#pinger.send('wait')
    const [{ worst, failed }] = await once(this.#pinger, 'message')
    assert.equal(failed, '', 'another client was not served')
    return worst
  }

  /** Runs work while another client sends requests; work that is slow by accident is not slow three times. */
  async attack(name: string, work: () => Promise<void>): Promise<void> {
    const waits: number[] = []
    while (waits.length < 3) {
      await this.wait()
      await work()
      const wait = await this.wait()
      waits.push(wait)
      if (wait > this.maxWait) continue
      if (wait > this.worst.wait) this.worst = { wait, name }
      return
    }
    assert.fail(`another client waited ${waits.map(Math.round).join(', ')} ms`)
  }

  /** The server process's reply to a question of the tests. */
  async ask(question: string): Promise<unknown> {
    this.#server.send(question)
    return (await once(this.#server, 'message'))[0]
  }

  /** Tells how much was tried. */
  async close(title: string): Promise<void> {
    const { requests, worst } = this
    console.log(
      `security: ${title}: ${requests} requests, 0 server errors, 0 exits, 0 leaks, worst wait of others ${Math.round(worst.wait)} ms (${worst.name})`,
    )
    this.#agent.destroy()
    this.#pinger.disconnect()
    const gone = once(this.#server, 'exit')
    this.#server.disconnect()
    await gone
  }
}

export interface Attacks {
  readonly server: AttackedServer
  /** A test of an attack, which must keep no other client waiting. */
  attack(name: string, work: (server: AttackedServer) => Promise<void>): void
}

/** A server for the tests of the surrounding suite, and what was tried on it, told at the end. */
export function attacks(title: string, options: Options | (() => Promise<Options>) = {}): Attacks {
  let server: AttackedServer | undefined
  beforeAll(async () => {
    server = await AttackedServer.start(typeof options === 'function' ? await options() : options)
  })
  afterAll(() => server?.close(title))
  return {
    get server() {
      return server as AttackedServer
    },
    attack: (name, work) =>
      it(name, () => (server as AttackedServer).attack(name, () => work(server as AttackedServer)), longest),
  }
}

/** Not every method says by itself how long its body is. */
const lengthOf = (body: string | Buffer | undefined) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

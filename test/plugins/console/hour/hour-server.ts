import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { InjectOptions } from 'light-my-request'
import type { TestApp } from '../../../../core/index.js'
import { generated, type OpenProject, type ProjectFolder } from '../../../strapi4/project.js'
import { freePort } from '../../../support/free-port.js'
import { Server } from '../../../support/terminal.js'
import { copyWithConsole } from '../project.js'

const probe = new URL('probe.mjs', import.meta.url)

/** A type with blocks, which the recorded project lacks. */
const story = {
  ...{ kind: 'collectionType', collectionName: 'stories', options: { draftAndPublish: false } },
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  attributes: { title: { type: 'string' }, body: { type: 'blocks' } },
}

/** What a response of the server says. */
interface Told {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly payload: string
  json(): unknown
}

type Sender = Pick<OpenProject, 'send'> & Pick<TestApp, 'inject'>

/** The project of Strapi with its console, in a process of its own that is started again now and then. */
export class HourServer {
  readonly project: ProjectFolder
  readonly port: number
  /** Faults that its log has told of. */
  readonly faults: string[] = []
  isRestarting = false
  #server: Server

  private constructor(project: ProjectFolder, port: number) {
    this.project = project
    this.port = port
    this.#server = this.#started()
  }

  static async start(): Promise<HourServer> {
    const project = copyWithConsole({
      settings: {
        versions: { enabled: true, config: { all: true } },
        events: true,
        bulk: true,
        audit: { config: { secret: 'a secret of this test, long enough' } },
      },
      files: {
        'src/api/story/content-types/story/schema.json': JSON.stringify(story),
        ...generated('api::story.story'),
      },
    })
    const server = new HourServer(project, await freePort())
    await server.#server.said(/listening on/)
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  #started(command: 'start' | 'dev' = 'start'): Server {
    const env = { PORT: String(this.port), HOST: '127.0.0.1', UP_RATELIMIT_OFF: '1' }
    if (command === 'dev') return new Server(this.project.folder, env, ['--no-open'], 'dev')
    return new Server(this.project.folder, { ...env, NODE_ENV: 'production', NODE_OPTIONS: `--import=${probe}` })
  }

  /** Ends in order, and starts again. */
  async restart(): Promise<void> {
    this.isRestarting = true
    await this.#next('start')
    this.isRestarting = false
  }

  /** Has the server run as in development for a while. */
  async develop(work: () => Promise<void>): Promise<void> {
    this.isRestarting = true
    try {
      await this.#next('dev')
      await work()
    } finally {
      await this.#next('start')
      this.isRestarting = false
    }
  }

  async #next(command: 'start' | 'dev'): Promise<void> {
    await this.stop()
    this.#server = this.#started(command)
    await this.#server.said(/listening on/)
  }

  async stop(): Promise<void> {
    const code = await this.#server.stop()
    this.look()
    if (code !== 0) this.faults.push(`the server ended with ${code}`)
  }

  /** Megabytes of the heap without garbage. */
  async heap(): Promise<number> {
    const former = this.#server.errors.length
    this.#server.child.kill('SIGUSR2')
    for (;;) {
      const found = /heap (\d+)\n/.exec(this.#server.errors.slice(former))
      if (found) return Number(found[1]) / 1e6
      await once(this.#server.child.stderr as Readable, 'data')
    }
  }

  /** Reads what the log has said since the last time: requests that failed, and faults. */
  look(): void {
    const lines = this.#server.output.split('\n').filter(line => line !== '')
    const rest = this.#server.errors.split('\n').filter(line => line !== '' && !/^heap \d+$/.test(line))
    // In development the log is text, and a greeting stands beside it.
    const isFault = (line: string) => /"level":"?([56]0|error|fatal)|^[\d:]{8} (error|fatal)|nhandled/.test(line)
    const isUsual = (line: string) => /ExperimentalWarning|--trace-warnings|^ {2}/.test(line)
    this.faults.push(...lines.filter(isFault), ...rest.filter(line => !isUsual(line)))
    this.#server.output = ''
    this.#server.errors = ''
  }

  /** Requests over HTTP, as tests send them into an app. */
  get sender(): Sender {
    const send = (options: InjectOptions) => this.#send(options) as never
    return { send, inject: send as TestApp['inject'] }
  }

  async #send({ method = 'GET', url, headers = {}, payload }: InjectOptions): Promise<Told> {
    const isText = typeof payload === 'string'
    const response = await fetch(this.origin + String(url), {
      method,
      headers: {
        connection: 'close',
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(payload !== undefined && { body: isText ? payload : JSON.stringify(payload) }),
    })
    const text = await response.text()
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: text,
      payload: text,
      json: () => (text === '' ? undefined : JSON.parse(text)),
    }
  }
}

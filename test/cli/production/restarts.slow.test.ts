import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { it, onTestFinished } from 'vitest'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { folderOf, Server, started } from '../../support/terminal.js'
import { type NginxProxy, nginx, proxyOf } from './proxy.js'

const files = {
  'content-types/note.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'string', required: true }, story: { type: 'text' } },
  }),
  'config/api.json': JSON.stringify({ rest: { public: true } }),
  'config/plugins.json': JSON.stringify({ gate: { resolve: './gate.mjs' } }),
  // The port of a server is open while it waits here.
  'gate.mjs': `
    import { existsSync } from 'node:fs'
    import { setTimeout } from 'node:timers/promises'
    import { definePlugin } from 'stele'
    export default definePlugin({
      name: 'gate',
      async register() {
        while (existsSync(process.env.GATE ?? '')) await setTimeout(20)
      },
    })
  `,
}

/** Long enough to arrive in pieces. */
const story = 'once upon a time '.repeat(3000)

/** Clients of a proxy: each sends a request, waits for its response, and so on. */
class Clients {
  readonly #proxy: NginxProxy
  readonly #running: Promise<void>[]
  readonly acknowledged: string[] = []
  readonly failed: string[] = []
  #count = 0
  #isOver = false

  constructor(proxy: NginxProxy) {
    this.#proxy = proxy
    this.#running = [1, 2, 3].map(() => this.#go())
  }

  async #go(): Promise<void> {
    while (!this.#isOver && this.failed.length === 0) {
      this.#count += 1
      const text = `note ${this.#count}`
      const made = await this.#send('POST', '/api/notes', JSON.stringify({ data: { text, story } }))
      if (made === 200) this.acknowledged.push(text)
      await this.#send('GET', '/api/notes?fields=text&pagination[limit]=1')
    }
  }

  async #send(method: string, path: string, body?: string): Promise<number> {
    const headers = { 'content-type': 'application/json' }
    const url = this.#proxy.url + path
    try {
      const answer = await fetch(url, { method, ...(body !== undefined && { body, headers }) })
      const text = await answer.text()
      if (answer.status !== 200) this.failed.push(`${method} ${answer.status} ${text.slice(0, 200)}`)
      return answer.status
    } catch (error) {
      this.failed.push(`${method} ${error}`)
      return 0
    }
  }

  /** Lets them go on until a line of the proxy's log, from one line on, is like each of these. */
  async until(patterns: readonly RegExp[], from: number): Promise<void> {
    const isSeen = () => {
      const lines = this.#proxy.lines().slice(from)
      return patterns.every(pattern => lines.some(line => pattern.test(line)))
    }
    while (!isSeen()) {
      assert.deepEqual(this.failed, [])
      await wait(20)
    }
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }
}

const suite = nginx ? onEveryEngine : () => undefined
suite('two servers on one database behind nginx', engine => {
  it('are restarted one after the other without a failed request or a create too many', {
    timeout: 180_000,
  }, async () => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const folder = folderOf(files)
    const gate = join(folder, 'closed')
    const servers = [await started(folder, fresh.env), await started(folder, fresh.env)]
    const [first, second] = servers.map(({ port }) => port)
    const proxy = await proxyOf('nginx-two-servers.conf', {
      '10.0.0.11:1337': Number(first),
      '10.0.0.12:1337': Number(second),
    })
    const clients = new Clients(proxy)
    onTestFinished(() => clients.end())
    for (const { server, port } of servers) {
      let from = proxy.lines().length
      assert.equal(await server.stop(), 0)
      await clients.until([/^POST 200: 502, 200/, /^GET 200: 502, 200/], from)
      writeFileSync(gate, '')
      const next = new Server(folder, { ...fresh.env, PORT: String(port), HOST: '127.0.0.1', GATE: gate })
      while ((await stateAt(port)) !== 'starting') await wait(20)
      from = proxy.lines().length
      await clients.until([/^POST 200: 503, 200/, /^GET 200: 503, 200/], from)
      rmSync(gate)
      await next.said(/listening on/)
      from = proxy.lines().length
      await clients.until([/^POST 200: 200$/, /^GET 200: 200$/], from)
      assert.equal(existsSync(gate), false)
    }
    await clients.end()
    assert.deepEqual(clients.failed, [])
    const rows = await run(fresh.database, 'select text from notes order by id')
    const stored = rows.map(({ text }) => String(text))
    assert.deepEqual(stored.sort(), clients.acknowledged.sort(), 'each create that was acknowledged is stored, once')
    console.info(`${engine.name}: ${proxy.lines().length} requests during two restarts, 0 failed`)
  })
})

it.skipIf(!nginx)('one server behind nginx is a 502 while it is restarted', async () => {
  const folder = folderOf(files)
  const { server, port } = await started(folder, {
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: join(folder, 'data.db'),
  })
  const { url } = await proxyOf('nginx.conf', { '127.0.0.1:1337': port })
  assert.equal((await fetch(`${url}/api/notes`)).status, 200)
  assert.equal(await server.stop(), 0)
  assert.equal((await fetch(`${url}/api/notes`)).status, 502)
})

/** The server's state while its app is not there. */
const stateAt = (port: number): Promise<unknown> =>
  fetch(`http://127.0.0.1:${port}/_health/ready`).then(
    async answer => ((await answer.json()) as { state?: unknown }).state,
    () => undefined,
  )

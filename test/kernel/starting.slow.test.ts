import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { StartProgress } from '../../core/boot/start.js'
import { boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { onEveryEngine } from '../support/every-engine.js'
import { freePort } from '../support/free-port.js'
import { ask, folderOf, Server } from '../support/terminal.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

/** An app that starts no further than its plugin before it is let: process by process. */
const held = {
  'content-types/note.json': JSON.stringify(note),
  'config/api.json': '{"rest":{"public":true}}',
  'config/plugins.json': '{"held":{"resolve":"./held.mjs"}}',
  'held.mjs': `import { existsSync } from 'node:fs'
    const go = 'go' + (process.env.STELE_WORKER ?? '')
    export const held = {
      name: 'held',
      async register({ log, config }) {
        log.info('held before ' + go)
        while (!existsSync(go)) await new Promise(resolve => setTimeout(resolve, 10))
      },
    }`,
}

async function heldServer(...args: string[]) {
  const folder = folderOf(held)
  const port = await freePort()
  const server = new Server(folder, { PORT: String(port), HOST: '127.0.0.1' }, args)
  return { server, url: `http://127.0.0.1:${port}`, let: (name: string) => writeFileSync(join(folder, name), '') }
}

describe('a server that is starting', () => {
  it('says so on its port, and what it does, until it can serve', async () => {
    const { server, url, let: letGo } = await heldServer()
    await server.said(/held before go/)
    for (const path of ['/_health', '/_health/ready']) {
      const { status, headers, body } = await ask(`${url}${path}`)
      assert.deepEqual([status, headers.get('retry-after'), headers.get('connection')], [503, '1', 'close'])
      assert.deepEqual(body, {
        ready: false,
        problems: ['the server is starting'],
        state: 'starting',
        doing: 'starting the plugins',
      })
    }
    const other = await ask(`${url}/api/notes`, { headers: { 'x-request-id': 'mine' } })
    assert.equal(other.status, 503)
    assert.equal(other.headers.get('x-request-id'), 'mine')
    assert.equal(other.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(other.body.error, {
      status: 503,
      name: 'ServiceUnavailableError',
      message: 'The server is starting, try again',
      details: {},
    })
    const head = await fetch(`${url}/api/notes`, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [503, ''])
    letGo('go')
    await server.said(/listening on/)
    assert.equal((await ask(`${url}/_health`)).status, 204)
    assert.equal((await ask(`${url}/api/notes`)).status, 200)
    assert.equal(await server.stop(), 0)
  })

  it('lets no request come to a worker that is starting while another one serves', async () => {
    const { server, url, let: letGo } = await heldServer('--workers', '2')
    await server.said(/held before go1/)
    assert.equal((await ask(`${url}/_health`)).body.state, 'starting')
    letGo('go1')
    await server.said(/held before go2/)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(`${url}/api/notes`)).status))
    assert.deepEqual([...new Set(statuses)], [200])
    letGo('go2')
    await server.said(/listening on/, 2)
    assert.equal(await server.stop(), 0)
  })

  it('ends where it fails, though its port was open', async () => {
    const files = {
      ...held,
      'held.mjs': "export const held = { name: 'held', register() { throw new Error('no luck') } }",
    }
    const server = new Server(folderOf(files), { PORT: '0', HOST: '127.0.0.1' })
    assert.equal(await server.ended, 78)
    assert.match(server.errors, /plugin held could not start: no luck/)
  })
})

onEveryEngine('a first start', engine => {
  it('tells how many tables are made, where that takes long', async () => {
    const fresh = await engine.fresh()
    try {
      const lines: { msg: string; done?: number; total?: number }[] = []
      const log = createLog('info', { destination: { write: line => void lines.push(JSON.parse(line)) } })
      const definitions = ['one', 'two'].map(name => ({
        uid: `api::${name}.${name}`,
        schema: { ...note, collectionName: name, info: { ...note.info, singularName: name, pluralName: `${name}s` } },
        source: name,
      }))
      // Each look at the clock comes 6 seconds after the one before.
      let now = 0
      const progress = new StartProgress(log, () => (now += 6_000))
      const config = await loadConfig(process.cwd(), {
        bare: true,
        env: {},
        overrides: { database: fresh.database } as never,
      })
      const app = await boot({ wings, config, log, plugins: [], definitions: definitions as never, progress })
      await app.close()
      const told = lines.filter(({ total }) => total !== undefined)
      assert.deepEqual(
        told.map(({ msg }) => msg),
        told.map((_, at) => `adding tables, columns and indexes to the database: ${at} of ${told.length}`),
      )
      assert.ok(told.length >= 2)
    } finally {
      await fresh.drop()
    }
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, type Host } from '../../core/index.js'

/** Answers in another protocol, on the server that the app has. */
const talking = definePlugin({
  name: 'talking',
  register({ server }: Host) {
    const wasListening = server.listening
    server.on('upgrade', (request, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: talk\r\n\r\nhello ${request.url}`,
      )
    })
    return { server, wasListening, ended: false }
  },
  routes: [{ method: 'GET', path: '/served', action: null, run: () => ({ ok: true }) }],
})

const config = { server: { host: '127.0.0.1', port: 0, shutdownDeadline: 60_000 } }
const upgrade = 'GET /talk HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: talk\r\n\r\n'

async function talk(port: number): Promise<readonly [Socket, string]> {
  const socket = connect(port, '127.0.0.1')
  socket.write(upgrade)
  const [said] = await once(socket, 'data')
  return [socket, String(said)]
}

const serviceOf = (app: { plugins: readonly { spec: { name: string }; service: unknown }[] }) =>
  app.plugins.find(({ spec }) => spec.name === 'talking')?.service as { server: Server; wasListening: boolean }

describe('the server of the host', () => {
  it('is there before it listens, and takes other protocols, which end with it', async () => {
    const app = await createTestApp({ plugins: [talking], config })
    const { server, wasListening } = serviceOf(app)
    assert.deepEqual([wasListening, server.listening], [false, false])
    const { port } = await app.listen()
    assert.equal((server.address() as AddressInfo).port, port)
    const [socket, said] = await talk(port)
    assert.match(said, /101 Switching Protocols[\s\S]*hello \/talk$/)
    assert.deepEqual(await (await fetch(`http://127.0.0.1:${port}/api/served`)).json(), { ok: true })
    const gone = once(socket, 'close')
    const begun = performance.now()
    await app.close()
    await gone
    assert.ok(performance.now() - begun < 20_000)
  })

  it('may be opened by a test, and is closed with the app', async () => {
    const app = await createTestApp({ plugins: [talking], config })
    const { server } = serviceOf(app)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    assert.deepEqual(await (await fetch(`http://127.0.0.1:${port}/api/served`)).json(), { ok: true })
    await app.close()
    assert.equal(server.listening, false)
  })

  it('never listens where nothing is served', async () => {
    const app = await createTestApp({ plugins: [talking], config })
    await app.close()
    assert.equal(serviceOf(app).server.listening, false)
  })

  it('closes a connection that asks for a protocol without code for it', async () => {
    const app = await createTestApp({ plugins: [talking], config })
    const { port } = await app.listen()
    const { server } = serviceOf(app)
    server.off('upgrade', server.listeners('upgrade').at(-1) as () => void)
    const socket = connect(port, '127.0.0.1')
    socket.write(upgrade)
    await once(socket, 'close')
    await app.close()
  })
})

import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { stat } from 'node:fs'
import { connect, Server } from 'node:net'
import { PassThrough } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { it } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'
import { folderOf, started } from '../support/terminal.js'

/** The first line of an answer, or nothing where the connection ends without one. */
const ask = (port: number): Promise<string> =>
  new Promise(resolve => {
    let text = ''
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /_health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    socket.on('data', part => {
      text += part
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] as string))
  })

it('a server that is told to stop answers all whose connections the system has taken before', async () => {
  const app = await createTestApp({ config: { server: { host: '127.0.0.1', port: 0 } } })
  const { port } = await app.listen()
  const asked: Promise<string>[] = []
  let closed: Promise<void> | undefined
  // As a signal does, this comes when the event loop has looked for new connections already.
  await new Promise<void>(resolve =>
    stat('.', () => {
      for (let count = 0; count < 50; count += 1) asked.push(ask(port))
      closed = app.close()
      resolve()
    }),
  )
  assert.deepEqual(await Promise.all(asked), Array(50).fill('HTTP/1.1 204 No Content'))
  await closed
})

/** Opens 20 connections while this thread stands still, and counts those that the system took and then reset. */
const crowd = `
  import { connect } from 'node:net'
  import { parentPort, workerData } from 'node:worker_threads'
  const { port, isDone } = workerData
  parentPort.once('message', () => {
    const ends = Array.from({ length: 20 }, () => new Promise(resolve => {
      let isTaken = false
      const socket = connect(port, '127.0.0.1', () => {
        isTaken = true
        socket.write('GET /_health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(isTaken))
    }))
    setTimeout(() => {
      Atomics.store(isDone, 0, 1)
      Atomics.notify(isDone, 0)
    }, 100)
    Promise.all(ends).then(taken => parentPort.postMessage(taken.filter(Boolean).length))
  })
  parentPort.postMessage('ready')`

it('a process that stands still right before it closes its port leaves at most two connections without a response', async () => {
  const app = await createTestApp({ config: { server: { host: '127.0.0.1', port: 0 } } })
  const { port } = await app.listen()
  const isDone = new Int32Array(new SharedArrayBuffer(4))
  const source = new URL(`data:text/javascript,${encodeURIComponent(crowd)}`)
  const clients = new Worker(source, { workerData: { port, isDone } })
  await once(clients, 'message')
  const { close } = Server.prototype
  Server.prototype.close = function (this: Server, ...rest) {
    Server.prototype.close = close
    clients.postMessage('go')
    Atomics.wait(isDone, 0, 0)
    return close.apply(this, rest)
  }
  const [[reset]] = await Promise.all([once(clients, 'message'), app.close()])
  assert.ok(reset <= 2, `${reset} of 20 connections were reset`)
  await clients.terminate()
})

it('lets a response without an end know that the server stops, and waits for its last words', async () => {
  const ticker = definePlugin({
    name: 'ticker',
    routes: [
      {
        method: 'GET',
        path: '/ticks',
        action: null,
        run({ ctx, stopping }) {
          const stream = new PassThrough()
          stream.write('data: begun\n\n')
          stopping.addEventListener('abort', () => stream.end('data: bye\n\n'), { once: true })
          ctx.type = 'text/event-stream'
          ctx.body = stream
        },
      },
    ],
  })
  const app = await createTestApp({ plugins: [ticker], config: { server: { host: '127.0.0.1', port: 0 } } })
  const { port } = await app.listen()
  const response = await fetch(`http://127.0.0.1:${port}/api/ticks`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  assert.equal(decoder.decode((await reader.read()).value), 'data: begun\n\n')
  const closed = app.close()
  assert.equal(decoder.decode((await reader.read()).value), 'data: bye\n\n')
  assert.equal((await reader.read()).done, true)
  await closed
})

it('ends such a response on SIGTERM, long before the deadline', async () => {
  const plugin = `
    import { PassThrough } from 'node:stream'
    import { definePlugin } from 'stele'
    export const ticker = definePlugin({
      name: 'ticker',
      routes: [{ method: 'GET', path: '/ticks', action: null, run({ ctx, stopping }) {
        const stream = new PassThrough()
        stream.write('begun')
        stopping.addEventListener('abort', () => stream.end(' ended'))
        ctx.body = stream
      } }],
    })`
  const { server, url } = await started(
    folderOf({
      'plugins/ticker.js': plugin,
      'config/plugins.json': JSON.stringify({ ticker: { resolve: './plugins/ticker.js' } }),
      'config/server.json': JSON.stringify({ shutdownDeadline: 600_000 }),
    }),
    {},
  )
  const response = await fetch(`${url}/api/ticks`)
  const [text, code] = await Promise.all([response.text(), server.stop()])
  assert.deepEqual([text, code], ['begun ended', 0])
})

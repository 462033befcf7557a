import { strict as assert } from 'node:assert'
import { stat } from 'node:fs'
import { connect } from 'node:net'
import { it } from 'vitest'
import { createTestApp } from '../../core/index.js'

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

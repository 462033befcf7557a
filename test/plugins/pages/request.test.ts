import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { errorMessageOf, isDone, send } from '../../../plugins/pages/page/request.js'

const types = { book: { attributes: { title: { type: 'string', required: true } } } }

async function served() {
  const app = await createTestApp({ types, config: { server: { host: '127.0.0.1', port: 0 } } })
  const { port } = await app.listen()
  onTestFinished(() => app.close())
  return { app, url: `http://127.0.0.1:${port}/api/books` }
}

describe('a request of a page', () => {
  it('sends JSON and reads the response as a whole', async () => {
    const { url } = await served()
    const reply = await send({ method: 'POST', url, body: { data: { title: 'Ink' } } })
    assert.deepEqual([reply.status, reply.method, isDone(reply)], [200, 'POST', true])
    assert.deepEqual(reply.body, JSON.parse(reply.text))
    assert.match(reply.headers.get('content-type') ?? '', /json/)
    assert.equal(errorMessageOf(reply), undefined)
  })

  it('gets errors as responses, with their messages', async () => {
    const { url } = await served()
    const reply = await send({ method: 'POST', url, body: { data: {} } })
    assert.deepEqual([reply.status, isDone(reply)], [400, false])
    assert.match(errorMessageOf(reply) ?? '', /title/)
  })

  it('gets the reason where there is no response', async () => {
    const { app, url } = await served()
    await app.close()
    const reply = await send({ url })
    assert.deepEqual([reply.status, reply.reason, reply.body, isDone(reply)], [0, 'No response', undefined, false])
    assert.notEqual(reply.text, '')
  })

  it('can be given up', async () => {
    const { url } = await served()
    assert.equal((await send({ url, signal: AbortSignal.abort() })).status, 0)
  })
})

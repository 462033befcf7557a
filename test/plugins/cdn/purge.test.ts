import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it, onTestFinished } from 'vitest'
import { definePlugin, type OutgoingSeen } from '../../../core/index.js'
import { cdn } from '../../../plugins/cdn/index.js'
import { events } from '../../../plugins/events/index.js'
import { type Api, start, type World } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'

interface ReceivedPurge {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that notes what it is sent, and answers as the test says. */
async function receiver(answer: () => { status: number; body?: string } = () => ({ status: 200 })) {
  const received: ReceivedPurge[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    received.push({ method, path: url, headers, body })
    const { status, body: text = '{"success":true}' } = answer()
    response.writeHead(status).end(text)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const take = () => received.splice(0)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, take }
}

const [article, author] = ['api::article.article', 'api::author.author']
const types = {
  article: {
    attributes: {
      name: { type: 'string' },
      author: { type: 'relation', relation: 'manyToOne', target: author },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
}
const sent: OutgoingSeen[] = []
const watching = definePlugin({ name: 'watching', observe: { outgoing: seen => void sent.push(seen) } })
const worldOf = (purge: readonly object[]): World => ({
  types,
  plugins: [events, [cdn, { purge } as never], watching],
})
const purge = (api: Pick<Api, 'app'>) => api.app.runJob('cdn/purge')

onEveryEngine('a purge', engine => {
  async function fresh(caches: readonly object[]): Promise<Api> {
    const api = await start(engine, worldOf(caches))
    onTestFinished(() => api.close())
    return api
  }

  it('names what has changed, once for all writes since the last one', async () => {
    const { url, take } = await receiver()
    const api = await fresh([{ to: 'fastly', url, id: 'S1', token: 'T' }])
    // The caches' content from before the plugin's first purge is unknown, so everything is purged.
    sent.length = 0
    await purge(api)
    const [{ ms = 0, ...seen } = {}, ...rest] = sent
    const about = { plugin: 'cdn', name: 'purge fastly', method: 'POST', origin: url, attempt: 1, status: 200 }
    assert.deepEqual([seen, rest, ms > 0], [about, [], true])
    assert.deepEqual(
      take().map(({ method, path }) => `${method} ${path}`),
      ['POST /service/S1/purge_all'],
    )
    await purge(api)
    assert.deepEqual(take(), [])
    const ann = await api.make('/authors', { name: 'Ann' })
    const id = await api.make('/articles', { name: 'Bread', author: ann })
    await api.put(`/articles/${id}`, { name: 'Rye' })
    await purge(api)
    const [only, ...more] = take()
    assert.deepEqual(more, [])
    assert.deepEqual([only?.method, only?.path, only?.headers['fastly-key']], ['POST', '/service/S1/purge', 'T'])
    assert.deepEqual(String(only?.headers['surrogate-key']).split(' '), [
      'many',
      author,
      `${author}:${ann}`,
      article,
      `${article}:${id}`,
    ])
    await api.delete(`/articles/${id}`)
    await purge(api)
    // An end of a relation that is gone is concerned, too.
    assert.deepEqual(String(take()[0]?.headers['surrogate-key']).split(' ').toSorted(), [
      article,
      `${article}:${id}`,
      author,
      `${author}:${ann}`,
      'many',
    ])
  })

  it('is repeated until the cache has taken it, and holds up no other cache', async () => {
    let status = 200
    const failing = await receiver(() => ({ status }))
    const other = await receiver()
    const api = await fresh([
      { to: 'fastly', url: failing.url, id: 'S1', token: 'T' },
      { to: 'varnish', url: other.url },
    ])
    await purge(api)
    for (const { take } of [failing, other]) take()
    const id = await api.make('/authors', { name: 'Ann' })
    status = 503
    for (const _ of [1, 2]) await assert.rejects(purge(api), /fastly S1 was not purged: it responded with 503/)
    assert.equal(failing.take().length, 2)
    const bans = other.take()
    assert.equal(bans.length, 1)
    assert.deepEqual(
      [bans[0]?.method, bans[0]?.headers['x-purge-keys']],
      ['PURGE', `(^|\\s)(many|api::author\\.author|api::author\\.author:${id})(\\s|$)`],
    )
    status = 200
    await purge(api)
    assert.match(String(failing.take()[0]?.headers['surrogate-key']), new RegExp(`${author}:${id}$`))
    assert.deepEqual(other.take(), [])
  })

  it('comes in as many requests as the cache takes keys, and drops everything after an import', async () => {
    const answer = { status: 200, body: '{"success":true}' }
    const { url, take } = await receiver(() => answer)
    const api = await fresh([{ to: 'cloudflare', url, id: 'Z', token: 'T' }])
    await purge(api)
    assert.deepEqual(
      take().map(({ path, headers, body }) => [path, headers.authorization, body]),
      [['/client/v4/zones/Z/purge_cache', 'Bearer T', '{"purge_everything":true}']],
    )
    for (let index = 0; index < 40; index += 1) await api.make('/authors', { name: `${index}` })
    await purge(api)
    const tags = take().map(({ body }) => JSON.parse(body).tags as string[])
    assert.deepEqual(
      tags.map(({ length }) => length),
      [30, 12],
    )
    assert.equal(new Set(tags.flat()).size, 42)
    const { service } = api.app.plugins.find(({ spec }) => spec.name === 'events') as unknown as { service: never }
    await (service as { imported(): Promise<void> }).imported()
    await purge(api)
    assert.deepEqual(
      take().map(({ body }) => body),
      ['{"purge_everything":true}'],
    )
    answer.body = '{"success":false}'
    await api.make('/authors', { name: 'last' })
    await assert.rejects(purge(api), /Cloudflare did not purge/)
  })
})

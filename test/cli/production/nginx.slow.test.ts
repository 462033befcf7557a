import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { events } from '../../../plugins/events/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { Stream } from '../../plugins/events/stream.js'
import { folderOf } from '../../support/terminal.js'
import { nginx, proxyOf } from './proxy.js'

/** Says who asks, as the server sees it. */
const mirror = definePlugin({
  name: 'mirror',
  routes: [
    { method: 'GET', path: '/mirror', action: null, run: ({ ctx }) => ({ ip: ctx.ip, protocol: ctx.protocol }) },
  ],
})

it.skipIf(!nginx)('nginx as in the example passes on uploads, the live feed and who asks', async () => {
  const folder = folderOf()
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [mirror, events, [upload, { folder }]],
    config: { server: { host: '127.0.0.1', port: 0, proxy: ['127.0.0.1'] } },
  })
  onTestFinished(() => app.close())
  const { url } = await proxyOf('nginx.conf', { '127.0.0.1:1337': (await app.listen()).port })

  const form = new FormData()
  form.append('files', new Blob([Buffer.alloc(20 * 1024 * 1024, 'stele ')], { type: 'text/plain' }), 'large.txt')
  const sent = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
  assert.equal(sent.status, 200, await sent.clone().text())
  const [file] = (await sent.json()) as { url: string; size: number }[]
  assert.equal(file?.size, 20971.52)
  const got = await fetch(`${url}${file?.url}`)
  assert.equal((await got.arrayBuffer()).byteLength, 20 * 1024 * 1024)

  const feed = await Stream.open(`${url}/api/events?types=note`)
  assert.equal(feed.status, 200)
  const made = await fetch(`${url}/api/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"data":{"text":"seen"}}',
  })
  assert.equal(made.status, 200)
  // The feed stays open: nginx has passed on what it has of it.
  const [message] = await feed.take(1)
  assert.equal(message?.data.event, 'entry.create')
  feed.response.destroy()

  // A client that names itself somebody else is still the one whose connection reaches nginx.
  const asked = request(`${url}/api/mirror`, {
    localAddress: '127.0.0.2',
    headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' },
  }).end()
  const [answer] = await once(asked, 'response')
  assert.deepEqual(JSON.parse(await text(answer)), { ip: '127.0.0.2', protocol: 'http' })
})

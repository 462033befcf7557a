import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe } from 'vitest'
import { attacks } from './attacked.js'

describe('what leaves the server', () => {
  const { attack } = attacks('outgoing')

  attack('no address in a request is asked for anything', async server => {
    let asked = 0
    const trap = createServer(socket => {
      asked += 1
      socket.destroy()
    })
    trap.listen(0, '127.0.0.1')
    await once(trap, 'listening')
    const { port } = trap.address() as { port: number }
    const url = `http://127.0.0.1:${port}/x.png`
    const svg = `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="${url}"/><use href="${url}#a"/></svg>`
    const xml = `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url}">]><svg>&x;</svg>`
    const headers = {
      ...{ referer: url, origin: url, host: `127.0.0.1:${port}`, 'x-forwarded-host': `127.0.0.1:${port}` },
      ...{ 'x-callback-url': url, 'x-original-url': url, link: `<${url}>; rel=preload`, via: url },
    }
    for (const place of [
      `/api/articles?url=${url}&callback=${url}&populate=*`,
      `/api/connect/google?callback=${url}`,
      `/api/connect/google/callback?code=x&state=x&iss=${url}`,
      `/api/auth/google/callback?access_token=${url}`,
      `/api/upload/files?url=${url}`,
      `/uploads/${encodeURIComponent(url)}`,
      url,
    ])
      await server.send('visitor', 'GET', place, { headers })
    for (const [path, body] of [
      ['/api/articles', { data: { title: url, body: `![x](${url})`, extra: { url, $ref: url }, cover: url } }],
      ['/api/upload', { url, files: url, fileInfo: { url } }],
      ['/api/i18n/locales', { code: 'it', name: url }],
      ['/api/users', { username: url, email: `x@127.0.0.1:${port}`, provider: url }],
      ['/api/auth/forgot-password', { email: 'bob@example.test', url }],
    ] as const)
      await server.write('fullToken', 'POST', path, body)
    for (const content of [svg, xml]) {
      const part = `Content-Disposition: form-data; name="files"; filename="a.svg"\r\nContent-Type: image/svg+xml`
      await server.send('editor', 'POST', '/api/upload', {
        body: `--x\r\n${part}\r\n\r\n${content}\r\n--x--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      })
    }
    assert.equal(asked, 0)
    trap.close()
  })
})

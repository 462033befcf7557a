import { strict as assert } from 'node:assert'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { encode, type Part, picture } from '../../plugins/upload/world.js'
import { type AttackedServer, attacks } from './attacked.js'
import type { Who } from './fill.js'

const send = (server: AttackedServer, who: Who, path: string, parts: readonly Part[], method = 'POST') => {
  const { body, type } = encode(parts)
  return server.send(who, method, path, { body, headers: { 'content-type': type } })
}
const script = '<script>alert(document.domain)</script>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`

/** Content that a browser could run, under every name and type that could make it do so. */
const active: readonly (readonly [says: string, name: string, mime: string, content: string])[] = [
  ['HTML', 'a.html', 'text/html', script],
  ['HTML under no type', 'a.html', 'application/octet-stream', script],
  ['HTML under the name of a picture', 'a.png', 'image/png', `<html>${script}`],
  ['HTML as plain text', 'a.txt', 'text/plain', `<!doctype html>${script}`],
  ['HTML with two extensions', 'a.png.html', 'image/png', script],
  ['HTML with a hidden extension', 'a.html.', 'text/html', script],
  ['HTML with an extension in capitals', 'a.HTML', 'TEXT/HTML', script],
  ['HTML with a blank behind it', 'a.html ', 'text/html ', script],
  ['HTML behind a comment', 'a.txt', 'text/plain', `<!-- x -->${script}`],
  ['HTML behind blanks', 'a.txt', 'text/plain', `\n\n   ${script}`],
  ['HTML in UTF-16', 'a.txt', 'text/plain', `\ufeff${script}`],
  ['XHTML', 'a.xhtml', 'application/xhtml+xml', `<html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
  ['XML with a style sheet', 'a.xml', 'text/xml', `<?xml version="1.0"?><?xml-stylesheet href="x"?><x/>`],
  ['SVG', 'a.svg', 'image/svg+xml', svg],
  ['SVG under the name of a picture', 'a.png', 'image/png', svg],
  ['SVG with entities', 'a.svg', 'image/svg+xml', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`],
  ['a script', 'a.js', 'text/javascript', 'alert(1)'],
  ['a module', 'a.mjs', 'text/plain', 'alert(1)'],
  ['a manifest', 'a.appcache', 'text/cache-manifest', 'CACHE MANIFEST'],
  ['PHP', 'a.php', 'application/x-httpd-php', '<?php system($_GET[0]);'],
  ['a page of a server', 'a.shtml', 'text/html', '<!--#exec cmd="id"-->'],
  ['a web archive', 'a.mht', 'message/rfc822', 'MIME-Version: 1.0\n\n<script>'],
  ['a Windows program', 'a.exe', 'image/png', 'MZ\u0000\u0000'],
  ['a type of a multipart answer', 'a.png', 'multipart/x-mixed-replace', script],
  ['a type with a line break', 'a.png', 'image/png\r\nX-Injected: 1', script],
]
const runs = /html|xml|javascript|ecmascript|x-httpd|cache-manifest|rfc822|mixed/

describe('files', () => {
  const { attack } = attacks('files')
  const stored = (server: AttackedServer) =>
    readdirSync(join(server.known.folder, 'uploads')).filter(name => name[0] !== '.')

  for (const [says, name, mime, content] of active)
    attack(`${says} is not taken, or served so that no browser runs it`, async server => {
      for (const path of ['/api/upload', '/api/upload?id=1']) {
        const { status, body } = await send(server, 'editor', path, [['files', name, mime, content]])
        assert.ok(status === 200 || (status >= 400 && status < 500))
        if (status !== 200) continue
        const { url } = [body].flat()[0]
        const { headers } = await server.get('visitor', url)
        const type = String(headers['content-type'])
        assert.equal(headers['x-content-type-options'], 'nosniff', type)
        assert.equal(headers['x-injected'], undefined)
        if (runs.test(type)) {
          assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/, type)
          assert.match(String(headers['content-disposition']), /^attachment/, type)
        }
      }
    })

  const names = [
    '../../../etc/passwd',
    '..\\..\\boot.ini',
    '/etc/passwd',
    'C:\\x.txt',
    '..',
    '.',
    '.htaccess',
    'x\u0000.txt',
    '%2e%2e%2fx.txt',
    '..%c0%af..%c0%afx.txt',
    'x'.repeat(5000),
    'con',
    '\u202egnp.txt',
    'a\r\nContent-Type: text/html',
    '"; filename="b.txt',
    '<img src=x onerror=alert(1)>.txt',
    '{{7*7}}.txt',
    '$(id).txt',
    '|id.txt',
  ]
  for (const name of names)
    attack(`a file named ${JSON.stringify(name).slice(0, 60)} stays in its folder`, async server => {
      const quoted = name.replace(/"/g, '%22').replace(/[\r\n]/g, '')
      const { status, body } = await send(server, 'editor', '/api/upload', [['files', quoted, 'text/plain', 'a text']])
      assert.equal(status, 200, JSON.stringify(body))
      const [{ url, hash, ext }] = body
      assert.match(url, /^\/uploads\/[A-Za-z0-9_]+(\.[A-Za-z0-9]+)?$/)
      assert.ok(stored(server).includes(`${hash}${ext}`))
      assert.equal((await server.get('visitor', url)).status, 200)
      assert.ok(!existsSync(join(server.known.folder, 'passwd')))
    })

  const ways = [
    '..',
    '.',
    '../data.db',
    '..%2fdata.db',
    '%2e%2e%2fdata.db',
    '%2e%2e/data.db',
    '..%5cdata.db',
    '..\\data.db',
    '%252e%252e%252fdata.db',
    '..%c0%afdata.db',
    '..%ef%bc%8fdata.db',
    '....//data.db',
    './../data.db',
    '%00',
    'x%00.txt',
    '%2fetc%2fpasswd',
    '/etc/passwd',
    'file:///etc/passwd',
    '.incoming',
    '.incoming/x',
    '%2eincoming',
    '~root',
    '%0d%0aX-Injected:%201',
    '%',
    '%zz',
    '%E0%A4%A',
    'x'.repeat(9000),
  ]
  for (const way of ways)
    attack(`no path leads out of the folder: ${way.slice(0, 40)}`, async server => {
      for (const path of [`/uploads/${way}`, `/uploads//${way}`, `/api/../uploads/${way}`, `/UPLOADS/${way}`]) {
        const { status, headers, text } = await server.get('visitor', path)
        assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
        assert.equal(headers['x-injected'], undefined)
        assert.doesNotMatch(text, /SQLite format|root:x/)
      }
    })

  attack('ranges of a file that it does not have are refused, and many are no burden', async server => {
    const { body } = await send(server, 'editor', '/api/upload', [
      ['files', 'range.txt', 'text/plain', 'x'.repeat(1000)],
    ])
    for (const range of [
      'bytes=1001-',
      'bytes=-0',
      'bytes=5-1',
      'bytes=99999999999999999999-',
      'bytes=a-b',
      `bytes=${'0-,'.repeat(2000)}0-`,
      `bytes=${Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join()}`,
      'lines=1-2',
      '\u00e4',
    ]) {
      const { status, text } = await server.send('visitor', 'GET', body[0].url, { headers: { range } })
      assert.ok([200, 206, 416].includes(status), `${range.slice(0, 30)}: ${status}`)
      assert.ok(text.length < 100_000)
    }
  })

  attack('a file is changed only by who may also delete it', async server => {
    const { body } = await send(server, 'editor', '/api/upload', [['files', 'first.txt', 'text/plain', 'the first']])
    const path = `/api/upload?id=${body[0].id}`
    for (const who of ['alice', 'visitor', 'customToken', 'readToken'] as const) {
      assert.equal((await send(server, who, path, [['files', 'b.txt', 'text/plain', 'changed']])).status, 403)
      assert.equal((await server.write(who, 'POST', path, { fileInfo: { name: 'changed' } })).status, 403)
    }
    assert.equal((await server.get('visitor', body[0].url)).text, 'the first')
    assert.equal((await send(server, 'editor', path, [['files', 'b.txt', 'text/plain', 'changed']])).status, 200)
    for (const id of [
      'x',
      '-1',
      '0',
      '1e3',
      '1;drop%20table%20files',
      '99999999999999999999',
      '[1]',
      'null',
      '__proto__',
    ])
      assert.equal((await send(server, 'editor', `/api/upload?id=${id}`, [['fileInfo', '{}']])).status, 404, id)
  })

  attack('files come to no entry that the caller may not change, and nobody is told which there are', async server => {
    const addTo = async (who: Who, ref: string, refId: string, field: string) => {
      const parts: Part[] = [
        ['ref', ref],
        ['refId', refId],
        ['field', field],
        ['files', 'a.txt', 'text/plain', 'a text'],
      ]
      const { status, body } = await send(server, who, '/api/upload', parts)
      return `${status} ${body.error?.message ?? ''}`.replace(/\d+$/, 'N')
    }
    const before = stored(server).length
    const { memoOfBob } = server.known.ids
    assert.equal(
      await addTo('alice', 'api::memo.memo', String(memoOfBob), 'scan'),
      await addTo('alice', 'api::memo.memo', '999', 'scan'),
    )
    assert.match(await addTo('alice', 'api::vault.vault', '1', 'code'), /^(400|403)/)
    for (const ref of [
      '__proto__',
      'constructor',
      'admin::user',
      'plugin::users-permissions.user',
      'shared.slide',
      '',
      '%',
    ])
      assert.match(await addTo('alice', ref, '1', 'image'), /^(400|403)/, ref)
    for (const field of ['__proto__', 'title', 'secretNote', 'owner', ''])
      assert.match(await addTo('alice', 'api::article.article', '1', field), /^400/, field)
    for (const refId of ['0', '-1', 'x', '1 or 1=1', '99999999999999999999', '[object Object]', ''])
      assert.match(await addTo('editor', 'api::article.article', refId, 'cover'), /^400/, refId)
    assert.equal(stored(server).length, before)
  })

  attack('routes that take no files refuse them before they are stored', async server => {
    const content = Buffer.alloc(20_000_000, 'x')
    for (const path of [
      '/api/auth/local',
      '/api/auth/refresh',
      '/api/auth/local/register',
      '/api/auth/forgot-password',
    ]) {
      const { status } = await send(server, 'visitor', path, [['files', 'a.txt', 'text/plain', content]])
      assert.equal(status, 400, path)
    }
    const data: Part = ['data', '{"text":"x"}']
    const { status } = await send(server, 'visitor', '/api/messages', [data, ['files', 'a', 'text/plain', content]])
    assert.ok(status === 400 || status === 413)
    assert.deepEqual(readdirSync(join(server.known.folder, 'uploads', '.incoming')), [])
  })

  attack('pictures that unpack to too much, or are broken, end no decoder for others', async server => {
    const good = await picture(20, 20)
    const broken = [good.subarray(0, 40), Buffer.concat([good.subarray(0, 60), Buffer.alloc(2000, 1)])]
    const huge = Buffer.from(good)
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    for (const content of [...broken, huge]) {
      const { status } = await send(server, 'editor', '/api/upload', [['files', 'a.png', 'image/png', content]])
      assert.ok(status === 200 || status === 400)
    }
    const { status } = await send(server, 'editor', '/api/upload', [['files', 'a.png', 'image/png', good]])
    assert.equal(status, 200)
  })
})

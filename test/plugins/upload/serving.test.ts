import { strict as assert } from 'node:assert'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, it } from 'vitest'
import { refused } from '../../support/contract.js'
import { anyEngine, serveUploads } from './world.js'

describe('GET /uploads/<file>', () => {
  const world = serveUploads(anyEngine, { rest: { dialect: 'strapi4', public: [] } })
  const text = 'abcdefghijklmnopqrstuvwxyz'
  beforeAll(() => {
    const put = (name: string, content = text) => writeFileSync(path.join(world.folder, name), content)
    for (const name of [
      'plain_0123456789.txt',
      'page.html',
      'page.HTM',
      'drawing.svg',
      'feed.xml',
      'page.xhtml',
      'code.js',
    ])
      put(name)
    for (const name of ['photo.jpg', 'film.mp4', 'paper.pdf', 'data.json', 'noext', 'thing.unknown', '.env', 'ä b.txt'])
      put(name)
    mkdirSync(path.join(world.folder, 'inner'), { recursive: true })
    put('inner/deep.txt')
    writeFileSync(path.join(world.folder, '..', 'outside.txt'), 'secret')
    symlinkSync(path.join(world.folder, 'inner'), path.join(world.folder, 'link'))
  })
  const get = (name: string, headers?: Record<string, string>) => world.fetch(`/uploads/${name}`, headers)

  it('needs no permission and answers the bytes, with an ETag and how long they may be kept', async () => {
    const { status, headers, text: body } = await get('plain_0123456789.txt')
    assert.deepEqual([status, body], [200, text])
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(headers['content-length'], '26')
    assert.equal(headers['accept-ranges'], 'bytes')
    assert.equal(headers['cache-control'], 'public, max-age=60')
    assert.match(headers.etag ?? '', /^W\/"/)
    assert.ok(headers['last-modified'])
    assert.ok(headers['x-request-id'])
  })

  it('answers 304 to a client that has it already', async () => {
    const { headers } = await get('plain_0123456789.txt')
    for (const [name, value = ''] of [
      ['if-none-match', headers.etag],
      ['if-modified-since', headers['last-modified']],
    ] as const) {
      const answer = await get('plain_0123456789.txt', { [name]: value })
      assert.deepEqual([answer.status, answer.text], [304, ''])
    }
    assert.equal((await get('plain_0123456789.txt', { 'if-none-match': '"other"' })).status, 200)
    refused(await get('plain_0123456789.txt', { 'if-match': '"other"' }), { status: 412 })
  })

  for (const [range, part, says] of [
    ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
    ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 'xyz', 'bytes 23-25/26'],
    ['bytes=20-999', 'uvwxyz', 'bytes 20-25/26'],
  ] as const)
    it(`answers ${range} with that part`, async () => {
      const { status, headers, text: body } = await get('plain_0123456789.txt', { range })
      assert.deepEqual([status, body, headers['content-range']], [206, part, says])
    })

  it('answers 416 to a range behind the end, and the whole to one that is none', async () => {
    const answer = await get('plain_0123456789.txt', { range: 'bytes=26-' })
    refused(answer, { status: 416 })
    assert.equal(answer.headers['content-range'], 'bytes */26')
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    for (const range of ['bytes=x', 'lines=1-2', 'bytes=5-2', `bytes=${'0-0,'.repeat(500)}0-0`])
      assert.ok([200, 206, 416].includes((await get('plain_0123456789.txt', { range })).status))
  })

  it('answers HEAD without the bytes, and no other method', async () => {
    const { status, headers, text: body } = await world.fetch('/uploads/plain_0123456789.txt', {}, 'HEAD')
    assert.deepEqual([status, headers['content-length'], body], [200, '26', ''])
    assert.equal((await world.fetch('/uploads/plain_0123456789.txt', {}, 'DELETE')).status, 405)
    assert.equal((await world.fetch('/uploads/plain_0123456789.txt', {}, 'PUT')).status, 405)
  })

  for (const name of [
    'page.html',
    'page.HTM',
    'drawing.svg',
    'feed.xml',
    'page.xhtml',
    'code.js',
    'data.json',
    'noext',
    'thing.unknown',
  ])
    it(`sends ${name} as an attachment that can do nothing`, async () => {
      const { status, headers } = await get(name)
      assert.equal(status, 200)
      assert.equal(headers['content-disposition'], 'attachment')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox")
    })

  for (const name of ['photo.jpg', 'film.mp4', 'paper.pdf', 'plain_0123456789.txt'])
    it(`lets browsers show ${name}, as what it is called`, async () => {
      const { headers } = await get(name)
      assert.equal(headers['content-disposition'], undefined)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none';/)
      assert.doesNotMatch(headers['content-security-policy'] ?? '', /script-src/)
    })

  it('finds a name with spaces and letters beyond ASCII', async () => {
    assert.equal((await get(encodeURIComponent('ä b.txt'))).text, text)
  })

  for (const name of [
    'nosuch.txt',
    '.env',
    '%2eenv',
    '.incoming',
    'inner',
    'inner/deep.txt',
    'inner%2fdeep.txt',
    'link',
    'link%2fdeep.txt',
    '..%2foutside.txt',
    '%2e%2e%2foutside.txt',
    '..%5coutside.txt',
    '%2e%2e',
    'plain_0123456789.txt%00.png',
    'plain_0123456789.txt%2f',
    '%252e%252e%252foutside.txt',
    'a'.repeat(5000),
    '',
  ])
    it(`has nothing under ${JSON.stringify(name.slice(0, 40))}`, async () => {
      const answer = await get(name)
      refused(answer, { status: 404, name: 'NotFoundError' })
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(answer.headers['content-disposition'], undefined)
      assert.doesNotMatch(answer.text, /secret|ENOENT|tmp/)
    })

  it('refuses an address that cannot be decoded', async () => {
    refused(await get('%ff%fe.txt'), { status: 400 })
  })
})

import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import sharp from 'sharp'
import { beforeAll, describe, it, onTestFinished } from 'vitest'
import { VariantCache } from '../../../plugins/upload/variants/cache.js'
import { signatureOf } from '../../../plugins/upload/variants/wish.js'
import { refused } from '../../support/contract.js'
import { anyEngine, serveUploads, startUploads, temporaryFolder, type UploadWorld } from './world.js'

const secret = 'only the front end knows'
const variants = { sizes: ['200', 'x100', '100x100', '300x100', '3000'], qualities: [40], secret }

/** Four quarters: red and green above, blue and white below. */
async function quarters(width = 800, height = 400): Promise<Buffer> {
  const part = { width: width / 2, height: height / 2, channels: 3 as const }
  const inputs = await Promise.all(
    (['#f00', '#0f0', '#00f', '#fff'] as const).map(async (background, index) => ({
      input: await sharp({ create: { ...part, background } })
        .png()
        .toBuffer(),
      left: (index % 2) * part.width,
      top: Math.floor(index / 2) * part.height,
    })),
  )
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite(inputs)
    .png()
    .toBuffer()
}

/** The colour of a picture that has one, as near as a lossy format keeps it. */
async function colourOf(bytes: Buffer): Promise<string> {
  const { channels } = await sharp(bytes).stats()
  return channels
    .slice(0, 3)
    .map(({ mean }) => (mean > 200 ? 'f' : mean < 55 ? '0' : '?'))
    .join('')
}

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata()
  return [width, height, format]
}

const send = async (world: UploadWorld, name: string, mime: string, content: Buffer | string, more: object = {}) => {
  const info = JSON.stringify({ name, ...more })
  const answer = await world.form('/upload', [
    ['files', name, mime, content],
    ['fileInfo', info],
  ])
  assert.equal(answer.status, 200, answer.text)
  return answer.body[0]
}

describe('pictures in other sizes and formats', () => {
  const world = serveUploads(anyEngine, { settings: { variants } })
  const made = () => readdirSync(path.join(world.folder, '.variants')).sort()
  let url = ''
  let name = ''
  beforeAll(async () => {
    const file = await send(world, 'quarters.png', 'image/png', await quarters())
    url = file.url
    name = path.basename(url)
  })
  const get = async (query: string, address = url) => {
    const answer = await world.fetch(`${address}?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const signed = (query: string) => `${query}&signature=${signatureOf(name, new URLSearchParams(query), secret)}`

  it('have the side that is asked for, and the other one follows', async () => {
    assert.deepEqual(await sizeOf((await get('width=200')).bytes), [200, 100, 'png'])
    assert.deepEqual(await sizeOf((await get('height=100')).bytes), [200, 100, 'png'])
  })

  it('have the format and the quality that are asked for', async () => {
    const { bytes, headers } = await get('width=200&format=webp')
    assert.deepEqual(await sizeOf(bytes), [200, 100, 'webp'])
    assert.equal(headers['content-type'], 'image/webp')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.deepEqual(await sizeOf((await get('format=avif&quality=40')).bytes), [800, 400, 'heif'])
  })

  it('are cut in the middle, or around what should stay in it', async () => {
    assert.deepEqual(await sizeOf((await get('width=300&height=100')).bytes), [300, 100, 'png'])
    for (const [x, y, colour] of [
      [0, 0, 'f00'],
      [0.9, 0.1, '0f0'],
      [0.2, 1, '00f'],
      [1, 1, 'fff'],
    ] as const) {
      const query = signed(`width=100&height=50&focalX=${x}&focalY=${y}`)
      assert.deepEqual(await sizeOf((await get(query)).bytes), [100, 50, 'png'])
      // A cut to the shape of the picture keeps all of it: only another shape has to choose.
      const { bytes } = await get(`width=100&height=100&focalX=${x}&focalY=${y}`)
      const half = await sharp(bytes)
        .extract({ left: x < 0.5 ? 0 : 60, top: y < 0.5 ? 0 : 60, width: 40, height: 40 })
        .toBuffer()
      assert.equal(await colourOf(half), colour, `${x} ${y}`)
    }
  })

  it('are fitted into a box, with and without what is left of it', async () => {
    assert.deepEqual(await sizeOf((await get('width=100&height=100&fit=inside')).bytes), [100, 50, 'png'])
    const { bytes } = await get('width=100&height=100&fit=contain')
    assert.deepEqual(await sizeOf(bytes), [100, 100, 'png'])
    const above = await sharp(bytes).extract({ left: 0, top: 0, width: 100, height: 20 }).toBuffer()
    const { channels } = await sharp(above).stats()
    assert.equal(channels[3]?.max, 0, 'what is left is clear')
  })

  it('are never larger than the picture', async () => {
    assert.deepEqual(await sizeOf((await get('width=3000')).bytes), [800, 400, 'png'])
    assert.deepEqual(await sizeOf((await get(signed('width=3000&height=3000'))).bytes), [400, 400, 'png'])
  })

  it('stand as the camera was held', async () => {
    const content = await sharp(await quarters())
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const turned = await send(world, 'turned.jpg', 'image/jpeg', content)
    const { bytes } = await get('width=200', turned.url)
    assert.deepEqual(await sizeOf(bytes), [200, 400, 'jpeg'])
    assert.equal(
      await colourOf(await sharp(bytes).extract({ left: 0, top: 0, width: 80, height: 80 }).toBuffer()),
      '00f',
    )
    assert.equal((await sharp(bytes).metadata()).orientation ?? 1, 1)
  })

  it('are made once, however many ask, and kept', async () => {
    const before = made().length
    const query = signed('width=123')
    const answers = await Promise.all(Array.from({ length: 12 }, () => get(query)))
    assert.equal(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size, 1)
    assert.equal(made().length, before + 1)
    await get(query)
    assert.equal(made().length, before + 1)
    await world.settled()
  })

  it('are cached as files are, and for a year where the address changes with the file', async () => {
    const { headers } = await get('width=200')
    assert.equal(headers['cache-control'], 'public, max-age=60')
    assert.equal((await get('width=200&v=2024-01-01')).headers['cache-control'], 'public, max-age=31536000, immutable')
    const again = await world.fetch(`${url}?width=200`, { 'if-none-match': String(headers.etag) })
    assert.equal(again.status, 304)
    assert.equal((await world.fetch(`${url}?width=200`, {}, 'HEAD')).bytes.length, 0)
  })

  it('are those of the new content once a file is replaced', async () => {
    const file = await send(world, 'changing.png', 'image/png', await quarters())
    const first = await get('width=200', file.url)
    const other = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#00f' } })
      .png()
      .toBuffer()
    await world.form(`/upload?id=${file.id}`, [['files', 'changing.png', 'image/png', other]])
    const second = await get('width=200', file.url)
    assert.notDeepEqual(first.bytes, second.bytes)
    assert.deepEqual(await sizeOf(second.bytes), [200, 200, 'png'])
  })

  it('are refused where neither the settings nor a signature allow them, with the parameter at fault', async () => {
    const asked = (query: string, address = url) => world.fetch(`${address}?${query}`)
    for (const [query, parameter, message] of [
      ['width=201', 'width', /size 201 is not one .*200, x100, 100x100/],
      ['width=200&height=7', 'width', /size 200x7/],
      ['height=101', 'height', /size x101/],
      ['width=200&format=jpeg', 'format', /format jpeg is not one .*webp, avif/],
      ['width=200&quality=41', 'quality', /quality 41 is not one/],
      ['width=100&height=100&focalX=0.55', 'focalX', /tenths/],
      ['width=100&height=100&focalY=0.55', 'focalY', /tenths/],
      ['width=0', 'width', /from 1 to 4096/],
      ['width=5000', 'width', /from 1 to 4096/],
      ['width=abc', 'width', /from 1 to 4096/],
      ...['0200', '200.0', '2e2', '0xc8', '0b11001000', '+200', ' 200', '200 ', '\u0662\u0660\u0660'].map(
        text => [`width=${encodeURIComponent(text)}`, 'width', /whole number .* without leading zeros/] as const,
      ),
      ['width=200&quality=080', 'quality', /from 1 to 100/],
      ['quality=101', 'quality', /from 1 to 100/],
      ['fit=fill', 'fit', /takes cover, contain, inside/],
      ['format=gif', 'format', /takes webp, avif, jpeg, png/],
      ['width=200&focalX=2', 'focalX', /from 0 to 1/],
      ['width=200&wdith=1', 'wdith', /there are width, height/],
      ['width=200&width=100', 'width', /more than once/],
    ] as const)
      refused(await asked(query), { status: 400, parameter, message })
    const good = new URLSearchParams(signed('width=201'))
    assert.deepEqual(await sizeOf((await get(`${good}`)).bytes), [201, 100, 'png'])
    for (const query of [`${good}`.replace('201', '202'), 'width=201&signature=', 'width=201&signature=abc'])
      refused(await asked(query), { status: 403, message: /signature does not fit/ })
  })

  it('are there of pictures only, and of those that are there', async () => {
    const text = await send(world, 'a.txt', 'text/plain', 'text')
    refused(await world.fetch(`${text.url}?width=200`), { status: 400, message: /has no variants/ })
    assert.equal((await world.fetch('/uploads/none.png?width=200')).status, 404)
    assert.equal((await world.fetch('/uploads/..%2fa.png?width=200')).status, 404)
    writeFileSync(path.join(world.folder, 'broken.png'), 'no picture')
    refused(await world.fetch('/uploads/broken.png?width=200'), { status: 400, message: /cannot be read as a picture/ })
    await world.settled()
  })

  it('leave the file itself and its names in caches alone', async () => {
    const whole = await world.fetch(url)
    for (const query of ['v=2', 't=123', 'updated=2024']) assert.deepEqual((await get(query)).bytes, whole.bytes)
  })

  it('know where the middle of a picture is, if its file says so', async () => {
    const file = await send(world, 'b.png', 'image/png', await quarters(), { focalX: 0.2, focalY: 1 })
    assert.deepEqual(file.provider_metadata, { focalX: 0.2, focalY: 1 })
    const changed = await world.form(`/upload?id=${file.id}`, [['fileInfo', '{ "focalX": 0.5 }']])
    assert.deepEqual(changed.body.provider_metadata, { focalX: 0.5, focalY: 1 })
    const wrong = await world.form(`/upload?id=${file.id}`, [['fileInfo', '{ "focalX": 2 }']])
    refused(wrong, { status: 400, message: /focalX must be a number from 0 to 1/ })
  })
})

describe('the page about variants', () => {
  it('signs addresses as the server does', () => {
    const page = readFileSync(path.join(import.meta.dirname, '../../../plugins/upload/README.md'), 'utf8')
    const [, code = ''] = /```js\nimport \{ createHmac \} from 'node:crypto'\n([^`]+`[\s\S]+?)\n```/.exec(page) ?? []
    const sign = new Function('createHmac', `${code}\nreturn pictureAddress`)(createHmac)
    const address = new URL(sign('a.png', { width: 300, focalX: 0.25, format: 'webp' }, 'secret'), 'http://localhost')
    const given = address.searchParams.get('signature')
    assert.equal(given, signatureOf('a.png', address.searchParams, 'secret'))
  })
})

describe('pictures without the setting', () => {
  const world = serveUploads(anyEngine)
  it('are given as they are, whatever the query says', async () => {
    const file = await send(world, 'a.png', 'image/png', await quarters())
    assert.deepEqual(await sizeOf((await world.fetch(`${file.url}?width=200`)).bytes), [800, 400, 'png'])
  })
})

describe('settings of variants', () => {
  it('are checked at the start', async () => {
    for (const [settings, message] of [
      [{ variants: { sizes: ['12y'] } }, /variants.sizes: "12y" is no size/],
      [{ variants: { sizes: ['x'] } }, /is no size/],
      [{ variants: { sizes: ['5000'] } }, /is no size/],
      [{ variants: { formats: ['bmp'] } }, /formats/],
      [{ variants: { size: [] } }, /size/],
    ] as const)
      await assert.rejects(startUploads(anyEngine, { settings }), message)
  })
})

describe('pictures in a bucket', () => {
  it('have variants under the address of this server, unless the bucket is private', async () => {
    const directory = temporaryFolder()
    const configureBuckets = [{ name: 'media', configs: [] }]
    const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets })
    const endpoint = `http://127.0.0.1:${(await server.run()).port}`
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const settings = (params: object) => ({
      variants,
      provider: 'aws-s3',
      providerOptions: { s3Options: { credentials, endpoint, params: { Bucket: 'media', ...params } } },
    })
    const world = await startUploads(anyEngine, { settings: settings({}) })
    onTestFinished(async () => {
      await world.close()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    })
    const { hash } = await send(world, 'quarters.png', 'image/png', await quarters())
    const { bytes } = await world.fetch(`/uploads/${hash}.png?width=200&format=webp`)
    assert.deepEqual(await sizeOf(bytes), [200, 100, 'webp'])
    assert.equal((await world.fetch('/uploads/none.png?width=200')).status, 404)
    await assert.rejects(startUploads(anyEngine, { settings: settings({ ACL: 'private' }) }), /keeps private/)
  })
})

describe('the cache of variants', () => {
  it('lets the oldest go when it is full', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'stele-variants-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const cache = new VariantCache(path.join(folder, 'kept'), 1000)
    mkdirSync(path.join(folder, 'new'))
    for (let index = 0; index < 12; index += 1) {
      const file = path.join(folder, 'new', String(index))
      writeFileSync(file, Buffer.alloc(100))
      utimesSync(file, index, index)
      await cache.take(`${index}`, file, 100)
    }
    const kept = readdirSync(cache.folder).map(Number)
    assert.ok(kept.length <= 10 && kept.length >= 8, kept.join())
    assert.deepEqual([kept.includes(11), kept.includes(0)], [true, false])
    assert.equal(await cache.has('11'), true)
    assert.equal(await cache.has('0'), false)
    assert.equal(readFileSync(path.join(cache.folder, '11')).length, 100)
  })
})

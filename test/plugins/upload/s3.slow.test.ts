import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { refused } from '../../support/contract.js'
import { anyEngine, type Part, picture, startUploads, temporaryFolder, type UploadWorld } from './world.js'

/** A server that checks the signature of every request, on a folder of its own. */
describe('a storage that speaks S3', () => {
  const directory = temporaryFolder()
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'media', configs: [] }],
  })
  let endpoint = ''
  let world: UploadWorld
  const settings = (
    more: Record<string, unknown> = {},
    credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  ) => ({
    provider: 'aws-s3',
    providerOptions: {
      rootPath: 'site/files',
      ...more,
      s3Options: { credentials, endpoint, params: { Bucket: 'media' } },
    },
  })
  beforeAll(async () => {
    endpoint = `http://127.0.0.1:${(await server.run()).port}`
    world = await startUploads(anyEngine, { settings: settings() })
  })
  afterAll(async () => {
    await world.close()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const file = (name: string, mime: string, content: Buffer | string): Part => ['files', name, mime, content]

  it('takes a file and its formats, under a prefix, as what they are', async () => {
    const photo = await picture(600, 400)
    const [{ url, hash, provider, formats, mime }] = (
      await world.form('/upload', [file('photo.png', 'image/png', photo)])
    ).body
    assert.equal(url, `${endpoint}/media/site/files/${hash}.png`)
    assert.deepEqual([provider, mime], ['aws-s3', 'image/png'])
    for (const address of [url, formats.thumbnail.url, formats.small.url]) {
      const answer = await fetch(address)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'image/png')
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=60')
      assert.equal(answer.headers.get('content-disposition'), null)
    }
    await world.settled()
    assert.deepEqual(world.stored(), [], 'nothing stays on this machine')
  })

  it('keeps what browsers could run as an attachment', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    const [{ url }] = (await world.form('/upload', [file('a.svg', 'image/svg+xml', svg)])).body
    assert.equal((await fetch(url)).headers.get('content-disposition'), 'attachment')
  })

  it('gets a large file in parts, and has it whole', async () => {
    const content = Buffer.alloc(20 * 2 ** 20 + 123, 'stele ')
    const [{ url }] = (await world.form('/upload', [file('large.txt', 'text/plain', content)])).body
    const answer = await fetch(url)
    assert.equal(answer.headers.get('content-type'), 'text/plain')
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(content))
  })

  it('takes another content for a file, and loses a deleted one with its formats', async () => {
    const [made] = (await world.form('/upload', [file('a.png', 'image/png', await picture(600, 400))])).body
    const next = (await world.form(`/upload?id=${made.id}`, [file('b.png', 'image/png', await picture(300, 200))])).body
    assert.equal(next.url, made.url)
    assert.equal((await fetch(made.formats.small.url)).status, 404)
    assert.equal((await world.send('DELETE', `/upload/files/${made.id}`)).status, 200)
    for (const address of [made.url, made.formats.thumbnail.url]) assert.equal((await fetch(address)).status, 404)
    await world.settled()
  })

  it('has nothing of an entry that was refused', async () => {
    const before = await objects(endpoint)
    const parts: Part[] = [
      ['data', '{"title":null}'],
      ['files.cover', 'a.png', 'image/png', await picture(300, 200)],
    ]
    refused(await world.form('/articles', parts), { status: 400 })
    await world.settled()
    assert.deepEqual(await objects(endpoint), before)
  })

  it('that answers elsewhere to readers has that address in the table', async () => {
    const other = await startUploads(anyEngine, { settings: settings({ baseUrl: 'https://cdn.example.com/' }) })
    const [{ url, hash }] = (await other.form('/upload', [file('a.txt', 'text/plain', 'x')])).body
    assert.equal(url, `https://cdn.example.com/site/files/${hash}.txt`)
    await other.close()
  })

  it('that refuses the signature, or does not answer, is 503, and nothing is kept', async () => {
    const wrong = settings({}, { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' })
    const nobody = {
      ...settings(),
      providerOptions: { s3Options: { ...settings().providerOptions.s3Options, endpoint: 'http://127.0.0.1:9' } },
    }
    for (const broken of [wrong, nobody]) {
      const other = await startUploads(anyEngine, { settings: broken })
      const answer = await other.form('/upload', [file('a.txt', 'text/plain', 'x')])
      refused(answer, { status: 503 })
      assert.equal(answer.headers['retry-after'], '1')
      assert.doesNotMatch(answer.text, /Signature|S3RVER|127\.0\.0\.1|ECONN/)
      assert.equal(await other.count('files'), 0)
      assert.deepEqual(other.arriving(), [])
      await other.close()
    }
  })
})

describe('settings of storages', () => {
  const boot = (config: Record<string, unknown>) =>
    createTestApp({ types: {}, plugins: [[upload, { folder: temporaryFolder(), ...config }]] })
  const says = async (config: Record<string, unknown>, message: RegExp) => assert.rejects(boot(config), { message })

  it('that cannot work stop the start with a sentence', async () => {
    await says({ provider: 'cloudinary' }, /provider "cloudinary" is not known; there are local, aws-s3/)
    await says({ provider: 'aws-s3' }, /s3Options\.params\.Bucket is missing/)
    await says(
      { provider: 'aws-s3', providerOptions: { params: { Bucket: 'x' } } },
      /credentials\.accessKeyId is missing/,
    )
    await says({ breakpoints: { huge: 100_000 } }, /breakpoints\.huge/)
    await says({ breakpoints: { '../x': 10 } }, /breakpoints/)
    await says({ sizeLimit: 0 }, /sizeLimit/)
    await says({ sizelimit: 1 }, /sizelimit is not a setting/)
  })

  it('of an older project are understood in both of their shapes', async () => {
    const keys = { accessKeyId: 'a', secretAccessKey: 'b' }
    for (const options of [
      { ...keys, region: 'eu-west-1', params: { Bucket: 'x', ACL: 'private', signedUrlExpires: 900 } },
      {
        baseUrl: 'https://cdn',
        rootPath: 'a',
        s3Options: { credentials: keys, region: 'eu-west-1', params: { Bucket: 'x' } },
      },
    ]) {
      const actionOptions = { upload: {}, uploadStream: {}, delete: {} }
      const app = await boot({ provider: 'aws-s3', providerOptions: options, actionOptions, sizeLimit: 1000 })
      await app.close()
    }
    const app = await boot({
      providerOptions: { localServer: { maxage: 300_000 }, sizeLimit: 5 },
      breakpoints: { xlarge: 1920 },
    })
    await app.close()
  })
})

async function objects(endpoint: string): Promise<string[]> {
  const text = await (await fetch(`${endpoint}/media?max-keys=1000`)).text()
  return [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key)
}

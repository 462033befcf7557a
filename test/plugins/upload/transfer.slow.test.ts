import { strict as assert } from 'node:assert'
import { rmSync } from 'node:fs'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { ArchivePart } from '../../../core/plugin/parts.js'
import { transferHost } from '../../../core/tools/transfer/host.js'
import { anyEngine, picture, startUploads, temporaryFolder, type UploadWorld } from './world.js'

describe('files that move from one storage to another', () => {
  const directory = temporaryFolder()
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'media', configs: [] }],
  })
  let local: UploadWorld
  let remote: UploadWorld
  beforeAll(async () => {
    const endpoint = `http://127.0.0.1:${(await server.run()).port}`
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
    const providerOptions = { s3Options: { credentials, endpoint, params: { Bucket: 'media' } } }
    local = await startUploads(anyEngine)
    remote = await startUploads(anyEngine, { settings: { provider: 'aws-s3', providerOptions } })
  })
  afterAll(async () => {
    await local.close()
    await remote.close()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ofUpload = ({ app }: UploadWorld) => transferHost(app).plugins.find(({ name }) => name === 'upload')
  async function partsOf(world: UploadWorld): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>()
    for await (const { name, content } of ofUpload(world)?.export?.(world.app.store.reader) ?? [])
      found.set(name, Buffer.concat(await all(content)))
    return found
  }
  async function all(content: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    return parts
  }
  async function* bytes(content: Buffer): ArchivePart['content'] {
    yield content
  }
  const rowOf = async ({ app }: UploadWorld) => (await app.entries('plugin::upload.file').find({ limit: 1 }))[0]
  const copyRow = async (from: UploadWorld, to: UploadWorld) => {
    await to.app.store.transaction(async session => void (await session.run('delete from files', [])))
    const { id: _, ...row } = (await rowOf(from)) as Record<string, unknown>
    await to.app.entries('plugin::upload.file').create(row)
    const { id } = (await rowOf(to)) as { id: number }
    return id
  }

  it('are found there with all their formats, under addresses of the new one, and come back', async () => {
    const photo = await picture(600, 400)
    assert.equal((await local.form('/upload', [['files', 'photo.png', 'image/png', photo]])).status, 200)
    const given = await partsOf(local)
    assert.equal(given.size, 3)

    const there = await copyRow(local, remote)
    for (const [name, content] of given)
      await ofUpload(remote)?.import?.({ name: name.replace(/^\d+/, String(there)), content: bytes(content) })
    const row = (await rowOf(remote)) as { url: string; provider: string; formats: Record<string, { url: string }> }
    assert.equal(row.provider, 'aws-s3')
    for (const url of [row.url, ...Object.values(row.formats).map(format => format.url)])
      assert.equal((await fetch(url)).headers.get('content-type'), 'image/png', url)
    assert.deepEqual([...(await partsOf(remote)).values()], [...given.values()])

    const back = await copyRow(remote, local)
    for (const [name, content] of await partsOf(remote))
      await ofUpload(local)?.import?.({ name: name.replace(/^\d+/, String(back)), content: bytes(content) })
    const again = (await rowOf(local)) as { url: string; provider: string }
    assert.deepEqual([again.provider, again.url.slice(0, 9)], ['local', '/uploads/'])
    assert.deepEqual((await local.fetch(again.url)).bytes, [...given.values()][0])
    assert.deepEqual(local.arriving(), [])
  })

  it('are passed over where storage has lost them, and where no row names them', async () => {
    const row = (await rowOf(remote)) as { id: number; hash: string }
    rmSync(directory, { recursive: true, force: true })
    assert.equal((await partsOf(remote)).size, 0)
    await ofUpload(remote)?.import?.({ name: `${row.id}/other.png`, content: bytes(Buffer.from('x')) })
    await ofUpload(remote)?.import?.({ name: '999/other.png', content: bytes(Buffer.from('x')) })
    assert.deepEqual(remote.arriving(), [])
  })
})

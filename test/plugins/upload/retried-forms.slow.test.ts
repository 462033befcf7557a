import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { encode, type Part, picture, serveUploads } from './world.js'

const photo = await picture(30, 20)
const other = await picture(20, 30)

onEveryEngine('a form with an Idempotency-Key', engine => {
  const world = serveUploads(engine)
  /** Every time with another boundary, as clients do. */
  const send = (key: string, parts: readonly Part[], path = '/articles?populate=cover') => {
    const { body, type } = encode(parts)
    return world.raw(path, body, { 'content-type': type, 'idempotency-key': key })
  }
  const form = (content: Buffer): Part[] => [
    ['data', JSON.stringify({ title: 'x' })],
    ['files.cover', 'photo.png', 'image/png', content],
  ]
  const tables = async () => {
    await world.settled()
    return Promise.all(['files', 'files_related_morphs', 'articles'].map(world.count))
  }

  it('makes one entry with one file, and leaves nothing of the forms that were sent again', async () => {
    const first = await send('form', form(photo))
    assert.equal(first.status, 200, first.text)
    const [counts, stored] = [await tables(), world.stored()]
    const again = await Promise.all([1, 2, 3].map(() => send('form', form(photo))))
    for (const { text, headers } of again)
      assert.deepEqual([text, headers['idempotency-replayed']], [first.text, 'true'])
    assert.deepEqual([await tables(), world.stored()], [counts, stored])
  })

  it('makes one entry of forms that come at once', async () => {
    const [files = 0, links = 0, articles = 0] = await tables()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send('at-once', form(photo))))
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.deepEqual(await tables(), [files + 1, links + 1, articles + 1])
  })

  it('is refused with another file under the key', async () => {
    const first = await send('other', form(photo))
    const counts = await tables()
    refused(await send('other', form(other)), { status: 422, message: /Idempotency-Key/ })
    assert.deepEqual(await tables(), counts)
    assert.equal((await send('other', form(photo))).text, first.text)
  })

  const files: Part[] = [
    ['files', 'one.png', 'image/png', photo],
    ['files', 'two.png', 'image/png', other],
  ]
  const ids = (answer: { body: { id: number }[] }) => answer.body.map(({ id }) => id)

  it('uploads files once, and answers what became of them', async () => {
    const first = await send('files', files, '/upload')
    assert.equal(first.status, 200, first.text)
    const [counts, stored] = [await tables(), world.stored()]
    const again = await Promise.all([1, 2, 3].map(() => send('files', files, '/upload')))
    for (const { text, headers } of again)
      assert.deepEqual([text, headers['idempotency-replayed']], [first.text, 'true'])
    refused(await send('files', files.slice(1), '/upload'), { status: 422, message: /Idempotency-Key/ })
    assert.deepEqual([await tables(), world.stored()], [counts, stored])
    const [gone, left] = ids(first)
    await world.send('DELETE', `/upload/files/${gone}`)
    assert.deepEqual(ids(await send('files', files, '/upload')), [left])
    await world.send('DELETE', `/upload/files/${left}`)
    refused(await send('files', files, '/upload'), { status: 404, message: /Idempotency-Key/ })
  })

  it('uploads files once that come at once', async () => {
    const [before = 0] = await tables()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send('files-at-once', files, '/upload')))
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal((await tables())[0], before + 2)
    assert.equal(await world.count('stele_upload_leftovers'), 0)
  })

  it('gives files to an entry once, and none where that is refused', async () => {
    const { body } = await world.send('POST', '/articles', { data: { title: 'with a gallery' } })
    const to = (field: string): Part[] => [
      ...files,
      ['ref', 'api::article.article'],
      ['refId', String(body.data.id)],
      ['field', field],
    ]
    const first = await send('gallery', to('gallery'), '/upload')
    assert.equal(first.status, 200, first.text)
    const counts = await tables()
    const again = await send('gallery', to('gallery'), '/upload')
    assert.deepEqual([ids(again), again.headers['idempotency-replayed']], [ids(first), 'true'])
    refused(await send('nowhere', to('nothing'), '/upload'), { status: 400, message: /no media attribute/ })
    assert.deepEqual(await tables(), counts)
    const corrected = await send('nowhere', to('gallery'), '/upload')
    assert.deepEqual([corrected.status, corrected.headers['idempotency-replayed']], [200, undefined])
  })
})

import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/engines.js'
import { encode, type Part, picture, serveUploads } from './world.js'

const photo = await picture(30, 20)
const other = await picture(20, 30)

onEveryEngine('a form with an Idempotency-Key', engine => {
  const world = serveUploads(engine)
  /** Every time with another boundary, as clients do. */
  const send = (key: string, parts: readonly Part[]) => {
    const { body, type } = encode(parts)
    return world.raw('/articles?populate=cover', body, { 'content-type': type, 'idempotency-key': key })
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
})

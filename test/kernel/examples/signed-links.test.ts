import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { signedLinks } from './signed-links.js'

it('signed-links: deletes the reader that a signed link names, and no other', async () => {
  const secret = 'a secret of this test that is long enough'
  const reader = { attributes: { email: { type: 'email' } } }
  const app = await createTestApp({ types: { reader }, plugins: [[signedLinks, { secret }]] })
  onTestFinished(() => app.close())
  const readers = app.entries('api::reader.reader')
  for (const email of ['ann@example.com', 'ben@example.com']) await readers.create({ email })
  const sign = createHmac('sha256', secret).update('ann@example.com').digest('base64url')
  const leave = async (email: string, signed: string) =>
    (await app.inject({ method: 'POST', url: '/api/unsubscribe', query: { email, sign: signed } })).statusCode
  assert.deepEqual([await leave('ben@example.com', sign), await leave('ann@example.com', 'x')], [403, 403])
  assert.equal(await leave('ann@example.com', sign), 204)
  assert.deepEqual(
    (await readers.find()).map(({ email }) => email),
    ['ben@example.com'],
  )
})

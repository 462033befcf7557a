import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { since } from './since.js'
import { slugs } from './slugs.js'

const types = { post: { attributes: { title: { type: 'string' }, slug: { type: 'uid' } } } }

describe('the plugins that the README shows', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ types, plugins: [since, [slugs, { between: '_' }]] })
  })
  afterAll(() => app.close())

  const post = async (data: object) =>
    (await app.inject({ method: 'POST', url: '/api/posts', payload: { data } })).json().data.attributes.slug
  const list = async (query: string) => (await app.inject(`/api/posts?${query}`)).json()

  it('a slug is made from the title where none was sent', async () => {
    assert.equal(await post({ title: 'Two words' }), 'two_words')
    assert.equal(await post({ title: 'Two words', slug: 'mine' }), 'mine')
  })

  it('since lists what was changed from a day on', async () => {
    assert.equal((await list('since=2000-01-01')).data.length, 2)
    assert.equal((await list('since=2999-01-01')).data.length, 0)
    assert.equal((await list('')).data.length, 2)
  })

  it('a day that is none is refused, and the parameter is named', async () => {
    assert.equal((await list('since=tomorrow')).error.message, 'since: takes a day, such as 2024-05-01')
  })
})

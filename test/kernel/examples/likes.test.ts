import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { likes } from './likes.js'

/** Trusts the name in the request. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) =>
    typeof headers['x-name'] === 'string' ? { scope: 'reader', id: headers['x-name'], can: () => true } : undefined,
})

const article = { attributes: { title: { type: 'string' } }, options: { likes: true } }

it('counts each reader of an article once', async () => {
  const app = await createTestApp({ types: { article }, plugins: [names, likes] })
  onTestFinished(() => app.close())
  await app.entries('api::article.article').create({ title: 'Bread' })
  const like = async (name: string) => {
    const answer = await app.inject({ method: 'POST', url: '/api/articles/1/likes', headers: { 'x-name': name } })
    return answer.json().data.attributes.likeCount
  }
  assert.equal(await like('ann'), 1)
  assert.equal(await like('bob'), 2)
  assert.equal(await like('ann'), 2)
})

import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { likes } from './likes.js'

const article = { attributes: { title: { type: 'string' } }, options: { likes: true } }

it('lets those like an article whose role may', async () => {
  const app = await createTestApp({
    types: { article },
    plugins: [likes, [usersPermissions, { jwtSecret: 'a secret of this test' }]],
    config: {
      api: { rest: { public: {} } },
      permissions: { roles: { authenticated: { article: { like: true, findOne: true } } } },
    },
  })
  onTestFinished(() => app.close())
  await app.entries('api::article.article').create({ title: 'Bread' })
  const account = { username: 'ann', email: 'ann@example.com', password: 'a long password' }
  const registered = await app.inject({ method: 'POST', url: '/api/auth/local/register', payload: account })
  const like = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/articles/1/likes', headers })
  assert.equal((await like({})).statusCode, 403)
  const answer = await like({ authorization: `Bearer ${registered.json().jwt}` })
  assert.equal(answer.json().data.attributes.likeCount, 1)
})

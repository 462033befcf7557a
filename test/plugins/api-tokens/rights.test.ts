import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { contract, refused } from '../../support/contract.js'
import { bearer, mint, world } from './world.js'

/** Routes of another plugin, two of which are named like reading. */
const desk = definePlugin({
  name: 'desk',
  routes: [
    { method: 'GET', path: '/desks', action: 'find', uid: 'plugin::desk.desk', run: () => [] },
    { method: 'GET', path: '/desks/count', action: 'count', uid: 'plugin::desk.desk', run: () => 0 },
    { method: 'GET', path: '/desks/refind', action: 'refind', uid: 'plugin::desk.desk', run: () => 0 },
  ],
})

contract('what a token may do', { ...world, plugins: [...world.plugins, desk] }, api => {
  const keys: Record<string, string> = {}
  beforeAll(async () => {
    const actions =
      'api::article.article.find,api::article.article.findOne,api::article.article.create,' +
      'api::author.author.create,plugin::desk.desk.count'
    keys.full = (await mint(api.app, 'full')).accessKey
    keys.reader = (await mint(api.app, 'reader', { type: 'read-only' })).accessKey
    keys.custom = (await mint(api.app, 'custom', { type: 'custom', actions })).accessKey
  })
  const ask = (who: string, method: string, path: string, body?: unknown) =>
    api.send(method, path, body, who === 'nobody' ? {} : bearer(keys[who] as string))

  const author = { data: { name: 'B' } }
  const memo = { data: { text: 'M' } }
  const table: readonly (readonly [string, string, unknown, Readonly<Record<string, number>>])[] = [
    ['GET', '/articles', undefined, { full: 200, reader: 200, custom: 200, nobody: 403 }],
    ['GET', '/articles/1', undefined, { full: 200, reader: 200, custom: 200, nobody: 403 }],
    ['HEAD', '/articles/1', undefined, { full: 200, reader: 200, custom: 200, nobody: 403 }],
    ['GET', '/memos', undefined, { full: 200, reader: 200, custom: 403, nobody: 403 }],
    ['GET', '/memos/1', undefined, { full: 200, reader: 200, custom: 403, nobody: 403 }],
    ['GET', '/memos/999', undefined, { full: 404, reader: 404, custom: 403, nobody: 403 }],
    ['POST', '/authors', author, { full: 200, reader: 403, custom: 200, nobody: 403 }],
    ['POST', '/memos', memo, { full: 200, reader: 403, custom: 403, nobody: 403 }],
    ['PUT', '/memos/2', memo, { full: 200, reader: 403, custom: 403, nobody: 403 }],
    ['PUT', '/authors/1', author, { full: 200, reader: 403, custom: 403, nobody: 403 }],
    ['DELETE', '/authors/2', undefined, { full: 200, reader: 403, custom: 403, nobody: 403 }],
    ['GET', '/desks', undefined, { full: 200, reader: 200, custom: 403, nobody: 403 }],
    ['GET', '/desks/count', undefined, { full: 200, reader: 403, custom: 200, nobody: 403 }],
    ['GET', '/desks/refind', undefined, { full: 200, reader: 403, custom: 403, nobody: 403 }],
    ['GET', '/nowhere', undefined, { full: 404, reader: 404, custom: 404, nobody: 404 }],
  ]
  for (const [method, path, body, outcomes] of table)
    for (const [who, wanted] of Object.entries(outcomes))
      it(`${method} ${path} with ${who} is ${wanted}`, async () => {
        const answer = await ask(who, method, path, body)
        assert.equal(answer.status, wanted, answer.text)
        if (wanted === 403 && method !== 'HEAD')
          refused(answer, { status: 403, name: 'ForbiddenError', message: 'Forbidden' })
      })

  describe('a relation to a type that the token may not find', () => {
    it('is populated for one that may', async () => {
      const { body } = await ask('full', 'GET', '/articles/1?populate=*')
      assert.equal(body.data.attributes.memo.data.attributes.text, 'a memo')
    })
    for (const populate of ['populate=*', 'populate=memo', 'populate[memo][fields][0]=text', 'populate[memo]=true'])
      it(`is not populated by ${populate}`, async () => {
        const answer = await ask('custom', 'GET', `/articles/1?${populate}`)
        assert.doesNotMatch(answer.text, /a memo/)
        if (answer.status === 200) assert.equal(answer.body.data.attributes.memo, undefined)
        else assert.equal(answer.status, 400)
      })
    for (const query of [
      'filters[memo][text]=a memo',
      'filters[memo][id]=1',
      'filters[$not][memo][text][$null]=true',
      'sort=memo.text',
      'filters[author][name]=Ann',
      'populate[author][filters][name]=Ann',
    ])
      it(`is reached by no ${query}`, async () => {
        const answer = await ask('custom', 'GET', `/articles?${query}`)
        const without = await ask('custom', 'GET', '/articles')
        // Refused or left out, the query must reveal nothing about the author.
        if (answer.status === 200) assert.deepEqual(answer.body, without.body)
        else assert.equal(answer.status, 400)
        assert.equal((await ask('full', 'GET', `/articles?${query}`)).status, 200)
      })
    it('is not written', async () => {
      for (const hidden of ['memo', 'author', 'nothing']) {
        const { status, body } = await ask('custom', 'POST', '/articles', { data: { title: 'B', [hidden]: 1 } })
        assert.equal(status, 400)
        // A hidden attribute is refused in the words for one that does not exist.
        assert.equal(body.error.message.startsWith(`${hidden} is not an attribute of api::article.article that`), true)
      }
      const made = await ask('custom', 'POST', '/articles', { data: { title: 'B' } })
      assert.equal(made.status, 200, made.text)
      const { body } = await ask('full', 'GET', `/articles/${made.body.data.id}?populate=*`)
      assert.equal(body.data.attributes.memo.data, null)
      assert.equal(body.data.attributes.author.data, null)
      assert.equal((await ask('full', 'DELETE', `/articles/${made.body.data.id}`)).status, 200)
    })
  })

  for (const who of ['full', 'reader', 'custom'])
    it(`shows no private field to ${who}, and filters by none`, async () => {
      const all = await ask(who, 'GET', '/articles?populate=*')
      assert.doesNotMatch(all.text, /TOPSECRET|secret|pin/)
      for (const query of ['filters[secret]=TOPSECRET', 'sort=secret', 'fields[0]=secret', 'filters[author][pin]=x'])
        assert.equal((await ask(who, 'GET', `/articles?${query}`)).status, 400, query)
    })

  it('costs no statement more than the entry itself', async () => {
    const counts: number[] = []
    // A second may pass in between, after which the tokens are looked at again.
    for (let times = 0; times < 20; times++) counts.push((await ask('reader', 'GET', '/articles/1')).statements.length)
    assert.ok(Math.min(...counts) <= 1, counts.join())
  })

  it('callers of the same rights share their plans, others do not', async () => {
    const again = await mint(api.app, 'twin', {
      type: 'custom',
      actions: 'api::article.article.findOne,api::article.article.find',
    })
    const { body } = await api.get('/articles/1?populate=author', bearer(again.accessKey))
    assert.equal(body.data.attributes.author, undefined)
    const full = await ask('full', 'GET', '/articles/1?populate=author')
    assert.equal(full.body.data.attributes.author.data.id, 1)
  })
})

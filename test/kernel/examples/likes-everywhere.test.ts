import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import { contract, each, refused } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { likes } from './likes.js'

/** Trusts the name in the request; `x-rights` may leave out liking. */
const names = definePlugin({
  name: 'names',
  authenticate({ headers }) {
    const { 'x-name': name, 'x-rights': rights = 'like' } = headers
    if (typeof name !== 'string') return undefined
    return { scope: String(rights), id: name, can: action => action !== 'like' || rights === 'like' }
  },
})

const article = { attributes: { title: { type: 'string' } }, options: { likes: true } }
const page = { attributes: { title: { type: 'string' } } }
const as = (name: string) => ({ 'x-name': name })

const world = {
  types: { article, page },
  plugins: [names, likes] as const,
  rows: async ({ entries }: { entries: (uid: string) => { create(data: object): Promise<unknown> } }) => {
    for (const title of ['A', 'B', 'C']) await entries('api::article.article').create({ title })
  },
}
const likeTable = 'plugin::likes.like'

contract('likes', world, api => {
  const countOf = (body: { data: { attributes: { likeCount: number } } }) => body.data.attributes.likeCount

  it('are counted, each reader once', async () => {
    const asked = [as('ann'), as('bob'), as('ann')]
    const counts: number[] = []
    for (const headers of asked)
      counts.push(countOf((await api.send('POST', '/articles/2/likes', undefined, headers)).body))
    assert.deepEqual(counts, [1, 2, 2])
  })

  it('are taken back, also twice', async () => {
    await api.send('POST', '/articles/1/likes', undefined, as('ann'))
    const gone = await api.send('DELETE', '/articles/1/likes', undefined, as('ann'))
    assert.deepEqual([gone.status, countOf(gone.body)], [200, 0])
    assert.equal(countOf((await api.send('DELETE', '/articles/1/likes', undefined, as('ann'))).body), 0)
  })

  it('are sorted and filtered by as any attribute', async () => {
    const { body } = await api.get('/articles?sort[0]=likeCount:desc&sort[1]=title')
    assert.deepEqual(each('title')(body), ['B', 'A', 'C'])
    assert.deepEqual(each('title')((await api.get('/articles?filters[likeCount][$gt]=0')).body), ['B'])
  })

  it('say with a parameter what the caller likes', async () => {
    const liked = async (query: string, headers: Record<string, string>) =>
      each('title')((await api.get(`/articles?${query}`, headers)).body)
    assert.deepEqual(await liked('liked=true', as('bob')), ['B'])
    assert.deepEqual(await liked('liked=true', as('eve')), [])
    assert.deepEqual(await liked('liked=true', {}), [])
    assert.deepEqual(await liked('liked=false', as('bob')), ['A', 'B', 'C'])
    refused(await api.get('/articles?liked=perhaps'), { status: 400, parameter: 'liked' })
    refused(await api.get('/pages?liked=true'), { status: 400, parameter: 'liked' })
  })

  it('show no caller who it was', async () => {
    const { text } = await api.get('/articles?populate=*', as('ann'))
    assert.doesNotMatch(text, /ann|bob/)
    refused(await api.get('/articles?populate=likes'), { status: 400 })
    refused(await api.get('/articles?filters[likes][reader]=bob'), { status: 400 })
  })

  it('are not written by a request', async () => {
    const body = { data: { title: 'D', likeCount: 99, likes: [1] } }
    const { body: made } = await api.send('POST', '/articles', body)
    assert.equal(countOf(made), 0)
    await api.send('DELETE', `/articles/${made.data.id}`)
  })

  it('need an account, the permission, and something that is there', async () => {
    const post = (path: string, headers: Record<string, string> = {}) => api.send('POST', path, undefined, headers)
    refused(await post('/articles/1/likes'), { status: 401, message: 'Only who has an account can like something' })
    refused(await post('/articles/1/likes', { ...as('ann'), 'x-rights': 'none' }), { status: 403 })
    for (const id of ['99', '0', '-1', 'x', '1e3', '9'.repeat(30)])
      refused(await post(`/articles/${id}/likes`, as('ann')), { status: 404 })
    refused(await post('/pages/1/likes', as('ann')), { status: 404 })
  })

  it('are counted right when many readers come at once, and one of them often', async () => {
    const readers = Array.from({ length: 20 }, (_, index) => as(`reader ${index % 12}`))
    const answers = await Promise.all(readers.map(who => api.send('POST', '/articles/3/likes', undefined, who)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(countOf((await api.get('/articles/3')).body), 12)
    assert.equal(await api.app.entries(likeTable).count({ entry: 3 }), 12)
  })

  it('go with their article', async () => {
    await api.send('DELETE', '/articles/3')
    assert.equal(await api.app.entries(likeTable).count({ entry: 3 }), 0)
    assert.equal(await api.app.entries(likeTable).count(), 2)
  })

  it('are listed by a command', async () => {
    const [top] = api.app.commands
    const rows: unknown[] = []
    const call = {
      options: {},
      json: false,
      interactive: false,
      print: () => undefined,
      table: (all: object[]) => rows.push(...all),
    }
    await top?.run({ ...call, args: ['article'] } as never)
    assert.deepEqual(rows, [{ id: 2, likes: 2 }])
    await assert.rejects(async () => top?.run({ ...call, args: ['page'] } as never), { name: 'BootError' })
  })
})

contract('likes with a setting', { ...world, plugins: [names, [likes, { most: 2 }]] }, api => {
  it('are as many for each reader as it says', async () => {
    const post = (id: number) => api.send('POST', `/articles/${id}/likes`, undefined, as('ann'))
    assert.deepEqual([(await post(1)).status, (await post(2)).status], [200, 200])
    refused(await post(3), { status: 400, name: 'ApplicationError', message: 'A reader can like at most 2 entries' })
    assert.equal((await api.get('/articles/3')).body.data.attributes.likeCount, 0)
  })
})

onEveryEngine('likes of a database that is older than the plugin', engine => {
  it('begin with a count of zero', async () => {
    const fresh = await engine.fresh()
    const config = { database: fresh.database }
    const before = await createTestApp({ types: { article: page }, config })
    await before.entries('api::article.article').create({ title: 'old' })
    await before.close()
    const after = await createTestApp({ types: { article }, plugins: [names, likes], config })
    const [old] = (await after.inject('/api/articles')).json().data
    await after.close()
    await fresh.drop()
    assert.equal(old.attributes.likeCount, 0)
  })
})

describe('the settings of likes', () => {
  it('are checked before the server listens', async () => {
    await assert.rejects(createTestApp({ plugins: [[likes, { most: 0 }]] }), { name: 'BootError', message: /most/ })
    await assert.rejects(createTestApp({ plugins: [[likes, { mosst: 5 }]] }), { name: 'BootError', message: /mosst/ })
  })
})

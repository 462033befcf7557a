import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { contract, refused } from '../../support/contract.js'
import { make, newspaper, titles, whole, written } from './world.js'

contract('publicationState', newspaper, api => {
  it('live lists published entries, preview drafts too, and a filter tells them apart', async () => {
    await make(api, '/articles', whole('live'))
    const author = await make(api, '/authors', { name: 'ann' })
    await make(api, '/articles', { ...whole('draft'), author, publishedAt: null })
    const listed = async (query: string) => titles((await api.get(`/articles?${query}`)).body)
    assert.deepEqual(await listed(''), ['live'])
    assert.deepEqual(await listed('publicationState=live'), ['live'])
    assert.deepEqual(await listed('publicationState=preview'), ['live', 'draft'])
    assert.deepEqual(await listed('publicationState=preview&filters[publishedAt][$null]=true'), ['draft'])
    assert.equal((await api.get('/articles?publicationState=preview')).body.meta.pagination.total, 2)
  })
  it('holds for all that is asked, or for one populate and what is below it', async () => {
    const shown = async (query: string) => titles((await api.get(`/authors/1?${query}`)).body.data.attributes.articles)
    assert.deepEqual(await shown('populate=articles'), [])
    assert.deepEqual(await shown('populate=articles&publicationState=preview'), ['draft'])
    assert.deepEqual(await shown('populate[articles][publicationState]=preview'), ['draft'])
    assert.deepEqual(await shown('populate[articles][publicationState]=live&publicationState=preview'), [])
    const deep = await api.get(
      '/authors?populate[articles][populate][author][populate][articles][publicationState]=preview',
    )
    assert.deepEqual(titles(deep.body.data[0].attributes.articles), [])
  })

  describe('a wrong value is named', () => {
    const wrong = ['publicationState=draft', 'publicationState=', 'publicationState=LIVE', 'publicationState[]=live']
    for (const path of ['/articles', '/articles/1', '/teams', '/frontpage', '/menu'])
      it(path, async () => {
        for (const query of wrong)
          refused(await api.get(`${path}?${query}`), { status: 400, parameter: 'publicationState' })
      })
    it('inside a populate', async () => {
      refused(await api.get('/authors?populate[articles][publicationState]=all'), {
        status: 400,
        parameter: 'populate[articles][publicationState]',
      })
    })
  })
})

contract('what a client has kept', newspaper, api => {
  it('is good while nothing changes, and stale when an entry is taken back', async () => {
    const id = await make(api, '/articles', whole('taken back'))
    const paths = ['/articles', `/articles/${id}`, '/authors?populate=articles']
    await make(api, '/authors', { name: 'ann', articles: [id] })
    const tags = await Promise.all(paths.map(async path => (await api.get(path)).headers.etag as string))
    const ask = (index: number) => api.get(paths[index] as string, { 'if-none-match': tags[index] as string })
    for (const index of paths.keys()) assert.equal((await ask(index)).status, 304)
    await written(api, 'POST', `/articles/${id}/actions/unpublish`)
    assert.deepEqual((await ask(0)).body.data, [])
    refused(await ask(1), { status: 404 })
    assert.deepEqual((await ask(2)).body.data[0].attributes.articles, { data: [] })
    const head = await api.send('HEAD', `/articles/${id}`)
    assert.equal(head.status, 404)
  })
  it('is told of a published one', async () => {
    const id = await make(api, '/articles', { ...whole('to come'), publishedAt: null })
    const before = await api.get('/articles')
    await written(api, 'POST', `/articles/${id}/actions/publish`)
    const after = await api.get('/articles', { 'if-none-match': before.headers.etag as string })
    assert.equal(after.status, 200)
    assert.deepEqual([before.body.meta.pagination.total, after.body.meta.pagination.total], [0, 1])
  })
})

contract('the cost of a live list', newspaper, api => {
  it('is that of any list', async () => {
    const author = await make(api, '/authors', { name: 'ann' })
    await make(api, '/articles', { ...whole('one'), author })
    await api.get('/articles?fields[0]=id')
    for (const [path, most] of [
      ['/articles', 2],
      ['/articles?populate=author', api.engine.name === 'sqlite' ? 2 : 3],
      ['/articles/1', 1],
    ] as const) {
      const { statements } = await api.get(path)
      // After a write, one statement finds when anything changes by itself; on PostgreSQL, one in another database counts.
      const own = statements.filter(text => !/^select "published_at" .* limit/.test(text))
      assert.ok(own.length <= most && statements.length <= own.length + 1, statements.join('\n'))
    }
  })
})

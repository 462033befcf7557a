import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin } from '../../../core/index.js'
import { contract, refused } from '../../support/contract.js'
import { dateOf, make, newspaper, whole, written } from './world.js'

contract('publishing by an action', newspaper, api => {
  const act = (path: string, action: string, query = '') => api.send('POST', `${path}/actions/${action}${query}`)

  it('answers the entry, with the fields and relations that the query asks for', async () => {
    const author = await make(api, '/authors', { name: 'ann' })
    const id = await make(api, '/articles', { ...whole('by action'), author, publishedAt: null })
    const published = await act(`/articles/${id}`, 'publish', '?fields[0]=title&populate[author][fields]=name')
    assert.deepEqual(published.body, {
      data: {
        id,
        attributes: { title: 'by action', author: { data: { id: author, attributes: { name: 'ann' } } } },
        meta: { availableLocales: [] },
      },
      meta: {},
    })
    assert.equal(typeof dateOf(await api.get(`/articles/${id}`)), 'string')
    assert.equal(dateOf(await act(`/articles/${id}`, 'unpublish')), null)
    refused(await api.get(`/articles/${id}`), { status: 404 })
  })
  it('keeps the date of what is published, and drafts are unpublished again', async () => {
    const publishedAt = '2024-05-01T00:00:00.000Z'
    const id = await make(api, '/articles', { ...whole('dated'), publishedAt })
    assert.equal(dateOf(await act(`/articles/${id}`, 'publish')), publishedAt)
    for (const _ of [1, 2]) assert.equal(dateOf(await act(`/articles/${id}`, 'unpublish')), null)
  })
  it('refuses what is not whole, and says all that is missing', async () => {
    const id = await make(api, '/articles', { publishedAt: null })
    refused(await act(`/articles/${id}`, 'publish'), {
      status: 400,
      name: 'ValidationError',
      message: '2 errors occurred',
    })
    assert.equal(dateOf(await api.get(`/articles/${id}?publicationState=preview`)), null)
  })
  it('says 404 for an entry that is not there, and for a type without drafts', async () => {
    for (const id of ['999', '0', 'abc', '-1', '99999999999999999999'])
      for (const action of ['publish', 'unpublish']) refused(await act(`/articles/${id}`, action), { status: 404 })
    const team = await make(api, '/teams', { name: 'team' })
    refused(await act(`/teams/${team}`, 'publish'), { status: 404 })
  })
  it('takes no other method, and no notice of a body', async () => {
    const id = await make(api, '/articles', whole('methods'))
    assert.equal((await api.get(`/articles/${id}/actions/publish`)).status, 405)
    const answer = await api.send('POST', `/articles/${id}/actions/publish`, { data: { title: 'other' } })
    assert.equal(answer.body.data.attributes.title, 'methods')
    assert.equal((await api.send('POST', `/articles/${id}/actions/publish`, '{bad')).status, 200)
  })
  it('names a parameter that is wrong', async () => {
    const id = await make(api, '/articles', whole('parameters'))
    refused(await act(`/articles/${id}`, 'publish', '?populate=nothing'), { status: 400, parameter: 'populate' })
    refused(await act(`/articles/${id}`, 'publish', '?odd=1'), { status: 400, parameter: 'odd' })
  })

  describe('a single type', () => {
    it('has no id in the address, and one entry in either state', async () => {
      refused(await act('/frontpage', 'publish'), { status: 404 })
      await written(api, 'PUT', '/frontpage', { publishedAt: null })
      refused(await api.get('/frontpage'), { status: 404 })
      assert.equal(dateOf(await api.get('/frontpage?publicationState=preview')), null)
      refused(await act('/frontpage', 'publish'), { status: 400, message: /headline/ })
      // A draft is changed, not joined by a second entry.
      const first = await written(api, 'PUT', '/frontpage', { headline: 'news' })
      const published = await act('/frontpage', 'publish')
      assert.equal(published.body.data.id, first.id)
      assert.equal(dateOf(published), dateOf(await api.get('/frontpage')))
      assert.equal(dateOf(await act('/frontpage', 'unpublish')), null)
      assert.equal(await api.app.entries('api::frontpage.frontpage').count(), 1)
    })
    it('is deleted as far as the reader sees it', async () => {
      refused(await api.send('DELETE', '/frontpage'), { status: 404 })
      assert.equal((await api.send('DELETE', '/frontpage?publicationState=preview')).status, 200)
      assert.equal(await api.app.entries('api::frontpage.frontpage').count(), 0)
    })
  })
})

const uid = 'api::article.article'
/** Callers who may do exactly what their header lists. */
const rights = definePlugin({
  name: 'rights',
  authenticate: ({ headers }) => {
    const granted = String(headers['x-rights'] ?? '').split(',')
    return {
      scope: granted.join('+'),
      can: (action, of) => of !== uid || granted.includes(action),
      rows: (action, of) => (of === uid && action === 'publish' ? { views: { $gt: 0 } } : undefined),
    }
  },
})

contract('the rights to publish and to unpublish', { ...newspaper, plugins: [...newspaper.plugins, rights] }, api => {
  const as = (granted: string) => ({ 'x-rights': granted })
  const actions = ['publish', 'unpublish']

  it('are rights of their own, each for its action', async () => {
    const { id } = await api.app.entries(uid).create({ ...whole('mine'), views: 1 })
    for (const granted of actions)
      for (const action of actions) {
        const { status } = await api.send('POST', `/articles/${id}/actions/${action}`, undefined, as(granted))
        assert.equal(status, granted === action ? 200 : 403, `${action} with ${granted}`)
      }
    const told = await api.send('POST', `/articles/${id}/actions/publish`, undefined, as('publish'))
    assert.deepEqual([told.body.data.id, told.body.data.attributes], [id, {}], 'neither is one to read')
    const reads = await api.send('POST', `/articles/${id}/actions/publish?fields=title`, undefined, as('publish,find'))
    assert.deepEqual(reads.body.data.attributes, { title: 'mine' })
    const all = as('find,findOne,create,update,delete')
    for (const action of actions)
      assert.equal((await api.send('POST', `/articles/${id}/actions/${action}`, undefined, all)).status, 403)
  })
  it('are listed among the actions of the type', () => {
    const found = api.app.routes.filter(route => route.uid === uid).map(({ action }) => action)
    for (const action of actions) assert.ok(found.includes(action), found.join())
  })
  it('hold for the rows that rules leave', async () => {
    const { id } = await api.app.entries(uid).create({ ...whole('not mine'), views: 0 })
    const answer = await api.send('POST', `/articles/${id}/actions/publish`, undefined, as('publish'))
    refused(answer, { status: 404 })
  })
})

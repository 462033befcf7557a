import assert from 'node:assert/strict'
import { it } from 'vitest'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { versions } from '../../../plugins/versions/index.js'
import { type Answer, type Api, type Body, contract, refused } from '../../support/contract.js'
import { callers, clock, components, types, world } from './world.js'

const path = '/items/versions/deleted'

function suite(api: Api): void {
  const make = (data: Body) => api.make('/items', data)
  const remove = async (id: number) => {
    clock.now += 1000
    const answer = await api.delete(`/items/${id}?publicationState=preview`)
    assert.equal(answer.status, 200, answer.text)
  }
  const deleted = async (data: Body) => {
    const id = await make(data)
    await remove(id)
    return id
  }
  const listed = async (query = '', headers = {}): Promise<Answer> => {
    const answer = await api.get(`${path}${query}`, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const ids = async (query = '') => (await listed(query)).body.data.map(({ id }: Body) => id)

  it('is a list of what was deleted last, with the last state of each', async () => {
    const there = await make({ title: 'there' })
    await api.put(`/items/${there}`, { title: 'still there' })
    const tag = await api.make('/tags', { name: 'a' })
    const first = await make({ title: 'one', price: 1.5, secretNote: 'hidden', password: 'hidden', tags: [tag] })
    await api.put(`/items/${first}`, { title: 'two' })
    await remove(first)
    const second = await deleted({ title: 'other', publishedAt: null })
    assert.deepEqual(await ids(), [second, first])
    const { body, text } = await listed()
    const { attributes, ...about } = body.data[1]
    const at = new Date(clock.now - 1000).toISOString()
    assert.deepEqual(about, { id: first, number: 2, at, by: 'user any', action: 'delete' })
    assert.deepEqual([attributes.title, attributes.price, 'tags' in attributes], ['two', 1.5, false])
    assert.ok(!text.includes('hidden'))
    assert.deepEqual(body.meta, { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 2 } })
  })

  it('has pages, shows the named fields, and costs as much for many entries as for one', async () => {
    for (const title of ['a', 'b', 'c']) await deleted({ title })
    const titles = async (query: string) =>
      (await listed(`?fields=title&${query}`)).body.data.map(({ attributes }: Body) => attributes)
    assert.deepEqual(await titles('pageSize=2'), [{ title: 'c' }, { title: 'b' }])
    assert.deepEqual((await titles('pageSize=2&page=2'))[0], { title: 'a' })
    assert.deepEqual(await titles('page=900000'), [])
    const [one, many] = [await listed('?pageSize=1'), await listed('?fields[0]=title&fields[1]=price')]
    assert.deepEqual(Object.keys(many.body.data[0].attributes), ['title', 'price'])
    assert.equal(many.statements.length, one.statements.length)
  })

  it('refuses what it does not know, and names it', async () => {
    for (const [query, parameter] of [
      ['pageSize=101', 'pageSize'],
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['fields=nothing', 'fields'],
      ['fields[0]=tags', 'fields'],
      ['fields=secretNote', 'fields'],
      ['fields[a]=title', 'fields'],
      ['sort=title', 'sort'],
    ] as const)
      refused(await api.get(`${path}?${query}`), { status: 400, parameter })
    refused(await api.get(`${path}?fields=price`, { 'x-fields': 'title' }), { status: 400, parameter: 'fields' })
    refused(await api.get('/tags/versions/deleted'), { status: 404 })
  })

  it('is for callers who may see versions of all that was deleted, with the fields that they may read', async () => {
    await deleted({ title: 'last', price: 3 })
    const may = (actions: string, more = {}) => ({ 'x-may': actions, ...more })
    for (const actions of ['find findOne versions', 'deletedVersions versions'])
      refused(await api.get(path, may(actions)), { status: 403 })
    const usual = 'findOne deletedVersions'
    refused(await api.get(path, may(usual, { 'x-owner': 'ann' })), { status: 403 })
    const [last] = (await listed('', may(usual, { 'x-fields': 'title' }))).body.data
    assert.deepEqual(last.attributes, { title: 'last' })
  })

  it('leaves out what was made anew, which is done once and keeps the versions', async () => {
    const id = await make({ title: 'one' })
    await api.put(`/items/${id}`, { title: 'two' })
    await remove(id)
    const restore = () => api.send('POST', `/items/${id}/versions/2/actions/restore`)
    const answers = await Promise.all([restore(), restore()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
    const made = answers.find(({ status }) => status === 200)?.body.data
    assert.equal(made.attributes.title, 'two')
    assert.equal((await api.rows('items', ['id'], { title: 'two' })).length, 1)
    assert.ok(!(await ids()).includes(id))
    const { body } = await api.get(`/items/${made.id}/versions?publicationState=preview`)
    assert.deepEqual(
      body.data.map(({ action }: Body) => action),
      ['delete', 'update'],
    )
    await remove(made.id)
    assert.equal((await ids())[0], made.id)
  })
}

contract('entries that were deleted', world, suite)

contract(
  'deleted entries with a trash and languages',
  {
    types: {
      ...types,
      item: { ...types.item, pluginOptions: { i18n: { localized: true } } },
    },
    components,
    time: () => clock.now,
    plugins: [
      [draftAndPublish, { restrictPreview: true }],
      [i18n, { locales: ['fr'] }],
      [trash, { all: true }],
      versions,
      ...world.plugins.filter(plugin => !Array.isArray(plugin) && (plugin as { name: string }).name === 'upload'),
      callers,
    ],
  },
  api => {
    const deleted = async (data: Body) => {
      const id = await api.make('/items', data)
      assert.equal((await api.delete(`/items/${id}`)).status, 200)
      return id
    }
    const found = async (headers = {}) => {
      const { status, body } = await api.get(path, headers)
      return status === 200 ? body.data.map(({ id }: Body) => id) : status
    }

    it('are listed once they are removed from the trash', async () => {
      const id = await deleted({ title: 'kept' })
      assert.deepEqual(await found(), [])
      assert.equal((await api.delete(`/items/${id}?trash=only`)).status, 200)
      assert.deepEqual(await found(), [id])

      const french = await deleted({ title: 'fr', locale: 'fr' })
      assert.equal((await api.delete(`/items/${french}?trash=only`)).status, 200)
      const { body } = await api.get(path)
      assert.deepEqual([body.data[0].id, body.data[0].attributes.locale], [french, 'fr'])
      const anew = await api.send('POST', `/items/${french}/versions/1/actions/restore`)
      assert.equal(anew.status, 200, anew.text)
      assert.deepEqual([anew.body.data.attributes.locale, anew.body.meta], ['fr', {}])
    })

    it('differ in no language that a version of before was stored without', async () => {
      const id = await api.make('/items', { title: 'one', locale: 'fr' })
      assert.equal((await api.send('PUT', `/items/${id}`, { data: { title: 'two' } })).status, 200)
      const stored = api.app.entries('plugin::versions.version')
      const [row] = await stored.find({ where: { uid: 'api::item.item', entry: id } })
      const { locale, ...before } = JSON.parse(String(row?.data))
      assert.equal(locale, 'fr')
      await stored.update(Number(row?.id), { data: JSON.stringify(before) })
      const { body } = await api.get(`/items/${id}/versions/1/changes`)
      assert.deepEqual(
        body.data.map(({ attribute }: Body) => attribute),
        ['title'],
      )
    })

    it('are listed for callers who see drafts, as some of them were', async () => {
      const id = await deleted({ title: 'seen' })
      await api.delete(`/items/${id}?trash=only`)
      assert.equal(await found({ 'x-may': 'find deletedVersions' }), 403)
      assert.equal((await found({ 'x-may': 'find deletedVersions preview' }))[0], id)
    })
  },
)

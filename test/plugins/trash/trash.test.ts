import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Api, contract, each, idsOf, refused } from '../../support/contract.js'
import { world } from './world.js'

function suite(api: Api, dialect: 'spec' | 'strapi4'): void {
  /** The dialect of Strapi names no parameter. */
  const wrong = { status: 400, ...(dialect === 'spec' && { parameter: 'trash' }) }
  const make = (more: object = {}) => api.make('/items', { title: 'x', ...more })
  const restore = (id: number, query = '', headers = {}) =>
    api.send('POST', `/items/${id}/actions/restore${query}`, undefined, headers)
  const gone = async (more: object = {}) => {
    const id = await make(more)
    assert.equal((await api.delete(`/items/${id}`)).status, 200)
    return id
  }
  const found = async (path: string) => each('id')((await api.get(path)).body) as number[]

  it('keeps a deleted entry in the trash, and restores it', async () => {
    const id = await make({ title: 'Bread' })
    const deleted = await api.delete(`/items/${id}?fields=title`)
    assert.deepEqual([deleted.status, deleted.body.data.attributes], [200, { title: 'Bread' }])
    refused(await api.get(`/items/${id}`), { status: 404 })
    const kept = await api.get(`/items/${id}?trash=only&fields[0]=title&fields[1]=deletedAt`)
    assert.equal(kept.body.data.attributes.title, 'Bread')
    assert.ok(Date.parse(kept.body.data.attributes.deletedAt) > 0)
    const restored = await restore(id, '?fields[0]=title&fields[1]=deletedAt')
    assert.equal(restored.status, 200, restored.text)
    assert.deepEqual([restored.body.data.id, restored.body.meta], [id, {}])
    assert.deepEqual(restored.body.data.attributes, { title: 'Bread', deletedAt: null })
    assert.equal((await api.get(`/items/${id}`)).status, 200)
    refused(await api.get(`/items/${id}?trash=only`), { status: 404 })
    refused(await restore(id), { status: 404 })
    refused(await restore(999_999), { status: 404 })
  })

  it('lists what is there, with the trash, or the trash alone', async () => {
    const here = await make({ title: 'list' })
    const away = await gone({ title: 'list' })
    const list = '/items?filters[title]=list&sort=id'
    assert.deepEqual(await found(list), [here])
    assert.deepEqual(await found(`${list}&trash=with`), [here, away])
    assert.deepEqual(await found(`${list}&trash=only`), [away])
    assert.equal((await api.get(`${list}&trash=only`)).body.meta.pagination.total, 1)
    refused(await api.get('/items?trash=all'), wrong)
  })

  it('reaches no entry in the trash by any write', async () => {
    const id = await gone({ slug: 'unreached' })
    const expected = { status: 404 }
    refused(await api.put(`/items/${id}`, { title: 'y' }), expected)
    refused(
      await api.send('PUT', `/items/${id}`, { data: { title: 'y' } }, { 'if-match': '"2020-01-01T00:00:00.000Z"' }),
      expected,
    )
    refused(await api.send('PATCH', `/items/${id}`, { data: { title: 'y' } }), expected)
    refused(await api.delete(`/items/${id}`), expected)
    refused(await api.delete('/items/by/slug/unreached'), expected)
    refused(await api.get('/items/by/slug/unreached'), expected)
    refused(await api.send('POST', '/items/bulk', { operations: [{ update: id, data: { title: 'y' } }] }), expected)
    refused(await api.send('POST', '/items/bulk', { operations: [{ delete: id }] }), expected)
    const tag = await api.make('/tags')
    for (const items of [[id], { connect: [id] }, { set: [{ id }] }])
      refused(await api.put(`/tags/${tag}`, { items }), { status: 400, message: /not exist|associated/ })
    refused(await api.post('/items', { parent: id }), { status: 400 })
    assert.deepEqual(await api.rows('items', ['title'], { id }), [{ title: 'x' }])
    const made = await api.put('/items/by/slug/unreached', { title: 'new' })
    assert.deepEqual([made.status, made.body.data.id !== id], [201, true])
  })

  it('shows an entry in the trash in no populate, filter, sort, count or aggregate', async () => {
    const [here, away] = [await make({ title: 'seen', rating: 1 }), await make({ title: 'unseen', rating: 9 })]
    const tag = await api.make('/tags', { name: 'populated', items: [here, away] })
    const child = await make({ title: 'child', parent: away })
    await api.delete(`/items/${away}`)
    assert.deepEqual(idsOf(await api.get(`/tags/${tag}?populate=items`), 'items'), [here])
    assert.equal(idsOf(await api.get(`/items/${child}?populate=parent`), 'parent'), null)
    const counted = await api.get(`/tags/${tag}?populate[items][count]=true`)
    assert.equal(counted.body.data.attributes.items.data.attributes.count, 1)
    assert.deepEqual(await found('/tags?filters[items][title]=unseen'), [])
    assert.deepEqual(await found('/items?filters[parent][title]=unseen'), [])
    assert.deepEqual(await found(`/items?filters[id]=${child}&filters[parent][id][$null]=true`), [child])
    assert.deepEqual(await found('/items?filters[title]=child&sort=parent.rating&trash=with'), [child])
    const numbers = await api.get(
      '/items/aggregate?measures[count]=*&measures[max]=rating&filters[title][$contains]=seen',
    )
    assert.deepEqual(numbers.body.data, [{ group: {}, count: { '*': 1 }, max: { rating: 1 } }])
  })

  it('frees unique values at once, those of components too, and gives them back', async () => {
    const content = (mark: string) => ({
      code: `own ${mark}`,
      slug: `slug-${mark}`,
      part: { code: `one ${mark}`, words: 'w', inner: { code: `inner ${mark}` } },
      parts: [{ code: `a ${mark}` }, { code: `b ${mark}`, words: 'b' }],
      zone: [
        { __component: 'shared.text', text: 't' },
        { __component: 'shared.part', code: `z ${mark}` },
      ],
    })
    const shown = 'populate[part][populate]=*&populate[parts]=true&populate[zone]=true'
    const id = await api.make('/items', content('m'))
    const before = (await api.get(`/items/${id}?${shown}`)).body.data.attributes
    assert.equal((await api.delete(`/items/${id}`)).status, 200)
    const kept = (await api.get(`/items/${id}?trash=only`)).body.data.attributes
    assert.deepEqual([kept.code, kept.slug], ['own m', 'slug-m'])
    const other = await api.make('/items', content('m'))
    const taken = await restore(id)
    refused(taken, { status: 400, name: 'ValidationError' })
    const paths = taken.body.error.details.errors.map(({ path }: { path: string[] }) => path.join('.'))
    assert.deepEqual(paths.sort(), [
      'code',
      'part.code',
      'part.inner.code',
      'parts.0.code',
      'parts.1.code',
      'slug',
      'zone.1.code',
    ])
    assert.equal((await api.delete(`/items/${other}`)).status, 200)
    const restored = await restore(id, `?${shown}`)
    assert.equal(restored.status, 200, restored.text)
    const { updatedAt: _, ...after } = restored.body.data.attributes
    assert.deepEqual({ ...after, updatedAt: before.updatedAt }, before)
    refused(await restore(other), { status: 400 })
    refused(await api.post('/items', { code: 'own m' }), { status: 400 })
  })

  it('restores what relations led to, takes nothing from others, and says so', async () => {
    const [tag, partner] = [await api.make('/tags', { name: 't' }), await api.make('/partners', { name: 'p' })]
    const child = await make()
    const id = await make({ tags: [tag], partner, children: [child] })
    const shown = 'populate[tags][fields]=id&populate[partner][fields]=id&populate[children][fields]=id'
    await api.delete(`/items/${id}`)
    const whole = await restore(id, `?${shown}`)
    assert.deepEqual(
      [idsOf(whole, 'tags'), idsOf(whole, 'partner'), idsOf(whole, 'children')],
      [[tag], partner, [child]],
    )
    assert.deepEqual(whole.body.meta, {})
    await api.delete(`/items/${id}`)
    const other = await make({ partner, children: [child] })
    const less = await restore(id, `?${shown}`)
    assert.deepEqual([idsOf(less, 'tags'), idsOf(less, 'partner'), idsOf(less, 'children')], [[tag], null, []])
    assert.deepEqual([...less.body.meta.lost].sort(), ['children', 'partner'])
    const keeps = await api.get(`/items/${other}?${shown}`)
    assert.deepEqual([idsOf(keeps, 'partner'), idsOf(keeps, 'children')], [partner, [child]])
  })

  it('removes for good with ?trash=only, and only what is in the trash', async () => {
    const id = await make({ parts: [{ code: 'purged' }] })
    refused(await api.delete(`/items/${id}?trash=only`), { status: 404 })
    refused(await api.delete(`/items/${id}?trash=with`), wrong)
    await api.delete(`/items/${id}`)
    const parts = await api.count('components_shared_parts')
    const purged = await api.delete(`/items/${id}?trash=only&fields=title`)
    assert.deepEqual([purged.status, purged.body.data.id], [200, id])
    assert.equal(await api.count('components_shared_parts'), parts - 1)
    refused(await api.get(`/items/${id}?trash=with`), { status: 404 })
    refused(await restore(id), { status: 404 })
  })

  it('requires a permission for each: trash, restore, purge', async () => {
    const id = await gone({ owner: 'ann' })
    const may = (actions: string, owner?: string) => ({ 'x-may': actions, ...(owner && { 'x-owner': owner }) })
    const usual = may('find findOne create update delete')
    for (const path of [
      '/items?trash=with',
      '/items?trash=only',
      `/items/${id}?trash=only`,
      '/items/aggregate?measures[count]=*&trash=with',
    ])
      refused(await api.get(path, usual), { status: 403, parameter: 'trash', message: /"trash"/ })
    refused(await api.send('DELETE', `/items/${id}?trash=only`, undefined, usual), {
      status: 403,
      parameter: 'trash',
      message: /"purge"/,
    })
    refused(await restore(id, '', usual), { status: 403 })
    assert.equal((await api.get(`/items/${id}?trash=only`, may('findOne trash'))).status, 200)
    refused(await api.get(`/items/${id}?trash=only`, may('findOne trash', 'bob')), { status: 404 })
    refused(await restore(id, '', may('restore', 'bob')), { status: 404 })
    refused(await api.send('DELETE', `/items/${id}?trash=only`, undefined, may('delete purge', 'bob')), { status: 404 })
    assert.equal((await restore(id, '', may('restore', 'ann'))).status, 200)
  })

  it('shows the id alone of what it restores to callers that may not read it', async () => {
    const may = (actions: string) => ({ 'x-may': actions })
    const partner = await api.make('/partners')
    const id = await make({ title: 'secret', code: 'hidden', partner, part: { code: 'inner' } })
    await api.delete(`/items/${id}`)
    await make({ partner })
    // The other dialect leaves out what it does not know.
    for (const query of dialect === 'spec' ? ['fields=title', 'populate=partner', 'populate[part]=true'] : [])
      refused(await restore(id, `?${query}`, may('restore')), { status: 400, name: 'ValidationError' })
    const answer = await restore(id, dialect === 'spec' ? '' : '?populate=*', may('restore'))
    assert.equal(answer.status, 200, answer.text)
    const { id: own, attributes, ...rest } = answer.body.data
    assert.deepEqual([own, attributes, answer.body.meta], [id, {}, {}])
    assert.deepEqual(Object.keys(rest), dialect === 'spec' ? ['meta'] : [])
    for (const permission of ['find', 'findOne']) {
      await api.delete(`/items/${id}`)
      const seen = await restore(id, '?fields=title', may(`restore ${permission}`))
      assert.deepEqual(seen.body.data.attributes, { title: 'secret' })
    }
    const written = await api.send('PUT', `/items/${id}?fields=title`, { data: { rating: 1 } }, may('update'))
    assert.deepEqual(written.body.data.attributes, { title: 'secret' }, 'an update shows what it has written')
  })

  it('shows what was cached no longer once it is in the trash, and again once it is restored', async () => {
    const id = await make({ title: 'cached' })
    const path = '/items?filters[title]=cached&fields=id'
    for (const _ of [1, 2, 3]) assert.deepEqual(await found(path), [id])
    await api.delete(`/items/${id}`)
    for (const _ of [1, 2, 3]) assert.deepEqual(await found(path), [])
    await restore(id)
    assert.deepEqual(await found(path), [id])
  })

  it('creates nothing again for a key whose entry is in the trash', async () => {
    const headers = { 'idempotency-key': 'key-of-the-test' }
    const create = () => api.send('POST', '/items', { data: { title: 'once' } }, headers)
    const first = await create()
    await api.delete(`/items/${first.body.data.id}`)
    assert.equal((await create()).text, first.text)
    assert.equal((await found('/items?filters[title]=once&trash=with')).length, 1)
  })

  it('expects the state of an entry with If-Match', async () => {
    const id = await make()
    const { updatedAt } = (await api.get(`/items/${id}`)).body.data.attributes
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' }
    refused(await api.send('DELETE', `/items/${id}`, undefined, stale), { status: 412 })
    assert.equal((await api.send('DELETE', `/items/${id}`, undefined, { 'if-match': `"${updatedAt}"` })).status, 200)
    refused(await restore(id, '', stale), { status: 412 })
    assert.equal((await restore(id, '', { 'if-match': `"${updatedAt}"` })).status, 200)
  })

  it('keeps one entry of a value, whatever is created, deleted and restored at the same time', async () => {
    const sent = { code: 'raced', part: { code: 'raced part' } }
    const here = () => found('/items?filters[code]=raced&pagination[pageSize]=100')
    await make(sent)
    for (let round = 0; round < 6; round += 1) {
      const away = await found('/items?filters[code]=raced&trash=only&sort=id:desc&pagination[pageSize]=3')
      const ids = await here()
      await Promise.all([
        ...ids.map(id => api.delete(`/items/${id}`)),
        ...away.map(id => restore(id)),
        api.post('/items', sent),
        api.post('/items', sent),
      ])
      assert.ok((await here()).length <= 1)
      assert.ok((await api.rows('components_shared_parts', ['code'], { code: 'raced part' })).length <= 1)
    }
    assert.ok(((await api.get('/items?filters[code]=raced&trash=with')).body.meta.pagination.total as number) > 1)
  })
}

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`the trash in ${dialect}`, () =>
    contract('entries', { ...world, rest: { dialect } }, api => suite(api, dialect)))

import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type Answer, type Api, type Body, contract, idsOf, refused } from '../../support/contract.js'
import { clock, world } from './world.js'

function suite(api: Api): void {
  const make = (more: object = {}) => api.make('/items', { title: 'one', ...more })
  const change = async (id: number, data: object) => {
    clock.now += 1000
    const answer = await api.put(`/items/${id}`, data)
    assert.equal(answer.status, 200, answer.text)
  }
  const list = async (id: number, headers = {}) =>
    (await api.get(`/items/${id}/versions?publicationState=preview`, headers)).body.data as Body[]
  const numbers = async (id: number) => (await list(id)).map(({ number }) => number)
  const read = async (id: number, number: number, headers = {}): Promise<Body> => {
    const answer = await api.get(`/items/${id}/versions/${number}?publicationState=preview`, headers)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.attributes
  }
  const restore = (id: number, number: number, query = '', headers = {}) =>
    api.send('POST', `/items/${id}/versions/${number}/actions/restore${query}`, undefined, headers)

  it('keeps what a write replaces, with when, who and what replaced it', async () => {
    const id = await make()
    assert.deepEqual(await list(id), [])
    await change(id, { title: 'two' })
    clock.now += 1000
    await api.send('POST', `/items/${id}/actions/unpublish`, undefined)
    const [last, first, ...more] = await list(id)
    assert.deepEqual(more, [])
    assert.deepEqual([first.number, first.action, first.by], [1, 'update', 'user any'])
    assert.deepEqual([last.number, last.at], [2, new Date(clock.now).toISOString()])
    assert.equal((await read(id, 1)).title, 'one')
    assert.equal((await read(id, 2)).title, 'two')
    refused(await api.get(`/items/${id}/versions`), { status: 404 })
    refused(await api.get(`/items/${id}/versions/3`), { status: 404 })
    refused(await api.get(`/items/${id}/versions/x`), { status: 404 })
    refused(await api.get('/items/99999/versions'), { status: 404 })
  })

  it('keeps nothing of a write that is refused, and nothing twice', async () => {
    const id = await make({ code: 'taken' })
    const other = await make({ code: 'free' })
    assert.equal((await api.put(`/items/${other}`, { code: 'taken' })).status, 400)
    assert.deepEqual(await list(other), [])
    for (const _ of [1, 2, 3]) await change(id, { title: 'same' })
    assert.deepEqual(await numbers(id), [2, 1])
    assert.equal((await list(id))[0].at, new Date(clock.now).toISOString(), 'the last write replaced the state')
    await api.delete(`/items/${id}`)
    assert.equal((await list(id))[0].action, 'delete', 'when it was deleted is known all the same')
  })

  it('names on request what changed after each version', async () => {
    const a = await api.make('/tags', { name: 'a' })
    const id = await make({ price: 1, seo: { words: 'one' } })
    await change(id, { title: 'two', price: 2 })
    await change(id, { tags: [a] })
    await change(id, { seo: { words: 'two', tag: a } })
    await change(id, { secretNote: 'hidden' })
    const named = async (query: string, headers = {}) =>
      (await api.get(`/items/${id}/versions?publicationState=preview${query}`, headers)).body.data.map(
        ({ changed }: Body) => changed,
      )
    assert.deepEqual(await named(''), [undefined, undefined, undefined, undefined])
    assert.deepEqual(await named('&changes=true'), [[], ['seo'], ['tags'], ['title', 'price']])
    // What leads to entries that the caller may not find is no change for it, and neither is what it may not read.
    const some = { 'x-may': 'versions findOne', 'x-fields': 'price tags' }
    assert.deepEqual(await named('&changes=true', some), [[], [], [], ['price']])
    refused(await api.get(`/items/${id}/versions?changes=perhaps`), { status: 400 })
  })

  it('restores content, components, relations and files', async () => {
    const [a, b] = [await api.make('/tags', { name: 'a' }), await api.make('/tags', { name: 'b' })]
    const payload = `--xx\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ntext\r\n--xx--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=xx' }
    const [file] = (await api.app.inject({ method: 'POST', url: '/api/upload', payload, headers })).json()
    const content = {
      ...{ title: 'whole', facts: { a: [1, { b: null }] }, price: 1.5, big: '9007199254740993', day: '2026-01-02' },
      seo: { words: 'seo', tag: a },
      parts: [{ words: 'p1' }, { words: 'p2', tag: b }],
      zone: [
        { __component: 'shared.text', text: 't' },
        { __component: 'shared.seo', words: 'z', tag: a },
      ],
      ...{ tags: [b, a], author: a, cover: file.id, secretNote: 'hidden', password: 'old password' },
    }
    const id = await make(content)
    const query =
      '?populate[seo][populate]=*&populate[parts][populate]=*&populate[zone][populate]=*&populate[tags]=true&populate[author]=true&populate[cover][fields]=name'
    const before = (await api.get(`/items/${id}${query}`)).body.data.attributes
    const [stored] = await api.rows('items', ['password', 'secret_note'], { id })
    await change(id, {
      title: 'less',
      facts: null,
      price: null,
      seo: null,
      parts: [],
      zone: [],
      tags: [],
      author: null,
      cover: null,
      secretNote: 'other',
    })
    const answer = await restore(id, 1, query)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.meta, {})
    const plain = ({ updatedAt: _, ...attributes }: Body) =>
      JSON.parse(JSON.stringify(attributes, (key, value) => (key === 'id' ? undefined : value)))
    assert.deepEqual(plain(answer.body.data.attributes), plain(before))
    assert.deepEqual(idsOf(answer, 'tags'), [b, a])
    assert.deepEqual(await api.rows('items', ['password', 'secret_note'], { id }), [stored])
    assert.ok(!JSON.stringify(await api.rows('stele_versions', ['data'], { entry: id })).includes('password'))
    assert.deepEqual(
      (await list(id)).map(({ action }) => action),
      ['update', 'update'],
    )
    assert.equal((await read(id, 2)).title, 'less')
  })

  it('restores inverse lists: entries that were linked since are unlinked, as the page says', async () => {
    const whole = await make()
    const [left, late] = [await make({ whole }), await make()]
    await change(whole, { title: 'two' })
    await change(late, { whole })
    await change(left, { whole: null })
    const pieces = async () => idsOf(await api.get(`/items/${whole}?populate[pieces][fields]=id`), 'pieces')
    assert.deepEqual(await pieces(), [late])
    assert.equal((await restore(whole, 1)).status, 200)
    assert.deepEqual(await pieces(), [left])
    assert.equal(idsOf(await api.get(`/items/${late}?populate[whole][fields]=id`), 'whole'), null)
  })

  it('leaves out relations to entries that are gone, and says which', async () => {
    const [a, b] = [await api.make('/tags'), await api.make('/tags')]
    const id = await make({ tags: [a, b], author: a, seo: { words: 'x', tag: a } })
    await change(id, { tags: [], author: null, seo: null })
    await api.delete(`/tags/${a}`)
    const answer = await restore(id, 1, '?populate[tags]=true&populate[author]=true&populate[seo][populate]=tag')
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(idsOf(answer, 'tags'), [b])
    assert.deepEqual(idsOf(answer, 'author'), null)
    assert.deepEqual(answer.body.data.attributes.seo.words, 'x')
    assert.deepEqual([...answer.body.meta.lost].sort(), ['author', 'seo.tag', 'tags'])
  })

  it('compares a version with another, or with the entry as it is', async () => {
    const tag = await api.make('/tags')
    const id = await make({ title: 'v1', facts: { a: 1 }, parts: [{ words: 'p' }] })
    await change(id, { title: 'v2', tags: [tag] })
    await change(id, { facts: { a: 2 }, parts: [{ words: 'q' }] })
    const changes = async (path: string) => {
      const { body } = await api.get(`/items/${id}/versions/${path}`)
      return [body.meta, Object.fromEntries(body.data.map(({ attribute, from, to }: Body) => [attribute, [from, to]]))]
    }
    assert.deepEqual(await changes('1/changes?to=2'), [
      { from: 1, to: 2 },
      { title: ['v1', 'v2'], tags: [[], [tag]] },
    ])
    const [meta, present] = await changes('2/changes')
    assert.deepEqual([meta, Object.keys(present).sort()], [{ from: 2, to: 'present' }, ['facts', 'parts']])
    assert.deepEqual(present.facts, [{ a: 1 }, { a: 2 }])
    assert.deepEqual(
      present.parts.map(([part]: Body) => part.words),
      ['p', 'q'],
    )
    refused(await api.get(`/items/${id}/versions/1/changes?to=x`), { status: 400 })
    refused(await api.get(`/items/${id}/versions/1/changes?to=9`), { status: 404 })
  })

  it('keeps as many as the settings say, also under writes at the same time', async () => {
    const id = await make()
    await Promise.all(Array.from({ length: 12 }, (_, index) => api.put(`/items/${id}`, { title: `t${index}` })))
    assert.deepEqual(await numbers(id), [12, 11, 10, 9, 8])
    assert.equal((await api.rows('stele_versions', ['id'], { entry: id })).length, 5)
  })

  it('leaves publishing alone, and refuses what the schema refuses', async () => {
    const draft = await make({ title: null, publishedAt: null })
    await change(draft, { title: 'named' })
    const incomplete = await restore(draft, 1)
    assert.equal(incomplete.status, 200, incomplete.text)
    await change(draft, { title: 'named again' })
    await api.send('POST', `/items/${draft}/actions/publish`, undefined)
    const latest = await numbers(draft)
    assert.equal((await restore(draft, latest[0] as number)).status, 200)
    assert.notEqual((await api.get(`/items/${draft}`)).body.data.attributes.publishedAt, null)
    refused(await restore(draft, 1), { status: 400 })
    const one = await make({ code: 'mine' })
    await change(one, { code: 'new' })
    await make({ code: 'mine' })
    refused(await restore(one, 1), { status: 400 })
  })

  it('expects the state of the entry with If-Match', async () => {
    const id = await make()
    await change(id, { title: 'two' })
    refused(await restore(id, 1, '', { 'if-match': '"2020-01-01T00:00:00.000Z"' }), { status: 412 })
    const { updatedAt } = (await api.get(`/items/${id}`)).body.data.attributes
    assert.equal((await restore(id, 1, '', { 'if-match': `"${updatedAt}"` })).status, 200)
  })

  it('requires permissions of their own, and reaches what the caller reaches', async () => {
    const id = await make({ owner: 'ann' })
    await change(id, { title: 'two', owner: 'ann' })
    const may = (actions: string, owner?: string) => ({ 'x-may': actions, ...(owner && { 'x-owner': owner }) })
    const get = (path: string, headers: object) =>
      api.get(`/items/${id}/versions${path}`, headers as Record<string, string>)
    const usual = may('find findOne create update delete')
    for (const path of ['', '/1', '/1/changes']) refused(await get(path, usual), { status: 403 })
    refused(await restore(id, 1, '', usual), { status: 403 })
    refused(await restore(id, 1, '', may('findOne restoreVersion')), { status: 403 })
    assert.equal((await get('', may('findOne versions', 'ann'))).status, 200)
    for (const path of ['', '/1', '/1/changes'])
      refused(await get(path, may('findOne versions', 'bob')), { status: 404 })
    refused(await restore(id, 1, '', may('findOne update restoreVersion', 'bob')), { status: 404 })
    assert.equal((await restore(id, 1, '', may('findOne update restoreVersion', 'ann'))).status, 200)
  })

  it('are read and restored by callers that may read the entry', async () => {
    const id = await make({ owner: 'ann' })
    await change(id, { title: 'two' })
    const gone = await make()
    await change(gone, { title: 'last' })
    await api.delete(`/items/${gone}`)
    const may = (actions: string, owner?: string) => ({ 'x-may': actions, ...(owner && { 'x-owner': owner }) })
    const all = 'update create versions restoreVersion deletedVersions'
    const paths = ['', '/1', '/1/changes', '/1/changes?to=1']
    for (const entry of [id, gone, 99_999]) {
      for (const path of paths)
        refused(await api.get(`/items/${entry}/versions${path}`, may(all)), { status: 404, message: 'Not Found' })
      refused(await restore(entry, 1, '', may(all)), { status: 404, message: 'Not Found' })
    }
    for (const permission of ['find', 'findOne']) {
      for (const path of paths)
        assert.equal((await api.get(`/items/${id}/versions${path}`, may(`${permission} versions`))).status, 200)
      assert.equal((await api.get(`/items/${gone}/versions/1`, may(`${permission} ${all}`))).status, 200)
      refused(await api.get(`/items/${id}/versions`, may(`${permission} versions`, 'bob')), { status: 404 })
      assert.equal((await restore(id, 1, '?fields=id', may(`${permission} ${all}`))).status, 200)
    }
  })

  it('shows nothing that the caller may not read, and writes nothing that it may not write', async () => {
    const tag = await api.make('/tags')
    const id = await make({ secretNote: 'hidden', price: 1, tags: [tag], seo: { words: 'w', inner: 'hidden' } })
    await change(id, { title: 'two', secretNote: 'hidden too', price: 2, tags: [] })
    for (const path of ['1', '1/changes'])
      assert.ok(!(await api.get(`/items/${id}/versions/${path}`)).text.includes('hidden'))
    assert.deepEqual((await read(id, 1)).seo, { words: 'w', tag: null })
    const some = { 'x-fields': 'title tags' }
    assert.deepEqual(Object.keys(await read(id, 1, some)).sort(), ['tags', 'title'])
    assert.ok(!('tags' in (await read(id, 1, { 'x-may': 'findOne versions' }))))
    const answer = await restore(id, 1, '?fields=title', some)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.data.attributes, { title: 'one' })
    assert.deepEqual(answer.body.meta, {}, 'what the caller cannot read is not named either')
    const writes = { 'x-fields': 'title tags code', 'x-writes': 'title' }
    const told = await restore(id, 1, '?fields=title', writes)
    assert.deepEqual(told.body.meta, { left: ['code', 'tags'] })
    const left = (await api.get(`/items/${id}?populate=tags`)) as Answer
    assert.deepEqual([left.body.data.attributes.price, idsOf(left, 'tags')], [2, [tag]])
    assert.deepEqual(await api.rows('items', ['secret_note'], { id }), [{ secret_note: 'hidden too' }])
  })

  it('shows of relations what the row rules of the caller let it find', async () => {
    const [own, foreign] = [await make({ owner: 'ann' }), await make({ owner: 'bob' })]
    const id = await make({ owner: 'ann', other: own })
    await change(id, { other: foreign })
    await change(id, { other: null })
    const ann = { 'x-may': 'find findOne versions', 'x-owner': 'ann' }
    assert.deepEqual([(await read(id, 1, ann)).other, (await read(id, 2, ann)).other], [own, null])
    assert.deepEqual((await read(id, 2)).other, foreign)
  })

  it('looks for all entries of a relation at once', async () => {
    const ann = { 'x-may': 'find findOne versions', 'x-owner': 'ann' }
    const asked = async (...owners: string[]) => {
      const pieces: number[] = []
      for (const owner of owners) pieces.push(await make({ owner }))
      const id = await make({ owner: 'ann', pieces })
      await change(id, { pieces: [] })
      const { body, statements } = await api.get(`/items/${id}/versions/1?publicationState=preview`, ann)
      assert.deepEqual(
        body.data.attributes.pieces,
        pieces.filter((_, index) => owners[index] === 'ann'),
      )
      return statements.length
    }
    const few = await asked('ann', 'bob')
    assert.equal(await asked('bob', 'ann', 'bob', 'ann', 'bob', 'bob', 'bob', 'ann'), few)
  })

  it('keeps the versions of a deleted entry for those who are permitted to see them, and for a while', async () => {
    const tag = await api.make('/tags')
    const id = await make({ title: 'first', tags: [tag], code: 'deleted' })
    await change(id, { title: 'last' })
    await api.delete(`/items/${id}`)
    const may = (actions: string) => ({ 'x-may': actions })
    refused(await api.get(`/items/${id}/versions`, may('findOne versions')), { status: 404 })
    refused(await api.get(`/items/${id}/versions`, { ...may('findOne versions deletedVersions'), 'x-owner': 'ann' }), {
      status: 404,
    })
    const seen = may('findOne versions deletedVersions')
    assert.deepEqual(
      (await list(id, seen)).map(({ action }) => action),
      ['delete', 'update'],
    )
    assert.equal((await read(id, 2, seen)).title, 'last')
    refused(await api.get(`/items/${id}/versions/2/changes`, seen), { status: 400 })
    refused(await restore(id, 2, '', may('findOne update restoreVersion deletedVersions')), { status: 403 })
    const restored = await restore(id, 2, '?populate=tags')
    assert.equal(restored.status, 200, restored.text)
    assert.notEqual(restored.body.data.id, id)
    assert.deepEqual([restored.body.data.attributes.title, idsOf(restored, 'tags')], ['last', [tag]])
    // The new entry goes on with what was kept of the former one.
    refused(await api.get(`/items/${id}/versions`), { status: 404 })
    const anew = restored.body.data.id
    assert.deepEqual(await numbers(anew), [2, 1])
    const count = async () => (await api.rows('stele_versions', ['id'], { entry: anew })).length
    clock.now += 31 * 86_400_000
    await api.app.runJob('versions/forget')
    assert.equal(await count(), 2)
    await api.delete(`/items/${anew}`)
    await api.app.runJob('versions/forget')
    assert.equal(await count(), 3, 'it was deleted a moment ago')
    clock.now += 31 * 86_400_000
    await api.app.runJob('versions/forget')
    assert.equal(await count(), 0)
    refused(await api.get(`/items/${anew}/versions`), { status: 404 })
  })
}

function hiddenDrafts(api: Api): void {
  const may = (more: string) => ({ 'x-may': `find findOne create versions restoreVersion deletedVersions ${more}` })
  const deleted = async (data: object, before?: object) => {
    const id = await api.make('/items', { title: 'one', ...data })
    if (before) assert.equal((await api.put(`/items/${id}?publicationState=preview`, before)).status, 200)
    clock.now += 1000
    const answer = await api.delete(`/items/${id}?publicationState=preview`)
    assert.equal(answer.status, 200, answer.text)
    return id
  }
  const statuses = async (id: number, more: string) => {
    const paths = ['', '/1', '/1/changes?to=1']
    const answers = await Promise.all(paths.map(path => api.get(`/items/${id}/versions${path}`, may(more))))
    return [...new Set(answers.map(({ status }) => status))]
  }

  it('need the permission to see drafts where the entry was one when it was deleted', async () => {
    const [past, future] = [-1, 1].map(days => new Date(clock.now + days * 86_400_000).toISOString())
    const hidden = {
      draft: await deleted({ publishedAt: null }),
      'made a draft again': await deleted({}, { publishedAt: null }),
      'dated later': await deleted({ publishedAt: future }),
      'planned for later': await deleted({ publishedAt: null, publishAt: future }),
      over: await deleted({ publishedAt: past, unpublishAt: past }),
    }
    for (const [what, id] of Object.entries(hidden)) {
      assert.deepEqual(await statuses(id, ''), [404], what)
      refused(await api.send('POST', `/items/${id}/versions/1/actions/restore`, undefined, may('')), { status: 404 })
      assert.deepEqual(await statuses(id, 'preview'), [200], what)
    }
    const shown = {
      published: await deleted({}),
      'published meanwhile': await deleted({ publishedAt: null }, { publishedAt: past }),
      'planned to end later': await deleted({ unpublishAt: future }),
    }
    for (const [what, id] of Object.entries(shown)) assert.deepEqual(await statuses(id, ''), [200], what)
    clock.now += 2 * 86_400_000
    assert.deepEqual(await statuses(hidden['dated later'], ''), [404], 'it was a draft when it was deleted')
  })
}

const restricted = { strict: true, restrictPreview: true, scheduling: true }
contract(
  'versions of deleted drafts',
  {
    ...world,
    plugins: world.plugins.map((plugin, index) =>
      index === 0 ? ([plugin, restricted] as const) : plugin,
    ) as typeof world.plugins,
  },
  hiddenDrafts,
)

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`versions in ${dialect}`, () => {
    const drafts = { strict: true, actions: true }
    const plugins = world.plugins.map((plugin, index) => (index === 0 ? ([plugin, drafts] as const) : plugin))
    contract('entries', { ...world, plugins: plugins as typeof world.plugins, rest: { dialect } }, suite)
  })

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Answer, contract } from '../../../support/contract.js'
import {
  article,
  as,
  editors,
  makeEditor,
  makeRole,
  may,
  mayAll,
  newsroom,
  own,
  page,
  type RoleName,
} from './newsroom.js'

type Json = Readonly<Record<string, unknown>>

const date = '2020-01-01T00:00:00.000Z'
const later = '2999-01-01T00:00:00.000Z'

contract('publishing is a right of its own', newsroom, api => {
  const send = (who: RoleName, method: string, path: string, body?: unknown) => api.send(method, path, body, as(who))
  const graphql = (who: RoleName, query: string, variables: Json = {}) =>
    api.send('POST', '/../graphql', { query, variables }, as(who))
  const entry = async (id: number, uid: string = article) => {
    const [found] = await api.app
      .entries(uid)
      .find({ where: { id }, everything: true, populate: { createdBy: true, updatedBy: true } })
    return found as Record<string, unknown> & {
      readonly createdBy: { id: number } | null
      readonly updatedBy: { id: number } | null
    }
  }
  const made = async (more: Json = {}) =>
    Number((await api.app.entries(article).create({ title: 'made', publishedAt: null, ...more })).id)
  const mustBeDraft = async (id: number) => {
    const { publishedAt, publishAt, unpublishAt } = await entry(id)
    assert.deepEqual({ publishedAt, publishAt, unpublishAt }, { publishedAt: null, publishAt: null, unpublishAt: null })
  }
  const idOf = ({ status, body, text }: Answer): number => {
    assert.ok(status === 200 || status === 201, text)
    return body.data.id
  }

  for (const sent of [{}, { publishedAt: date }, { publishedAt: null }])
    it(`a new entry is a draft of the editor, whatever is said of publishing: ${JSON.stringify(sent)}`, async () => {
      for (const who of ['writer', 'chief', 'reporter'] as const) {
        const id = idOf(await send(who, 'POST', '/articles', { data: { title: 'new', ...sent } }))
        await mustBeDraft(id)
        const { createdBy, updatedBy } = await entry(id)
        assert.deepEqual([createdBy?.id, updatedBy?.id], [editors[who], editors[who]])
      }
    })

  it('a draft may lack what is required', async () => {
    await mustBeDraft(idOf(await send('writer', 'POST', '/articles', { data: { body: 'no title yet' } })))
  })

  it('a draft is published by who may, once it is complete', async () => {
    const id = idOf(await send('writer', 'POST', '/articles', { data: { body: 'no title yet' } }))
    assert.equal((await send('chief', 'POST', `/articles/${id}/actions/publish`)).status, 400)
    await send('writer', 'PUT', `/articles/${id}`, { data: { title: 'a title' } })
    assert.equal((await send('writer', 'POST', `/articles/${id}/actions/publish`)).status, 403)
    await mustBeDraft(id)
    assert.equal((await send('chief', 'POST', `/articles/${id}/actions/publish`)).status, 200)
    const published = await entry(id)
    assert.equal(typeof published.publishedAt, 'string')
    assert.deepEqual([published.createdBy?.id, published.updatedBy?.id], [editors.writer, editors.chief])
    assert.equal((await send('writer', 'POST', `/articles/${id}/actions/unpublish`)).status, 403)
    assert.equal((await send('chief', 'POST', `/articles/${id}/actions/unpublish`)).status, 200)
    await mustBeDraft(id)
  })

  /** Every way to write an entry that exists, with data of the request's choice. */
  const updates: Readonly<Record<string, (id: number, data: Json) => readonly [string, string, unknown]>> = {
    put: (id, data) => ['PUT', `/articles/${id}`, { data }],
    patch: (id, data) => ['PATCH', `/articles/${id}`, { data }],
    bulk: (id, data) => ['POST', '/articles/bulk', { operations: [{ update: id, data }] }],
    'bulk, each for itself': (id, data) => [
      'POST',
      '/articles/bulk',
      { operations: [{ update: id, data }], atomic: false },
    ],
    'by value': (id, data) => ['PUT', `/articles/by/code/code-${id}`, { data }],
  }
  for (const [way, request] of Object.entries(updates))
    for (const data of [{ publishedAt: date }, { publishAt: date }, { publishAt: later }, { unpublishAt: later }])
      it(`is not done by ${way} with ${Object.entries(data)}`, async () => {
        const id = await made()
        await api.app.entries(article).update(id, { code: `code-${id}` })
        const reply = await send('writer', ...request(id, { body: 'changed', ...data }))
        const { status, results } = reply.body.results?.[0] ?? reply
        assert.ok(status === 400 || results?.[0].status === 400, reply.text)
        await mustBeDraft(id)
        assert.equal((await entry(id)).body, null)
      })

  it('is not undone by data either', async () => {
    const id = await made({ publishedAt: date })
    for (const name of ['publishedAt', 'unpublishAt'])
      assert.equal((await send('writer', 'PUT', `/articles/${id}`, { data: { [name]: null } })).status, 400, name)
    assert.equal((await entry(id)).publishedAt, date)
  })

  it('takes the action from the one who may publish, too, and lets them plan', async () => {
    const id = await made()
    assert.equal((await send('chief', 'PUT', `/articles/${id}`, { data: { publishedAt: date } })).status, 400)
    await mustBeDraft(id)
    assert.equal((await send('chief', 'PUT', `/articles/${id}`, { data: { publishAt: later } })).status, 200)
    assert.equal((await entry(id)).publishAt, later)
    const planned = idOf(await send('chief', 'POST', '/articles', { data: { title: 'planned', publishAt: later } }))
    const { publishedAt, publishAt } = await entry(planned)
    assert.deepEqual([publishedAt, publishAt], [null, later])
    assert.equal((await send('writer', 'POST', '/articles', { data: { title: 'x', publishAt: later } })).status, 400)
  })

  it('of own entries gives no plan for those of others', async () => {
    const id = await made()
    assert.equal((await send('publisher', 'POST', `/articles/${id}/actions/publish`)).status, 404)
    assert.equal((await send('publisher', 'PUT', `/articles/${id}`, { data: { publishAt: date } })).status, 400)
    await mustBeDraft(id)
    const mine = idOf(await send('publisher', 'POST', '/articles', { data: { title: 'mine', publishAt: later } }))
    assert.equal((await send('publisher', 'POST', `/articles/${mine}/actions/publish`)).status, 200)
  })

  it('is not done by operations of bulk', async () => {
    const id = await made()
    const bulk = (operations: readonly Json[]) =>
      send('writer', 'POST', '/articles/bulk', { operations, atomic: false })
    const { body } = await bulk([
      { publish: id },
      { create: { title: 'by bulk', publishedAt: date } },
      { unpublish: id },
    ])
    assert.deepEqual(
      body.results.map(({ status }: Json) => status),
      [403, 200, 403],
    )
    await mustBeDraft(id)
    await mustBeDraft(body.results[1].data.id)
  })

  it('is not done by a value that names a new entry', async () => {
    const reply = await send('writer', 'PUT', '/articles/by/code/fresh', {
      data: { title: 'fresh', publishedAt: date },
    })
    await mustBeDraft(idOf(reply))
  })

  it('is not done by entries that others create beside them', async () => {
    const nested = { create: [{ title: 'below', publishedAt: date }, { title: 'also below' }] }
    const above = idOf(await send('writer', 'POST', '/articles', { data: { title: 'above', children: nested } }))
    const below = await api.app.entries(article).find({ where: { title: { $contains: 'below' } } })
    assert.equal(below.length, 2)
    for (const { id } of below) await mustBeDraft(Number(id))
    const more = { create: { title: 'third', publishAt: date } }
    assert.equal((await send('writer', 'PUT', `/articles/${above}`, { data: { children: more } })).status, 400)
    const allowed = { create: { title: 'third' } }
    assert.equal((await send('writer', 'PUT', `/articles/${above}`, { data: { children: allowed } })).status, 200)
    const [third] = await api.app.entries(article).find({ where: { title: 'third' } })
    await mustBeDraft(Number(third?.id))
    assert.equal((await entry(Number(third?.id))).createdBy?.id, editors.writer)
  })

  it('is not done by localizations', async () => {
    const id = await made({ publishedAt: date })
    for (const [locale, more] of [
      ['de', {}],
      ['fr', { publishedAt: date }],
    ] as const) {
      const reply = await send('writer', 'POST', `/articles/${id}/localizations`, {
        data: { locale, title: locale, ...more },
      })
      await mustBeDraft(idOf(reply))
      const { createdBy } = await entry(reply.body.data.id)
      assert.equal(createdBy?.id, editors.writer)
    }
  })

  it('is not done by a version that was published', async () => {
    const id = await made({ publishedAt: date, code: 'version' })
    await api.app.entries(article).update(id, { title: 'changed', publishedAt: null })
    const restored = await send('writer', 'POST', `/articles/${id}/versions/1/actions/restore`)
    assert.equal(restored.status, 200, restored.text)
    await mustBeDraft(id)
    const { title, updatedBy } = await entry(id)
    assert.deepEqual([title, updatedBy?.id], ['made', editors.writer])
  })

  for (const [state, dates] of Object.entries({
    draft: {},
    published: { publishedAt: date },
    planned: { publishAt: later },
    'published until a time': { publishedAt: date, unpublishAt: later },
  }))
    it(`is not done by restoring an entry from the trash: ${state}`, async () => {
      const restored = async (who: RoleName) => {
        const id = await made(dates)
        assert.equal((await send('chief', 'DELETE', `/articles/${id}`)).status, 200)
        const reply = await send(who, 'POST', `/articles/${id}/actions/restore`)
        assert.equal(reply.status, 200, reply.text)
        return id
      }
      await mustBeDraft(await restored('writer'))
      const whole = await entry(await restored('chief'))
      for (const name of ['publishedAt', 'publishAt', 'unpublishAt'])
        assert.equal(whole[name], (dates as Json)[name] ?? null, name)
    })

  it('of an entry from the trash is for those who may publish every entry that they may restore', async () => {
    const rows = [...mayAll(['read', 'delete'], article), may('publish', article, { conditions: [own] })]
    const id = await made({ publishedAt: date })
    const clerk = await makeEditor(api.app, 'clerk', [await makeRole(api.app, 'clerk', rows)])
    const headers = { 'x-editor': String(clerk) }
    assert.equal((await api.send('DELETE', `/articles/${id}`, undefined, headers)).status, 200)
    const reply = await api.send('POST', `/articles/${id}/actions/restore`, undefined, headers)
    assert.deepEqual([reply.status, reply.body.data.attributes.publishedAt], [200, null])
    await mustBeDraft(id)
  })

  it('of the entry of a single type as well', async () => {
    const reply = await send('writer', 'PUT', '/page', { data: { headline: 'first', publishedAt: date } })
    assert.equal((await entry(idOf(reply), page)).publishedAt, null)
    assert.equal((await send('writer', 'PUT', '/page', { data: { publishedAt: date } })).status, 400)
    assert.equal((await send('writer', 'PATCH', '/page', { data: { publishAt: date } })).status, 400)
    assert.equal((await send('writer', 'POST', '/page/actions/publish')).status, 403)
    assert.equal((await entry(reply.body.data.id, page)).publishedAt, null)
    // Who may publish it and not read it is told that it is done, and nothing of it.
    const { status, body } = await send('publisher', 'POST', '/page/actions/publish')
    assert.deepEqual([status, body.data.attributes], [200, {}])
    assert.equal((await send('chief', 'POST', '/page/actions/unpublish')).status, 200)
  })

  it('is not done by mutations of GraphQL', async () => {
    const create = 'mutation ($data: ArticleInput!) { createArticle(data: $data) { data { id } } }'
    for (const data of [{ title: 'by GraphQL' }, { title: 'by GraphQL', publishedAt: date }]) {
      const { body, text } = await graphql('writer', create, { data })
      assert.ok(body.data?.createArticle, text)
      await mustBeDraft(Number(body.data.createArticle.data.id))
    }
    const id = await made()
    const update = 'mutation ($id: ID!, $data: ArticleInput!) { updateArticle(id: $id, data: $data) { data { id } } }'
    for (const data of [{ publishedAt: date }, { publishAt: date }]) {
      const { body, text } = await graphql('writer', update, { id, data })
      assert.ok(body.errors, text)
      await mustBeDraft(id)
    }
    const localize =
      'mutation ($id: ID!, $data: ArticleInput!) { createArticleLocalization(id: $id, locale: "de", data: $data) { data { id } } }'
    const { body, text } = await graphql('writer', localize, { id, data: { title: 'de', publishedAt: date } })
    assert.ok(body.data?.createArticleLocalization, text)
    await mustBeDraft(Number(body.data.createArticleLocalization.data.id))
  })
})

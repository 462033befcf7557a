import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { type Caller, definePlugin } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { type Server, startOn, type World } from '../../support/contract.js'
import { type FreshDatabase, onSqlite } from '../../support/engines.js'
import { follow as followAt } from './event-client.js'

const permissions = new Map<string, string[]>()

/** Trusts the name in the request; notes are seen by who is named in them. */
const names = definePlugin({
  name: 'names',
  authenticate({ headers }): Caller {
    const name = String(headers['x-name'] ?? 'writer')
    const allowed = permissions.get(name) ?? []
    return {
      scope: `name ${name} ${allowed.join()}`,
      id: name,
      can: (action, uid) => allowed.includes('*') || allowed.includes(`${uid}.${action}`),
      ...(name !== 'writer' && {
        rows: (_: string, uid: string) => (uid === 'api::note.note' ? { owner: { $eq: name } } : undefined),
      }),
    }
  },
})

const world: World = {
  types: {
    author: { attributes: { name: { type: 'string' } } },
    note: { attributes: { owner: { type: 'string' } } },
    plan: { attributes: { text: { type: 'string' } } },
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        plan: { type: 'relation', relation: 'manyToOne', target: 'api::plan.plan' },
      },
    },
  },
  plugins: [names, draftAndPublish, events, [graphql, { subscriptions: true }]],
  config: { server: { host: '127.0.0.1', port: 0 } },
}

onSqlite('subscriptions of GraphQL', engine => {
  let fresh: FreshDatabase
  let api: Server
  let url: string
  beforeAll(async () => {
    permissions.set('writer', ['*'])
    permissions.set('ann', ['api::article.article.find', 'api::author.author.find', 'api::note.note.find'])
    permissions.set('eve', ['api::article.article.find'])
    permissions.set('tom', [])
    fresh = await engine.fresh()
    api = await startOn(fresh.database, world)
    url = `http://127.0.0.1:${(await api.app.listen()).port}/graphql`
  })
  afterAll(async () => {
    await api?.app.close()
    await fresh?.drop()
  })

  const follow = (query: string, name = 'ann', variables: object = {}, accept = 'text/event-stream') =>
    followAt(url, query, { name, variables, accept })
  const make = async (path: string, data: object) => (await api.post(path, data)).body.data.id as number

  it('tell of changes, with the entry as it is selected', async () => {
    const client = await follow(
      'subscription Follow { changed: articleChanged { event id __typename entity { id attributes { title author { data { attributes { name } } } } } } }',
    )
    assert.equal(client.response.headers['content-type'], 'text/event-stream; charset=utf-8')
    const author = await make('/authors', { name: 'Ann' })
    const article = await make('/articles', { title: 'Bread', author })
    const attributes = { title: 'Bread', author: { data: { attributes: { name: 'Ann' } } } }
    const entity = { id: String(article), attributes }
    assert.deepEqual(await client.next(), {
      event: 'next',
      data: { data: { changed: { event: 'entry.create', id: String(article), __typename: 'ArticleChanged', entity } } },
    })
    await api.put(`/articles/${article}`, { title: 'Rye' })
    assert.equal((await client.next()).data.data.changed.entity.attributes.title, 'Rye')
    await api.delete(`/articles/${article}`)
    const { changed } = (await client.next()).data.data
    assert.deepEqual([changed.event, changed.id, changed.entity], ['entry.delete', String(article), null])
  })

  it('are all that is sent as events to clients that take JSON as well, such as urql', async () => {
    const any = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed'
    const asked = async (query: string) => {
      const { statusCode, headers } = (await follow(query, 'ann', {}, any)).response
      return [statusCode, headers['content-type']]
    }
    const json = 'application/graphql-response+json; charset=utf-8'
    assert.deepEqual(await asked('{ articles { data { id } } }'), [200, json])
    assert.deepEqual(await asked('{ nosuch }'), [400, json])
    assert.deepEqual(await asked('subscription { nosuch { event } }'), [400, json])
    assert.deepEqual(await asked('subscription { planChanged { id } }'), [200, json])
    assert.deepEqual(await asked('subscription { articleChanged { id } }'), [200, 'text/event-stream; charset=utf-8'])
  })

  it('tell of one entry, or of those that filters let through', async () => {
    const one = await make('/articles', { title: 'one' })
    const two = await make('/articles', { title: 'two' })
    const byId = await follow('subscription($id: ID) { articleChanged(id: $id) { id } }', 'ann', { id: two })
    const byTitle = await follow('subscription { articleChanged(filters: { title: { contains: "x" } }) { id } }')
    await api.put(`/articles/${one}`, { title: 'one x' })
    await api.put(`/articles/${two}`, { title: 'two y' })
    await api.put(`/articles/${two}`, { title: 'two x' })
    assert.equal((await byId.next()).data.data.articleChanged.id, String(two))
    assert.equal((await byTitle.next()).data.data.articleChanged.id, String(one))
    assert.equal((await byTitle.next()).data.data.articleChanged.id, String(two))
  })

  it('tell nothing of what the caller may not see: rows of others, drafts, and relations that are forbidden', async () => {
    const notes = await follow('subscription { noteChanged { entity { attributes { owner } } } }')
    const articles = await follow(
      'subscription { articleChanged { entity { attributes { title plan { data { id } } } } } }',
      'eve',
    )
    await make('/notes', { owner: 'bob' })
    await make('/notes', { owner: 'ann' })
    assert.equal((await notes.next()).data.data.noteChanged.entity.attributes.owner, 'ann')
    await make('/articles', { title: 'draft', publishedAt: null })
    const plan = await make('/plans', { text: 'secret' })
    await make('/articles', { title: 'shown', plan })
    const { data, errors } = (await articles.next()).data
    assert.deepEqual(data.articleChanged.entity.attributes, { title: 'shown', plan: null })
    assert.equal(errors[0].extensions.code, 'FORBIDDEN')
  })

  it('end when the caller may not follow them any more', async () => {
    permissions.set('zoe', ['api::article.article.find'])
    const client = await follow('subscription { articleChanged { id } }', 'zoe')
    permissions.set('zoe', [])
    await make('/articles', { title: 'after' })
    assert.deepEqual(await client.next(), { event: 'complete', data: undefined })
  })

  it('are refused in the stream: without a permission, and where the document is wrong', async () => {
    const refusal = async (query: string, name?: string) => {
      const client = await follow(query, name)
      const { event, data } = await client.next()
      assert.equal(event, 'next')
      assert.equal((await client.next()).event, 'complete')
      return data.errors[0].extensions.code
    }
    assert.equal(await refusal('subscription { articleChanged { id } }', 'tom'), 'FORBIDDEN')
    assert.equal(await refusal('subscription { nothing { id } }'), 'GRAPHQL_VALIDATION_FAILED')
    assert.equal(
      await refusal('subscription { a: articleChanged { id } b: articleChanged { id } }'),
      'GRAPHQL_VALIDATION_FAILED',
    )
  })

  it('have other operations beside them, which are answered once', async () => {
    const client = await follow('{ __typename }')
    assert.deepEqual(await client.next(), { event: 'next', data: { data: { __typename: 'Query' } } })
    assert.equal((await client.next()).event, 'complete')
  })
})

onSqlite('subscriptions in the flat shape', engine => {
  it('tell of entries without anything around them', async () => {
    permissions.set('writer', ['*'])
    permissions.set('ann', ['api::article.article.find', 'api::author.author.find'])
    const fresh = await engine.fresh()
    const flat = [graphql, { subscriptions: true, shape: 'flat' }] as const
    const api = await startOn(fresh.database, { ...world, plugins: [names, draftAndPublish, events, flat] })
    try {
      const url = `http://127.0.0.1:${(await api.app.listen()).port}/graphql`
      const author = (await api.post('/authors', { name: 'Ann' })).body.data.id
      const [one, two] = [await api.make('/articles', { title: 'one' }), await api.make('/articles', { title: 'two' })]
      const entity = '{ documentId title author { name } }'
      const client = await followAt(
        url,
        `subscription ($id: ID, $not: ID) { articleChanged(documentId: $id, filters: { documentId: { ne: $not } }) { event documentId entity ${entity} } }`,
        { name: 'ann', variables: { id: two, not: one } },
      )
      await api.put(`/articles/${one}`, { title: 'one more' })
      await api.put(`/articles/${two}`, { title: 'two more', author })
      const documentId = String(two)
      assert.deepEqual((await client.next()).data.data.articleChanged, {
        ...{ event: 'entry.update', documentId },
        entity: { documentId, title: 'two more', author: { name: 'Ann' } },
      })
    } finally {
      await api.app.close()
      await fresh.drop()
    }
  })
})

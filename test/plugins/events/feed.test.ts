import assert from 'node:assert/strict'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Caller, definePlugin, UnauthorizedError } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import type { Events } from '../../../plugins/events/service.js'
import { type Server, startOn, type World } from '../../support/contract.js'
import type { FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { Stream } from './stream.js'

/** Permissions of callers by name; a caller without a row has been removed. */
const permissions = new Map<string, string[]>()

/** Trusts the name in the request; notes are seen by who is named in them. */
const names = definePlugin({
  name: 'names',
  authenticate({ headers }): Caller {
    const name = String(headers['x-name'] ?? 'writer')
    const allowed = permissions.get(name)
    if (!allowed) throw new UnauthorizedError('Not known any more')
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

const serviceOf = ({ app }: Server) => app.plugins.find(({ spec }) => spec.name === 'events')?.service as Events

const listen = 'plugin::events.listen'
const reader = [listen, 'api::article.article.find', 'api::author.author.find', 'api::note.note.findOne']

const world: World = {
  types: {
    author: { attributes: { name: { type: 'string' } } },
    note: { attributes: { owner: { type: 'string' } } },
    plan: { attributes: { text: { type: 'string' } } },
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string' },
        hint: { type: 'string', private: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        plan: { type: 'relation', relation: 'manyToOne', target: 'api::plan.plan' },
      },
    },
  },
  plugins: [names, draftAndPublish, [events, { listeners: 8 }]],
  config: { server: { host: '127.0.0.1', port: 0 } },
}

onEveryEngine('the live feed', engine => {
  let fresh: FreshDatabase
  let api: Server
  let other: Server
  let url: string
  beforeAll(async () => {
    permissions.set('writer', ['*'])
    permissions.set('ann', reader)
    fresh = await engine.fresh()
    api = await startOn(fresh.database, world)
    other = await startOn(fresh.database, world)
    url = `http://127.0.0.1:${(await api.app.listen()).port}/api/events`
  })
  afterAll(async () => {
    await api?.app.close()
    await other?.app.close()
    await fresh?.drop()
  })

  const follow = async (query = '', headers: Record<string, string> = { 'x-name': 'ann' }) => {
    const stream = await Stream.open(`${url}?${query}`, headers)
    onTestFinished(() => stream.close())
    return stream
  }
  const make = async (path: string, data: object) => (await api.post(path, data)).body.data.id as number
  const refusal = async (query: string, headers?: Record<string, string>) => {
    const stream = await follow(query, headers)
    return `${stream.status} ${(await stream.body()).error.message}`
  }

  it('tells of what is written, as server-sent events with ids', async () => {
    const stream = await follow('types=article,authors')
    assert.equal(stream.response.headers['content-type'], 'text/event-stream; charset=utf-8')
    const author = await make('/authors', { name: 'Ann' })
    const plan = await make('/plans', { text: 'secret' })
    const article = await make('/articles', { title: 'Bread', author, plan })
    const [first, second] = await stream.take(2)
    await api.put(`/articles/${article}`, { title: 'Rye', hint: 'not for requests' })
    const [third] = await stream.take(1)
    await api.delete(`/articles/${article}`)
    const [fourth] = await stream.take(1)
    assert.deepEqual(first?.data, { event: 'entry.create', uid: 'api::author.author', id: author })
    // The other end that the caller may not see is left out.
    const ends = [{ attribute: 'author', uid: 'api::author.author', id: author }]
    assert.deepEqual(second?.data, { event: 'entry.create', uid: 'api::article.article', id: article, ends })
    assert.deepEqual(third?.data, {
      ...{ event: 'entry.update', uid: 'api::article.article', id: article },
      changed: ['title'],
    })
    assert.deepEqual(fourth?.data, { event: 'entry.delete', uid: 'api::article.article', id: article, ends })
    const ids = [first, second, third, fourth].map(message => message?.id ?? 0)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    )
  })

  it('goes on from where a client was, and tells it how far it has come although nothing was meant for it', async () => {
    const before = await follow('types=author')
    const [one, two] = [await make('/authors', { name: 'one' }), await make('/authors', { name: 'two' })]
    const [message] = await before.take(1)
    before.close()
    const after = await follow('types=author', { 'x-name': 'ann', 'last-event-id': String(message?.id) })
    assert.equal((await after.take(1))[0]?.data.id, two)
    const since = await follow(`types=author&since=${Number(message?.id) - 1}`)
    assert.deepEqual(
      (await since.take(2)).map(({ data }) => data.id),
      [one, two],
    )
    await make('/plans', { text: 'nothing for this client' })
    const { feed } = serviceOf(api)
    while (feed.position <= after.lastId) await new Promise(done => setImmediate(done))
    await after.take(0)
    assert.ok(after.lastId < feed.position)
  })

  it('includes entries as findOne responds with them, with the parameters of the request', async () => {
    const author = await make('/authors', { name: 'Ann' })
    const stream = await follow('types=article&include=entry&fields=title&populate[author][fields]=name')
    const id = await make('/articles', { title: 'Bread', author })
    const [message] = await stream.take(1)
    const { body } = await api.get(`/articles/${id}?fields=title&populate[author][fields]=name`)
    assert.deepEqual(message?.data.entry, body)
  })

  it('shows drafts only to those who ask for them, and tells the others what is not there any more', async () => {
    const [live, preview] = [await follow('types=article'), await follow('types=article&publicationState=preview')]
    const told = async (stream: Stream) => (await stream.take(1))[0]?.data.event
    const id = await make('/articles', { title: 'Bread', publishedAt: null })
    assert.equal(await told(preview), 'entry.create')
    await api.put(`/articles/${id}`, { publishedAt: '2026-01-01T00:00:00.000Z' })
    for (const stream of [live, preview]) assert.equal(await told(stream), 'entry.publish')
    await api.put(`/articles/${id}`, { publishedAt: null })
    for (const stream of [live, preview]) assert.equal(await told(stream), 'entry.unpublish')
    await api.delete(`/articles/${id}`)
    assert.equal(await told(preview), 'entry.delete')
    await make('/articles', { title: 'last' })
    for (const stream of [live, preview]) assert.equal(await told(stream), 'entry.create')
  })

  it('tells live readers nothing of an entry that has never been live', async () => {
    const live = await follow('types=article')
    const id = await make('/articles', { title: 'Embargoed', publishedAt: '2999-01-01T00:00:00.000Z' })
    await api.put(`/articles/${id}`, { title: 'Still embargoed' })
    await api.put(`/articles/${id}`, { publishedAt: null })
    await api.put(`/articles/${id}`, { publishedAt: '2999-01-01T00:00:00.000Z' })
    await api.delete(`/articles/${id}`)
    const next = await make('/articles', { title: 'last' })
    assert.equal((await live.take(1))[0]?.data.id, next)
  })

  it('asks for permissions and row rules when it sends', async () => {
    const stream = await follow('types=note,article')
    await make('/notes', { owner: 'bob' })
    const own = await make('/notes', { owner: 'ann' })
    const [message] = await stream.take(1)
    assert.deepEqual(message?.data, { event: 'entry.create', uid: 'api::note.note', id: own })
    permissions.set(
      'ann',
      reader.filter(action => !action.includes('article')),
    )
    await make('/articles', { title: 'not for her' })
    const next = await make('/notes', { owner: 'ann' })
    assert.equal((await stream.take(1))[0]?.data.id, next)
    permissions.set('ann', reader)
    const article = await make('/articles', { title: 'for her' })
    assert.equal((await stream.take(1))[0]?.data.id, article)
  })

  it('ends when the credentials do, or the permission to listen', async () => {
    for (const then of [undefined, reader.slice(1)]) {
      permissions.set('bob', reader)
      const stream = await follow('types=article', { 'x-name': 'bob' })
      if (then) permissions.set('bob', then)
      else permissions.delete('bob')
      await make('/articles', { title: 'not for him' })
      await stream.end()
      assert.deepEqual(stream.messages, [])
    }
  })

  it('tells within a second what other processes have written', async () => {
    const stream = await follow('types=author')
    const { body } = await other.post('/authors', { name: 'from elsewhere' })
    assert.equal((await stream.take(1))[0]?.data.id, body.data.id)
  })

  it('refuses what it cannot do, and says why', async () => {
    assert.match(await refusal('types=artikel'), /^400 types: There is no type "artikel"; did you mean "article"\?/)
    assert.match(await refusal('since=one'), /^400 since: "one" is not the id of an event/)
    assert.match(await refusal('include=all'), /^400 include: "all" cannot be included; "entry" can/)
    assert.match(await refusal('types=article&fields=title'), /^400 fields: It shapes entries/)
    assert.match(await refusal('types=article&include=entry&fields=titel'), /^400 fields/)
    assert.equal(await refusal('types=plan'), '403 Forbidden')
    permissions.set('eve', ['api::article.article.find'])
    assert.equal(await refusal('types=article', { 'x-name': 'eve' }), '403 Forbidden')
    assert.match(await refusal('types=article&since=1000000'), /^410 There are no events from 1000000 on any more/)
    const { outbox, feed } = serviceOf(api)
    await outbox.prune(new Date(Date.now() + 60_000), new AbortController().signal)
    assert.match(await refusal('types=article&since=1'), /^410 There are no events from 1 on any more; read/)
    const open = await Promise.all(Array.from({ length: 8 }, () => follow('types=article')))
    expect(await refusal('types=article')).toMatch(/^503 Too many clients follow the content already/)
    for (const stream of open) stream.close()
    while (feed.isFollowed) await new Promise(done => setImmediate(done))
    assert.equal((await api.send('HEAD', '/events', undefined)).status, 200)
  })

  it('ends when the server stops', async () => {
    const stream = await follow('types=article')
    const closed = api.app.close()
    await stream.end()
    await closed
  })
})

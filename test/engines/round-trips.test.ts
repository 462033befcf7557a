import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { it, vi } from 'vitest'
import { definePlugin, type Session, ValidationError } from '../../core/index.js'
import { events } from '../../plugins/events/index.js'
import { type Server, serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { isMysqlItself } from '../support/servers.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string', unique: true },
      rating: { type: 'integer', max: 5 },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
    },
  },
  tag: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'tags' },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
}

/** Number of round trips to the database meanwhile. */
async function counting({ database }: Server, work: () => Promise<unknown>): Promise<number> {
  const { port } = database as { port: number }
  const sent = vi.spyOn(Socket.prototype, 'write')
  await work()
  const count = sent.mock.contexts.filter(socket => (socket as Socket).remotePort === port).length
  sent.mockRestore()
  return count
}

onEveryEngine('writes that ask a database server in few pieces', engine => {
  const onServers = engine.name === 'sqlite' ? it.skip : it
  const server = serve(engine, { types } as never)

  const titles = async () => (await server.rows('articles', ['title'])).map(({ title }) => title)
  const links = () => server.rows('articles_tags_links', ['article_id', 'tag_id'])

  // MySQL takes one statement at a time.
  const least = isMysqlItself(engine) ? { create: 7, update: 9 } : { create: 3, update: 2 }
  onServers(`take ${least.create} round trips for a create, and ${least.update} for an update`, async () => {
    const tags = [await server.make('/tags'), await server.make('/tags')]
    const author = await server.make('/authors')
    let id = 0
    const create = async (title: string) => {
      id = await server.make('/articles', { title, author, tags })
    }
    const update = (rating: number) => server.put(`/articles/${id}`, { rating, author, tags: { disconnect: tags } })
    // The first of each kind on a connection is prepared, and a pool has several.
    const counts: { create: number; update: number }[] = []
    for (let times = 0; times < 40; times += 1)
      counts.push({
        create: await counting(server, () => create(`counted ${times}`)),
        update: await counting(server, () => update(2)),
      })
    assert.equal(Math.min(...counts.map(count => count.create)), least.create)
    assert.equal(Math.min(...counts.map(count => count.update)), least.update)
    assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.rating, 2)
  })

  for (const times of ['the first time', 'again'])
    it(`say what is wrong as ever, and leave nothing, ${times}`, async () => {
      const id = await server.make('/articles', { title: `taken ${times}` })
      const [before, linked] = [await titles(), await links()]
      const wrong = async (data: object, status: number, path: string, says: RegExp) => {
        const reply = await (path === '' ? server.post('/articles', data) : server.put(`/articles/${path}`, data))
        assert.equal(reply.status, status, reply.text)
        assert.match(reply.text, says)
      }
      const taken = { title: `taken ${times}` }
      const missing = { tags: [999] }
      await wrong({ ...taken, ...missing }, 400, '', /tags/)
      await wrong(taken, 400, '', /must be unique/)
      await wrong({ title: `new ${times}`, ...missing }, 400, '', /tags/)
      const other = await server.make('/articles', { title: `other ${times}` })
      await wrong(taken, 400, `${other}`, /must be unique/)
      await wrong(missing, 400, `${other}`, /tags/)
      await wrong({ ...taken, ...missing }, 404, '99999', /Not Found/)
      await server.delete(`/articles/${other}`)
      assert.deepEqual([await titles(), await links()], [before, linked])
      assert.equal((await server.get(`/articles/${id}`)).status, 200)
    })

  it('say that an entry is not as expected before what is wrong with the input', async () => {
    const id = await server.make('/articles', { title: 'expected' })
    const send = { data: { tags: [999] } }
    const reply = await server.send('PUT', `/articles/${id}`, send, { 'if-match': '"2001-01-01T00:00:00.000Z"' })
    assert.equal(reply.status, 412, reply.text)
  })

  it('give entries the ids that they are stored under, also when many come at once', async () => {
    const tag = await server.make('/tags', { name: 'shared' })
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const reply = await server.post('/articles', { title: `many ${index}`, tags: [tag] })
        assert.equal(reply.status, 200, reply.text)
        const { id, attributes } = reply.body.data
        return [id, attributes.title]
      }),
    )
    for (const [id, title] of made)
      assert.equal((await server.get(`/articles/${id}`)).body.data.attributes.title, title)
    const linked = (await links())
      .filter(({ tag_id }) => Number(tag_id) === tag)
      .map(({ article_id }) => Number(article_id))
    assert.deepEqual(
      linked.toSorted((a, b) => a - b),
      made.map(([id]) => id as number).toSorted((a, b) => a - b),
    )
  })
})

onEveryEngine('writes that are recorded as events', engine => {
  const onServers = engine.name === 'sqlite' ? it.skip : it
  const server = serve(engine, { types, plugins: [events] } as never)
  const kept = async () => [await server.count('articles'), await server.count('stele_events')]

  onServers('take as many round trips for a create as without', async () => {
    const tags = [await server.make('/tags')]
    const counts: number[] = []
    for (let times = 0; times < 40; times += 1)
      counts.push(await counting(server, () => server.make('/articles', { title: `counted ${times}`, tags })))
    assert.equal(Math.min(...counts), isMysqlItself(engine) ? 7 : 3)
  })

  it('are undone where the record fails, and leave no record where they fail', async () => {
    const tags = [await server.make('/tags')]
    await server.make('/articles', { title: 'taken', tags })
    const before = await kept()
    const create = (data: object) => server.post('/articles', data)
    assert.equal((await create({ title: 'taken', tags })).status, 400)
    assert.deepEqual(await kept(), before)
    const { reader } = server.app.store
    await reader.run('alter table stele_events rename to elsewhere', [])
    const reply = await create({ title: 'without a record', tags })
    await reader.run('alter table elsewhere rename to stele_events', [])
    assert.equal(reply.status, 500, reply.text)
    assert.deepEqual(await kept(), before)
    assert.equal((await create({ title: 'with a record', tags })).status, 200)
    assert.deepEqual(
      await kept(),
      before.map(count => count + 1),
    )
  })
})

onEveryEngine('work for after the commit', engine => {
  const told: unknown[] = []
  const telling = definePlugin({
    name: 'telling',
    hooks: { afterWrite: ({ title }, { afterCommit }) => afterCommit(() => void told.push(title)) },
  })
  const server = serve(engine, { types, plugins: [telling] } as never)

  it('is not done for a write whose last statements failed, inside of a transaction that goes on', async () => {
    const tags = [await server.make('/tags')]
    await server.make('/articles', { title: 'stored', tags })
    const { reader } = server.app.store
    await reader.run('alter table articles_tags_links rename to elsewhere', [])
    await server.app.store.transaction(async session => {
      const articles = server.app.entries('api::article.article', session)
      await articles.create({ title: 'before' })
      await session.run('savepoint here', [])
      await assert.rejects(articles.create({ title: 'undone', tags }))
      await session.run('rollback to savepoint here', [])
      await articles.create({ title: 'after' })
    })
    await reader.run('alter table elsewhere rename to articles_tags_links', [])
    assert.deepEqual(told.filter(Boolean), ['stored', 'before', 'after'])
  })
})

onEveryEngine('a write whose last statements fail', engine => {
  /** The work of the hook behind the write, by the title of the entry. */
  const acts: Record<string, (session: Session) => Promise<unknown>> = {
    'goes on': session => Promise.resolve(session.all('select 1', [])).catch(() => undefined),
    refuses: () => Promise.reject(new ValidationError('refused')),
    'refuses for it': session =>
      Promise.resolve(session.all('select 1', [])).catch(() => Promise.reject(new ValidationError('refused'))),
  }
  const acting = definePlugin({
    name: 'acting',
    hooks: { afterWrite: async ({ title }, { session }) => void (await acts[String(title)]?.(session)) },
  })
  const server = serve(engine, { types, plugins: [acting] } as never)

  it('says what is wrong with them, whatever a hook makes of that', async () => {
    const tags = [await server.make('/tags')]
    const { reader } = server.app.store
    await reader.run('alter table articles_tags_links rename to elsewhere', [])
    for (const title of Object.keys(acts)) assert.equal((await server.post('/articles', { title, tags })).status, 500)
    await reader.run('alter table elsewhere rename to articles_tags_links', [])
    assert.equal(await server.count('articles'), 0)
    assert.deepEqual(
      await Promise.all(Object.keys(acts).map(async title => (await server.post('/articles', { title, tags })).status)),
      [200, 400, 200],
    )
  })
})

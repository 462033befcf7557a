import { strict as assert } from 'node:assert'
import { it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { start } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { numbers } from '../../support/numbers.js'
import { run } from '../../support/run.js'
import { isNightly } from '../../support/time.js'
import { countingHits } from './counting-hits.js'
import { onEveryCachingEngine } from './worlds.js'

vi.setConfig({ testTimeout: 120_000 })

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const types = {
  author: { attributes: { name: { type: 'string' } } },
  tag: { attributes: { name: { type: 'string' } } },
  article: {
    attributes: {
      title: { type: 'string' },
      author: relation('manyToOne', 'author'),
      tags: relation('manyToMany', 'tag'),
      links: { type: 'component', repeatable: true, component: 'parts.link' },
    },
  },
  comment: { attributes: { text: { type: 'string' }, article: relation('manyToOne', 'article') } },
} as never
const components = { 'parts.link': { attributes: { url: { type: 'string' } } } }

const queries = [
  '/articles?sort=id',
  '/articles?sort=id&pagination[pageSize]=1',
  '/articles?sort=id&populate=*',
  '/articles?sort=author.name,id&populate[links]=true',
  '/articles?sort=id&filters[author][name][$eq]=b&fields[0]=title',
  '/articles?sort=id&filters[tags][name][$contains]=a&populate[tags][filters][name][$ne]=b',
  '/authors?sort=id',
  '/tags?sort=id&pagination[withCount]=false',
  '/comments?sort=id&populate[article][populate][author]=true',
  '/comments?filters[article][author][name]=a',
  '/articles/1?populate=*',
  '/authors/2',
]

onEveryCachingEngine('responses that are cached by what they were read from', (engine, soleWriter) => {
  it('are after each write of this server what they are without a cache', async () => {
    let free = 0
    const counting = countingHits(() => {
      free += 1
    })
    const config = { database: { soleWriter } } as never
    const api = await start(engine, { types, components, plugins: [counting], config })
    const database = api.app.config.database as never
    const plain = await createTestApp({ types, components, config: { database, api: { rest: { responseCache: 0 } } } })
    const next = numbers(7)
    const word = () => ['a', 'b', 'c'][next(3)]
    const id = () => 1 + next(6)
    const bodies: Record<string, () => object> = {
      authors: () => ({ name: word() }),
      tags: () => ({ name: word() }),
      articles: () => ({ title: word(), author: id(), tags: [id()], links: [{ url: word() }] }),
      comments: () => ({ text: word(), article: id() }),
    }
    const write = async () => {
      const path = Object.keys(bodies)[next(4)] as string
      const data = bodies[path]?.() ?? {}
      const kind = next(8)
      const [method, url] = kind < 3 ? ['POST', path] : [kind < 7 ? 'PUT' : 'DELETE', `${path}/${id()}`]
      const answer = await api.send(method as string, `/${url}`, method === 'DELETE' ? undefined : { data })
      assert.ok([200, 400, 404].includes(answer.status), answer.text)
    }
    for (const path of ['authors', 'tags', 'articles', 'comments'])
      for (let times = 0; times < 4; times += 1) await api.make(`/${path}`, path === 'authors' ? { name: word() } : {})
    // A step costs a database server some five times what it costs SQLite.
    const steps = isNightly ? 120 : engine.name === 'sqlite' ? 60 : 40
    for (let step = 0; step < steps; step += 1) {
      await write()
      for (const query of queries) {
        const [mine, expected] = await Promise.all([api.get(query), plain.inject({ url: `/api${query}` })])
        assert.equal(mine.status, expected.statusCode, query)
        assert.deepEqual(mine.body, expected.json(), `step ${step}: ${query}`)
      }
    }
    // A snapshot of PostgreSQL is that of the whole server, on which other tests write.
    const fewest = { sqlite: steps / 4, mysql: steps / 12 - 1, postgres: 0 }[engine.name] * queries.length
    assert.ok(free >= fewest, `${free} responses came from the cache`)
    await plain.close()
    await api.close()
  })
})

onSqlite('what a cached response depends on', engine => {
  const sqlite = (suite: (api: Awaited<ReturnType<typeof start>>) => Promise<void>) => async () => {
    const api = await start(engine, { types, components })
    await api.make('/articles', { title: 'a' })
    await suite(api)
    await api.close()
  }
  const isCached = async (api: Awaited<ReturnType<typeof start>>, url = '/articles?sort=id') =>
    (await api.get(url)).statements.length === 0
  const warm = async (api: Awaited<ReturnType<typeof start>>) => {
    for (let times = 0; times < 3; times += 1) await api.get('/articles?sort=id')
  }

  it(
    'stay while other types are written, with the same tag',
    sqlite(async api => {
      await warm(api)
      const { etag } = (await api.get('/articles?sort=id')).headers
      await api.make('/comments', { text: 'a', article: 1 })
      await api.put('/comments/1', { text: 'b' })
      await api.app.store.transaction(async session => session.run('insert into authors (name) values (?)', ['raw']))
      assert.ok(await isCached(api))
      const again = await api.get('/articles?sort=id', { 'if-none-match': String(etag) })
      assert.equal(again.status, 304)
      await api.put('/articles/1', { title: 'b' })
      assert.ok(!(await isCached(api)))
    }),
  )

  it(
    'go with deletes, with statements that do not name one table, and with what other programs write',
    sqlite(async api => {
      const writes: ((app: TestApp) => Promise<unknown>)[] = [
        () => api.delete('/comments/1'),
        app => app.store.reader.run("with x as (select 1) update articles set title = 'c'", []) as Promise<unknown>,
        () => run(api.database, "insert into authors (name) values ('foreign')"),
      ]
      await api.make('/comments', { text: 'a', article: 1 })
      for (const write of writes) {
        await warm(api)
        assert.ok(await isCached(api))
        await write(api.app)
        await new Promise(setImmediate)
        assert.ok(!(await isCached(api)), String(write))
      }
    }),
  )
})

onEveryCachingEngine('responses of a database with triggers', (engine, soleWriter) => {
  it.skipIf(soleWriter)('go with every write', async () => {
    const api = await start(engine, { types, components })
    await api.make('/articles', { title: 'a' })
    const change = "update articles set title = 'by trigger'"
    const triggers = {
      sqlite: [`create trigger t after insert on comments begin ${change}; end`],
      mysql: [`create trigger t after insert on comments for each row ${change}`],
      postgres: [
        `create function f() returns trigger language plpgsql as 'begin ${change.replaceAll("'", "''")}; return new; end'`,
        'create trigger t after insert on comments for each row execute function f()',
      ],
    }
    for (const sql of triggers[engine.name]) await run(api.database, sql)
    for (let times = 0; times < 3; times += 1) await api.get('/articles?sort=id')
    await api.make('/comments', { text: 'a' })
    assert.equal((await api.get('/articles?sort=id')).body.data[0].attributes.title, 'by trigger')
    await api.close()
  })
})

import { strict as assert } from 'node:assert'
import { it, vi } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Api, start } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { numbers } from '../../support/numbers.js'
import { isNightly } from '../../support/time.js'
import { countingHits } from './counting-hits.js'
import { onEveryCachingEngine } from './worlds.js'

vi.setConfig({ testTimeout: 240_000 })

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})
const localized = { pluginOptions: { i18n: { localized: true } } }
const types = {
  author: {
    attributes: {
      name: { type: 'string' },
      bio: { type: 'string' },
      articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
    },
  },
  tag: {
    options: { draftAndPublish: true },
    attributes: { name: { type: 'string' }, articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) },
  },
  article: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      summary: { type: 'string' },
      views: { type: 'integer' },
      author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      related: relation('oneToMany', 'article'),
      link: { type: 'component', component: 'parts.link' },
      links: { type: 'component', repeatable: true, component: 'parts.link' },
      zone: { type: 'dynamiczone', components: ['parts.link'] },
    },
  },
  note: { ...localized, attributes: { text: { type: 'string', ...localized }, place: { type: 'integer' } } },
} as never
const components = {
  'parts.link': { attributes: { url: { type: 'string' }, author: relation('oneToOne', 'author') } },
} as never

type Numbers = ReturnType<typeof numbers>

const wordOf = (next: Numbers) => ['a', 'b', 'c', 'd'][next(4)] as string
const one = <T>(next: Numbers, of: readonly T[]): T => of[next(of.length)] as T

/** Queries put together of parts: fields, conditions and pages. */
function queriesOf(next: Numbers, count: number): string[] {
  const word = () => wordOf(next)
  const shown = [
    ...['', '', 'populate[author]=true', 'populate[tags]=true', 'populate[links]=true', 'populate[link]=true'],
    ...[
      'populate=*',
      'populate[zone]=true',
      'populate[related]=true',
      'populate[tags][sort]=name&populate[author]=true',
    ],
    ...['populate[author][populate][articles]=true', 'populate[tags][populate][articles][fields][0]=title'],
    ...[
      'populate[link][populate][author]=true',
      'populate[tags][count]=true',
      'populate[related][populate][author]=true',
    ],
    ...[`populate[tags][filters][name]=${word()}`, `populate[related][filters][views][$gt]=${next(4)}`],
    ...['populate[tags][pagination][limit]=1&populate[tags][sort]=name:desc'],
  ]
  const asked = [
    ...['', '', '', `filters[title]=${word()}`, `filters[views][$gte]=${next(6)}`, `filters[author][name]=${word()}`],
    ...[
      `filters[tags][name][$contains]=${word()}`,
      `filters[links][url]=${word()}`,
      `filters[related][title]=${word()}`,
    ],
    ...[`filters[$or][0][title]=${word()}&filters[$or][1][views]=${next(6)}`, `filters[author][id][$notNull]=true`],
    ...[`filters[$not][title]=${word()}`, `filters[author][articles][views]=${next(6)}`, `_q=${word()}`],
    ...['publicationState=preview'],
  ]
  const sorted = ['sort=id', 'sort=id', 'sort=title,id', 'sort=views:desc', 'sort=author.name', 'sort=summary']
  const paged = [
    ...['', 'pagination[pageSize]=2', 'pagination[pageSize]=3&pagination[page]=2', 'pagination[limit]=2'],
    ...['pagination[pageSize]=4&pagination[withCount]=false', 'fields[0]=title'],
  ]
  const articles = () =>
    `/articles?${[shown, asked, sorted, paged]
      .map(parts => one(next, parts))
      .filter(Boolean)
      .join('&')}`
  const others = [
    ...[
      '/authors?sort=id',
      '/authors?populate=articles&sort=name,id',
      '/authors/2?populate[articles][fields][0]=title',
    ],
    ...[
      '/tags?populate=articles&sort=id',
      '/tags/3',
      '/notes?sort=id',
      '/notes?locale=de&populate=localizations&sort=id',
    ],
    ...[
      '/articles?sort=id&populate[links]=true&populate[zone]=true',
      '/articles/2',
      '/articles/3?populate=*',
      '/articles/4?populate[author][populate]=articles',
      '/notes/1',
    ],
  ]
  return [...others, ...Array.from({ length: count }, articles)]
}

/** A write of a few columns of one entry, as a rule. */
function writeOf(next: Numbers, many: number): readonly [method: string, path: string, data?: object] {
  const id = () => 1 + next(many)
  const word = () => wordOf(next)
  const ofArticle: (() => object)[] = [
    () => ({ title: word() }),
    () => ({ summary: word() }),
    () => ({ summary: word() }),
    () => ({ views: next(6) }),
    () => ({ author: id() }),
    () => ({ tags: { connect: [id()] } }),
    () => ({ summary: word(), tags: { disconnect: [id()] } }),
    () => ({ tags: [id(), id()] }),
    () => ({ related: [id()] }),
    () => ({ related: { connect: [id()] } }),
    () => ({ links: [{ url: word() }, { url: word(), author: id() }] }),
    () => ({ link: { url: word(), author: id() } }),
    () => ({ zone: [{ __component: 'parts.link', url: word() }] }),
    () => ({ zone: [1, 2, 3].map(() => ({ __component: 'parts.link', url: word() })) }),
    () => ({ publishedAt: next(3) === 0 ? null : new Date(next(1e9)).toISOString() }),
  ]
  const all: (() => readonly [string, string, object?])[] = [
    ...ofArticle.map(data => () => ['PUT', `articles/${id()}`, data()] as const),
    () => ['PUT', `authors/${id()}`, { name: word() }],
    () => ['PUT', `authors/${id()}`, { bio: word() }],
    () => ['PUT', `authors/${id()}`, { articles: [id()] }],
    () => ['PUT', `tags/${id()}`, { name: word() }],
    () => ['PUT', `tags/${id()}`, { articles: { connect: [id()] } }],
    () => ['PUT', `tags/${id()}`, { publishedAt: next(3) === 0 ? null : new Date(next(1e9)).toISOString() }],
    () => ['PUT', `notes/${id()}`, { text: word() }],
    () => ['PUT', `notes/${id()}`, { place: next(5) }],
    ...[1, 2, 3].map(() => () => ['part', String(1 + next(6 * many)), { url: word() }] as const),
    () => ['POST', 'tags', { name: word() }],
    () => ['POST', 'articles', { title: word(), views: next(6), author: id(), tags: [id()] }],
    () => ['POST', 'notes', { text: word(), locale: one(next, ['en', 'de']) }],
  ]
  // A delete leaves nothing in the cache, so others have to be frequent.
  return next(60) === 0 ? ['DELETE', `${one(next, ['articles', 'tags', 'authors'])}/${id()}`] : one(next, all)()
}

/** Changes a component where it stands, wherever it is shown, as code of a plugin may. */
async function renamePart({ app }: Api, id: number, data: object): Promise<void> {
  const { tableName } = app.store.model('parts.link')
  const { sql, bindings } = app.store.knex(tableName).where('id', id).update(data).toSQL().toNative()
  await app.store.transaction(async session => session.run(sql, bindings))
}

onEveryCachingEngine('responses of which it is known which rows they depend on', (engine, soleWriter) => {
  for (const seed of isNightly ? [11, 12] : [11])
    it(`are after each write what they are without a cache, in world ${seed}`, async () => {
      let free = 0
      const plugins = [
        draftAndPublish,
        i18n,
        countingHits(() => {
          free += 1
        }),
      ]
      const settings = { i18n: { config: { locales: ['en', 'de'], defaultLocale: 'en' } } }
      const config = { plugins: settings, database: { soleWriter } } as never
      const api = await start(engine, { types, components, plugins, config })
      const plain = await createTestApp({
        ...{ types, components, plugins: plugins.slice(0, 2) },
        config: { database: api.app.config.database, api: { rest: { responseCache: 0 } }, plugins: settings } as never,
      })
      const next = numbers(seed)
      const many = 8
      // Each of them asks all queries twice: most are for the night.
      const steps = isNightly ? 150 : engine.name === 'sqlite' ? 60 : 20
      for (let times = 0; times < many; times += 1)
        for (const path of ['authors', 'tags', 'articles', 'notes'])
          await api.make(`/${path}`, path === 'articles' ? { views: times, title: wordOf(next) } : {})
      const queries = queriesOf(next, 28)
      for (let step = 0; step < steps; step += 1) {
        const [method, path, data] = writeOf(next, many)
        if (method === 'part') await renamePart(api, Number(path), data as object)
        else {
          const answer = await api.send(method, `/${path}`, data && { data })
          assert.ok([200, 400, 404].includes(answer.status), `${path} ${JSON.stringify(data)}: ${answer.text}`)
        }
        for (const query of queries) {
          const [mine, expected] = await Promise.all([api.get(query), plain.inject({ url: `/api${query}` })])
          const about = `step ${step}, after ${method} ${path} ${JSON.stringify(data)}: ${query}`
          assert.equal(mine.status, expected.statusCode, `${about} ${mine.text}`)
          assert.deepEqual(mine.body, expected.json(), about)
        }
      }
      // A snapshot of PostgreSQL is that of the whole server, on which other tests write. MariaDB is asked once a second at
      // most whether tables are what they seem, so that a slow machine has fewer hits.
      const share = { sqlite: 0.4, mysql: isNightly ? 0.15 : 0, postgres: 0 }[engine.name]
      const fewest = share * queries.length * steps
      assert.ok(free >= fewest, `${free} of ${queries.length * steps} came from the cache`)
      await plain.close()
      await api.close()
    })
})

onSqlite('a cached response', engine => {
  const sqlite = (suite: (api: Api) => Promise<void>) => async () => {
    const api = await start(engine, { types, components, plugins: [draftAndPublish, i18n] })
    for (const title of ['a', 'b', 'c']) await api.make('/articles', { title, views: 1 })
    for (const path of ['authors', 'tags', 'tags']) await api.make(`/${path}`)
    await suite(api)
    await api.close()
  }
  const list = '/articles?sort=title&pagination[pageSize]=2&populate[tags]=true'
  const warm = async (api: Api) => {
    for (let times = 0; times < 3; times += 1) await api.get(list)
  }
  const isCached = async (api: Api) => (await api.get(list)).statements.length === 0

  const changes: readonly { says: string; path: string; data: object; stays: boolean }[] = [
    { says: 'a column of an entry that it does not show', path: 'articles/3', data: { summary: 'new' }, stays: true },
    { says: 'a link of an entry that it does not show', path: 'articles/3', data: { tags: [1] }, stays: true },
    { says: 'an entry that it neither shows nor populates', path: 'tags/2', data: { name: 'new' }, stays: true },
    { says: 'a column of an entry that it shows', path: 'articles/2', data: { summary: 'new' }, stays: false },
    { says: 'a link of an entry that it shows', path: 'articles/2', data: { tags: [1] }, stays: false },
    {
      says: 'a link of an entry that it shows, from its other end',
      path: 'tags/2',
      data: { articles: [1] },
      stays: false,
    },
    { says: 'a column by which it is sorted', path: 'articles/3', data: { title: 'new' }, stays: false },
    { says: 'whether an entry is published', path: 'articles/3', data: { publishedAt: null }, stays: false },
  ]
  for (const { says, path, data, stays } of changes)
    it(
      `${stays ? 'stays' : 'goes'} when a write changes ${says}`,
      sqlite(async api => {
        // The cache learns the column by which rows of a table are told when it checks a cached response after a change
        // of the table.
        for (const change of [{ summary: 'first', tags: [2] }, { tags: [] }, { summary: 'second' }]) {
          await warm(api)
          await api.put('/articles/3', change)
        }
        await warm(api)
        await api.put('/tags/2', { name: 'first' })
        await warm(api)
        const { etag } = (await api.get(list)).headers
        await api.put(`/${path}`, data)
        assert.equal(await isCached(api), stays)
        if (stays) assert.equal((await api.get(list, { 'if-none-match': String(etag) })).status, 304)
      }),
    )
})

onEveryEngine('a transaction that writes more than is told row by row', engine => {
  it('invalidates what was read from its tables', async () => {
    const api = await start(engine, { types, components, plugins: [draftAndPublish, i18n] })
    for (const title of ['a', 'b']) await api.make('/articles', { title, views: 1 })
    const url = '/articles?sort=id&fields[0]=views'
    for (let times = 0; times < 3; times += 1) await api.get(url)
    const { knex, model, transaction } = api.app.store
    const { tableName } = model('api::article.article')
    await transaction(async session => {
      for (let views = 1; views <= 1500; views += 1) {
        const { sql, bindings } = knex(tableName).where('id', 2).update({ views }).toSQL().toNative()
        await session.run(sql, bindings)
      }
    })
    const { data } = (await api.get(url)).body
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { views: number } }) => attributes.views),
      [1, 1500],
    )
    await api.close()
  })
})

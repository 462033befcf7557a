import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import {
  change,
  createTestApp,
  definePlugin,
  type Filters,
  type Job,
  now,
  type TestApp,
  where,
} from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { conditionOf } from '../../../core/plugin-kit.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import type { Events } from '../../../plugins/events/service.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { typesOf } from '../../client/world.js'
import { documentOf } from '../../openapi/outline.js'
import { assertCached } from '../../support/cached.js'
import { type Answer, type Api, type Body, refused, start, startOn, type World } from '../../support/contract.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'

const uid = 'api::article.article'
const begin = Date.parse('2031-05-01T12:00:00.000Z')
const minute = 60_000
const iso = (minutes: number, ms = 0) => new Date(begin + minutes * minute + ms).toISOString()
/** The time of a test; servers have no other. */
const clock = { now: begin }
const at = (minutes: number, ms = 0) => {
  clock.now = begin + minutes * minute + ms
}

const world = {
  time: () => clock.now,
  types: {
    article: {
      options: { draftAndPublish: true, scheduling: true },
      attributes: {
        title: { type: 'string', required: true },
        summary: { type: 'string', required: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: uid, mappedBy: 'author' },
      },
    },
    page: { options: { draftAndPublish: true }, attributes: { title: { type: 'string' } } },
  },
  plugins: [draftAndPublish, events],
} satisfies World

const counts = definePlugin({
  name: 'counts',
  routes: [
    ({ uid, pluralName }) => [
      { method: 'GET', path: `/${pluralName}/all/count`, action: null, run: ({ content }) => content.count(uid) },
    ],
  ],
})

const whole = (title: string, more: object = {}) => ({ title, summary: 'x', ...more })
const titlesOf = ({ body }: Answer): string[] => body.data.map(({ attributes }: Body) => attributes.title)

/** A suite with a server of its own for each test, all at the same time of day. */
function suite(title: string, more: Partial<World>, tests: (fresh: () => Promise<Api>, engine: Engine) => void): void {
  onEveryEngine(title, engine => {
    tests(async () => {
      at(0)
      const api = await start(engine, { ...world, ...more })
      onTestFinished(() => api.close())
      return api
    }, engine)
  })
}

suite('an entry with a time', { plugins: [...world.plugins, counts] }, fresh => {
  /** A live reader's view of two entries, wherever they could appear. */
  async function seen(api: Api, [planned, ending]: readonly [number, number]): Promise<unknown> {
    const [list, author, filtered, sorted, counted, one, other, populated] = [
      await api.get('/articles?sort=title'),
      await api.get('/authors/1?populate=articles'),
      await api.get('/authors?filters[articles][title]=planned'),
      await api.get('/authors?sort[0]=articles.title&filters[id][$lte]=2'),
      await api.get('/articles/all/count'),
      await api.get(`/articles/${planned}`),
      await api.get(`/articles/${ending}`),
      await api.get('/authors?populate[articles][sort]=title&filters[id]=1'),
    ]
    return {
      list: titlesOf(list).join(),
      total: list.body.meta.pagination.total,
      populated: author.body.data.attributes.articles.data
        .map(({ attributes }: Body) => attributes.title)
        .sort()
        .join(),
      nested: populated.body.data[0].attributes.articles.data.map(({ attributes }: Body) => attributes.title).join(),
      filtered: filtered.body.data.length,
      sorted: sorted.body.data.map(({ id }: Body) => id).join(),
      counted: counted.body,
      one: one.status,
      other: other.status,
    }
  }

  it('is live from then on, or no more, wherever it can be met, with nothing written', async () => {
    const api = await fresh()
    const author = await api.make('/authors', { name: 'one' })
    const second = await api.make('/authors', { name: 'two' })
    await api.make('/articles', whole('middle', { author: second }))
    const planned = await api.make('/articles', whole('planned', { author, publishAt: iso(10) }))
    const ending = await api.make('/articles', whole('ending', { author, unpublishAt: iso(20) }))
    await api.make('/articles', { title: 'never', publishedAt: null })
    const look = async () => {
      const first = await seen(api, [planned, ending])
      // The second and third may be cached.
      for (let times = 0; times < 2; times += 1) assert.deepEqual(await seen(api, [planned, ending]), first)
      return first
    }
    const before = {
      ...{ list: 'ending,middle', total: 2, populated: 'ending', nested: 'ending', filtered: 0, sorted: '1,2' },
      ...{ counted: 2, one: 404, other: 200 },
    }
    assert.deepEqual(await look(), before)
    at(10, -1)
    assert.deepEqual(await look(), before)
    at(10)
    const both = {
      ...{ list: 'ending,middle,planned', total: 3, populated: 'ending,planned', nested: 'ending,planned' },
      ...{ filtered: 1, sorted: '1,2', counted: 3, one: 200, other: 200 },
    }
    assert.deepEqual(await look(), both)
    at(20, -1)
    assert.deepEqual(await look(), both)
    at(20)
    const after = { ...both, list: 'middle,planned', total: 2, populated: 'planned', nested: 'planned' }
    assert.deepEqual(await look(), { ...after, sorted: '2,1', counted: 2, other: 404 })
    // A clock that is set back shows what was live then.
    at(10, -1)
    assert.deepEqual(await look(), before)
    const preview = await api.get(`/articles/${planned}?publicationState=preview`)
    assert.deepEqual(
      [preview.body.data.attributes.publishAt, preview.body.data.attributes.publishedAt],
      [iso(10), null],
    )
  })

  it('is what another program makes of it, with the next request', async () => {
    const api = await fresh()
    const id = await api.make('/articles', whole('planned', { publishAt: iso(30) }))
    for (let times = 0; times < 3; times += 1) assert.deepEqual(titlesOf(await api.get('/articles')), [])
    const other = await createTestApp({ ...world, plugins: [draftAndPublish], config: { database: api.database } })
    await other.entries(uid).update(id, { publishAt: iso(5) })
    await other.close()
    for (let times = 0; times < 3; times += 1) assert.deepEqual(titlesOf(await api.get('/articles')), [])
    at(5)
    for (let times = 0; times < 3; times += 1) assert.deepEqual(titlesOf(await api.get('/articles')), ['planned'])
  })

  it('has an ETag for as long as the response is the same', async () => {
    const api = await fresh()
    await api.make('/articles', whole('planned', { publishAt: iso(1) }))
    await api.get('/articles')
    const { headers } = await api.get('/articles')
    const known = { 'if-none-match': String(headers.etag) }
    at(1, -1)
    assert.equal((await api.get('/articles', known)).status, 304)
    at(1)
    const now = await api.get('/articles', known)
    assert.deepEqual([now.status, titlesOf(now)], [200, ['planned']])
    at(2)
    assert.equal((await api.get('/articles', { 'if-none-match': String(now.headers.etag) })).status, 304)
  })

  it('has an ETag that tells neither a plan nor how often something was written', async () => {
    const api = await fresh()
    const tags: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const id = await api.make('/articles', whole(`planned ${round}`, { publishAt: iso(60 + round) }))
      for (const path of ['/articles', '/articles?populate=*', '/authors?filters[articles][title]=x']) {
        const first = await api.get(path)
        const again = await api.get(path)
        for (const { headers } of [first, again]) {
          const tag = String(headers.etag)
          // The tag is nothing but a hash: as long as every other, and without parts.
          assert.match(tag, /^W\/"[\w-]{22,27}"$/)
          assert.ok(!tag.includes(String(Date.parse(iso(60)))), tag)
        }
        if (again.status === 200 && path === '/articles') tags.push(String(again.headers.etag))
      }
      await api.send('DELETE', `/articles/${id}`)
    }
    // Tags of one query have nothing in common but by chance.
    const begins = new Set(tags.map(tag => tag.slice(3, 9)))
    assert.equal(begins.size, new Set(tags).size, tags.join())
  })
})

suite('what repeated requests cost', { plugins: [draftAndPublish] }, (fresh, engine) => {
  const cost = async (api: Api, path: string) => (await api.get(path)).statements.length

  it('is nothing, with times to come and without, and one look at each column when one has come', async () => {
    const api = await fresh()
    await api.make('/articles', whole('live'))
    const path = '/articles?sort=title'
    for (const publishAt of [undefined, iso(1)]) {
      if (publishAt) await api.make('/articles', whole('planned', { publishAt }))
      for (let times = 0; times < 2; times += 1) await api.get(path)
      for (let times = 0; times < 3; times += 1) {
        clock.now += 1
        assertCached(engine, (await cost(api, path)) === 0)
      }
    }
    at(1)
    if (engine.name !== 'sqlite') return
    // The column, the entries, and their total.
    assert.equal(await cost(api, path), 3)
    assert.equal(await cost(api, path), 0)
    at(100)
    assert.equal(await cost(api, path), 0)
    // A total is known for every page.
    assert.equal(await cost(api, '/articles?sort=title:desc'), 1)
  })
})

suite('writes of scheduled entries', {}, fresh => {
  const stored = async (api: Api, id: number) => {
    const { attributes } = (await api.get(`/articles/${id}?publicationState=preview`)).body.data
    return [attributes.publishedAt, attributes.publishAt, attributes.unpublishAt]
  }

  it('must be whole, as there is no other time at which that could be said', async () => {
    const api = await fresh()
    refused(await api.post('/articles', { title: 'part', publishAt: iso(1) }), { status: 400, message: /summary/ })
    refused(await api.post('/articles', { title: 'part', publishedAt: null, publishAt: iso(1) }), { status: 400 })
    const draft = await api.make('/articles', { title: 'part', publishedAt: null })
    refused(await api.put(`/articles/${draft}`, { publishAt: iso(1) }), { status: 400, message: /summary/ })
    assert.equal((await api.put(`/articles/${draft}`, { publishAt: iso(1), summary: 'x' })).status, 200)
    assert.deepEqual(await stored(api, draft), [null, iso(1), null])
    // The entry stays complete while it waits, and afterwards.
    for (const minutes of [0, 2]) {
      at(minutes)
      refused(await api.put(`/articles/${draft}`, { summary: null }), { status: 400, message: /summary/ })
    }
    refused(await api.put(`/articles/${draft}`, { publishAt: 'soon' }), {
      status: 400,
      message: /publishAt must be an ISO 8601 date/,
    })
    // A draft again, which may lack anything.
    assert.equal((await api.put(`/articles/${draft}`, { publishAt: null, publishedAt: null })).status, 200)
    assert.equal((await api.put(`/articles/${draft}`, { summary: null })).status, 200)
  })

  it('are refused where the end does not follow the beginning', async () => {
    const api = await fresh()
    const wrong = { status: 400, name: 'ValidationError', message: /unpublishAt must be later than publishAt/ }
    refused(await api.post('/articles', whole('a', { publishAt: iso(2), unpublishAt: iso(2) })), wrong)
    const id = await api.make('/articles', whole('a', { publishAt: iso(2), unpublishAt: iso(3) }))
    refused(await api.put(`/articles/${id}`, { publishAt: iso(4) }), wrong)
    refused(await api.put(`/articles/${id}`, { unpublishAt: iso(1) }), wrong)
    assert.deepEqual(await stored(api, id), [null, iso(2), iso(3)])
  })

  it('of publishing and unpublishing take away the dates that would undo them', async () => {
    const api = await fresh()
    const publish = (id: number) => api.send('POST', `/articles/${id}/actions/publish`)
    const unpublish = (id: number) => api.send('POST', `/articles/${id}/actions/unpublish`)
    const id = await api.make('/articles', whole('a', { publishAt: iso(1), unpublishAt: iso(9) }))
    assert.equal((await publish(id)).status, 200)
    assert.deepEqual(await stored(api, id), [iso(0), null, iso(9)])
    at(10)
    refused(await api.get(`/articles/${id}`), { status: 404 })
    await publish(id)
    assert.deepEqual(await stored(api, id), [iso(10), null, null])
    assert.equal((await api.get(`/articles/${id}`)).status, 200)
    const planned = await api.make('/articles', whole('b', { publishAt: iso(11) }))
    at(12)
    await unpublish(planned)
    assert.deepEqual(await stored(api, planned), [null, null, null])
    // A plan for later outlives it.
    await api.put(`/articles/${planned}`, { publishAt: iso(20) })
    await unpublish(planned)
    assert.deepEqual(await stored(api, planned), [null, iso(20), null])
    at(20)
    assert.equal((await api.get(`/articles/${planned}`)).status, 200)
    // An entry that is live by its time keeps that time as its publication date.
    await publish(planned)
    assert.deepEqual(await stored(api, planned), [iso(20), null, null])
  })

  it('of types without the option know no such attribute', async () => {
    const api = await fresh()
    refused(await api.post('/pages', { title: 'x', publishAt: iso(1) }), { status: 400, message: /publishAt/ })
    refused(await api.get('/pages?filters[publishAt][$null]=true'), { status: 400, parameter: 'filters[publishAt]' })
  })
})

suite('a date of publication that is to come', {}, fresh => {
  it('keeps an entry from being live before it, without any option', async () => {
    const api = await fresh()
    const id = await api.make('/pages', { title: 'later', publishedAt: iso(5) })
    for (let times = 0; times < 3; times += 1) assert.deepEqual(titlesOf(await api.get('/pages')), [])
    refused(await api.get(`/pages/${id}`), { status: 404 })
    at(5)
    assert.deepEqual(titlesOf(await api.get('/pages')), ['later'])
    const early = await api.make('/pages', { title: 'early', publishedAt: iso(50) })
    await api.send('POST', `/pages/${early}/actions/publish`)
    assert.equal((await api.get(`/pages/${early}`)).body.data.attributes.publishedAt, iso(5))
  })
})

suite('the dialect strapi4', { rest: { dialect: 'strapi4' }, types: { page: world.types.page } }, fresh => {
  it('takes any date for published, and has neither columns nor a job that Strapi 4 has not', async () => {
    const api = await fresh()
    await api.make('/pages', { title: 'later', publishedAt: iso(5), publishAt: iso(1) })
    assert.deepEqual(titlesOf(await api.get('/pages')), ['later'])
    assert.ok(!Object.hasOwn((await api.get('/pages/1')).body.data.attributes, 'publishAt'))
    assert.equal(api.app.types.get('api::page.page').fields.has('publishAt'), false)
    await assert.rejects(api.app.runJob('draft-and-publish/schedule'))
  })
})

suite('scheduling in the dialect strapi4', { rest: { dialect: 'strapi4' } }, fresh => {
  it('is there where a type says so', async () => {
    const api = await fresh()
    await api.make('/articles', whole('planned', { publishAt: iso(1) }))
    await api.make('/articles', whole('dated', { publishedAt: iso(5), unpublishAt: iso(2) }))
    const titles = async () => titlesOf(await api.get('/articles?sort=title'))
    for (const [minutes, live] of [
      [0, ['dated']],
      [1, ['dated', 'planned']],
      [2, ['planned']],
    ] as const) {
      at(minutes)
      for (let times = 0; times < 3; times += 1) assert.deepEqual(await titles(), live)
    }
  })
})

interface RunningJobs {
  readonly spec: { readonly jobs: readonly [Job] }
  readonly service: unknown
}

suite('the job', {}, fresh => {
  const run = (app: TestApp) => app.runJob('draft-and-publish/schedule')
  const recorded = async (api: Api) => {
    const { service } = api.app.plugins.find(({ spec }) => spec.name === 'events') as unknown as { service: Events }
    const { outbox } = service
    while (await outbox.arrange());
    return (await outbox.after(0))
      .filter(({ actor }) => actor === 'schedule')
      .map(({ event, entry }) => `${event} ${entry}`)
  }

  it('records what the time has done, each thing once, on any number of servers', async () => {
    const api = await fresh()
    const second = await startOn(api.database, world)
    const planned = await api.make('/articles', whole('planned', { publishAt: iso(1), unpublishAt: iso(5) }))
    const ending = await api.make('/articles', whole('ending', { unpublishAt: iso(2) }))
    const short = await api.make('/articles', whole('short', { publishAt: iso(1), unpublishAt: iso(2) }))
    await run(api.app)
    assert.deepEqual(await recorded(api), [])
    at(3)
    const before = titlesOf(await api.get('/articles'))
    // A lease keeps them apart; if it is lost, two runs are as good as one.
    const { signal } = new AbortController()
    const now = new Date(clock.now)
    const runs = [api.app, second.app].map(app => {
      const { spec, service } = app.plugins.find(
        ({ spec }) => spec.name === 'draft-and-publish',
      ) as never as RunningJobs
      return spec.jobs[0].run({ now, due: now, missed: false, signal }, service)
    })
    await Promise.all(runs)
    await run(second.app)
    assert.deepEqual((await recorded(api)).toSorted(), [
      `entry.publish ${planned}`,
      `entry.publish ${short}`,
      `entry.unpublish ${ending}`,
      `entry.unpublish ${short}`,
    ])
    assert.deepEqual(titlesOf(await api.get('/articles')), before)
    const columns = ['id', 'published_at', 'publish_at', 'unpublish_at']
    const rows = await api.rows('articles', columns)
    assert.deepEqual(
      rows.map(row => columns.slice(1).map(name => row[name] !== null)),
      [
        [true, false, true],
        [false, false, false],
        [false, false, false],
      ],
    )
    await second.app.close()
  })

  it('is not stopped by an entry that lacks what has become required meanwhile', async () => {
    const api = await fresh()
    const old = await api.app.entries(uid).create({ title: 'old', publishedAt: null })
    const { knex, encode, reader } = api.app.store
    const date = encode('datetime', begin) as string
    await change(
      reader,
      knex('articles')
        .where({ id: Number(old.id) })
        .update({ publish_at: date }),
    )
    await run(api.app)
    assert.deepEqual(await recorded(api), [`entry.publish ${old.id}`])
  })
})

describe('a filter that compares with the time', () => {
  const at = (filter: object) =>
    definePlugin({
      name: 'timed',
      appliesTo: ({ uid }) => uid === 'api::page.page',
      hooks: { beforeFind: (query, ask) => where(query, filter as Filters, ask) },
    })
  const types = { page: { attributes: { title: { type: 'string' }, day: { type: 'date' }, at: { type: 'datetime' } } } }
  it('takes what changes at the very moment that the attribute holds, and says so', async () => {
    for (const filter of [{ at: { $lt: now() } }, { at: { $eq: now() } }, { at: now() }, { day: { $lte: now() } }]) {
      const app = await createTestApp({ types, plugins: [at(filter)], log: createLog('silent') })
      assert.equal((await app.inject('/api/pages')).statusCode, 500)
      assert.throws(
        () => conditionOf(app.types.get('api::page.page'), filter),
        /cannot be compared so with now\(\): it takes \$lte or \$gt, of a datetime/,
      )
      await app.close()
    }
    const app = await createTestApp({ types, plugins: [at({ $not: { at: { $gt: now() } } })], time: () => clock.now })
    clock.now = begin
    for (const minutes of [0, 1, 2]) await app.entries('api::page.page').create({ at: iso(minutes) })
    const ids = async () => (await app.inject('/api/pages?sort=id')).json().data.map(({ id }: Body) => id)
    for (const [time, expected] of [
      [-1, []],
      [0, [1]],
      [minute, [1, 2]],
      [2 * minute, [1, 2, 3]],
    ] as const) {
      clock.now = begin + time
      for (let times = 0; times < 3; times += 1) assert.deepEqual(await ids(), expected)
    }
    await app.close()
  })

  it('may stand in the rules of a role', async () => {
    const page = { find: { at: { $lte: '$now' } }, create: true }
    const app = await createTestApp({
      types,
      time: () => clock.now,
      plugins: [[usersPermissions, { jwtSecret: 'a secret of this test' }]],
      config: { permissions: { roles: { public: { page } } } },
    })
    clock.now = begin
    await app.entries('api::page.page').create({ at: iso(1) })
    const count = async () => (await app.inject('/api/pages')).json().meta.pagination.total
    for (let times = 0; times < 3; times += 1) assert.equal(await count(), 0)
    clock.now = begin + minute
    for (let times = 0; times < 3; times += 1) assert.equal(await count(), 1)
    await app.close()
  })
})

describe('what describes the app', () => {
  it('has the two attributes, where they are', async () => {
    const app = await createTestApp(world)
    const dates = { publishAt: { format: 'date-time' }, unpublishAt: { format: 'date-time' } }
    const { components } = (await documentOf(app.outline)) as Body
    const schemas = Object.entries(components.schemas) as [string, { properties?: Record<string, Body> }][]
    const having = schemas.filter(([, { properties = {} }]) => Object.keys(dates).every(name => name in properties))
    const names = having.map(([name]) => name)
    assert.deepEqual(names.toSorted(), ['ArticleAttributes', 'ArticleCreate', 'ArticleFilters', 'ArticleUpdate'])
    assert.match(typesOf(app), /publishAt/)
    await app.close()
  })
})

describe('a schema file', () => {
  it('that schedules without drafts stops the start', async () => {
    const types = { page: { options: { scheduling: true }, attributes: { title: { type: 'string' } } } }
    await assert.rejects(
      createTestApp({ types, plugins: [draftAndPublish] }),
      /page.json: options.scheduling needs options.draftAndPublish/,
    )
  })
})

const localized: Partial<World> = {
  types: {
    article: {
      options: { draftAndPublish: true, scheduling: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
    },
  },
  plugins: [draftAndPublish, [i18n, { locales: ['en', 'fr'] }]],
}
suite('localizations', localized, fresh => {
  it('have times of their own', async () => {
    const api = await fresh()
    const id = await api.make('/articles', { title: 'one' })
    const french = { locale: 'fr', title: 'un', publishAt: iso(1), publishedAt: null }
    assert.equal((await api.send('POST', `/articles/${id}/localizations`, { data: french })).status, 200)
    const locales = async () => {
      const { meta, attributes } = (await api.get(`/articles/${id}?populate=localizations`)).body.data
      return [meta.availableLocales.length, attributes.localizations.data.length, attributes.publishAt]
    }
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await locales(), [0, 0, null])
    at(1)
    for (let times = 0; times < 3; times += 1) assert.deepEqual(await locales(), [1, 1, null])
  })
})

suite('a thousand questions', {}, fresh => {
  it('are answered as the rule says, whatever is written and whenever it is asked', async () => {
    const api = await fresh()
    // A fixed sequence, so that a failure can be repeated.
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const model = new Map<number, Record<'publishedAt' | 'publishAt' | 'unpublishAt', number | null>>()
    const date = () => (random(2) === 0 ? null : begin + random(40))
    const textOf = (value: number | null) => (value === null ? null : new Date(value).toISOString())
    const isLive = ({ publishedAt, publishAt, unpublishAt }: Record<string, number | null>) => {
      const isOver = (time: number | null | undefined) => typeof time === 'number' && time <= clock.now
      return (isOver(publishedAt) || isOver(publishAt)) && !isOver(unpublishAt)
    }
    for (let index = 0; index < 6; index += 1)
      model.set(await api.make('/articles', whole(`title ${index}`)), {
        publishedAt: begin,
        publishAt: null,
        unpublishAt: null,
      })
    const paths = ['/articles?sort=id&fields[0]=title', '/articles?sort=id:desc&pagination[pageSize]=2']
    let written = 0
    for (let step = 0; step < 330; step += 1) {
      clock.now = begin + random(40)
      if (random(8) === 0) {
        const id = 1 + random(6)
        const dates = { publishedAt: date(), publishAt: date(), unpublishAt: date() }
        const { publishedAt, publishAt, unpublishAt } = dates
        const sent = {
          publishedAt: textOf(publishedAt),
          publishAt: textOf(publishAt),
          unpublishAt: textOf(unpublishAt),
        }
        const { status } = await api.put(`/articles/${id}`, sent)
        const isWrong = publishAt !== null && unpublishAt !== null && unpublishAt <= publishAt
        assert.equal(status, isWrong ? 400 : 200)
        if (!isWrong) model.set(id, dates)
        written += 1
      }
      const live = [...model].filter(([, dates]) => isLive(dates)).map(([id]) => id)
      for (const path of paths) {
        const { body } = await api.get(path)
        const expected = path === paths[0] ? live : live.toReversed().slice(0, 2)
        assert.deepEqual([body.data.map(({ id }: Body) => id), body.meta.pagination.total], [expected, live.length])
      }
      const one = 1 + random(6)
      assert.equal((await api.get(`/articles/${one}`)).status, live.includes(one) ? 200 : 404)
    }
    assert.ok(written > 20)
  })
})

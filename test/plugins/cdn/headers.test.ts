import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { type Caller, createTestApp, definePlugin, late } from '../../../core/index.js'
import { cdn } from '../../../plugins/cdn/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { type Answer, type Api, start, type World } from '../../support/contract.js'
import { onSqlite } from '../../support/engines.js'

const begin = Date.parse('2031-05-01T12:00:00.000Z')
const clock = { now: begin }
const iso = (seconds: number) => new Date(begin + seconds * 1000).toISOString()

/** Without an `Authorization` everyone is a visitor; `own` has rows of its own. */
const callers = definePlugin({
  name: 'callers',
  authenticate({ headers }): Caller | undefined {
    const name = headers.authorization
    if (name === undefined) return undefined
    const rows = () => ({ name: { $ne: late(({ id }) => id) } })
    return { scope: `scope ${name}`, id: name, can: () => true, ...(name === 'own' && { rows }) }
  },
})

const lifetimes = {
  types: {
    'api::article.article': { maxAge: 60, sMaxAge: 3600, staleWhileRevalidate: 600 },
    'api::secret.secret': false,
    'api::author.author': { maxAge: 30, sMaxAge: 3600 },
  },
  default: { sMaxAge: 100 },
} as const

const world = {
  time: () => clock.now,
  types: {
    article: {
      options: { draftAndPublish: true, scheduling: true },
      attributes: {
        name: { type: 'string' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
        secret: { type: 'relation', relation: 'manyToOne', target: 'api::secret.secret' },
        card: { type: 'component', component: 'shared.card' },
        related: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      },
    },
    secret: { attributes: { name: { type: 'string' } } },
    page: {
      pluginOptions: { i18n: { localized: true } },
      attributes: { name: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
    },
    home: { kind: 'singleType', attributes: { name: { type: 'string' } } },
  },
  components: { 'shared.card': { attributes: { label: { type: 'string' } } } },
  plugins: [draftAndPublish, [i18n, { locales: ['en'] }], callers, [cdn, lifetimes]],
} satisfies World

const control = ({ headers }: Answer) => headers['cache-control']
const keys = ({ headers }: Answer) => headers['surrogate-key']
const closed = 'private, no-cache'

onSqlite('cache headers', engine => {
  async function fresh(): Promise<Api> {
    clock.now = begin
    const api = await start(engine, world)
    onTestFinished(() => api.close())
    return api
  }

  it('let caches keep what visitors get, as long as the shortest time of all types in it, and tell the keys', async () => {
    const api = await fresh()
    const author = await api.make('/authors', { name: 'Ann' })
    const id = await api.make('/articles', { name: 'Bread', author })
    await api.make('/pages', { name: 'Page' })
    await api.put('/home', { name: 'Home' })
    const [article, writer] = ['api::article.article', 'api::author.author']
    const long = 'public, max-age=60, s-maxage=3600, stale-while-revalidate=600'
    const both = 'public, max-age=30, s-maxage=3600'
    for (const [path, expected, named] of [
      ['/articles', long, article],
      [`/articles/${id}`, long, `${article}:${id}`],
      [`/articles/${id}?populate=card`, long, `${article}:${id}`],
      [`/articles/${id}?populate=author`, both, `${writer} ${article}:${id}`],
      [`/articles/${id}?populate=related`, long, `${article} ${article}:${id}`],
      ['/articles?populate=author', both, `${article} ${writer}`],
      ['/articles?filters[author][name]=Ann', both, `${article} ${writer}`],
      ['/articles?filters[$not][author][name]=Ann', both, `${article} ${writer}`],
      ['/articles?sort=author.name', both, `${article} ${writer}`],
      [`/authors/${author}?populate[articles][populate]=author`, both, `${article} ${writer} ${writer}:${author}`],
      // The meta of an entry lists its localizations.
      ['/pages/1', 'public, max-age=0, s-maxage=100', 'api::page.page api::page.page:1'],
      ['/home', 'public, max-age=0, s-maxage=100', 'api::home.home'],
      ['/articles?populate=secret', closed, undefined],
      ['/articles?filters[secret][name]=x', closed, undefined],
      ['/secrets', closed, undefined],
    ] as const)
      for (let times = 0; times < 3; times += 1) {
        const answer = await api.get(path)
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual([control(answer), keys(answer)], [expected, named], path)
        assert.equal(answer.headers['cache-tag'], named?.replaceAll(' ', ','))
        assert.match(String(answer.headers.vary), /\bAuthorization\b/)
      }
  })

  it('come with 304 and HEAD, too, and cost no statement', async () => {
    const api = await fresh()
    await api.make('/articles', { name: 'Bread' })
    await api.get('/articles')
    const answer = await api.get('/articles')
    const known = await api.get('/articles', { 'if-none-match': String(answer.headers.etag) })
    assert.equal(known.status, 304)
    assert.deepEqual([control(known), keys(known)], [control(answer), keys(answer)])
    const head = await api.send('HEAD', '/articles')
    assert.deepEqual([control(head), keys(head)], [control(answer), keys(answer)])
    assert.deepEqual((await api.get('/articles')).statements, [])
  })

  it('keep everything else out of caches', async () => {
    const api = await fresh()
    const id = await api.make('/authors', { name: 'Ann' })
    const answers = [
      await api.get('/authors', { authorization: 'ann' }),
      await api.get(`/authors/${id}`, { authorization: 'own' }),
      await api.get('/authors/99'),
      await api.get('/authors?sort=odd'),
      await api.get('/nothing'),
      await api.post('/authors', { name: 'Bob' }),
      await api.put(`/authors/${id}`, { name: 'Anna' }),
      await api.get('/authors', { authorization: 'ann' }),
    ]
    for (const answer of answers) {
      assert.deepEqual([control(answer), keys(answer)], [closed, undefined])
      assert.match(String(answer.headers.vary), /\bAuthorization\b/)
    }
  })

  it('end with the next time at which a response changes by itself', async () => {
    const api = await fresh()
    await api.make('/articles', { name: 'planned', publishAt: iso(100) })
    const at = async (seconds: number) => {
      clock.now = begin + seconds * 1000
      for (let times = 0; times < 2; times += 1) await api.get('/articles')
      return control(await api.get('/articles'))
    }
    assert.equal(await at(0), 'public, max-age=60, s-maxage=100')
    assert.equal(await at(50), 'public, max-age=50')
    assert.equal(await at(99.9), 'public, max-age=0')
    assert.equal(await at(100), 'public, max-age=60, s-maxage=3600, stale-while-revalidate=600')
    await api.make('/articles', { name: 'later', unpublishAt: iso(100 + 3700) })
    assert.equal(await at(101), 'public, max-age=60, s-maxage=3600, stale-while-revalidate=99')
    // Types without such times are not concerned.
    assert.equal(control(await api.get('/authors')), 'public, max-age=30, s-maxage=3600')
  })
})

describe('the settings of cache headers', () => {
  it('name the one key of what has too many', async () => {
    const plugins = [[cdn, { ...lifetimes, mostKeys: 100 }] as const, draftAndPublish]
    const app = await createTestApp({ ...world, plugins })
    const few = await app.inject('/api/articles?populate=author')
    assert.equal(few.headers['surrogate-key'], 'api::article.article api::author.author')
    await app.close()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const types = Object.fromEntries(
      names.map(name => [
        `quite-long-${name}`,
        {
          attributes: Object.fromEntries(
            names.map(other => [
              other,
              { type: 'relation', relation: 'oneToOne', target: `api::quite-long-${other}.quite-long-${other}` },
            ]),
          ),
        },
      ]),
    )
    const wide = await createTestApp({ types, plugins: [[cdn, { default: { maxAge: 1 }, mostKeys: 100 }]] })
    const made = await wide.inject({ method: 'POST', url: '/api/quite-long-as', payload: { data: {} } })
    assert.equal(made.statusCode, 200)
    assert.equal((await wide.inject('/api/quite-long-as?populate=*')).headers['surrogate-key'], 'many')
    const one = await wide.inject('/api/quite-long-as/1?populate=*')
    assert.equal(one.headers['surrogate-key'], 'many api::quite-long-a.quite-long-a:1')
    await wide.close()
  })

  it('are checked: unknown types, a purge without events, an address that is missing', async () => {
    const refuse = (config: object, message: RegExp) =>
      assert.rejects(
        createTestApp({ types: world.types, components: world.components, plugins: [[cdn, config as never]] }),
        message,
      )
    await refuse({ types: { 'api::articel.article': false } }, /there is no type "api::articel.article"; did you mean/)
    await refuse({ default: true }, /cdn.config.default/)
    await refuse({ purge: [{ to: 'varnish' }] }, /"url" of varnish is missing/)
    await refuse({ purge: [{ to: 'fastly', id: 'x' }] }, /"token" of fastly is missing/)
    await refuse({ purge: [{ to: 'varnish', url: 'http://127.0.0.1:1' }] }, /needs the plugin "events"/)
  })

  it('of two plugins contradict each other, which stops the start', async () => {
    const caching = () => ({ otherwise: {}, varies: [], read: () => () => [] })
    const other = definePlugin({ name: 'other', caching })
    await assert.rejects(createTestApp({ plugins: [cdn, other] }), /cdn and other both tell caches what to keep/)
  })
})

import assert from 'node:assert/strict'
import inject from 'light-my-request'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { App } from '../../core/index.js'
import { linesOf } from '../../core/plugin/services.js'
import { greeting } from '../../core/tools/cli/serving/greeting.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { bootSample, password } from './sample.js'

// Twelve articles and a draft in English, two in German, one in French.
const counts = { article: 16, author: 5, tag: 8, category: 4, comment: 3, homepage: 1 }

const countAll = async (app: App) =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(counts).map(async name => [name, await app.entries(`api::${name}.${name}`).count()] as const),
    ),
  )

async function ask(app: App, url: string, data?: object, token?: string) {
  return send(app, data ? 'POST' : 'GET', url, data && { data }, token)
}

async function send(app: App, method: string, url: string, payload?: object, token?: string) {
  const response = await inject(app.koa.callback(), {
    method: method as 'GET',
    url: `/api${url}`,
    ...(payload && { payload }),
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  return { status: response.statusCode, body: JSON.parse(response.payload) }
}

const signIn = (app: App) => send(app, 'POST', '/auth/local', { identifier: 'ben', password })

onEveryEngine('the sample app', engine => {
  let fresh: FreshDatabase
  let app: App
  beforeAll(async () => {
    fresh = await engine.fresh()
    app = await bootSample(fresh)
  })
  afterAll(async () => {
    await app.close()
    await fresh.drop()
  })

  it('has content as soon as it has started', async () => {
    assert.deepEqual(await countAll(app), counts)
    const { status, body } = await ask(app, '/articles?sort=id&fields[0]=title&pagination[pageSize]=1')
    assert.equal(status, 200)
    assert.equal(body.data[0].attributes.title, 'Bread with four ingredients')
    assert.deepEqual(body.meta.pagination, { page: 1, pageSize: 1, pageCount: 12, total: 12 })
  })

  it('answers a value for every field type, and nothing that is private or a password', async () => {
    const { attributes } = (await ask(app, '/articles/1')).body.data
    // No entry of the sample is to be published or unpublished at a time.
    const empty = ['publishAt', 'unpublishAt']
    for (const { name, readable } of app.types.get('api::article.article').fields.values())
      if (!empty.includes(name))
        assert.equal(attributes[name] !== undefined && attributes[name] !== null, readable, name)
    assert.deepEqual(attributes.facts.flours, ['wheat', 'rye'])
  })

  it('keeps big integers whole, for requests and for code', async () => {
    assert.equal((await ask(app, '/articles/1?fields[0]=views')).body.data.attributes.views, '9007199254740993')
    const [entry] = await app.entries('api::article.article').find({ where: { slug: 'bread-with-four-ingredients' } })
    assert.equal(entry?.views, '9007199254740993')
  })

  it('follows every kind of relation from data that is there', async () => {
    const found = async (path: string, name: string) => (await ask(app, path)).body.data.attributes[name].data
    assert.equal((await found('/articles/1?populate=author', 'author')).attributes.handle, 'ben')
    assert.equal((await found('/articles/1?populate=sequel', 'sequel')).id, 2)
    assert.equal((await found('/articles/2?populate=prequel', 'prequel')).id, 1)
    assert.equal((await found('/articles/11?populate=related', 'related')).length, 2)
    assert.equal((await found('/articles/10?populate=coauthors', 'coauthors')).length, 2)
    assert.equal((await found('/articles/1?populate=comments', 'comments')).length, 2)
    assert.equal((await found('/categories/1?populate=children', 'children')).length, 2)
    assert.equal((await found('/comments/1?populate=subject', 'subject')).id, 1)
    assert.deepEqual(
      (await found('/homepage?populate=spotlight', 'spotlight')).map(({ id }: { id: number }) => id),
      [5, 2],
    )
  })

  it('has articles in three languages, and a picture for some', async () => {
    const titles = async (locale: string) =>
      (await ask(app, `/articles?locale=${locale}&sort=title&fields=title`)).body.data.map(
        ({ attributes }: { attributes: { title: string } }) => attributes.title,
      )
    assert.deepEqual(await titles('de'), ['Brot aus vier Zutaten', 'Tomaten auf dem Balkon'])
    assert.deepEqual(await titles('fr'), ['Un pain de quatre ingrédients'])
    const { body } = await ask(app, '/articles/1?populate[cover][fields]=url&populate[localizations][fields]=locale')
    assert.equal(body.data.attributes.localizations.data.length, 2)
    const { url } = body.data.attributes.cover.data.attributes
    const picture = await inject(app.koa.callback(), { method: 'GET', url })
    assert.deepEqual([picture.statusCode, picture.headers['content-type']], [200, 'image/svg+xml'])
    assert.match(picture.payload, /^<svg .*<\/svg>\n$/s)
  })

  it('has a draft, which a preview shows', async () => {
    const drafts = '/articles?filters[publishedAt][$null]=true&fields=title'
    assert.deepEqual((await ask(app, drafts)).body.data, [])
    const { data } = (await ask(app, `${drafts}&publicationState=preview`)).body
    assert.equal(data[0].attributes.title, 'Letters from the workshop')
  })

  it('has an author who writes and publishes articles of that name, and no others', async () => {
    const { jwt, user } = (await signIn(app)).body
    assert.equal(user.username, 'ben')
    const article = (author: number) => ({ title: 'Rolls', author, publishedAt: null })
    assert.equal((await ask(app, '/articles', article(1), jwt)).status, 403)
    const made = await ask(app, '/articles', article(2), jwt)
    assert.deepEqual([made.status, made.body.data?.attributes.publishedAt], [200, null])
    const { id } = made.body.data
    const published = await send(app, 'POST', `/articles/${id}/actions/publish`, undefined, jwt)
    assert.notEqual(published.body.data.attributes.publishedAt, null)
    assert.equal((await send(app, 'POST', '/articles/3/actions/unpublish', undefined, jwt)).status, 404)
    assert.equal((await send(app, 'POST', `/articles/${id}/actions/unpublish`)).status, 403)
    assert.equal((await send(app, 'DELETE', `/articles/${id}`, undefined, jwt)).status, 200)
  })

  it('lets everyone read everything, and write articles and tags', async () => {
    assert.equal((await ask(app, '/tags', { name: 'new' })).status, 200)
    assert.equal((await ask(app, '/authors', { name: 'new' })).status, 403)
  })
})

onEveryEngine('the content of the sample app', engine => {
  let fresh: FreshDatabase
  beforeAll(async () => {
    fresh = await engine.fresh()
  })
  afterAll(() => fresh.drop())

  it('is written once in the life of a database: what is deleted stays away', async () => {
    const first = await bootSample(fresh)
    await first.entries('api::tag.tag').delete(1)
    await first.close()
    const second = await bootSample(fresh)
    assert.equal((await countAll(second)).tag, counts.tag - 1)
    await second.close()
  })
})

onEveryEngine('a database that is in use', engine => {
  let fresh: FreshDatabase
  beforeAll(async () => {
    fresh = await engine.fresh()
  })
  afterAll(() => fresh.drop())

  it('gets no sample content', async () => {
    const before = await bootSample(fresh, { filled: false })
    await before.entries('api::tag.tag').create({ name: 'mine' })
    await before.close()
    const after = await bootSample(fresh)
    assert.deepEqual(await countAll(after), { article: 0, author: 0, tag: 1, category: 0, comment: 0, homepage: 0 })
    await after.close()
  })
})

describe('the sample app in production', () => {
  it('is read by every client and written by none, shows no drafts and has no account', async () => {
    const app = await bootSample(memory, { environment: 'production' })
    assert.equal((await ask(app, '/tags')).status, 200)
    assert.equal((await ask(app, '/tags', { name: 'new' })).status, 403)
    assert.equal((await ask(app, '/articles?publicationState=preview')).body.meta.pagination.total, 12)
    assert.equal((await signIn(app)).status, 400)
    await app.close()
  })

  for (const [plugin, variable] of [
    ['users-permissions', 'JWT_SECRET'],
    ['api-tokens', 'API_TOKEN_SALT'],
  ] as const)
    it(`does not start without ${variable}`, async () => {
      const boot = bootSample(memory, { environment: 'production', plugins: { [plugin]: { enabled: true } } })
      await assert.rejects(boot, { name: 'BootError', message: new RegExp(`set ${variable}`) })
    })
})

describe('the console of the sample app', () => {
  for (const environment of ['development', 'production'] as const)
    it(`gives the first account to the link of the terminal and to no other client, in ${environment}`, async () => {
      const app = await bootSample(memory, { environment, filled: false })
      const take = async (code: string, email: string) => {
        const { statusCode } = await inject(app.koa.callback(), {
          method: 'POST',
          url: '/console/first-account',
          headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', host: 'localhost:1337' },
          payload: { code, email, password: 'eleven elephants' },
        })
        return statusCode
      }
      assert.equal(await take('', 'eve@example.test'), 400)
      const lines = await linesOf(app.plugins.map(({ service }) => service))
      const [, path = '', code = ''] = /^ {4}http:\/\/\S+?(\/\S+)#(\S+)$/m.exec(greeting(app, 1337, { lines })) ?? []
      assert.equal(path, '/console/first-account')
      assert.equal(await take(`${code}x`, 'eve@example.test'), 400)
      assert.equal(await take(code, 'ada@example.test'), 200)
      assert.equal(await take(code, 'eve@example.test'), 400)
      assert.equal(await app.entries('admin::user').count(), 1)
      await app.close()
    })
})

const memory = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } }

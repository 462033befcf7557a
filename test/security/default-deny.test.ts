import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import type { Method } from '../../core/http/endpoint.js'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { assertRefused } from './world.js'

const types = {
  article: {
    attributes: {
      title: { type: 'string' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
  homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
}

const counter = definePlugin({
  name: 'counter',
  routes: [
    { method: 'GET', path: '/counter', action: 'read', run: () => ({ count: 1 }) },
    { method: 'POST', path: '/counter', action: 'add', run: () => ({ count: 2 }) },
    { method: 'GET', path: '/counter/open', action: null, run: () => ({ open: true }) },
  ],
})

type Public = true | readonly string[] | Readonly<Record<string, true | readonly string[]>>

async function appOpen(rest: Public | undefined): Promise<TestApp> {
  const app = await createTestApp({ types, plugins: [counter], config: { api: { rest: { public: rest ?? [] } } } })
  await app.entries('api::author.author').create({ name: 'Ada' })
  await app.entries('api::article.article').create({ title: 'A', author: 1 })
  await app.entries('api::homepage.homepage').create({ headline: 'hello' })
  return app
}

const requests: readonly (readonly [action: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string])[] = [
  ...(['article', 'author'] as const).flatMap(name => [
    [`${name}.find`, 'GET', `/api/${name}s`] as const,
    [`${name}.find`, 'GET', `/api/${name}s/aggregate`] as const,
    [`${name}.findOne`, 'GET', `/api/${name}s/1`] as const,
    [`${name}.create`, 'POST', `/api/${name}s`] as const,
    [`${name}.update`, 'PUT', `/api/${name}s/1`] as const,
    [`${name}.delete`, 'DELETE', `/api/${name}s/1`] as const,
  ]),
  ['homepage.find', 'GET', '/api/homepage'],
  ['homepage.update', 'PUT', '/api/homepage'],
  ['homepage.delete', 'DELETE', '/api/homepage'],
  ['counter.read', 'GET', '/api/counter'],
  ['counter.add', 'POST', '/api/counter'],
]

const ask = (app: TestApp, method: Method | 'HEAD' | 'OPTIONS', url: string, headers = {}) =>
  app.inject({ method, url, headers, ...(method !== 'GET' && { payload: { data: {} } }) })

describe('no one may do what no one allowed', () => {
  it('every route that the server has is closed until it is opened', async () => {
    const app = await appOpen(undefined)
    const known = app.routes.filter(({ action }) => action !== undefined)
    assert.equal(known.length, requests.length)
    for (const { method, path } of known)
      for (const url of [
        `/api${path.replace(':id', '1')}`,
        `/api${path.replace(':id', '99')}/`,
        `/API${path.replace(':id', '1').toUpperCase()}`,
      ])
        for (const headers of [
          {},
          { 'x-http-method-override': 'GET' },
          { authorization: 'Bearer x' },
          { cookie: 'jwt=x' },
        ]) {
          const response = await ask(app, method as Method, url, headers)
          assertRefused(response, 403)
          assert.equal(response.json().error.message, 'Forbidden')
        }
    for (const url of ['/api/articles', '/api/articles/1', '/api/homepage', '/api/counter'])
      assert.equal((await ask(app, 'HEAD', url)).statusCode, 403)
    await app.close()
  })

  it('a closed route says the same of entries that exist and of those that do not, and reads no parameter', async () => {
    const app = await appOpen(undefined)
    const answers = new Set<string>()
    for (const url of [
      '/api/articles/1',
      '/api/articles/99',
      '/api/articles/abc',
      '/api/articles/1?nosuch=1',
      '/api/articles?filters[x]=1',
      '/api/articles?%ff=1',
    ])
      answers.add((await ask(app, 'GET', url)).payload)
    for (const payload of ['{bad', '"x"', '{"data":{"nosuch":1}}', 'x'.repeat(2_000_000)])
      answers.add(
        (
          await app.inject({
            method: 'POST',
            url: '/api/articles',
            payload,
            headers: { 'content-type': 'application/json' },
          })
        ).payload,
      )
    assert.equal(answers.size, 1)
    await app.close()
  })

  it('an open route of a plugin is the only one that answers', async () => {
    const app = await appOpen(undefined)
    assert.deepEqual((await ask(app, 'GET', '/api/counter/open')).json(), { open: true })
    assert.equal((await ask(app, 'GET', '/_health')).statusCode, 204)
    assert.equal((await ask(app, 'GET', '/_health/ready')).statusCode, 200)
    await app.close()
  })

  const grants: readonly (readonly [says: string, grant: Public, opened: readonly string[]])[] = [
    ['one action of one type', ['api::article.article.find'], ['article.find']],
    [
      'two actions of two types',
      ['api::article.article.findOne', 'api::author.author.create'],
      ['article.findOne', 'author.create'],
    ],
    ['actions by type', { article: ['find', 'update'] }, ['article.find', 'article.update']],
    [
      'a whole type',
      { author: true },
      ['author.find', 'author.findOne', 'author.create', 'author.update', 'author.delete'],
    ],
    ['a single type', { homepage: ['find'] }, ['homepage.find']],
    ['a type by its uid', { 'api::homepage.homepage': ['update'] }, ['homepage.update']],
    ['nothing', {}, []],
  ]
  for (const [says, grant, opened] of grants)
    it(`rest.public opens exactly what it names: ${says}`, async () => {
      for (const [action, method, path] of requests) {
        const app = await appOpen(grant)
        const { statusCode } = await ask(app, method, path)
        assert.equal(statusCode, opened.includes(action) ? 200 : 403, action)
        await app.close()
      }
    })

  it('a relation to a type that is closed is not populated, filtered, sorted or written', async () => {
    const app = await appOpen({ article: true })
    assert.equal((await ask(app, 'GET', '/api/articles?populate=*')).json().data[0].attributes.author, undefined)
    assertRefused(await ask(app, 'GET', '/api/articles?filters[author][name]=Ada'))
    assertRefused(await ask(app, 'GET', '/api/articles?sort=author.name'))
    await app.inject({ method: 'PUT', url: '/api/articles/1', payload: { data: { author: null } } })
    const [entry] = await app.entries('api::article.article').find({ populate: 'author' })
    assert.ok(entry?.author)
    await app.close()
  })

  for (const [says, grant, sentence] of [
    ['an unknown type', ['api::nosuch.nosuch.find'], /there is no content type "api::nosuch.nosuch"/],
    ['an unknown action', ['api::article.article.publish'], /actions of a content type are find/],
    ['an unknown name', { nosuch: true }, /rest\.public\.nosuch/],
    ['a name of the prototype', { constructor: true }, /rest\.public\.constructor/],
  ] as const)
    it(`${says} in rest.public stops the start with a sentence`, async () => {
      await assert.rejects(appOpen(grant), { name: 'BootError', message: sentence })
    })

  it('a path that exists answers a method it does not have with 405 and no more', async () => {
    const app = await appOpen(undefined)
    for (const [method, path] of [
      ['POST', '/api/articles/1'],
      ['PUT', '/api/articles'],
      ['DELETE', '/api/articles'],
      ['PATCH', '/api/articles/1'],
      ['POST', '/api/homepage'],
    ] as const) {
      const response = await ask(app, method, path)
      assertRefused(response, 405)
      assert.match(String(response.headers.allow), /GET/)
    }
    await app.close()
  })
})

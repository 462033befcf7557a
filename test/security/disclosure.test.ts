import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { BootError, createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { inside } from './world.js'

/** Errors as code throws them that did not mean the client: each tells of the inside. */
const mishaps: Readonly<Record<string, () => Error>> = {
  'a mistake': () => new TypeError(`Cannot read properties of undefined, in ${import.meta.url}`),
  'a file that is not there': () =>
    Object.assign(new Error(`ENOENT: no such file or directory, open '${process.cwd()}/secret'`), { code: 'ENOENT' }),
  'an error with a status of its own': () =>
    Object.assign(new Error(`${process.cwd()} at node ${process.version}`), { status: 404, expose: true }),
  'a refusal to start': () => new BootError(`${process.cwd()}/config is wrong`),
  'an error with a cause': () => new Error('outer', { cause: new Error(`${process.cwd()}:1 SQLITE_CORRUPT`) }),
}
const names = Object.keys(mishaps)

const broken = definePlugin({
  name: 'broken',
  appliesTo: ({ singularName }) => singularName === 'broken',
  routes: names.map((name, index) => ({
    method: 'GET' as const,
    path: `/mishaps/${index}`,
    action: null,
    run: () => {
      throw (mishaps[name] as () => Error)()
    },
  })),
  hooks: {
    serialize: () => {
      throw new Error(`at serialize (${process.cwd()}/plugins/broken.js:1)`)
    },
  },
})

const json = { 'content-type': 'application/json' }
const requests = [
  { says: 'an unknown parameter', url: '/api/books?sort=nope', status: 400 },
  { says: 'a broken body', method: 'POST', url: '/api/books', payload: '{bad', headers: json, status: 400 },
  {
    says: 'a wrong value',
    method: 'POST',
    url: '/api/books',
    payload: '{"data":{"title":5}}',
    headers: json,
    status: 400,
  },
  { says: 'wrong credentials', url: '/api/books', headers: { authorization: 'Bearer x' }, status: 401 },
  { says: 'what is not granted', method: 'DELETE', url: '/api/books/1', status: 403 },
  { says: 'an unknown route', url: '/nothing', status: 404 },
  { says: 'an unknown entry', url: '/api/books/99', status: 404 },
  { says: 'a wrong method', method: 'PATCH', url: '/api/books', status: 405 },
  {
    says: 'a large body',
    method: 'POST',
    url: '/api/books',
    payload: `"${'x'.repeat(2 ** 21)}"`,
    headers: json,
    status: 413,
  },
  { says: 'a hook that fails', url: '/api/brokens', status: 500 },
  ...names.map((name, index) => ({ says: name, url: `/api/mishaps/${index}`, status: 500 })),
]

for (const environment of ['production', 'development'] as const)
  for (const dialect of ['spec', 'strapi4'] as const)
    describe(`the errors of a server in ${environment} in the dialect ${dialect}`, () => {
      let app: TestApp
      beforeAll(async () => {
        const attributes = { title: { type: 'string' } } as const
        app = await createTestApp({
          types: { book: { attributes }, broken: { attributes } },
          plugins: [broken, [usersPermissions, { jwtSecret: 'a secret of thirty-two characters' }]],
          config: {
            environment,
            api: { rest: { dialect } },
            permissions: { roles: { public: { book: ['find', 'findOne', 'create'], broken: ['find'] } } },
          },
          log: createLog('silent'),
        })
        await app.entries('api::book.book').create({ title: 'x' })
        await app.store.transaction(async session => {
          const { sql, bindings } = app.store.knex('brokens').insert({ title: 'x' }).toSQL().toNative()
          await session.run(sql, bindings)
        })
      })
      afterAll(() => app?.close())

      for (const { says, status, ...request } of requests)
        it(`tell nothing of the server: ${says}, ${status}`, async () => {
          const { statusCode, headers, body } = await app.inject({ method: 'GET', ...request } as never)
          assert.equal(statusCode, status, body)
          for (const name of ['x-powered-by', 'server', 'x-runtime', 'x-aspnet-version', 'via', 'strapi'])
            assert.equal(headers[name], undefined, name)
          const text = `${JSON.stringify(headers)} ${body}`
          for (const word of inside) assert.doesNotMatch(text, word)
          // While developing, the reason of a 403 is the command that grants what is missing.
          const isAdvised = status === 403 && environment === 'development' && dialect === 'spec'
          const names = isAdvised ? ['koa'] : ['koa', 'stele']
          for (const word of [process.version, process.cwd(), import.meta.url, ...names])
            assert.ok(!text.includes(word), `${word} in ${text}`)
        })
    })

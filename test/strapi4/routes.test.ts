import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { readRoutes } from '../../core/foreign/strapi4/routes.js'

describe('a file of routes that is read without being run', () => {
  it('names method, path, handler and guards of each route', () => {
    const { routes, routers } = readRoutes(`'use strict'; /* { method: 'GET', path: '/no' } */
      const url = 'http://x.test/a' // method: 'GET'
      module.exports = { routes: [
        { method: 'GET', path: '/chats/by-client/:id', handler: 'chat.byClient', config: { policies: [], middlewares: [] } },
        { "method": "post", "path": "chats/:id/close", handler: "chat.close", config: { auth: false, policies: ['is-owner', { name: 'x' }] } },
        { method: 'DELETE', path: \`/chats/:id(\\\\d+)\`, handler: async (ctx, next) => { if (ctx.a) { return { b: [1, (2)] } } },
          config: { middlewares: [(ctx, next) => next()] } },
        { method: verb, path: '/unknown' }, ...more.map(path => ({ method: 'GET', path })), ] }`)
    assert.deepEqual(routers, [])
    assert.deepEqual(routes, [
      { method: 'GET', path: '/chats/by-client/:id', handler: 'chat.byClient', guards: [] },
      { method: 'POST', path: '/chats/:id/close', handler: 'chat.close', guards: ['policies is-owner', 'auth'] },
      { method: 'DELETE', path: '/chats/:id(\\\\d+)', guards: ['middlewares'] },
    ])
  })

  it('names what a router says of standard routes, in the same file or alone', () => {
    const { routes, routers } = readRoutes(`
      import { factories } from '@strapi/strapi'
      const inner = factories.createCoreRouter('api::tag.tag', {
        prefix: '', only: ['find', 'findOne'],
        config: { find: { auth: false, policies: [], middlewares: ['api::tag.log'] }, findOne: {} },
      })
      const extra = [{ method: 'GET', path: '/tags/top', handler: 'api::tag.tag.top' }]
      export default { get prefix() { return inner.prefix }, get routes() { return extra.concat(inner.routes) } }`)
    assert.deepEqual(routes, [{ method: 'GET', path: '/tags/top', handler: 'api::tag.tag.top', guards: [] }])
    assert.deepEqual(routers, [
      { uid: 'api::tag.tag', only: ['find', 'findOne'], guarded: { find: ['middlewares api::tag.log', 'auth'] } },
    ])
    assert.deepEqual(readRoutes(`module.exports = require('@strapi/strapi').factories.createCoreRouter("api::a.a")`), {
      routes: [],
      routers: [{ uid: 'api::a.a', guarded: {} }],
    })
  })

  it('puts the prefix of a file before its routes', () =>
    assert.deepEqual(
      readRoutes(`module.exports = { prefix: '/pre', routes: [{ method: 'GET', path: '/x' }] }`).routes,
      [{ method: 'GET', path: '/pre/x', guards: [] }],
    ))

  const broken = [
    '',
    '{',
    '[[[',
    "module.exports = { routes: [{ method: 'GET', path: '/x'",
    'a ? b : { c: 1 } )',
    '}}}',
    "'",
  ]
  for (const text of broken)
    it(`ends for ${JSON.stringify(text)}`, () => assert.ok(Array.isArray(readRoutes(text).routes)))
})

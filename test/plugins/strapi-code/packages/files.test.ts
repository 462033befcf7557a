import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { controllersOfPlugins, servicesOfPlugins } from '../../../../plugins/strapi-code/not-carried.js'
import { get, start } from '../support/written.js'

const usual = {
  'package.json': JSON.stringify({
    name: 'written',
    dependencies: {
      '@strapi/strapi': '4.26.2',
      '@strapi/plugin-users-permissions': '4.26.2',
      '@strapi/plugin-i18n': '4.26.2',
    },
  }),
  'src/api/see/routes/see.js':
    "module.exports = { routes: ['one', 'two', 'three'].map(name => ({ method: 'GET', path: '/' + name, handler: 'see.' + name, config: { auth: false } })) }",
}

describe('files of packages of Strapi', () => {
  it('have the functions of core controllers', async () => {
    const project = await start({
      ...usual,
      'src/api/see/controllers/see.js': `
        const { parseBody, transformResponse } = require('@strapi/strapi/lib/core-api/controller/transform')
        module.exports = {
          one(ctx) { ctx.body = transformResponse({ id: 1, username: 'ann', role: { id: 2, name: 'r' } }, { of: 1 }, { contentType: strapi.contentType('plugin::users-permissions.user') }) },
          two(ctx) { ctx.body = { parsed: parseBody(ctx), none: transformResponse(null), plain: transformResponse([{ id: 1, a: 2 }]) } },
          three() {},
        }`,
    })
    assert.deepEqual(await get(project, '/api/one'), {
      status: 200,
      body: {
        data: { id: 1, attributes: { username: 'ann', role: { data: { id: 2, attributes: { name: 'r' } } } } },
        meta: { of: 1 },
      },
    })
    assert.deepEqual(await get(project, '/api/two'), {
      status: 200,
      body: { parsed: {}, none: null, plain: { data: [{ id: 1, attributes: { a: 2 } }], meta: {} } },
    })
  })

  it('may be loaded without being there, and say so when they are called', async () => {
    const project = await start({
      ...usual,
      'src/api/see/controllers/see.js': `
        const config = require('@strapi/strapi/lib/core/registries/config')
        const { nothing } = require('@strapi/utils/lib/nothing')
        const { checkBody } = require('@strapi/plugin-users-permissions/server/controllers/validation/other')
        module.exports = { one() { return 'here' }, two() { checkBody({}) }, three() { nothing() } }`,
    })
    assert.deepEqual(await get(project, '/api/one'), { status: 200, body: 'here' })
    assert.equal((await get(project, '/api/two')).status, 500)
    assert.equal((await get(project, '/api/three')).status, 500)
    const said = project.lines.flatMap(({ err }) => err?.message ?? [])
    assert.deepEqual(said, [
      "@strapi/plugin-users-permissions/server/controllers/validation/other.checkBody is not carried: strapi.plugin('users-permissions') has the services and controllers that there are here",
      `@strapi/utils/lib/nothing.nothing is not carried: require('@strapi/utils') has no "nothing" here`,
    ])
  })

  it('give controllers and services of plugins, as no extension has changed them where code takes an action out', async () => {
    const project = await start({
      ...usual,
      'src/extensions/users-permissions/strapi-server.js': `
        const { find } = require('@strapi/plugin-users-permissions/server/controllers/user')
        const user = require('@strapi/plugin-users-permissions/server/controllers/user')
        const { auth } = require('@strapi/plugin-users-permissions/server/controllers')
        const own = auth.callback
        auth.callback = async ctx => { await own(ctx); ctx.body = { patched: ctx.status } }
        module.exports = plugin => {
          plugin.controllers.user.find = async ctx => {
            await find(ctx)
            ctx.body = { same: plugin.controllers.user.find === user.find, has: 'me' in user, found: ctx.body.length }
          }
          for (const route of plugin.routes['content-api'].routes) if (/user.find|auth.callback/.test(route.handler)) route.config.auth = false
          return plugin
        }`,
      'src/api/see/controllers/see.js': `
        const { getService } = require('@strapi/plugin-users-permissions/server/utils')
        const jwt = require('@strapi/plugin-users-permissions/server/services/jwt')
        module.exports = {
          async one(ctx) { ctx.body = { id: (await jwt({ strapi }).verify(getService('jwt').issue({ id: 7 }))).id } },
          two() {}, three() {},
        }`,
    })
    assert.deepEqual(await get(project, '/api/one'), { status: 200, body: { id: 7 } })
    assert.deepEqual(await get(project, '/api/users'), { status: 200, body: { same: true, has: true, found: 0 } })
    const login = { auth: 'none', method: 'POST', path: '/api/auth/local', body: { identifier: 'x', password: 'y' } }
    assert.equal((await project.send(login)).status, 400)
  })

  it('are listed by the names that code gets', async () => {
    const project = await start({
      ...usual,
      'src/api/see/controllers/see.js': `module.exports = {
        one(ctx) {
          const names = Object.keys(strapi.plugins).sort()
          ctx.body = Object.fromEntries(names.map(name => [name, Object.keys(strapi.plugin(name).controllers).sort()]))
        },
        two(ctx) {
          ctx.body = Object.fromEntries(Object.keys(strapi.plugins).map(name => [name, Object.keys(strapi.plugin(name).services)]))
        },
        three() {},
      }`,
    })
    const sorted = Object.fromEntries(
      Object.entries(controllersOfPlugins).map(([name, list]) => [name, [...list].sort()]),
    )
    assert.deepEqual((await get(project, '/api/one')).body, sorted)
    const services = (await get(project, '/api/two')).body as Record<string, string[]>
    for (const [plugin, names] of Object.entries(servicesOfPlugins))
      for (const name of names) assert.ok(services[plugin]?.includes(name), `${plugin} ${name}`)
  })
})

describe('ctx.session', () => {
  it('is empty, and says why where code puts something there; a middleware may bring its own', async () => {
    const project = await start({
      ...usual,
      'config/middlewares.js': "module.exports = ['strapi::errors', 'strapi::query', 'strapi::body', 'global::own']",
      'src/middlewares/own.js': `module.exports = () => (ctx, next) => {
        if (ctx.query.own) ctx.session = { of: 'the project' }
        return next()
      }`,
      'src/api/see/controllers/see.js': `module.exports = {
        one(ctx) { ctx.body = { user: ctx.session.user ?? null, isNew: ctx.session.isNew ?? null, of: ctx.session.of ?? null } },
        two(ctx) { ctx.session.user = 1 }, three() {},
      }`,
    })
    assert.deepEqual((await get(project, '/api/one')).body, { user: null, isNew: true, of: null })
    assert.deepEqual((await get(project, '/api/one?own=1')).body, { user: null, isNew: null, of: 'the project' })
    assert.equal((await get(project, '/api/two')).status, 500)
    assert.deepEqual(
      project.lines.flatMap(({ err }) => err?.message ?? []),
      ['ctx.session.user is not carried: the server keeps nothing between requests; a token says who sends one'],
    )
  })
})

describe('strapi.db.connection', () => {
  it('names its driver', async () => {
    const project = await start({
      ...usual,
      'src/api/see/controllers/see.js': `module.exports = {
        one(ctx) { ctx.body = { client: strapi.db.connection.client.config.client, dialect: strapi.db.dialect.client } },
        async two(ctx) { ctx.body = await strapi.db.transaction(({ trx }) => ({ client: trx.client.config.client })) },
        async three(ctx) { const found = await strapi.db.connection.context.raw('select count(*) as n from up_roles where type = :type', { type: 'public' }); ctx.body = Boolean(found) },
      }`,
    })
    const { body } = await get(project, '/api/one')
    const { client, dialect } = body as { client: string; dialect: string }
    assert.equal(client, dialect === 'sqlite' ? 'better-sqlite3' : dialect)
    assert.deepEqual((await get(project, '/api/two')).body, { client })
    assert.equal((await get(project, '/api/three')).body, true)
  })
})

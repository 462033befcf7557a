import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { RunningProject } from '../support/project.js'
import type { Multipart } from '../support/scripts.js'
import { get, start } from '../support/written.js'
import { asking, atStart, dependencies, granting } from './support.js'

const userUid = 'plugin::users-permissions.user'
const extension = (code: string) => ({
  'src/extensions/users-permissions/strapi-server.js': `module.exports = plugin => { ${code}; return plugin }`,
})
const nora = `
await strapi.plugin('users-permissions').service('user').add({ username: 'nora', email: 'nora@example.test', password: 'Passw0rd', provider: 'local', confirmed: true, role: 1 })`

async function post(project: RunningProject, path: string, body: unknown, auth = 'none') {
  const { status, text } = await project.send({ auth, method: 'POST', path, body })
  return { status, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}

describe('an extension of users-permissions', () => {
  it('gets the 22 routes of the plugin, objects of controllers and functions of services', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const { routes } = plugin.routes['content-api']
        plugin.seen = {
          routes: routes.length,
          first: [routes[0].method, routes[0].path, routes[0].handler],
          prefixes: routes.filter(({ config }) => config.prefix === '').length,
          controllers: Object.keys(plugin.controllers).sort(),
          services: Object.entries(plugin.services).filter(([, of]) => typeof of === 'function').map(([name]) => name).sort(),
          types: Object.keys(plugin.contentTypes).sort(),
        }
        routes.unshift({ method: 'GET', path: '/seen', handler: ctx => plugin.seen, config: { prefix: '', auth: false } })`),
    })
    const { body } = await get(project, '/api/seen')
    assert.deepEqual(body, {
      routes: 22,
      first: ['GET', '/connect/(.*)', 'auth.connect'],
      prefixes: 16,
      controllers: ['auth', 'permissions', 'role', 'settings', 'user'],
      services: ['jwt', 'permission', 'providers', 'providers-registry', 'role', 'user', 'users-permissions'],
      types: ['permission', 'role', 'user'],
    })
  })

  it('that changes nothing leaves the routes to the server', async () => {
    const project = await start({ 'package.json': dependencies(), ...extension('') })
    const { routes } = project.app.outline
    assert.deepEqual(
      routes.filter(({ plugin }) => plugin === 'strapi-code').map(({ path }) => path),
      [],
    )
    assert.ok(routes.some(({ path, plugin }) => path === '/api/auth/local' && plugin === 'users-permissions'))
    assert.equal((await post(project, '/api/auth/local', { identifier: 'a', password: 'b' })).status, 400)
  })

  it('puts a route behind those that precede it, and in front of others', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const route = (path, says) => ({ method: 'GET', path, handler: () => ({ says }), config: { prefix: '', auth: false } })
        plugin.routes['content-api'].routes.unshift(route('/users/early', 'early'))
        plugin.routes['content-api'].routes.push(route('/users/late', 'late'))`),
      ...atStart(granting('public', `${userUid}.findOne`)),
    })
    assert.deepEqual(await get(project, '/api/users/early'), { status: 200, body: { says: 'early' } })
    // The server's own route takes it, as Strapi's does.
    assert.notDeepEqual((await get(project, '/api/users/late')).body, { says: 'late' })
  })

  it('takes a route away', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const content = plugin.routes['content-api']
        content.routes = content.routes.filter(({ handler }) => handler !== 'auth.register')`),
      ...atStart(granting('public', `${userUid}.count`)),
    })
    const account = { username: 'otto', email: 'otto@example.test', password: 'Passw0rd' }
    assert.ok([404, 405].includes((await post(project, '/api/auth/local/register', account)).status))
    assert.deepEqual(await get(project, '/api/users/count'), { status: 200, body: 0 })
  })

  it('replaces an action, under the permission that it had', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`plugin.controllers.user.count = ctx => { ctx.body = { counted: true } }`),
      ...atStart(granting('authenticated', `${userUid}.count`) + nora),
    })
    assert.equal((await get(project, '/api/users/count')).status, 403)
    const { text } = await project.send({ auth: 'user1', method: 'GET', path: '/api/users/count' })
    assert.deepEqual(JSON.parse(text), { counted: true })
  })

  it('replaces a controller by a function that makes it', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const { user } = plugin.controllers
        plugin.controllers.user = ({ strapi }) => ({ ...user, async me(ctx) { await user.me(ctx); ctx.body.via = typeof strapi.db } })`),
      ...atStart(granting('authenticated', `${userUid}.me`) + nora),
    })
    const { text } = await project.send({ auth: 'user1', method: 'GET', path: '/api/users/me' })
    const { username, via, password } = JSON.parse(text)
    assert.deepEqual({ username, via, password }, { username: 'nora', via: 'object', password: undefined })
  })

  it('has services that the actions of the server use: tokens and new accounts', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const { jwt, user } = plugin.services
        plugin.services.jwt = given => { const own = jwt(given); return { ...own, issue: (said, options) => own.issue({ ...said, device: 'phone' }, options) } }
        plugin.services.user = given => { const own = user(given); return { ...own, add: values => own.add({ ...values, confirmed: true, provider: 'app' }) } }
        plugin.routes['content-api'].routes.unshift({ method: 'GET', path: '/token', handler: async ctx => plugin.services.jwt({ strapi }).getToken(ctx), config: { prefix: '', auth: false } })`),
      ...atStart(granting('public', 'plugin::users-permissions.user.create')),
    })
    const account = { username: 'otto', email: 'Otto@Example.test', password: 'Passw0rd' }
    const { body } = await post(project, '/api/auth/local/register', account)
    assert.equal(body.user.provider, 'app')
    assert.equal(body.user.email, 'otto@example.test')
    assert.equal(body.user.password, undefined)
    const { text } = await project.send({ auth: body.jwt, method: 'GET', path: '/api/token' })
    assert.deepEqual({ ...JSON.parse(text), iat: 0, exp: 0 }, { id: 1, device: 'phone', iat: 0, exp: 0 })
    const made = await post(project, '/api/users', { ...account, username: 'paul', email: 'paul@example.test' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.equal(made.body.provider, 'app')
  })

  it('counts an attempt once, however often it is looked at', async () => {
    const project = await start({
      'package.json': dependencies(),
      'config/plugins.js':
        "module.exports = { 'users-permissions': { config: { jwtSecret: 'a-long-secret-of-a-test', ratelimit: { enabled: true, max: 3 } } } }",
      ...extension(`
        const { callback } = plugin.controllers.auth
        plugin.controllers.auth.callback = async ctx => { if (ctx.request.body.own) ctx.body = { own: true }; else await callback(ctx) }`),
    })
    const attempt = (own: boolean) => post(project, '/api/auth/local', { identifier: 'nobody', password: 'wrong', own })
    assert.equal((await attempt(false)).status, 400)
    assert.equal((await attempt(false)).status, 400)
    // Code that answers by itself is counted as well.
    assert.equal((await attempt(true)).status, 200)
    assert.equal((await attempt(true)).status, 429)
  })

  it('adds an attribute to the schema that a file of the extension has', async () => {
    const project = await start({
      'package.json': dependencies(),
      'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
        kind: 'collectionType',
        collectionName: 'up_users',
        info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
        attributes: { city: { type: 'string' } },
      }),
      ...extension(`plugin.contentTypes.user.schema.attributes.points = { type: 'integer', default: 7 }`),
      ...atStart(
        `${granting('public', `${userUid}.find`)}; ${nora}; await strapi.query('${userUid}').update({ where: { id: 1 }, data: { city: 'Bern' } })`,
      ),
    })
    const { body } = await get(project, '/api/users')
    const [{ city, points, username }] = body as [Record<string, unknown>]
    assert.deepEqual({ city, points, username }, { city: 'Bern', points: 7, username: 'nora' })
  })

  it('calls the steps of the action that takes files', async () => {
    const project = await start({
      'src/extensions/upload/strapi-server.js': `module.exports = plugin => {
        const own = plugin.controllers['content-api']
        own.upload = async ctx => {
          const { query: { id }, request: { files: { files } = {} } } = ctx
          await (id ? (files ? own.replaceFile : own.updateFileInfo) : own.uploadFiles)(ctx)
          ctx.status = 201
        }
        for (const route of plugin.routes['content-api'].routes) if (route.handler === 'content-api.upload') route.config.auth = false
        return plugin
      }`,
    })
    const send = async (path: string, multipart: Multipart) => {
      const { status, text } = await project.send({ auth: 'none', method: 'POST', path, multipart })
      return { status, file: [JSON.parse(text)].flat()[0] }
    }
    const file = (filename: string) => ({ files: [{ field: 'files', filename, type: 'text/plain', text: filename }] })
    const made = await send('/api/upload', file('a.txt'))
    assert.deepEqual([made.status, made.file.name], [201, 'a.txt'])
    const told = await send('/api/upload?id=1', { fields: [['fileInfo', { caption: 'new' }]] })
    assert.deepEqual([told.status, told.file.caption], [201, 'new'])
    const replaced = await send('/api/upload?id=1', file('b.txt'))
    assert.deepEqual([replaced.status, replaced.file.id, replaced.file.name], [201, 1, 'b.txt'])
  })

  it('has policies, middlewares, and stages of its own', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const { bootstrap } = plugin
        plugin.began = []
        plugin.register = () => { plugin.began.push('register') }
        plugin.bootstrap = async given => { await bootstrap(given); plugin.began.push('bootstrap ' + typeof given.strapi.db) }
        plugin.policies.named = (context, { name }) => context.request.query.name === name
        plugin.middlewares.marked = () => async (ctx, next) => { await next(); ctx.set('X-Marked', 'yes') }
        plugin.routes['content-api'].routes.unshift({ method: 'GET', path: '/began', handler: () => plugin.began, config: {
          prefix: '', auth: false, policies: [{ name: 'named', config: { name: 'nora' } }], middlewares: ['plugin::users-permissions.marked'] } })`),
    })
    assert.equal((await get(project, '/api/began')).status, 403)
    const { text, headers } = await project.send({ auth: 'none', method: 'GET', path: '/api/began?name=nora' })
    assert.deepEqual([JSON.parse(text), headers['x-marked']], [['register', 'bootstrap object'], 'yes'])
  })

  it('wraps the ways to providers, which are two routes here and one in Strapi', async () => {
    const github = { enabled: true, key: 'app', secret: 'of-the-app', callback: 'https://front.example/done' }
    const project = await start({
      'package.json': dependencies(),
      'config/server.js':
        "module.exports = { host: '127.0.0.1', port: 0, url: 'https://app.example', app: { keys: ['a'] } }",
      'config/plugins.js': `module.exports = { 'users-permissions': { config: { jwtSecret: 'a-long-secret-of-a-test', providers: { github: ${JSON.stringify(github)} } } } }`,
      ...extension(`
        const { connect } = plugin.controllers.auth
        plugin.controllers.auth.connect = async ctx => { await connect(ctx); ctx.set('X-Seen', ctx.path) }`),
      ...atStart(granting('public', 'plugin::users-permissions.auth.connect')),
    })
    const ask = (path: string) => project.send({ auth: 'none', method: 'GET', path })
    const out = await ask('/api/connect/github')
    assert.equal(out.status, 302, out.text)
    assert.match(String(out.headers.location), /^https:\/\/github\.com\/login\/oauth\/authorize\?/)
    assert.match(String(out.headers['set-cookie']), /stele_connect=/)
    assert.equal(out.headers['x-seen'], '/api/connect/github')
    const back = await ask('/api/connect/github/callback?code=x&state=y')
    assert.match(back.text, /not begun in this browser/)
    assert.match((await ask('/api/connect/gitlab')).text, /This provider is disabled/)
  })

  it('asks the server what it wants to know, by the query', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...extension(`
        const { me, find } = plugin.controllers.user
        plugin.controllers.user.me = async ctx => { ctx.query = { ...ctx.query, populate: ['role'] }; await me(ctx) }
        plugin.controllers.user.find = async ctx => { ctx.query.filters = { username: 'otto' }; await find(ctx) }`),
      ...atStart(
        `${granting('authenticated', `${userUid}.me`, `${userUid}.find`, 'plugin::users-permissions.role.find')}; ${nora}; ${nora.replaceAll('nora', 'otto')}`,
      ),
    })
    const ask = async (path: string) => JSON.parse((await project.send({ auth: 'user1', method: 'GET', path })).text)
    assert.equal((await ask('/api/users/me')).role.type, 'authenticated')
    assert.deepEqual(
      (await ask('/api/users?filters[username]=nora')).map(({ username }: { username: string }) => username),
      ['otto'],
    )
  })

  it('that returns nothing stops the start, with its file and what to do', async () => {
    await assert.rejects(
      start({
        'package.json': dependencies(),
        'src/extensions/users-permissions/strapi-server.js': 'module.exports = plugin => { plugin.x = 1 }',
      }),
      /src\/extensions\/users-permissions\/strapi-server\.js: it returns no plugin/,
    )
  })

  it('of a plugin that is not here is told, and stops nothing', async () => {
    const project = await start({
      'package.json': dependencies(),
      'src/extensions/content-manager/strapi-server.js':
        'module.exports = plugin => { plugin.controllers.x.y = 1; return plugin }',
    })
    assert.ok(project.lines.some(({ msg }) => /content-manager\/strapi-server\.js is not run/.test(msg)))
  })
})

describe('an extension of i18n', () => {
  const listed = async (code: string) => {
    const project = await start({
      'package.json': dependencies(),
      'src/extensions/i18n/strapi-server.js': `module.exports = plugin => { ${code}; return plugin }`,
      ...atStart(granting('public', 'plugin::i18n.locales.listLocales')),
    })
    const { status, body } = await get(project, '/api/i18n/locales')
    return { status, codes: (body as { code: string; isDefault: boolean }[]).map(one => [one.code, one.isDefault]) }
  }

  it('changes the list of locales by its action, and by the service that the action calls', async () => {
    const shown = (codes: unknown) => ({ status: 200, codes })
    assert.deepEqual(await listed(''), shown([['en', true]]))
    assert.deepEqual(
      await listed(
        "const { listLocales } = plugin.controllers.locales; plugin.controllers.locales.listLocales = async ctx => { await listLocales(ctx); ctx.body = [...ctx.body, { code: 'own', isDefault: false }] }",
      ),
      shown([
        ['en', true],
        ['own', false],
      ]),
    )
    assert.deepEqual(
      await listed(
        "const { locales } = plugin.services; plugin.services.locales = given => ({ ...locales(given), find: async () => [{ code: 'de' }, { code: 'en' }] })",
      ),
      shown([
        ['de', false],
        ['en', true],
      ]),
    )
  })
})

describe('actions of the server, called by code of the project', () => {
  it('sign in from a route of its own, and answer for an account that code has found', async () => {
    const project = await start(
      asking(
        {
          login: `await strapi.controller('plugin::users-permissions.auth').callback(ctx); ctx.body = { jwt: typeof ctx.body.jwt, name: ctx.body.user.username }`,
          me: `ctx.state.user = { id: 1 }; await strapi.plugin('users-permissions').controller('user').me(ctx)`,
          wrong: `try { await strapi.controller('plugin::users-permissions.auth').callback(ctx) } catch (error) { return { name: error.name, message: error.message } }`,
        },
        atStart(nora),
      ),
    )
    const sent = { identifier: 'nora', password: 'Passw0rd' }
    assert.deepEqual((await post(project, '/api/ask/login', sent)).body, { jwt: 'string', name: 'nora' })
    assert.equal(((await get(project, '/api/ask/me')).body as { username: string }).username, 'nora')
    assert.deepEqual((await post(project, '/api/ask/wrong', { ...sent, password: 'no' })).body, {
      name: 'ValidationError',
      message: 'Invalid identifier or password',
    })
  })

  it('cannot be called without a request', async () => {
    const project = await start(
      asking({
        alone: `try { await strapi.controller('plugin::users-permissions.user').me({ request: {}, state: {} }) } catch (error) { return { message: error.message } }`,
      }),
    )
    const { body } = await get(project, '/api/ask/alone')
    assert.match((body as { message: string }).message, /ctx of a request/)
  })
})

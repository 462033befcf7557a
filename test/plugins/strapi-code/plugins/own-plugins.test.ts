import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { get, start } from '../support/written.js'
import { asking, atStart, dependencies, granting } from './support.js'

/** An installed package that is a plugin: `server` is what its `strapi-server` exports. */
const installed = (name: string, server: string) => ({
  [`node_modules/strapi-plugin-${name}/package.json`]: JSON.stringify({
    name: `strapi-plugin-${name}`,
    strapi: { kind: 'plugin', name },
  }),
  [`node_modules/strapi-plugin-${name}/strapi-server.js`]: `module.exports = ${server}`,
})
const local = (name: string, server: string) => ({
  [`src/plugins/${name}/strapi-server.js`]: `module.exports = ${server}`,
})
const settings = (plugins: object) => ({ 'config/plugins.js': `module.exports = ${JSON.stringify(plugins)}` })

describe('an installed plugin', () => {
  it('is enabled unless config/plugins says otherwise, and has its settings', async () => {
    const server = "{ config: { default: ({ env }) => ({ a: { b: 1, c: env.int('NONE', 5) } }) } }"
    const files = asking(
      { settings: `return { of: strapi.config.get('plugin.one'), two: strapi.plugin('two') === undefined }` },
      {
        'package.json': dependencies({ 'strapi-plugin-one': '1.0.0', 'strapi-plugin-two': '1.0.0', lodash: '4' }),
        ...installed('one', server),
        ...installed('two', server),
        ...settings({ one: { config: { a: { b: 2 } } }, two: { enabled: false } }),
      },
    )
    const project = await start(files)
    assert.deepEqual((await get(project, '/api/ask/settings')).body, { of: { a: { b: 2, c: 5 } }, two: true })
  })

  it('that is part of Strapi is never loaded from its package', async () => {
    const project = await start({
      ...asking({}),
      'package.json': dependencies({ '@strapi/plugin-seo': '1.0.0' }),
      'node_modules/@strapi/plugin-seo/package.json': '{ "strapi": { "kind": "plugin", "name": "seo" } }',
      'node_modules/@strapi/plugin-seo/strapi-server.js': 'throw new Error("it runs")',
    })
    assert.ok(project)
  })

  it('goes on without what is not here: that is logged, and stops no start', async () => {
    const project = await start({
      ...asking({}),
      'package.json': dependencies({ 'strapi-plugin-one': '1.0.0' }),
      ...installed(
        'one',
        `{ async bootstrap({ strapi }) { await strapi.admin.services.permission.actionProvider.registerMany([]); await strapi.admin.services.user.count() } }`,
      ),
    })
    const said = project.lines.map(({ msg }) => msg)
    assert.match(said.join(), /bootstrap of the plugin one .*strapi\.admin\.services\.user\.count is not carried/)
  })

  it('whose work the server does is left aside, and may be called', async () => {
    const project = await start(
      asking(
        {
          clear: `await strapi.plugin('rest-cache').service('cacheStore').clearByUid('api::note.note'); return { cleared: true }`,
          byName: `await strapi.plugins['rest-cache'].services.cacheStore.reset(); return { listed: 'rest-cache' in { ...strapi.plugins } }`,
        },
        {
          'package.json': dependencies({ 'strapi-plugin-rest-cache': '4.2.9' }),
          ...installed('rest-cache', '{ bootstrap() { throw new Error("it runs") } }'),
        },
      ),
    )
    assert.ok(project.lines.some(({ msg }) => /the plugin rest-cache is not loaded/.test(msg)))
    assert.deepEqual((await get(project, '/api/ask/clear')).body, { cleared: true })
    assert.deepEqual((await get(project, '/api/ask/byName')).body, { listed: false })
  })
})

describe('a plugin of the project', () => {
  it('has types with tables, content routes with permissions, and routes of a panel that stay closed', async () => {
    const project = await start({
      'package.json': dependencies(),
      ...settings({ shelf: { enabled: true, resolve: './src/plugins/shelf' } }),
      ...local(
        'shelf',
        `{
        contentTypes: { 'old-book': { schema: { info: { singularName: 'old-book', pluralName: 'old-books', displayName: 'Book' }, attributes: { name: { type: 'string' } } } } },
        controllers: { book: ({ strapi }) => ({ list: () => strapi.entityService.findMany('plugin::shelf.old-book', { fields: ['name'] }), hi: () => ({ hi: true }) }) },
        routes: {
          'content-api': { type: 'content-api', routes: [{ method: 'GET', path: '/', handler: 'book.list' }] },
          admin: { type: 'admin', routes: [
            { method: 'GET', path: '/', handler: 'book.list', config: { policies: ['admin::isAuthenticatedAdmin'] } },
            { method: 'GET', path: '/hi', handler: 'book.hi', config: { auth: false } },
          ] },
        },
      }`,
      ),
      ...atStart(
        `${granting('public', 'plugin::shelf.book.list')}; await strapi.entityService.create('plugin::shelf.old-book', { data: { name: 'Atlas' } })`,
      ),
    })
    assert.deepEqual((await get(project, '/api/shelf')).body, [{ id: 1, name: 'Atlas' }])
    assert.deepEqual(await get(project, '/shelf'), {
      status: 401,
      body: {
        data: null,
        error: { status: 401, name: 'UnauthorizedError', message: 'Missing or invalid credentials', details: {} },
      },
    })
    assert.deepEqual((await get(project, '/shelf/hi')).body, { hi: true })
    assert.equal((await get(project, '/api/old-books')).status, 404)
  })

  it('keeps what code puts on it, and shows what it has by name', async () => {
    const project = await start(
      asking(
        {
          seen: `const one = strapi.plugin('one'); return { began: one.began, same: one === strapi.plugins.one, services: Object.keys(one.services), sum: one.service('sum').of(1, 2), none: one.service('none') === undefined, policy: typeof one.policy('open'), all: Object.keys(strapi.plugins).sort() }`,
        },
        {
          ...settings({ one: { enabled: true, resolve: './src/plugins/one' } }),
          ...local(
            'one',
            `{ register({ strapi }) { strapi.plugin('one').began = 'yes' }, services: { sum: () => ({ of: (a, b) => a + b }) }, policies: { open: () => true } }`,
          ),
        },
      ),
    )
    assert.deepEqual((await get(project, '/api/ask/seen')).body, {
      began: 'yes',
      same: true,
      services: ['sum'],
      sum: 3,
      none: true,
      policy: 'function',
      all: ['email', 'i18n', 'one', 'upload', 'users-permissions'],
    })
  })

  it('is extended as those of the server are', async () => {
    const project = await start({
      ...asking({ name: `return { name: strapi.plugin('one').service('name').of() }` }),
      ...settings({ one: { enabled: true, resolve: './src/plugins/one' } }),
      ...local('one', `{ services: { name: () => ({ of: () => 'one' }) } }`),
      'src/extensions/one/strapi-server.js': `module.exports = async plugin => { const { name } = plugin.services; plugin.services.name = given => ({ of: () => name(given).of() + ' more' }); return plugin }`,
    })
    assert.deepEqual((await get(project, '/api/ask/name')).body, { name: 'one more' })
  })

  it('that is not where config/plugins says stops the start, whether it is enabled or not', async () => {
    const files = settings({ absent: { enabled: false, resolve: './src/plugins/absent' } })
    await assert.rejects(start({ ...asking({}), ...files }), /\.\/src\/plugins\/absent couldn't be resolved.*"absent"/)
  })

  it('that does not load, or refuses its settings, says so with its name', async () => {
    const of = (server: string) => ({
      ...settings({ one: { enabled: true, resolve: './src/plugins/one' } }),
      ...local('one', server),
    })
    await assert.rejects(
      start(of('require("not-there")')),
      /src\/plugins\/one\/strapi-server\.js.*"not-there" is not installed/,
    )
    await assert.rejects(
      start(of('{ config: { validator() { throw new Error("never") } } }')),
      /Error regarding one config: never/,
    )
  })

  it('may be written in TypeScript, as the project is', async () => {
    const project = await start({
      ...asking({}),
      'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }',
      ...settings({ one: { enabled: true, resolve: './src/plugins/one' } }),
      'src/plugins/one/strapi-server.ts': `import { answer } from './answer'
        export default { controllers: { a: { b: () => ({ answer: answer as number }) } }, routes: { 'content-api': { type: 'content-api', routes: [{ method: 'GET', path: '/b', handler: 'a.b', config: { auth: false } }] } } }`,
      'src/plugins/one/answer.ts': 'export const answer: number = 42',
    })
    assert.deepEqual((await get(project, '/api/one/b')).body, { answer: 42 })
  })
})

describe('plugins of Strapi that are not here', () => {
  it('hear what they are to do as the project starts, say once that it has no effect, and refuse the rest', async () => {
    const project = await start(
      asking(
        {
          rest: `try { strapi.plugin('documentation').service('format').toPlural() } catch (error) { return { name: error.name, absent: strapi.plugin('sentry') === undefined } }`,
          panel: `try { strapi.plugin('content-manager').service('entity-manager').find() } catch (error) { return { name: error.name } }`,
        },
        {
          'package.json': dependencies({ '@strapi/plugin-documentation': '4.26.2' }),
          'src/index.js': `module.exports = { register({ strapi }) { const override = strapi.plugin('documentation').service('override'); override.registerOverride({}); override.excludeFromGeneration('note').more() } }`,
        },
      ),
    )
    assert.equal(project.lines.filter(({ msg }) => /changes of the documentation have no effect/.test(msg)).length, 1)
    assert.deepEqual((await get(project, '/api/ask/rest')).body, { name: 'NotCarriedError', absent: true })
    assert.deepEqual((await get(project, '/api/ask/panel')).body, { name: 'NotCarriedError' })
  })
})

describe('types', () => {
  it('have columns for the attributes that register puts into strapi.contentTypes', async () => {
    const project = await start(
      asking(
        {
          made: `return strapi.entityService.create('api::note.note', { data: { title: 'n', _gone: 'yes' } })`,
          user: `return { known: Object.keys(strapi.contentType('plugin::users-permissions.user').attributes).includes('age'), plugin: strapi.contentType('plugin::one.thing').uid }`,
        },
        {
          ...settings({ one: { enabled: true, resolve: './src/plugins/one' } }),
          ...local(
            'one',
            `{ contentTypes: { thing: { schema: { info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' }, attributes: {} } } },
               register({ strapi }) { for (const type of Object.values(strapi.contentTypes)) if (type.uid.startsWith('api::')) type.attributes._gone = { type: 'string' } } }`,
          ),
          'src/extensions/users-permissions/strapi-server.js': `module.exports = plugin => { strapi.contentType('plugin::users-permissions.user'); plugin.contentTypes.user.schema.attributes.age = { type: 'integer' }; return plugin }`,
        },
      ),
    )
    const { body } = await get(project, '/api/ask/made')
    assert.equal((body as { _gone: string })._gone, 'yes')
    assert.deepEqual((await get(project, '/api/ask/user')).body, { known: true, plugin: 'plugin::one.thing' })
  })
})

it('plugins that config/plugins turns off are not there, not even for what asks whether they are', async () => {
  const project = await start(
    asking(
      { off: `return { graphql: strapi.plugin('graphql') === undefined, i18n: strapi.plugin('i18n') === undefined }` },
      {
        'package.json': dependencies({ '@strapi/plugin-graphql': '4.26.2' }),
        ...settings({ graphql: { enabled: false }, i18n: { enabled: false } }),
      },
    ),
  )
  assert.deepEqual((await get(project, '/api/ask/off')).body, { graphql: true, i18n: true })
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { hasWork, isFactoryMade } from '../../core/foreign/strapi4/code.js'
import { type ForeignPart, foreignParts } from '../../core/tools/cli/doctor/foreign.js'
import { greeting } from '../../core/tools/cli/serving/greeting.js'
import { run } from '../support/run.js'
import { copyProject, type OpenProject, openProject, type ProjectFolder, withoutCode } from './project.js'

describe('what of a project is not run', () => {
  let project: ProjectFolder
  let open: OpenProject | undefined
  beforeEach(() => {
    project = copyProject()
  })
  afterEach(async () => {
    await open?.close()
    open = undefined
    project.remove()
  })
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      const file = join(project.folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  }
  const listed = async (): Promise<ForeignPart[]> => {
    open = await openProject(project, withoutCode)
    return foreignParts(open.app, open.offered)
  }
  const where = async (what: string): Promise<readonly string[]> =>
    (await listed()).find(part => part.what === what)?.where ?? []

  it('is nothing where the project is as the generator made it', async () => assert.deepEqual(await listed(), []))

  const cases: readonly { what: string; files: Readonly<Record<string, string>>; where: readonly string[] }[] = [
    {
      what: 'controllers',
      files: {
        'src/api/article/controllers/article.js': `const { createCoreController } = require('@strapi/strapi').factories
          module.exports = createCoreController('api::article.article', ({ strapi }) => ({ async find(ctx) { return 1 } }))`,
        'src/api/tag/controllers/extra.ts': 'export default { hello(ctx) {} }',
      },
      where: ['src/api/article/controllers/article.js', 'src/api/tag/controllers/extra.ts'],
    },
    {
      what: 'routes',
      files: {
        'src/api/tag/routes/tag.js': `const { createCoreRouter } = require('@strapi/strapi').factories
          module.exports = createCoreRouter('api::tag.tag', { only: ['find'] })`,
        'src/api/tag/routes/01-custom.js': 'module.exports = { routes: [] }',
      },
      where: ['src/api/tag/routes/01-custom.js', 'src/api/tag/routes/tag.js'],
    },
    {
      what: 'services',
      files: { 'src/api/tag/services/tag.js': 'module.exports = () => ({ work() {} })' },
      where: ['src/api/tag/services/tag.js'],
    },
    {
      what: 'policies',
      files: {
        'src/api/tag/policies/is-owner.js': 'module.exports = () => true',
        'src/policies/is-admin.js': 'module.exports = () => true',
      },
      where: ['src/api/tag/policies/is-owner.js', 'src/policies/is-admin.js'],
    },
    {
      what: 'middlewares',
      files: {
        'src/middlewares/timer.js': 'module.exports = () => (ctx, next) => next()',
        'config/middlewares.js':
          "module.exports = ['strapi::errors', 'global::timer', { name: 'strapi::cors', config: { origin: ['x'] } }, { name: 'strapi::session', config: { key: 'x' } }, { resolve: '../x' }]",
      },
      where: [
        'src/middlewares/timer.js',
        'global::timer of config/middlewares',
        'strapi::session: key of config/middlewares',
        '../x of config/middlewares',
      ],
    },
    {
      what: 'lifecycles',
      files: {
        'src/api/tag/content-types/tag/lifecycles.js':
          'module.exports = { beforeCreate(event) { event.params.data.x = 1 } }',
        'src/extensions/users-permissions/content-types/user/lifecycles.js':
          'module.exports = { afterUpdate() { f() } }',
      },
      where: [
        'src/api/tag/content-types/tag/lifecycles.js',
        'src/extensions/users-permissions/content-types/user/lifecycles.js',
      ],
    },
    {
      what: 'register and bootstrap',
      files: {
        'src/index.js': 'module.exports = { register() {}, async bootstrap({ strapi }) { await strapi.db.x() } }',
      },
      where: ['src/index.js'],
    },
    {
      what: 'cron tasks',
      files: { 'config/cron-tasks.js': "module.exports = { '*/5 * * * *': ({ strapi }) => { strapi.x() } }" },
      where: ['config/cron-tasks.js'],
    },
    {
      what: 'cron tasks',
      files: {
        'config/server.js':
          "module.exports = { host: '127.0.0.1', cron: { enabled: true, tasks: { '* * * * *': () => {} } } }",
      },
      where: ['cron.tasks of config/server'],
    },
    {
      what: 'migrations',
      files: { 'database/migrations/2024.01.01T00.00.00.names.js': 'module.exports = { async up(knex) {} }' },
      where: ['database/migrations/2024.01.01T00.00.00.names.js'],
    },
    {
      what: 'extensions of plugins',
      files: {
        'src/extensions/users-permissions/strapi-server.js':
          'module.exports = plugin => { plugin.x = 1; return plugin }',
      },
      where: ['src/extensions/users-permissions/strapi-server.js'],
    },
    {
      what: 'settings of plugins',
      files: {
        'config/plugins.js':
          "module.exports = { 'users-permissions': { config: { jwtSecret: 'a secret of this test', jwt: { algorithm: 'HS256' }, layout: {} } } }",
      },
      where: ['users-permissions.config.jwt.algorithm', 'users-permissions.config.layout'],
    },
  ]
  for (const { what, files, where: expected } of cases)
    it(`lists ${what}: ${expected.join(', ')}`, async () => {
      write(files)
      assert.deepEqual(await where(what), expected)
    })

  it('names the routes that are missing, and what standard routes lose', async () => {
    write({
      'src/api/tag/routes/01-custom.js': `module.exports = { routes: [
          { method: 'GET', path: '/tags/top/:n', handler: 'tag.top' },
          { method: 'POST', path: '/tags/:id/merge', handler: 'tag.merge', config: { policies: ['is-admin'] } },
          { method: 'GET', path: '/tags/:slug', handler: 'tag.bySlug' },
          { method: 'PUT', path: '/tags/:id', handler: 'tag.update', config: { policies: ['is-owner'], auth: false } },
          { method: 'DELETE', path: '/tags/:id', handler: 'api::tag.tag.delete' },
        ] }`,
      'src/api/category/routes/category.js': `const { createCoreRouter } = require('@strapi/strapi').factories
        module.exports = createCoreRouter('api::category.category', { only: ['find', 'findOne'], config: { find: { middlewares: ['x'] } } })`,
    })
    const parts = await listed()
    const of = (what: string) => parts.find(part => part.what === what)
    const file = 'src/api/tag/routes/01-custom.js'
    assert.deepEqual(of('own routes')?.where, [`GET /api/tags/top/:n (${file})`, `POST /api/tags/:id/merge (${file})`])
    assert.match(of('own routes')?.means ?? '', /^requests to these 2 paths get 404/)
    const router = 'src/api/category/routes/category.js'
    assert.deepEqual(of('changes of standard routes')?.where, [
      ...[`GET /api/categories: middlewares x (${router})`, `POST /api/categories: not there in Strapi (${router})`],
      ...[
        `PUT /api/categories/:id: not there in Strapi (${router})`,
        `DELETE /api/categories/:id: not there in Strapi (${router})`,
      ],
      `GET /api/tags/:slug: handler tag.bySlug (${file})`,
      `PUT /api/tags/:id: policies is-owner; auth (${file})`,
    ])
    const text = greeting((open as OpenProject).app, 1337, { foreign: parts })
    for (const { where: places } of parts) for (const place of places) assert.ok(text.includes(place), place)
  })

  it('has no endpoints for a type without a file of routes, and tells which', async () => {
    rmSync(join(project.folder, 'src/api/tag/routes'), { recursive: true })
    assert.deepEqual(await where('endpoints of types without a file of routes'), ['api::tag.tag'])
    const { get } = open as OpenProject
    assert.deepEqual([(await get('/api/tags')).statusCode, (await get('/api/tags/1')).statusCode], [404, 404])
    const populated = await get('/api/articles/1?populate=tags')
    assert.equal(populated.statusCode, 200, populated.payload)
    assert.ok(JSON.parse(populated.payload).data.attributes.tags.data.length > 0)
  })

  it('leaves the endpoints where other code may make the router', async () => {
    write({ 'src/api/tag/routes/tag.js': "module.exports = require('../../../routers').of('tag')" })
    assert.deepEqual(await where('endpoints of types without a file of routes'), [])
  })

  it('lists plugins: packages, folders of the project, and what config/plugins names', async () => {
    const file = join(project.folder, 'package.json')
    const { dependencies, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
    const more = {
      '@strapi/plugin-sentry': '4.26.2',
      '@strapi/plugin-graphql': '4.26.2',
      'strapi-plugin-seo': '1',
      '@strapi/plugin-upload': '4.26.2',
    }
    write({
      'package.json': JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } }),
      'config/plugins.js': `module.exports = { 'users-permissions': { config: { jwtSecret: 'a secret of this test' } }, graphql: { config: {} },
        mine: { enabled: true, resolve: './src/plugins/mine' }, off: { enabled: false } }`,
      'src/plugins/mine/strapi-server.js': 'throw new Error("it is run")',
    })
    assert.deepEqual(await where('plugins'), [
      '@strapi/plugin-sentry',
      'strapi-plugin-seo',
      'mine of config/plugins',
      'src/plugins/mine',
    ])
  })

  it('lists packages that are plugins by their own package.json, whatever they are called', async () => {
    const file = join(project.folder, 'package.json')
    const { dependencies, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
    const more = {
      '@localazy/strapi-plugin': '1',
      'strapi-google-auth': '1',
      'not-installed': '1',
      'strapi-helper': '1',
    }
    const installed = (name: string, strapi: object) =>
      write({ [`node_modules/${name}/package.json`]: JSON.stringify({ name, strapi }) })
    installed('@localazy/strapi-plugin', { name: 'localazy', kind: 'plugin' })
    installed('strapi-google-auth', { kind: 'plugin' })
    installed('strapi-helper', { kind: 'provider' })
    write({
      'package.json': JSON.stringify({ ...rest, dependencies: { ...dependencies, ...more } }),
      'config/plugins.js': `module.exports = { 'users-permissions': { config: { jwtSecret: 'a secret of this test' } }, localazy: { enabled: true } }`,
    })
    assert.deepEqual(await where('plugins'), ['@localazy/strapi-plugin', 'strapi-google-auth'])
  })

  const hello = (language: string) => `import { definePlugin } from 'stele'
    ${language}
    export const hello = definePlugin({ name: 'hello', config: { type: 'object', properties: { word: { type: 'string' } } },
      register: ({ config }) => config,
      routes: [{ method: 'GET', path: '/hello', action: null, run: ({ service }) => ({ word: service.word }) }] })`
  for (const [file, text] of [
    ['hello.mjs', hello('')],
    ['hello.ts', hello('export enum Tone { loud }')],
  ])
    it(`runs a plugin of this server that config/plugins names: ${file}`, async () => {
      write({
        [`plugins/${file}`]: text as string,
        'plugins/other.js': 'throw new Error("it is run")',
        'config/plugins.js': `module.exports = { 'users-permissions': { config: { jwtSecret: 'a secret of this test' } },
          hello: { enabled: true, resolve: './plugins/${file}', config: { word: 'hi' } },
          other: { enabled: true, resolve: './plugins/other.js' }, gone: { enabled: true, resolve: './plugins/gone.js' } }`,
      })
      assert.deepEqual(await where('plugins'), ['other of config/plugins', 'gone of config/plugins'])
      const reply = await (open as OpenProject).get('/api/hello')
      assert.deepEqual([reply.statusCode, reply.payload], [200, '{"word":"hi"}'])
    })

  it('is what the code needs beside it, where the code runs', async () => {
    write({
      'src/api/tag/services/tag.js': `const { createCoreService } = require('@strapi/strapi').factories
        module.exports = createCoreService('api::tag.tag', () => ({ more() {} }))`,
      'src/policies/is-admin.js': 'module.exports = () => true',
      'src/middlewares/timer.js': 'module.exports = () => (ctx, next) => next()',
      'src/index.js': 'module.exports = { bootstrap({ strapi }) { strapi.ran = true } }',
      'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::query', 'strapi::body', 'global::timer',
        { name: 'strapi::session', config: { key: 'x' } }]`,
      'database/migrations/2024.js': 'module.exports = { up() {} }',
    })
    open = await openProject(project)
    const parts = await foreignParts(open.app, open.offered)
    assert.deepEqual(
      parts.map(({ what, where }) => [what, where]),
      [
        ['middlewares', ['strapi::session: key of config/middlewares']],
        ['migrations', ['database/migrations/2024.js']],
      ],
    )
  })

  it('lists webhooks that are switched on', async () => {
    const hook = (name: string, enabled: number) =>
      run(
        { client: 'sqlite', filename: project.database },
        `insert into strapi_webhooks (name, url, events, enabled) values ('${name}', 'http://x.test', '[]', ${enabled})`,
      )
    await hook('build', 1)
    await hook('old', 0)
    assert.deepEqual(await where('webhooks'), ['build of the panel'])
  })

  it('says of each kind what it means, and runs nothing of it', async () => {
    for (const { files } of cases) if (!('config/plugins.js' in files)) write(files)
    write({ 'src/api/tag/controllers/extra.ts': 'throw new Error("it is run")', 'config/cron-tasks.js': 'throw 1' })
    rmSync(join(project.folder, 'config/middlewares.js'))
    const parts = await listed()
    assert.ok(parts.length > 8)
    for (const { means } of parts) assert.match(means, /^[a-z].{15,}/)
    const text = greeting((open as OpenProject).app, 1337, { foreign: parts })
    assert.match(text, /Not run here:\n\n {4}controllers: the standard actions/)
    for (const { where: places } of parts) for (const place of places) assert.ok(text.includes(place), place)
  })

  it('is told in the log of `stele start`', async () => {
    write({ 'src/policies/is-admin.js': 'module.exports = () => true' })
    const command = join(import.meta.dirname, '../../core/tools/cli/stele.js')
    const server = spawn(process.execPath, [command, 'start', '--app', project.folder, '--port', '0'], {
      env: { ...process.env, ...withoutCode, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      let text = ''
      server.stdout.setEncoding('utf8')
      for await (const piece of server.stdout) {
        text += piece
        if (/listening on/.test(text)) break
      }
      const lines = text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
      const told = lines.find(({ msg }) =>
        /^policies of the project are not run: permissions and tokens alone decide/.test(msg),
      )
      assert.deepEqual(told?.where, ['src/policies/is-admin.js'])
    } finally {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  }, 60_000)
})

describe('code that the generator of Strapi writes', () => {
  const made = [
    `'use strict';\n\n/** article controller */\nconst { createCoreController } = require('@strapi/strapi').factories;\n\nmodule.exports = createCoreController('api::article.article');\n`,
    `/**\n * article router\n */\n\nimport { factories } from '@strapi/strapi';\n\nexport default factories.createCoreRouter('api::article.article');\n`,
    `import { factories } from '@strapi/strapi'\nexport default factories.createCoreService("api::article.article")`,
    `module.exports = require('@strapi/strapi').factories.createCoreController('api::article.article');\n`,
    `"use strict";\nmodule.exports = require("@strapi/strapi").factories.createCoreRouter("api::article.article")\n`,
    `const strapi = require('@strapi/strapi');\nmodule.exports = strapi.factories.createCoreService('api::article.article');`,
    `const { factories } = require("@strapi/strapi")\nmodule.exports = factories.createCoreRouter(\n  'api::article.article',\n);`,
    `import strapi from '@strapi/strapi';\nexport default strapi.factories.createCoreRouter('api::article.article' as any, {});`,
    `const { createCoreController } = require('@strapi/strapi').factories;\nmodule.exports = createCoreController('api::article.article', ({ strapi }) => ({}));`,
  ]
  for (const text of made) it(`is known: ${text.slice(-60).trim()}`, () => assert.equal(isFactoryMade(text), true))
  const changed = [
    `const { createCoreRouter } = require('@strapi/strapi').factories; module.exports = createCoreRouter('api::a.a', { prefix: '' })`,
    `module.exports = { routes: [] }`,
    `module.exports = require('@strapi/strapi').factories.createCoreController('api::a.a', ({ strapi }) => ({ find() {} }))`,
    `start(); module.exports = require('@strapi/strapi').factories.createCoreController('api::a.a')`,
    `import { factories } from '@strapi/strapi'\nimport x from './x'\nexport default factories.createCoreService('api::a.a')`,
  ]
  for (const text of changed) it(`is told from: ${text.slice(0, 60)}`, () => assert.equal(isFactoryMade(text), false))
})

describe('a module of a project', () => {
  const idle = [
    `'use strict';\nmodule.exports = { register() {}, bootstrap() {} };`,
    `'use strict';\n\nmodule.exports = {\n  /**\n   * An asynchronous register function\n   */\n  register(/*{ strapi }*/) {},\n\n  bootstrap(/*{ strapi }*/) {},\n};\n`,
    `export default {\n  register({ strapi }) {},\n  async bootstrap({ strapi }) {\n    // later\n  },\n};`,
    `export default { register: () => {}, bootstrap: async ({ strapi }: { strapi: Strapi }) => {} }`,
    `import type { Core } from '@strapi/strapi';\nexport default { register(/* { strapi }: { strapi: Core.Strapi } */) {} };`,
  ]
  for (const text of idle)
    it(`has nothing to do: ${text.replace(/\s+/g, ' ').slice(0, 80)}`, () => assert.equal(hasWork(text), false))
  const busy = [
    'module.exports = { register() {}, bootstrap() { start() } }',
    'module.exports = { bootstrap: ({ strapi }) => { strapi.x() } }',
    "require('./boot'); module.exports = {}",
    'export default { async bootstrap({ strapi }) { await seed(strapi) } }',
  ]
  for (const text of busy) it(`has something to do: ${text}`, () => assert.equal(hasWork(text), true))
})

import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { OpenOptions, RunningProject } from '../support/project.js'
import { schemaOf, start } from '../support/written.js'

const packages = JSON.stringify({
  name: 'written',
  dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' },
})
const serve: OpenOptions = { config: { plugins: { 'strapi-code': { config: { broken: 'serve' } } } } }

const factory = (kind: string, name: string) =>
  `module.exports = require('@strapi/strapi').factories.createCore${kind}('api::${name}.${name}')`

/** A type with all that the generator writes. */
const type = (name: string): Record<string, string> => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: schemaOf(name),
  [`src/api/${name}/routes/${name}.js`]: factory('Router', name),
  [`src/api/${name}/controllers/${name}.js`]: factory('Controller', name),
  [`src/api/${name}/services/${name}.js`]: factory('Service', name),
})

const throws = "throw new Error('it is broken')"

const statuses = async ({ send }: RunningProject, requests: readonly string[]) =>
  Promise.all(
    requests.map(async request => {
      const [method = '', path = ''] = request.split(' ')
      const { status } = await send({ auth: 'none', method, path, ...(/^P/.test(method) && { body: {} }) })
      return `${request} ${status}`
    }),
  )

/** One file of `item` is broken; what is asked of it, and of a type beside it. */
const cases: readonly (readonly [file: string, refused: readonly string[]])[] = [
  ['src/api/item/controllers/item.js', ['GET /api/items', 'POST /api/items', 'GET /api/items/1']],
  ['src/api/item/services/item.js', ['GET /api/items', 'POST /api/items', 'DELETE /api/items/1']],
  ['src/api/item/content-types/item/lifecycles.js', ['GET /api/items', 'POST /api/items', 'PUT /api/items/1']],
  ['src/api/item/routes/item.js', ['GET /api/items', 'POST /api/items', 'GET /api/items/1']],
  ['src/api/item/routes/01-own.js', ['GET /api/items/own', 'POST /api/own/1']],
  ['src/policies/closed.js', ['GET /api/guarded']],
  ['src/middlewares/closed.js', ['GET /api/around']],
]

const guarded = `module.exports = { routes: [
  { method: 'GET', path: '/guarded', handler: 'other.find', config: { policies: ['global::closed'] } },
  { method: 'GET', path: '/around', handler: 'other.find', config: { middlewares: ['global::closed'] } },
] }`
const own = `module.exports = { routes: [
  { method: 'GET', path: '/items/own', handler: 'item.find' },
  { method: 'POST', path: '/own/:id', handler: 'item.find' },
] }`

/** Everybody may do all, so that a refusal is that of the code. */
const grants = `module.exports = { async bootstrap({ strapi }) {
  const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } })
  for (const name of ['item', 'other']) for (const action of ['find', 'findOne', 'create', 'update', 'delete', 'own'])
    await strapi.query('plugin::users-permissions.permission').create({ data: { action: 'api::' + name + '.' + name + '.' + action, role: role.id } })
} }`

describe('with broken: serve, a file that cannot be loaded', () => {
  for (const [file, refused] of cases)
    it(`${file}: its routes answer 501, others are served`, async () => {
      const files = {
        'package.json': packages,
        ...type('item'),
        ...type('other'),
        'src/api/other/routes/01.js': guarded,
        'src/index.js': grants,
        'src/policies/closed.js': 'module.exports = () => true',
        'src/middlewares/closed.js': 'module.exports = () => (ctx, next) => next()',
      }
      const before = (files as Record<string, string>)[file] ?? (file.includes('01-own') ? own : '')
      const project = await start({ ...files, [file]: `${throws}\n${before}` }, serve)
      assert.deepEqual(await statuses(project, [...refused, 'GET /api/others']), [
        ...refused.map(request => `${request} 501`),
        'GET /api/others 200',
      ])
      const all = ['GET /api/items', 'POST /api/items', 'GET /api/items/1', 'GET /api/others/1']
      const others = all.filter(
        request => !refused.includes(request) && !(/\/items/.test(request) && /item/.test(file)),
      )
      for (const answer of await statuses(project, others)) assert.doesNotMatch(answer, / 50\d$/)
      assert.ok(project.lines.some(({ msg }) => msg.includes('left aside') && msg.includes(file)))
    })

  const asked = ['GET /api/users/me', 'POST /api/auth/local', 'GET /api/extra', 'GET /api/loc/any', 'GET /api/loc-own']
  const files: Readonly<Record<string, string>> = {
    'package.json': packages,
    ...type('other'),
    'src/index.js': grants,
    'config/plugins.js': "module.exports = { loc: { enabled: true, resolve: './src/plugins/loc' } }",
    'src/plugins/loc/strapi-server.js': `module.exports = {
      controllers: { a: () => ({ b(ctx) { ctx.body = 'b' } }) },
      routes: { 'content-api': { type: 'content-api', routes: [
        { method: 'GET', path: '/any', handler: 'a.b', config: { auth: false } },
        { method: 'GET', path: '/loc-own', handler: 'a.b', config: { auth: false, prefix: '' } },
      ] } },
    }`,
    'src/extensions/users-permissions/strapi-server.js': `module.exports = plugin => {
      plugin.controllers.auth.callback = ctx => ctx.send('mine')
      plugin.routes['content-api'].routes.unshift({ method: 'GET', path: '/extra', handler: 'auth.callback', config: { prefix: '', auth: false } })
      return plugin
    }`,
  }
  const parts: readonly (readonly [file: string, statuses: readonly number[]])[] = [
    ['none', [403, 200, 200, 200, 200]],
    ['src/extensions/users-permissions/strapi-server.js', [403, 501, 501, 200, 200]],
    ['src/plugins/loc/strapi-server.js', [403, 200, 200, 501, 501]],
  ]
  for (const [file, expected] of parts)
    it(`${file}: what extensions and plugins add and replace answers 501`, async () => {
      const before = files[file]
      const project = await start(before === undefined ? files : { ...files, [file]: `${throws}\n${before}` }, serve)
      assert.deepEqual(
        await statuses(project, asked),
        asked.map((request, at) => `${request} ${expected[at]}`),
      )
    })

  it('a global middleware: no request passes', async () => {
    const middlewares = "module.exports = ['strapi::errors', 'strapi::query', 'strapi::body', 'global::closed']"
    const project = await start(
      { ...files, 'config/middlewares.js': middlewares, 'src/middlewares/closed.js': throws },
      serve,
    )
    assert.deepEqual(await statuses(project, ['GET /api/others']), ['GET /api/others 501'])
  })
})

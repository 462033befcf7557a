import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { anyEngine } from '../../../support/engines.js'
import { type OpenOptions, open, type RunningProject } from '../support/project.js'
import { copyOf } from '../support/scripts.js'
import { schemaOf, start } from '../support/written.js'

const refuse: OpenOptions = { config: { plugins: { 'strapi-code': false } } }

async function opened(name: string, options: OpenOptions = refuse): Promise<RunningProject> {
  const copy = copyOf(name)
  onTestFinished(() => copy.remove())
  const fresh = await anyEngine.fresh()
  const project = await open(copy, fresh.database as never, options)
  onTestFinished(async () => {
    await project.close()
    await fresh.drop()
  })
  return project
}

const listed = ({ lines }: RunningProject, start: RegExp): string[] =>
  (lines.find(({ msg }) => start.test(msg))?.routes as string[] | undefined) ?? []

/** Code that stands beside what the server answers by itself, or takes it away. */
const more: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  'blog-by-slug': [],
  boot: ['POST /api/jobs'],
  broken: [],
  guarded: [
    ...['GET /api/reports', 'POST /api/reports', 'POST /api/internal/reports', 'DELETE /api/pages/1'],
    ...['GET', 'PUT', 'DELETE'].flatMap(method => [`${method} /api/reports/1`, `${method} /api/internal/reports/1`]),
  ],
  knex: [],
  'local-plugin': ['GET /api/reviews/any/thing'],
  numbers: [],
  shop: ['GET /api/coupons', 'POST /api/coupons', 'PUT /api/coupons/1', 'DELETE /api/coupons/1', 'GET /api/products'],
  typescript: ['POST /api/recipes', 'DELETE /api/recipes/1'],
}

/** Requests that are the server's own matter, with the code and without it. */
const standard: Readonly<Record<string, readonly string[]>> = {
  accounts: ['GET /api/users/count', 'GET /api/users/1', 'POST /api/auth/forgot-password'],
  'blog-by-slug': ['GET /api/categories', 'GET /api/categories/1', 'POST /api/authors'],
  boot: ['GET /api/settings/1', 'GET /api/jobs'],
  broken: ['GET /api/things', 'PUT /api/others/1'],
  guarded: ['GET /api/secrets'],
  knex: ['GET /api/shelves', 'DELETE /api/writers/1'],
  'local-plugin': ['GET /api/products'],
  numbers: ['GET /api/events'],
  shop: ['GET /api/categories', 'GET /api/tags/1'],
  typescript: ['GET /api/cooks', 'GET /api/cooks/1'],
}

const requested = (route: string): string => route.replace(/:\w+/g, '1').replace(/\{?\/?\*\w+\}?/, '/any')

describe('where the code of a project is switched off', () => {
  for (const [name, others] of Object.entries(more))
    it(`${name}: its routes answer 501 and name the file, and others do not`, async () => {
      const runs = listed(await opened(name, {}), /^the code of the project runs/).map(requested)
      const refusing = await opened(name)
      const answers = async (requests: readonly string[]) =>
        Promise.all(
          requests.map(async request => {
            const [method = '', path = ''] = request.split(' ')
            const { status, text } = await refusing.send({
              auth: 'none',
              method,
              path,
              ...(/^P/.test(method) && { body: {} }),
            })
            if (status !== 501) return `${request} ${status}`
            const { error } = JSON.parse(text)
            assert.match(
              error.message,
              /^This route needs the code of the project in (src\/\S+\.[jt]s), which is switched off: /,
            )
            assert.equal(error.name, 'NotImplementedError')
            return `${request} 501`
          }),
        )
      const asked = [...runs, ...others].filter(request => !isOfAccounts(request))
      assert.ok(asked.length > 0)
      assert.deepEqual(
        await answers(asked),
        asked.map(request => `${request} 501`),
      )
      for (const answer of await answers(standard[name] ?? [])) assert.doesNotMatch(answer, / (?:501|500)$/)
    })

  it('an extension leaves alone what it does not replace', async () => {
    const refused = listed(await opened('accounts'), /^the code of the project does not run/)
    assert.deepEqual(
      refused.filter(route => / \/api\/(?:users|auth|connect)/.test(route)).sort(),
      [
        ...[
          'GET /api/auth/:provider/callback',
          'GET /api/users',
          'GET /api/users-permissions/extra',
          'GET /api/users/hello',
        ],
        ...['GET /api/users/me', 'POST /api/auth/local', 'POST /api/auth/local/register', 'POST /api/users'],
        ...['PUT /api/users/:id', 'PUT /api/users/me', 'DELETE /api/users/:id'],
      ].sort(),
    )
  })
})

/** Routes of accounts that the extension of the fixture leaves alone, and that stand in its list all the same. */
const isOfAccounts = (request: string): boolean =>
  / \/api\/(?:connect|users-permissions\/(?:roles|permissions)|auth\/(?:forgot|reset|email|send|change))/.test(
    request,
  ) || ['GET /api/users/count', 'GET /api/users/1'].includes(request)

const files = {
  'src/api/item/content-types/item/schema.json': schemaOf('item'),
  'src/api/item/controllers/item.js':
    "module.exports = require('@strapi/strapi').factories.createCoreController('api::item.item')",
}
const own = "{ method: 'GET', path: '/items/own', handler: 'item.own', config: {} }"
const pattern = `
  const { createCoreRouter } = require('@strapi/strapi').factories
  const custom = (inner, extra = []) => ({ get prefix() { return inner.prefix }, get routes() { return extra.concat(inner.routes) } })
  module.exports = custom(createCoreRouter('api::item.item'), [${own}])`

it('an extension may replace actions in other files of its folder', async () => {
  const packages = { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' }
  const project = await start(
    {
      'package.json': JSON.stringify({ name: 'written', dependencies: packages }),
      ...files,
      'src/extensions/users-permissions/strapi-server.js':
        "const auth = require('./controllers/auth')\nmodule.exports = plugin => { auth(plugin); return plugin }",
      'src/extensions/users-permissions/controllers/auth.js':
        'module.exports = plugin => { plugin.controllers.auth.callback = ctx => ctx.send(1) }',
    },
    refuse,
  )
  const refused = listed(project, /^the code of the project does not run/)
  assert.deepEqual(refused, ['POST /api/auth/local', 'GET /api/auth/:provider/callback'])
})

describe('an extension', () => {
  const packages = {
    '@strapi/strapi': '4.26.2',
    '@strapi/plugin-users-permissions': '4.26.2',
    '@strapi/plugin-i18n': '4.26.2',
  }
  const startedWith = (
    extensions: Readonly<Record<string, string>>,
    dependencies: Readonly<Record<string, string>> = packages,
  ) => start({ 'package.json': JSON.stringify({ name: 'written', dependencies }), ...files, ...extensions }, refuse)
  const refusedWith = async (...given: Parameters<typeof startedWith>) =>
    listed(await startedWith(...given), /^the code of the project does not run/)
  const extension = (name: string, body: string) => ({
    [`src/extensions/${name}/strapi-server.js`]: `module.exports = plugin => { ${body}; return plugin }`,
  })

  it('may change actions of uploads, and hand on a controller to another file', async () => {
    const list = await refusedWith({
      ...extension('upload', "require('./controllers/upload')(plugin.controllers['content-api'])"),
      'src/extensions/upload/controllers/upload.js':
        'module.exports = controller => { controller.upload = ctx => ctx.send(1) }',
      ...extension('users-permissions', 'plugin.controllers.user.find = plugin.controllers.user.count'),
    })
    assert.deepEqual(list, [
      ...['POST /api/upload', 'GET /api/upload/files', 'GET /api/upload/files/:id', 'DELETE /api/upload/files/:id'],
      'GET /api/users',
    ])
  })

  it('may guard routes that it goes through', async () => {
    const list = await refusedWith(
      extension(
        'upload',
        "for (const route of plugin.routes['content-api'].routes) route.config.policies = [() => false]",
      ),
    )
    assert.deepEqual(list, [
      ...['POST /api/upload', 'GET /api/upload/files', 'GET /api/upload/files/:id', 'DELETE /api/upload/files/:id'],
    ])
  })

  it('that only adds routes leaves the others', async () => {
    const route = "{ method: 'GET', path: '/files/mine', handler: 'content-api.mine' }"
    const body = `plugin.routes['content-api'].routes.unshift(${route}); plugin.controllers['content-api'].mine = () => 1`
    assert.deepEqual(await refusedWith(extension('upload', body)), ['GET /api/upload/files/mine'])
  })

  it('may replace actions of locales and letters, or what they call, and add routes to both', async () => {
    const list = 'GET /api/i18n/locales'
    const route = (path: string) =>
      `plugin.routes['content-api'].routes.push({ method: 'GET', path: '${path}', handler: 'a.b' })`
    const cases: readonly (readonly [name: string, body: string, refused: readonly string[]])[] = [
      ['i18n', 'plugin.controllers.locales.listLocales = ctx => ctx.send([])', [list]],
      ['i18n', 'plugin.controllers.locales = { listLocales: ctx => ctx.send([]) }', [list]],
      ['i18n', 'plugin.services.locales = () => ({ find: () => [] })', [list]],
      ['i18n', "plugin.routes['content-api'].routes[0].config.policies = [() => false]", [list]],
      ['i18n', route('/mine'), ['GET /api/i18n/mine']],
      ['i18n', "const all = plugin.routes['content-api'].routes; all.push(added)", [list]],
      ['i18n', 'const { routes } = plugin; note(routes)', [list]],
      ['i18n', "plugin.services['content-types'] = () => ({})", []],
      ['email', 'plugin.controllers.email.send = ctx => ctx.send({})', ['POST /api/email']],
      ['email', 'plugin.controllers.email = { send: ctx => ctx.send({}) }', ['POST /api/email']],
      ['email', route('/mine'), ['GET /api/email/mine']],
      ['email', 'plugin.services.email = () => ({ send() {} })', []],
    ]
    for (const [name, body, refused] of cases) assert.deepEqual(await refusedWith(extension(name, body)), refused, body)
  })

  it('of locales says which file its routes need', async () => {
    const project = await startedWith(extension('i18n', 'plugin.controllers.locales.listLocales = ctx => ctx.send([])'))
    const { status, text } = await project.send({ auth: 'none', method: 'GET', path: '/api/i18n/locales' })
    assert.equal(status, 501)
    assert.match(
      text,
      /needs the code of the project in src\/extensions\/i18n\/strapi-server\.js, which is switched off: by --no-code/,
    )
  })

  it('of a plugin that the project does not have changes nothing, as it does not run', async () => {
    const body = 'plugin.controllers.locales.listLocales = ctx => ctx.send([])'
    assert.deepEqual(await refusedWith(extension('i18n', body), { '@strapi/strapi': '4.26.2' }), [])
    assert.deepEqual(
      await refusedWith({
        ...extension('i18n', body),
        'config/plugins.js': 'module.exports = { i18n: { enabled: false } }',
      }),
      [],
    )
    assert.deepEqual(
      await refusedWith(extension('menus', "plugin.routes = [{ method: 'GET', path: '/', handler: 'a.b' }]")),
      [],
    )
  })

  it('of an installed plugin adds its routes', async () => {
    const list = await refusedWith(
      {
        ...extension(
          'menus',
          "plugin.routes['content-api'].routes.push({ method: 'GET', path: '/mine', handler: 'a.b' }, { method: 'GET', path: '/own', handler: 'a.b', config: { prefix: '' } })",
        ),
        'node_modules/strapi-plugin-menus/package.json': '{ "strapi": { "kind": "plugin", "name": "menus" } }',
      },
      { ...packages, 'strapi-plugin-menus': '1.0.0' },
    )
    assert.deepEqual(list, ['GET /api/menus/mine', 'GET /api/own'])
  })
})

describe('routes of a file that the text tells', () => {
  const cases: readonly (readonly [says: string, routes: string, refused: readonly string[]])[] = [
    ['in the pattern of the documentation', pattern, ['GET /api/items/own']],
    [
      'without a router of the type',
      `module.exports = { routes: [${own}] }`,
      [
        ...['GET /api/items/own', 'GET /api/items', 'GET /api/items/:id', 'POST /api/items', 'PUT /api/items/:id'],
        'DELETE /api/items/:id',
      ],
    ],
    [
      'as the generator would',
      "module.exports = { routes: [{ method: 'GET', path: '/items', handler: 'item.find' }] }",
      [...['GET /api/items/:id', 'POST /api/items', 'PUT /api/items/:id', 'DELETE /api/items/:id']],
    ],
    [
      'at the root',
      `module.exports = [{ method: 'ALL', path: '/own/(.*)', handler: 'api::item.item.own' }]`,
      [
        ...['ALL /own/{*group0}', 'GET /api/items', 'GET /api/items/:id', 'POST /api/items', 'PUT /api/items/:id'],
        'DELETE /api/items/:id',
      ],
    ],
    [
      'only in part',
      "module.exports = { routes: require('../all').map(one => ({ method: 'GET', path: one })) }",
      [...['GET /api/items', 'GET /api/items/:id', 'POST /api/items', 'PUT /api/items/:id', 'DELETE /api/items/:id']],
    ],
  ]
  for (const [says, routes, refused] of cases)
    it(says, async () => {
      const project = await start({ ...files, 'src/api/item/routes/item.js': routes }, refuse)
      assert.deepEqual(listed(project, /^the code of the project does not run/), refused)
    })

  it('are refused where a controller or a service does more than the core', async () => {
    const factory = (of: string, members: string) =>
      `module.exports = require('@strapi/strapi').factories.createCore${of}('api::item.item', () => (${members}))`
    const all = [
      'GET /api/items',
      'GET /api/items/:id',
      'POST /api/items',
      'PUT /api/items/:id',
      'DELETE /api/items/:id',
    ]
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [factory('Controller', '{ find(ctx) {}, own() {} }'), ['GET /api/items']],
      [factory('Controller', '{ sanitizeOutput: x => x }'), all],
      [factory('Controller', '{ ...require("./other") }'), all],
      ['module.exports = { find() {} }', all],
      [factory('Service', '{ create() {} }'), ['POST /api/items']],
      [factory('Service', '{ own() {} }'), []],
    ]
    for (const [text, refused] of cases) {
      const kind = text.includes('createCoreService') ? 'services' : 'controllers'
      const router = "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::item.item')"
      const project = await start(
        { ...files, 'src/api/item/routes/item.js': router, [`src/api/item/${kind}/item.js`]: text },
        refuse,
      )
      assert.deepEqual(listed(project, /^the code of the project does not run/), refused, text)
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { checkCode } from '../../../../plugins/strapi-code/check/index.js'
import { schemaOf, written } from '../support/written.js'
import { appOfFixture } from './support.js'

const base = {
  'package.json': JSON.stringify({
    name: 'written',
    dependencies: {
      '@strapi/strapi': '4.26.2',
      '@strapi/plugin-users-permissions': '4.26.2',
      '@strapi/plugin-graphql': '4.26.2',
    },
  }),
  'src/api/item/content-types/item/schema.json': schemaOf('item'),
}

/** The findings about a project, by line, where all of them are about one file. */
async function saidOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { folder, variables } = written({ ...base, ...files })
  return checkCode(await appOfFixture(folder, variables)).map(({ file, line, says }) => `${file}:${line} ${says}`)
}

const controller = 'src/api/item/controllers/item.js'

/** The findings about statements in an action, each in a line of its own. */
async function ofLines(lines: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const text = ['module.exports = { async find(ctx) {', ...lines, '} }'].join('\n')
  const said = await saidOf({ [controller]: text, ...files })
  return said
    .map(one => one.replace(`${controller}:`, ''))
    .map(one => one.replace(/^\d+/, line => String(Number(line) - 2)))
}

describe('calls that nothing carries', () => {
  it('are named by whatever way they are reached', async () => {
    const lines: readonly (readonly [code: string, says?: string])[] = [
      ['await strapi.db.query("api::item.item").findMany()'],
      [
        'await strapi.db.query("api::item.item").clone(1)',
        'strapi.db.query(uid).clone is not carried: use strapi.entityService.clone',
      ],
      [
        'const query = strapi.query("api::item.item"); await query.attachRelations()',
        'strapi.db.query(uid).attachRelations is not carried: relations are written with create and update',
      ],
      [
        'const { entityService: es } = strapi; es.decorate(x => x)',
        'strapi.entityService.decorate is not carried: lifecycles hear of all reads and writes',
      ],
      [
        'await strapi.admin.services.user.create({})',
        'strapi.admin.services.user.create is not carried: this server has no admin panel',
      ],
      [
        'const { admin } = strapi; const { permission } = admin.services; permission.conditionProvider.register({})',
        'strapi.admin.services.permission.conditionProvider.register is not carried: this server has no admin panel',
      ],
      [
        'strapi.webhookStore?.findWebhooks()',
        'strapi.webhookStore.findWebhooks is not carried: webhooks are declared in config/webhooks',
      ],
      [
        "strapi.plugin('upload').service('provider').upload({})",
        "strapi.plugin('upload').service('provider').upload is not carried: files are stored as config/plugins says of upload; use the service upload",
      ],
      [
        'strapi.plugins.upload.services.upload.formatFileInfo({})',
        "strapi.plugin('upload').service('upload').formatFileInfo is not carried: files are checked and stored in one step; use upload",
      ],
      [
        "strapi.service('plugin::users-permissions.jwt').sign({})",
        "strapi.plugin('users-permissions').service('jwt').sign is not there: neither this server nor the project has it",
      ],
      ["await strapi.plugin('users-permissions').services.user.fetch(1)"],
      ["strapi.plugin('graphql').service('extension').use(() => ({}))"],
      ['strapi.plugins.graphql.services.extension.use(() => ({}))'],
      [
        "strapi.plugin('graphql').service('builders').get('x')",
        "strapi.plugin('graphql').service('builders').get is not carried: use strapi.entityService in resolvers",
      ],
      [
        "strapi.plugin('redis').service('cache').get('x')",
        "strapi.plugin('redis') is not there: neither this server nor the project has it",
      ],
      ['ctx.badRequest("no"); ctx.throw(400); ctx.cookies.set("a", "b")'],
      ['ctx.badImplementation("no")', 'ctx.badImplementation is not there: neither this server nor the project has it'],
      ["await strapi.entityService.findMany('api::nope.nope', {})", 'Model api::nope.nope not found'],
      [
        "const name = 'gone'; const uid = 'api::' + name + `.gone`; await strapi.db.query(uid).count()",
        'Model api::gone.gone not found',
      ],
      [
        'strapi.server.routes([])',
        'strapi.server.routes is not carried: routes are known before the server runs; declare them in src/api/<name>/routes',
      ],
      ['strapi.admin.config = {}', 'strapi.admin.config is not carried: this server has no admin panel'],
      [
        '(await import("@strapi/utils")).convertQueryParams.convertSortQueryParams("a")',
        "require('@strapi/utils').convertQueryParams.convertSortQueryParams is not carried: use strapi.entityService or strapi.db.query",
      ],
    ]
    const said = await ofLines(lines.map(([code]) => `{ ${code} }`))
    assert.deepEqual(
      said,
      lines.flatMap(([, says], at) => (says === undefined ? [] : [`${at} ${says}`])),
    )
  })

  it('are not those that code asks for with care, or has put there itself', async () => {
    const lines = [
      'if (strapi.io) strapi.io.emit("x")',
      'strapi.other?.emit("x")',
      'typeof strapi.third === "function" && strapi.third()',
      'const hasFourth = strapi.fourth !== undefined',
      'strapi.encrypt("x"); strapi.mail.send(); strapi.sixth.run()',
      'strapi.config.custom.any.thing()',
      'function inner(strapi, es) { es.nothing() }',
      'let late; late = strapi.entityService; late = other; late.nothing()',
      '}, own(item) { return item.title.trim() }, async other() {',
    ]
    const index = [
      'module.exports = {',
      '  bootstrap({ strapi: app }) {',
      '    app.encrypt = text => text',
      '    Object.assign(strapi, { mail: {} })',
      "    Object.defineProperty(strapi, 'sixth', { value: {} })",
      '  },',
      '}',
    ].join('\n')
    assert.deepEqual(await ofLines(lines, { 'src/index.js': index }), [])
  })

  it('are named in services, through this, super and other files', async () => {
    const said = await saidOf({
      'src/api/item/services/item.js': `
        const { createCoreService } = require('@strapi/strapi').factories
        const { mailer } = require('../../../helpers/mail')
        module.exports = createCoreService('api::item.item', ({ strapi }) => ({
          async find(...given) {
            await super.find(...given)
            await super.findMany(...given)
            this.own()
            this.other()
            mailer().sendLetter()
            return mailer().send()
          },
          own() {},
        }))`,
      'src/helpers/mail.js': "exports.mailer = () => strapi.plugin('email').service('email')",
      'src/api/item/controllers/item.ts': '',
      [controller]: `
        module.exports = ({ strapi }) => ({
          find: () => strapi.service('api::item.item').own(),
          other: () => strapi.service('api::item.item').nothing(),
        })`,
    })
    assert.deepEqual(said, [
      `${controller}:4 strapi.service('api::item.item').nothing is not there: neither this server nor the project has it`,
      'src/api/item/services/item.js:7 super.findMany is not there: neither this server nor the project has it',
      'src/api/item/services/item.js:9 this.other is not there: neither this server nor the project has it',
      "src/api/item/services/item.js:10 strapi.plugin('email').service('email').sendLetter is not there: neither this server nor the project has it",
    ])
  })

  it('are named in lifecycles and subscribers', async () => {
    const said = await saidOf({
      'src/api/item/content-types/item/lifecycles.js': `
        module.exports = { beforeCreate(event) { event.params.data.x = 1; event.query.run() } }`,
      'src/index.js': `
        module.exports = { bootstrap() { strapi.db.lifecycles.subscribe({ async afterCreate(event) { event.nothing.run() } }) } }`,
    })
    assert.deepEqual(said, [
      'src/api/item/content-types/item/lifecycles.js:2 event.query is not there: neither this server nor the project has it',
      'src/index.js:2 event.nothing is not there: neither this server nor the project has it',
    ])
  })

  it('are modules that are not there, and files of packages of Strapi', async () => {
    const said = await saidOf({
      'src/index.js': `
        const { factories } = require('@strapi/strapi/lib/factories')
        const core = require('@strapi/strapi/lib/core/registries')
        const { ApplicationError } = require('@strapi/utils/lib/errors')
        const traverse = require('@strapi/utils/lib/nothing')
        const up = require('@strapi/plugin-upload/server/services/upload')
        const { validate } = require('@strapi/plugin-users-permissions/server/controllers/validation/other')
        const { getService } = require('@strapi/plugin-users-permissions/server/utils')
        module.exports = { bootstrap() { core.make(); traverse(); validate({}); getService('user') } }
        require('node:fs/promises'); require('fs'); require('dns/promises')
        require('not-installed/part'); require('@scope/not/part')
        require('./gone'); require('./here')`,
      'src/here.js': '',
    })
    assert.deepEqual(
      said.map(one => one.replace(/run npm install.*$/, 'run')),
      [
        "src/index.js:9 @strapi/strapi/lib/core/registries.make is not carried: nothing of Strapi is run here; its factories are in require('@strapi/strapi')",
        `src/index.js:9 @strapi/utils/lib/nothing is not carried: require('@strapi/utils') has no "nothing" here`,
        "src/index.js:9 @strapi/plugin-users-permissions/server/controllers/validation/other.validate is not carried: strapi.plugin('users-permissions') has the services and controllers that there are here",
        'src/index.js:11 the package "not-installed" is not installed; run',
        'src/index.js:11 the package "@scope/not" is not installed; run',
        'src/index.js:12 there is no file ./gone',
      ],
    )
  })

  it('are no names that package.json gives to folders', async () => {
    const said = await saidOf({
      'package.json': JSON.stringify({
        ...{ name: 'written', dependencies: { '@strapi/strapi': '4.26.2', 'module-alias': '2.0.0' } },
        _moduleAliases: { '@lib': 'src/lib', '@one': 'src/lib/one.js' },
      }),
      'node_modules/module-alias/package.json': '{ "name": "module-alias", "main": "index.js" }',
      'node_modules/module-alias/index.js': '',
      'src/lib/one.js': 'exports.refuse = () => strapi.nothing.find()',
      'src/index.js': `
        require('module-alias')
        const { refuse } = require('@lib/one'); require('@one'); require('@lib/two'); require('@library/x')`,
    })
    assert.deepEqual(
      said.map(one => one.replace(/run npm install.*$/, 'run')),
      [
        ...[
          'src/index.js:3 there is no file @lib/two',
          'src/index.js:3 the package "@library/x" is not installed; run',
        ],
        'src/lib/one.js:1 strapi.nothing is not there: neither this server nor the project has it',
      ],
    )
  })

  it('are named in TypeScript, where types are none', async () => {
    const said = await saidOf({
      'tsconfig.json': '{}',
      'src/index.ts': `
        import type { Thing } from 'types-only'
        import { Other } from 'types-too'
        import used from 'not-installed'
        const strapiOf = (value: unknown): Other => value as Other
        export default {
          bootstrap({ strapi }: { strapi: any }) {
            used(strapiOf(1))
            ;(strapi as any).entityService!.nothing('api::item.item')
          },
        }`,
    })
    assert.deepEqual(
      said.map(one => one.replace(/run npm install.*$/, 'run')),
      [
        'src/index.ts:4 the package "not-installed" is not installed; run',
        'src/index.ts:9 strapi.entityService.nothing is not there: neither this server nor the project has it',
      ],
    )
  })

  it('are looked for in code that is compiled, and in functions that call each other without end', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `const f${at} = x => f${(at + 1) % 40}(f${(at + 7) % 40}(x))`)
    const started = performance.now()
    const said = await saidOf({
      'src/api/item/services/item.js': `
        Object.defineProperty(exports, '__esModule', { value: true })
        const strapi_1 = require('@strapi/strapi')
        exports.default = strapi_1.factories.createCoreService('api::item.item', () => ({ own() {} }))`,
      [controller]: `
        ${many.join('; ')}
        module.exports = { find() { f0(1).a(f1(2)); strapi.service('api::item.item').own(); strapi.service('api::item.item').other() } }`,
    })
    assert.deepEqual(said, [
      `${controller}:3 strapi.service('api::item.item').other is not there: neither this server nor the project has it`,
    ])
    assert.ok(performance.now() - started < 20_000)
  })
})

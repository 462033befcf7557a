import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { get, start } from './support/written.js'

const route = (name: string) => `{ method: 'GET', path: '/${name}', handler: 'who.${name}', config: { auth: false } }`

const files = (name: string) => ({
  'config/custom.js': `module.exports = { name: '${name}' }`,
  'src/lib.js':
    "exports.late = async () => { await new Promise(setImmediate); return strapi.config.get('custom.name') }",
  'src/api/who/controllers/who.js': `
    const { errors } = require('@strapi/utils')
    module.exports = {
      name: async ctx => {
        const late = await require('../../../lib').late()
        ctx.body = { late, service: strapi.service('api::who.who').name(), global: global.strapi === strapi, order: strapi.order }
      },
      refuse: () => { throw new errors.ApplicationError(strapi.config.custom.name) },
    }`,
  'src/api/who/services/who.js': "module.exports = ({ strapi }) => ({ name: () => strapi.config.get('custom.name') })",
  'src/api/who/routes/who.js': `module.exports = { routes: [${route('name')}, ${route('refuse')}] }`,
  'src/index.js': `module.exports = {
    register({ strapi }) { strapi.order = ['register ' + global.strapi.config.get('custom.name')] },
    bootstrap({ strapi }) { strapi.order.push('bootstrap ' + typeof strapi.db) },
    destroy({ strapi }) { strapi.log.warn('destroyed ' + strapi.config.get('custom.name')) },
  }`,
})

describe('several apps in one process', () => {
  it('have an object strapi each, as their global, and modules of their own', async () => {
    const globalStrapi = () => (globalThis as Record<string, unknown>).strapi
    const before = globalStrapi()
    const apps = [await start(files('one')), await start(files('two'))]
    const answers = await Promise.all(apps.flatMap(app => [get(app, '/api/name'), get(app, '/api/refuse')]))
    const expected = ['one', 'two'].flatMap(name => [
      {
        status: 200,
        body: { late: name, service: name, global: true, order: [`register ${name}`, 'bootstrap object'] },
      },
      {
        status: 400,
        body: { data: null, error: { status: 400, name: 'ApplicationError', message: name, details: {} } },
      },
    ])
    assert.deepEqual(answers, expected)
    await apps[1]?.close()
    assert.deepEqual((await get(apps[0] as never, '/api/name')).body, expected[0]?.body)
    assert.ok(apps[1]?.lines.some(({ msg }) => msg === 'destroyed two'))
    await apps[0]?.close()
    assert.equal(globalStrapi(), before)
  })
})

describe('settings', () => {
  it('get @strapi/utils from here as well', async () => {
    const project = await start({
      'config/custom.js':
        "const { env, errors } = require('@strapi/utils'); module.exports = { none: env('NOT_SET_HERE', 'none'), is: new errors.NotFoundError('x') instanceof require('@strapi/utils').errors.ApplicationError }",
      'config/server.js':
        "module.exports = { port: 0, app: { keys: ['a'] }, cron: { enabled: false, tasks: require('../src/tasks') } }",
      'src/tasks.js': "module.exports = { utils: require('@strapi/utils') }",
      'src/api/who/controllers/who.js':
        "module.exports = { see: ctx => { ctx.body = { custom: strapi.config.custom, tasks: typeof strapi.config.get('server.cron.tasks.utils.env') } } }",
      'src/api/who/routes/who.js': `module.exports = { routes: [${route('see')}] }`,
    })
    assert.deepEqual(await get(project, '/api/see'), {
      status: 200,
      body: { custom: { none: 'none', is: true }, tasks: 'function' },
    })
  })
})

describe('packages of ES modules', () => {
  it('get the packages of Strapi from here, where they depend on it', async () => {
    const project = await start({
      'package.json': JSON.stringify({ name: 'written', dependencies: { '@strapi/strapi': '4.26.2', esm: '1.0.0' } }),
      'node_modules/esm/package.json': JSON.stringify({
        ...{ name: 'esm', type: 'module', exports: './index.js' },
        peerDependencies: { '@strapi/strapi': '^4.0.0' },
      }),
      'node_modules/esm/index.js':
        "import { errors } from '@strapi/utils'\nimport strapi, { factories } from '@strapi/strapi'\nexport const seen = [errors.NotFoundError, factories.createCoreService, strapi].map(one => typeof one)",
      'src/api/who/controllers/who.js':
        "module.exports = { see: async ctx => { ctx.body = (await import('esm')).seen } }",
      'src/api/who/routes/who.js': `module.exports = { routes: [${route('see')}] }`,
    })
    assert.deepEqual(await get(project, '/api/see'), { status: 200, body: ['function', 'function', 'function'] })
  })
})

describe('the start message', () => {
  it('says what was loaded, and which routes come from it', async () => {
    const { lines } = await start(files('one'))
    const line = lines.find(({ msg }) => msg.startsWith('the code of the project runs'))
    assert.match(line?.msg ?? '', /runs: 1 controller, 1 service, 1 file of routes, 1 src\/index; STELE_STRAPI_CODE=0/)
    assert.deepEqual(line?.routes, ['GET /api/name', 'GET /api/refuse'])
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { BootError } from '../../core/errors.js'
import { app, exporting, load } from './app.js'

describe('a config file', () => {
  const cases: { says: string; files: Record<string, string>; env?: NodeJS.ProcessEnv; port: number }[] = [
    {
      says: '.js is CommonJS in an app that does not say',
      files: { 'config/server.js': exporting({ port: 1 }) },
      port: 1,
    },
    {
      says: '.js in CommonJS may require and know its folder',
      files: {
        'config/server.js': `const { port } = require('./ports/own'); module.exports = { port: __dirname ? port : 0 }`,
        'config/ports/own.js': 'exports.port = 2',
      },
      port: 2,
    },
    {
      says: '.js is a module in an app of modules',
      files: { 'package.json': '{"type":"module"}', 'config/server.js': 'export default { port: 3 }' },
      port: 3,
    },
    {
      says: '.mjs',
      files: { 'config/server.mjs': 'export default ({ env }) => ({ port: env.int("P", 4) })' },
      port: 4,
    },
    {
      says: '.cjs',
      files: { 'config/server.cjs': 'module.exports = ({ env }) => ({ port: env.int("P", 5) })' },
      port: 5,
    },
    { says: '.json', files: { 'config/server.json': '{ "port": 6 }' }, port: 6 },
    {
      says: '.ts',
      files: {
        'config/server.ts': 'export default ({ env }: { env: any }): { port: number } => ({ port: env.int("P", 7) })',
      },
      port: 7,
    },
    {
      says: 'compiled TypeScript',
      files: {
        'config/server.js': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { port: 8 }`,
      },
      port: 8,
    },
    {
      says: 'a function may wait',
      files: { 'config/server.js': 'module.exports = async () => ({ port: 9 })' },
      port: 9,
    },
    {
      says: 'the folder of the environment is laid over it',
      files: {
        'config/server.js': exporting({ port: 10, body: { json: 5 } }),
        'config/env/production/server.json': '{ "port": 11 }',
        'config/env/test/server.json': '{ "port": 12 }',
      },
      env: { NODE_ENV: 'production' },
      port: 11,
    },
    {
      says: '.env is read',
      files: { '.env': 'P=13\n', 'config/server.js': 'module.exports = ({ env }) => ({ port: env.int("P") })' },
      port: 13,
    },
    {
      says: 'the real environment wins over .env',
      files: { '.env': 'P=13\n', 'config/server.js': 'module.exports = ({ env }) => ({ port: env.int("P") })' },
      env: { P: '14' },
      port: 14,
    },
    {
      says: 'declarations and tests next to it are not settings',
      files: {
        'config/server.json': '{ "port": 15 }',
        'config/server.d.ts': 'nonsense',
        'config/server.test.js': 'nonsense(',
      },
      port: 15,
    },
    { says: 'a port may be the text of a variable', files: { 'config/server.json': '{ "port": "16" }' }, port: 16 },
  ]
  for (const { says, files, env, port } of cases) {
    it(says, async () => assert.equal((await load({ files, env })).server.port, port))
  }

  it('keeps what the overlay does not mention', async () => {
    const config = await load({
      files: {
        'config/server.js': exporting({ port: 1, body: { json: 5, form: 6 } }),
        'config/api.js': exporting({ rest: { public: ['api::a.a.find', 'api::b.b.find'] } }),
        'config/env/production/server.js': exporting({ body: { form: 7 } }),
        'config/env/production/api.js': exporting({ rest: { public: ['api::c.c.find'] } }),
      },
      env: { NODE_ENV: 'production' },
    })
    assert.equal(config.environment, 'production')
    assert.deepEqual([config.server.port, config.server.body.json, config.server.body.form], [1, 5, 7])
    assert.deepEqual(config.api.rest.public, ['api::c.c.find'])
  })

  const broken: { says: string; files: Record<string, string>; message: RegExp }[] = [
    {
      says: 'that throws is named',
      files: { 'config/server.js': 'throw new Error("no luck")' },
      message: /^config\/server\.js cannot be loaded: line 1: no luck$/,
    },
    {
      says: 'whose function throws is named',
      files: { 'config/env/development/api.js': 'module.exports = () => {\n  throw new Error("no luck")\n}' },
      message: /^config\/env\/development\/api\.js cannot be loaded: line 2: no luck$/,
    },
    {
      says: 'of TypeScript that throws is named, with its line',
      files: {
        'config/server.ts':
          'interface Made {\n  port: number\n}\n\nconst made: Made = { port: 1 }\nthrow new Error("no luck " + made.port)',
      },
      message: /^config\/server\.ts cannot be loaded: line 6: no luck 1$/,
    },
    {
      says: 'that calls what throws is named, with the line of the call',
      files: { 'config/server.mjs': 'const part = {}\n\nexport default { port: part.of.it }' },
      message: /^config\/server\.mjs cannot be loaded: line 3: Cannot read properties of undefined/,
    },
    {
      says: 'that throws no error is named',
      files: { 'config/server.js': 'throw "no luck"' },
      message: /^config\/server\.js cannot be loaded: no luck$/,
    },
    {
      says: 'that is not JSON is named',
      files: { 'config/api.json': '{' },
      message: /^config\/api\.json cannot be loaded/,
    },
    {
      says: 'that exists twice is refused',
      files: { 'config/api.json': '{}', 'config/api.ts': 'export default {}' },
      message: /^config\/api\.json and config\/api\.ts both set "api"; keep one of them$/,
    },
    {
      says: 'without an export is refused',
      files: { 'config/api.mjs': 'export const a = 1' },
      message: /no default export/,
    },
    {
      says: 'that exports nothing useful is refused',
      files: { 'config/api.js': 'module.exports = () => {}' },
      message: /^config\/api is undefined; expected an object$/,
    },
  ]
  for (const { says, files, message } of broken) {
    it(says, () => assert.rejects(load({ files }), { name: 'BootError', message }))
  }

  it('hands on the cause', async () => {
    const error = await load({ files: { 'config/server.js': 'throw new TypeError("no luck")' } }).catch(error => error)
    assert.ok(error instanceof BootError)
    assert.equal((error.cause as Error).message, 'no luck')
  })
})

describe('loadConfig', () => {
  it('gives the environment to process.env only when it was asked to read process.env', async () => {
    const folder = app({ '.env': 'STELE_TEST_ONLY=from-file\n' })
    await loadConfig(folder)
    await loadConfig(folder, { env: {} })
    assert.equal(process.env.STELE_TEST_ONLY, undefined)
    await loadConfig(folder, { env: process.env })
    assert.equal(process.env.STELE_TEST_ONLY, 'from-file')
    delete process.env.STELE_TEST_ONLY
  })

  it('reads JSON files anew each time', async () => {
    const folder = app({ 'config/server.json': '{ "port": 1 }' })
    await loadConfig(folder, { env: {} })
    writeFileSync(join(folder, 'config/server.json'), '{ "port": 2 }')
    assert.equal((await loadConfig(folder, { env: {} })).server.port, 2)
  })

  it('refuses a folder that is not there', async () => {
    await assert.rejects(loadConfig('/nowhere/at/all'), { name: 'BootError', message: /no app folder/ })
  })

  const unreadable = { 'a .env that is a folder': '.env/file', 'a config that is a file': 'config' }
  for (const [says, name] of Object.entries(unreadable))
    it(`says what of the app it cannot read: ${says}`, async () => {
      await assert.rejects(load({ files: { [name]: '' } }), { name: 'BootError', message: /cannot be read/ })
    })

  it('freezes what it gives, and nothing that it was given', async () => {
    const overrides = { plugins: { own: { config: { list: [{ a: 1 }] } } } }
    const config = await load({ files: { 'config/admin.js': exporting({ a: { b: 1 } }) }, overrides })
    assert.ok(Object.isFrozen(config.server.body))
    assert.ok(Object.isFrozen(config.foreign.admin))
    assert.ok(Object.isFrozen(config.plugins.own?.config.list))
    assert.equal(Object.isFrozen(overrides.plugins.own.config.list), false)
    assert.equal(Object.isFrozen(overrides.plugins.own.config.list[0]), false)
  })

  it('cannot be made to change the prototype of objects', async () => {
    await load({ files: { 'config/other.json': '{ "__proto__": { "polluted": true } }' } })
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })
})

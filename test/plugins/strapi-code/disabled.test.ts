import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { leaveCode } from '../../../core/tools/cli/serving/no-code-option.js'
import { anyEngine } from '../../support/engines.js'
import { type OpenOptions, open } from './support/project.js'
import { copyOf } from './support/scripts.js'
import { schemaOf, start as startWritten } from './support/written.js'

const globalStrapi = () => (globalThis as Record<string, unknown>).strapi

const loadedKey = 'a file of a project that is not to be loaded'

/** Starts a project whose files tell that they are loaded. */
async function started(options: OpenOptions, settings = '{}') {
  const copy = copyOf('broken')
  const fresh = await anyEngine.fresh()
  onTestFinished(async () => {
    await fresh.drop()
    copy.remove()
    delete (globalThis as Record<string, unknown>)[loadedKey]
  })
  const text = `globalThis[${JSON.stringify(loadedKey)}] = __filename; throw new Error('it is loaded')`
  const overlay = path.join(copy.folder, 'config/env/production')
  mkdirSync(overlay, { recursive: true })
  writeFileSync(path.join(overlay, 'plugins.js'), `module.exports = ${settings}`)
  for (const file of [
    'src/index.js',
    'src/api/thing/controllers/thing.js',
    'src/api/thing/content-types/thing/lifecycles.js',
    'src/policies/any.js',
    'src/middlewares/any.js',
    'src/extensions/users-permissions/strapi-server.js',
  ]) {
    mkdirSync(path.dirname(path.join(copy.folder, file)), { recursive: true })
    writeFileSync(path.join(copy.folder, file), text)
  }
  const project = await open(copy, fresh.database as never, options)
  onTestFinished(() => project.close())
  return project
}

describe('where the code of a project is not to run, nothing of it is loaded', () => {
  const ignored = { 'strapi-code': { config: { run: 'ignore' } } }
  const ways: readonly (readonly [says: string, options: OpenOptions, isRefused: boolean, file?: string])[] = [
    ['a file says false', {}, true, "{ 'strapi-code': false }"],
    ["a file says 'ignore'", {}, false, "{ 'strapi-code': 'ignore' }"],
    ['STELE_STRAPI_CODE=0', { variables: { STELE_STRAPI_CODE: '0' } }, true],
    ['STELE_STRAPI_CODE=refuse', { variables: { STELE_STRAPI_CODE: 'refuse' } }, true],
    ['STELE_STRAPI_CODE=ignore', { variables: { STELE_STRAPI_CODE: 'ignore' } }, false],
    ["a file says 'refuse'", {}, true, "{ 'strapi-code': 'refuse' }"],
    ['config/plugins disables the plugin', { config: { plugins: { 'strapi-code': false } } }, true],
    ['config/plugins leaves the code aside', { config: { plugins: ignored } }, false],
    ['both', { config: { plugins: ignored }, variables: { STELE_STRAPI_CODE: '0' } }, false],
  ]
  for (const [says, options, isRefused, file] of ways)
    it(says, async () => {
      // Other tests of the process may have loaded projects.
      const before = globalStrapi()
      const { send, app } = await started(options, file)
      assert.equal((globalThis as Record<string, unknown>)[loadedKey], undefined)
      assert.equal(globalStrapi(), before)
      const { status } = await send({ auth: 'none', method: 'GET', path: '/api/things' })
      assert.equal(status, isRefused ? 501 : 403)
      assert.equal(
        app.routes.some(route => route.path.includes('/calls/')),
        isRefused,
      )
    })

  for (const value of ['false', 'off', 'no', 'Refuse', 'constructor'])
    it(`the server does not start with STELE_STRAPI_CODE=${value}, which would run it`, async () => {
      const message = new RegExp(`STELE_STRAPI_CODE is "${value}"; expected one of 0, 1, refuse, ignore`)
      await assert.rejects(started({ variables: { STELE_STRAPI_CODE: value } }), message)
      assert.equal((globalThis as Record<string, unknown>)[loadedKey], undefined)
    })

  for (const [value, status] of [
    ['0', 501],
    ['refuse', 501],
    ['ignore', 403],
    ['1', 200],
    ['', 200],
  ] as const)
    it(`an action of a controller is ${status} with STELE_STRAPI_CODE=${value}`, async () => {
      const item = (part: string, made: string) =>
        `module.exports = require('@strapi/strapi').factories.${part}('api::item.item', ${made})`
      const { send } = await startWritten(
        {
          'src/api/item/content-types/item/schema.json': schemaOf('item'),
          'src/api/item/controllers/item.js': item('createCoreController', '() => ({ find: () => ({ by: "code" }) })'),
          'src/api/item/routes/item.js': item('createCoreRouter', '{ config: { find: { auth: false } } }'),
        },
        { variables: { STELE_STRAPI_CODE: value } },
      )
      assert.equal((await send({ auth: 'none', method: 'GET', path: '/api/items' })).status, status)
    })

  it('--no-code sets the variable, also for the processes that it starts', () => {
    const env: NodeJS.ProcessEnv = {}
    leaveCode({ env })
    assert.deepEqual(env, { STELE_STRAPI_CODE: '0' })
  })
})

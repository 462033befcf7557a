import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { leaveCode } from '../../../core/tools/cli/serving/no-code-option.js'
import { engines } from '../../support/engines.js'
import { type OpenOptions, open } from './support/project.js'
import { copyOf } from './support/scripts.js'

const globalStrapi = () => (globalThis as Record<string, unknown>).strapi

const loadedKey = 'a file of a project that is not to be loaded'

/** Starts a project whose files tell that they are loaded. */
async function started(options: OpenOptions, settings = '{}') {
  const copy = copyOf('broken')
  const fresh = await engines.find(({ available }) => available)?.fresh()
  onTestFinished(async () => {
    await fresh?.drop()
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
  const project = await open(copy, fresh?.database as never, options)
  onTestFinished(() => project.close())
  return project
}

describe('where the code of a project is not to run, nothing of it is loaded', () => {
  const ignored = { 'strapi-code': { config: { run: 'ignore' } } }
  const ways: readonly (readonly [says: string, options: OpenOptions, isRefused: boolean, file?: string])[] = [
    ['a file says false', {}, true, "{ 'strapi-code': false }"],
    ["a file says 'ignore'", {}, false, "{ 'strapi-code': 'ignore' }"],
    ['STELE_STRAPI_CODE=0', { variables: { STELE_STRAPI_CODE: '0' } }, true],
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

  it('--no-code sets the variable, also for the processes that it starts', () => {
    const env: NodeJS.ProcessEnv = {}
    leaveCode({ env })
    assert.deepEqual(env, { STELE_STRAPI_CODE: '0' })
  })
})

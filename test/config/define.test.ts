import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { defineConfig } from '../../core/index.js'
import { app } from './app.js'

describe('defineConfig', () => {
  it('takes a part of the settings of a file, also of a part in it', () => {
    const api = { rest: { maxLimit: 50 } }
    assert.equal(defineConfig('api', api), api)
    defineConfig('server', { body: { json: 1000 }, idempotency: { maxAge: 0 } })
    defineConfig('plugins', { i18n: false, likes: { resolve: './plugins/likes.js', config: { most: 3 } } })
    defineConfig('log', { level: 'warn' })
  })

  it('takes a function of the environment variables', () => {
    defineConfig('server', ({ env }) => ({ host: env('HOST'), port: env.int('PORT', 1337) }))
    defineConfig('database', async ({ env }) => ({ client: env('DATABASE_CLIENT'), url: env('DATABASE_URL') }))
  })

  it('does not compile with what a file does not have', () => {
    // @ts-expect-error a misspelt setting
    defineConfig('api', { rest: { defaultLimt: 5 } })
    // @ts-expect-error a value of another type
    defineConfig('server', { port: true })
    // @ts-expect-error a file that nothing reads
    defineConfig('plugin', {})
    // @ts-expect-error a level that the log does not have
    defineConfig('log', { level: 'loud' })
  })

  it('is what an app in TypeScript exports', async () => {
    const folder = app({
      'config/api.ts': `import { defineConfig } from 'stele'\nexport default defineConfig('api', { rest: { maxLimit: 7 } })`,
      'node_modules/stele/package.json': '{ "name": "stele", "type": "module", "exports": "./index.js" }',
      // The package itself is not installed in a folder of a test.
      'node_modules/stele/index.js': 'export const defineConfig = (_name, settings) => settings',
    })
    assert.equal((await loadConfig(folder, { env: {} })).api.rest.maxLimit, 7)
  })
})

import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'light-my-request'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { definePlugin } from '../../core/index.js'
import { boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'

const pages = definePlugin({
  name: 'pages',
  routes: [
    { method: 'GET', path: '/help', at: 'root', action: 'read', open: 'developing', run: () => ({ page: 'help' }) },
    { method: 'GET', path: '/other', at: 'root', action: 'readOther', run: () => ({ page: 'other' }) },
  ],
})

async function statusOf(path: string, environment: string, open: readonly string[] = []): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = await loadConfig(folder, {
    env: { NODE_ENV: environment, DATABASE_FILENAME: ':memory:' },
    bare: true,
    overrides: { api: { rest: { public: open } } },
  })
  const plugins = [{ plugin: pages, enabled: true, config: {}, why: 'the test says so' }]
  const app = await boot({ wings, config, log: createLog('silent'), plugins })
  onTestFinished(() => app.close())
  return (await inject(app.koa.callback() as never, { method: 'GET', url: path })).statusCode
}

describe('a route that is open while the app is developed', () => {
  const cases = [
    { says: 'is open in development', path: '/help', environment: 'development', status: 200 },
    { says: 'is open in tests', path: '/help', environment: 'test', status: 200 },
    { says: 'requires its action in production', path: '/help', environment: 'production', status: 403 },
    { says: 'opens no other route', path: '/other', environment: 'development', status: 403 },
  ]
  for (const { says, path, environment, status } of cases)
    it(says, async () => assert.equal(await statusOf(path, environment), status))

  it('serves callers with the permission in production', async () => {
    assert.equal(await statusOf('/help', 'production', ['plugin::pages.read']), 200)
  })
})

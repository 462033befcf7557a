import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../../core/index.js'
import type { BuiltPage } from '../../../plugins/pages/serving/built.js'
import { headersOf } from '../../../plugins/pages/serving/headers.js'
import { packed } from '../../../plugins/pages/serving/packed.js'
import { pageRoutes } from '../../../plugins/pages/serving/routes.js'

const html = '<!doctype html><title>Desk</title>'
const headers = headersOf({ 'img-src': "'self' blob:", 'worker-src': "'self'" })

/** A plugin that serves a page at two paths, with a policy of its own. */
const desk = definePlugin({
  name: 'desk',
  register: async (): Promise<BuiltPage> => ({
    page: await packed('text/html; charset=utf-8', html),
    assets: new Map([['desk-1.js', await packed('text/javascript; charset=utf-8', 'let a')]]),
    ...{ styles: '', icon: '' },
  }),
  routes: pageRoutes<BuiltPage>({
    ...{ paths: ['/desk', '/desk/:place'], describe: 'the desk', headers },
    built: page => page,
  }),
})

describe('a page of a plugin', () => {
  async function open() {
    const app = await createTestApp({ plugins: [desk] })
    onTestFinished(() => app.close())
    return app
  }

  it('is the same at each of its paths', async () => {
    const app = await open()
    for (const url of ['/desk', '/desk/lamp']) {
      const { statusCode, body, headers } = await app.inject(url)
      assert.deepEqual([statusCode, body, headers['cache-control']], [200, html, 'no-cache'])
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    }
  })

  it('has files that are kept forever, and no other files', async () => {
    const app = await open()
    const { statusCode, body, headers } = await app.inject('/desk/assets/desk-1.js')
    assert.deepEqual([statusCode, body], [200, 'let a'])
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal((await app.inject('/desk/assets/desk-2.js')).statusCode, 404)
  })

  it('replaces and adds directives of the policy, and keeps the others', async () => {
    const app = await open()
    const policy = String((await app.inject('/desk')).headers['content-security-policy']).split('; ')
    assert.deepEqual(policy, [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      "worker-src 'self'",
    ])
  })
})

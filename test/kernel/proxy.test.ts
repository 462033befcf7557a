import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'

const echo = definePlugin({
  name: 'echo',
  routes: [{ method: 'GET', path: '/ip', action: null, run: ({ ctx }) => ctx.ip }],
})

describe('X-Forwarded-For', () => {
  const cases = [
    { says: 'is believed from nobody unless told otherwise', proxy: false, from: '10.0.0.1', gives: '10.0.0.1' },
    { says: 'is believed from everybody where proxy is true', proxy: true, from: '10.0.0.1', gives: '203.0.113.9' },
    { says: 'is believed from a listed address', proxy: ['10.0.0.1'], from: '10.0.0.1', gives: '203.0.113.9' },
    {
      says: 'is believed from it in its IPv6 form',
      proxy: ['10.0.0.1'],
      from: '::ffff:10.0.0.1',
      gives: '203.0.113.9',
    },
    { says: 'is not believed from another address', proxy: ['10.0.0.1'], from: '10.0.0.2', gives: '10.0.0.2' },
    {
      says: 'names the client where a listed proxy added it to what the client made up',
      proxy: ['10.0.0.1'],
      from: '10.0.0.1',
      sent: '198.51.100.1, 203.0.113.9',
      gives: '203.0.113.9',
    },
    {
      says: 'names the client where the request came through several listed proxies',
      proxy: ['10.0.0.1', '10.0.0.3'],
      from: '10.0.0.1',
      sent: '198.51.100.1, 203.0.113.9, 10.0.0.3',
      gives: '203.0.113.9',
    },
  ]
  for (const { says, proxy, from, sent = '203.0.113.9', gives } of cases)
    it(says, async () => {
      const app = await createTestApp({ plugins: [echo], config: { server: { proxy } } })
      onTestFinished(() => app.close())
      const headers = { 'x-forwarded-for': sent }
      const reply = await app.inject({ method: 'GET', url: '/api/ip', remoteAddress: from, headers })
      assert.equal(reply.json(), gives)
    })
})

import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { definePlugin, type TestApp } from '../../core/index.js'
import { rateLimit } from '../../plugins/rate-limit/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import type { GaleraCluster } from './galera.js'
import { openBoth } from './pair.js'

const open = definePlugin({
  name: 'open',
  routes: [{ method: 'GET', path: '/open', action: null, run: () => 'open' }],
})

/** Limits that two servers count together, each on a node of its own. */
export function limits(clusterOf: () => GaleraCluster): void {
  describe('limits that servers on two nodes count together', () => {
    let apps: readonly [TestApp, TestApp]
    beforeAll(async () => {
      // Half an interval is left, however long the test takes.
      const time = () => 5_400_000
      const ratelimit = { store: 'database', max: 10, interval: 3_600_000 } as const
      const opened = await openBoth(clusterOf(), {
        types: { note: { attributes: { text: { type: 'string' } } } },
        plugins: [
          [usersPermissions, { jwtSecret: 'a secret of this test', ratelimit }],
          open,
          [rateLimit, { store: 'database', address: { max: 300, interval: 3600 } }],
        ],
        time,
      })
      apps = opened.apps
    })
    afterAll(() => Promise.all((apps ?? []).map(app => app.close())))

    /** Counts of each status for so many requests at once, to both servers by turns. */
    const statuses = async (count: number, ask: (app: TestApp) => ReturnType<TestApp['inject']>) => {
      const all = await Promise.all(Array.from({ length: count }, (_, index) => ask(apps[index % 2 === 0 ? 0 : 1])))
      const found: Record<number, number> = {}
      for (const { statusCode } of all) found[statusCode] = (found[statusCode] ?? 0) + 1
      return found
    }

    it('let exactly ten of fifty wrong sign-ins pass', async () => {
      const payload = { identifier: 'ann', password: 'a wrong password' }
      const found = await statuses(50, app =>
        app.inject({ method: 'POST', url: '/api/auth/local', payload, remoteAddress: '203.0.113.1' }),
      )
      assert.deepEqual(found, { 400: 10, 429: 40 })
    })

    it('let exactly as many requests of an address pass as the limit says', async () => {
      const found = await statuses(1200, app => app.inject({ url: '/api/open', remoteAddress: '203.0.113.2' }))
      assert.deepEqual(found, { 200: 300, 429: 900 })
    })
  })
}

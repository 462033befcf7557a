import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { createTestApp, definePlugin, type Host, type Session } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('a database that cannot do what a plugin asks', engine => {
  // SQLite has no statement that waits.
  const declare = engine.name === 'sqlite' ? it.skip : it
  const slow =
    engine.name === 'mysql' ? 'select 1 from information_schema.engines where sleep(20)' : 'select pg_sleep(20)'
  let isSlow = false
  const asking = definePlugin({
    name: 'asking',
    shares: { stored: { turn: 0 } },
    register: ({ store, shares: { stored } }: Host<unknown, { turn: number }>) => ({
      store,
      stored,
      refresh: async () => {
        if (isSlow) await store.reader.all(slow, [])
      },
    }),
    routes: [
      { method: 'GET', path: '/read', action: null, run: ({ service }) => service.store.reader.all(slow, []) },
      {
        method: 'GET',
        path: '/written',
        action: null,
        run: ({ service }) => service.store.transaction(async (session: Session) => session.all(slow, [])),
      },
      { method: 'GET', path: '/kept', action: null, run: () => 'kept' },
      {
        method: 'POST',
        path: '/changed',
        action: null,
        run: async ({ service }) => {
          await service.stored.set('turn', 1)
          return 'changed'
        },
      },
      {
        method: 'GET',
        path: '/broken',
        action: null,
        run: () => {
          throw new Error('on purpose')
        },
      },
    ],
  })

  declare('is a server that is not available right now, wherever it was asked', async () => {
    const fresh = await engine.fresh()
    const app = await createTestApp({
      plugins: [asking],
      config: { database: { ...fresh.database, statementTimeout: 200 } },
    })
    const refused = async (path: string) => {
      const answer = await app.inject(`/api/${path}`)
      assert.equal(answer.statusCode, 503, answer.body)
      assert.equal(answer.headers['retry-after'], '1')
      assert.doesNotMatch(answer.body, /sleep|statement/i)
    }
    try {
      await refused('read')
      await refused('written')
      assert.equal((await app.inject('/api/broken')).statusCode, 500)
      // Data that plugins keep is reread a second after the last time, if the database has changed: the request that
      // finds it due has to be refused.
      assert.equal((await app.inject({ method: 'POST', url: '/api/changed' })).statusCode, 200)
      isSlow = true
      const began = performance.now()
      let answer = await app.inject('/api/kept')
      while (answer.statusCode === 200 && performance.now() - began < 10_000) {
        await new Promise(setImmediate)
        answer = await app.inject('/api/kept')
      }
      assert.equal(answer.statusCode, 503, answer.body)
      isSlow = false
      assert.equal((await app.inject('/api/kept')).body, '"kept"')
    } finally {
      await app.close()
      await fresh.drop()
    }
  })
})

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { onEveryEngine } from '../../support/engines.js'
import { account, asUser, userUid, world } from './people.js'

const note = {
  attributes: {
    text: { type: 'string' },
    owner: { type: 'relation', relation: 'manyToOne', target: userUid },
  },
} as const
const own = { owner: { id: { $eq: '$caller.id' } } }

onEveryEngine('the reason of a 401, 403 or 404', engine => {
  const permissions = {
    roles: {
      public: { note: ['find'] },
      authenticated: { note: { create: own, update: own, find: true, findOne: own } },
    },
  }

  async function withApp(
    level: 'debug' | 'info',
    work: (app: TestApp, reasons: () => unknown[]) => Promise<void>,
    rest: object = {},
  ) {
    const fresh = await engine.fresh()
    const lines: { msg: string; status?: number; reason?: string; requestId?: string }[] = []
    const { plugins = [], config } = world({ permissions })
    const log = createLog(level, { destination: { write: line => lines.push(JSON.parse(line)) } })
    const app = await createTestApp({
      types: { note },
      plugins,
      config: { ...config, api: { rest }, database: fresh.database },
      log,
    })
    try {
      await account(app, 'alice')
      await work(app, () => lines.splice(0).flatMap(({ status, reason }) => (reason ? [`${status} ${reason}`] : [])))
    } finally {
      await app.close()
      await fresh.drop()
    }
  }

  it('is in the log at debug, and not in the response', () =>
    withApp('debug', async (app, reasons) => {
      const others = await app.entries('api::note.note').create({ text: 'of nobody' })
      const alice = asUser(1)
      const cases = [
        {
          ask: { method: 'POST', url: '/api/notes', headers: alice, payload: { data: { text: 'x' } } },
          gives: '403 the entry would be outside the row rule of the caller for create on api::note.note',
        },
        {
          ask: { method: 'PUT', url: `/api/notes/${others.id}`, headers: alice, payload: { data: { text: 'x' } } },
          gives: `404 entry ${others.id} of api::note.note is outside the row rule of the caller for update`,
        },
        {
          ask: { method: 'PUT', url: '/api/notes/999', headers: alice, payload: { data: { text: 'x' } } },
          gives: '404 there is no entry 999 of api::note.note',
        },
        {
          ask: { method: 'GET', url: `/api/notes/${others.id}`, headers: alice },
          gives: `404 there is no entry ${others.id} of api::note.note that the caller and the parameters of the request let be seen`,
        },
        {
          ask: { method: 'DELETE', url: '/api/notes/1', headers: alice },
          gives: '403 the caller needs delete on api::note.note',
        },
        {
          ask: { method: 'POST', url: '/api/notes', payload: { data: {} } },
          gives: '403 the caller needs create on api::note.note',
        },
        { ask: { method: 'GET', url: '/api/nothing' }, gives: '404 there is no route GET /api/nothing' },
      ] as const
      for (const { ask, gives } of cases) {
        reasons()
        const { statusCode, body } = await app.inject(ask as never)
        assert.equal(statusCode, Number(gives.slice(0, 3)), body)
        assert.deepEqual(reasons(), [gives])
        assert.deepEqual(JSON.parse(body).error.details, {})
        assert.match(JSON.parse(body).error.message, /^(Forbidden|Not Found)$/)
      }
    }))

  it('says which relations were left out, where they are not refused', () =>
    withApp(
      'debug',
      async (app, reasons) => {
        const payload = { data: { text: 'x', owner: 1 } }
        const { statusCode } = await app.inject({ method: 'POST', url: '/api/notes', headers: asUser(1), payload })
        assert.equal(statusCode, 403)
        assert.deepEqual(reasons(), [
          '403 the entry would be outside the row rule of the caller for create on api::note.note; owner was not written: the caller needs find on plugin::users-permissions.user',
        ])
      },
      { strictBodies: false },
    ))

  it('is not in the log at info', () =>
    withApp('info', async (app, reasons) => {
      assert.equal((await app.inject('/api/nothing')).statusCode, 404)
      assert.deepEqual(reasons(), [])
    }))
})

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { onEveryEngine } from '../../support/every-engine.js'
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
    { rest = {}, environment = 'test' }: { rest?: object; environment?: string } = {},
  ) {
    const fresh = await engine.fresh()
    const lines: { msg: string; status?: number; reason?: string; requestId?: string }[] = []
    const { plugins = [], config } = world({ permissions })
    const log = createLog(level, { destination: { write: line => lines.push(JSON.parse(line)) } })
    const app = await createTestApp({
      types: { note },
      plugins,
      config: { ...config, environment, api: { rest }, database: fresh.database },
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
          gives:
            '403 the caller needs delete on api::note.note; grant it to the role authenticated in config/permissions, or with `stele role grant authenticated api::note.note.delete` if that file does not declare the role',
        },
        {
          ask: { method: 'POST', url: '/api/notes', payload: { data: {} } },
          gives:
            '403 the caller needs create on api::note.note; grant it to the role public in config/permissions, or with `stele role grant public api::note.note.create` if that file does not declare the role',
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
      { rest: { strictBodies: false } },
    ))

  const refused = [
    {
      ask: { method: 'DELETE', url: '/api/notes/1', headers: asUser(1) },
      tells:
        /^the caller needs delete on api::note\.note; grant it to the role authenticated in config\/permissions, or with `stele role grant/,
    },
    {
      ask: { method: 'POST', url: '/api/notes', headers: asUser(1), payload: { data: { text: 'x' } } },
      tells: /^the entry would be outside the row rule of the caller for create on api::note\.note$/,
    },
  ] as const
  for (const { ask, tells } of refused)
    it(`of a 403 is in the response while an app is developed, and nowhere else: ${ask.method}`, async () => {
      const detailsIn = async (environment: string, rest: object = {}) => {
        let details: { reason?: string } = {}
        await withApp(
          'info',
          async app => {
            details = (await app.inject(ask as never)).json().error.details
          },
          { environment, rest },
        )
        return details
      }
      assert.match((await detailsIn('development')).reason ?? '', tells)
      for (const environment of ['production', 'test', 'staging']) assert.deepEqual(await detailsIn(environment), {})
      assert.deepEqual(await detailsIn('development', { dialect: 'strapi4' }), {})
    })

  it('of a 404 is not in the response: what is hidden stays hidden', () =>
    withApp(
      'info',
      async app => {
        const others = await app.entries('api::note.note').create({ text: 'of nobody' })
        const { statusCode, body } = await app.inject({ url: `/api/notes/${others.id}`, headers: asUser(1) })
        assert.deepEqual([statusCode, JSON.parse(body).error.details], [404, {}])
      },
      { environment: 'development' },
    ))

  it('of a path that is not there names the one that was meant, while an app is developed', async () => {
    const reasonOf = async (url: string, environment: string) => {
      let reason: unknown
      await withApp(
        'info',
        async app => {
          const { statusCode, body } = await app.inject(url)
          assert.equal(statusCode, 404)
          reason = JSON.parse(body).error.details.reason
        },
        { environment },
      )
      return reason
    }
    for (const [url, reason] of [
      ['/api/note', 'there is no route GET /api/note; did you mean /api/notes?'],
      ['/api/note/1', 'there is no route GET /api/note/1; did you mean /api/notes?'],
      ['/api/elsewhere', 'there is no route GET /api/elsewhere'],
      ['/api/notes/1/more', 'there is no route GET /api/notes/1/more'],
      [`/api/${'n'.repeat(2000)}`, /^there is no route GET \/api\/n+/],
    ] as const) {
      if (typeof reason === 'string') assert.equal(await reasonOf(url, 'development'), reason)
      else assert.match(String(await reasonOf(url, 'development')), reason)
      assert.equal(await reasonOf(url, 'production'), undefined)
    }
  })

  it('is not in the log at info', () =>
    withApp('info', async (app, reasons) => {
      assert.equal((await app.inject('/api/nothing')).statusCode, 404)
      assert.deepEqual(reasons(), [])
    }))
})

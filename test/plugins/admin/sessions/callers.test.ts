import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../../core/index.js'
import { admin, markConsole } from '../../../../plugins/admin/index.js'
import { contentConsole } from '../../../../plugins/console/index.js'
import { draftAndPublish } from '../../../../plugins/draft-and-publish/index.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { passTime } from '../../../support/time.js'
import { world } from '../world.js'
import { editor, Tab, unthrottled } from './tab.js'

/** The long response of a test. */
const waiting = { arrived: () => {}, go: () => {}, until: Promise.resolve() }

/** The part of the page's plugin that leads to the content API. */
const page = definePlugin({
  name: 'page',
  middleware: [
    {
      before: 'routing',
      below: '/console/api',
      run: () => (ctx, next) => {
        markConsole(ctx)
        ctx.path = ctx.path.slice('/console'.length)
        return next()
      },
    },
  ],
  routes: [
    {
      method: 'GET',
      path: '/long',
      action: null,
      async run({ renew }) {
        waiting.arrived()
        await waiting.until
        return { actor: (await renew()).caller.actor }
      },
    },
    { method: 'GET', path: '/who', action: null, run: ({ caller }) => ({ scope: caller.scope, actor: caller.actor }) },
  ],
})

describe('the callers of requests', () => {
  let app: TestApp
  let tab: Tab
  let ended: Tab
  beforeAll(async () => {
    const users = [usersPermissions, { jwtSecret: 'a secret of tests' }] as const
    const permissions = { roles: { public: { article: { find: true } } } }
    app = await createTestApp({
      ...(world as object),
      plugins: [users, [admin, { ratelimit: { enabled: false } }], draftAndPublish, page] as never,
      config: { permissions, api: { rest: { public: {} } } } as never,
    })
    await editor(app, 'ada@example.test')
    tab = new Tab()
    await tab.signIn(app)
    ended = await endedIn(app)
  })
  afterAll(() => app?.close())

  /** A browser whose session has ended elsewhere. */
  const endedIn = async (server: TestApp): Promise<Tab> => {
    const one = new Tab()
    await one.signIn(server)
    await one.another().ask(server, 'DELETE', '/console/session')
    return one
  }

  const strangers = (ended: Tab): readonly (readonly [string, Tab])[] => [
    ['without a session', new Tab()],
    ['with a foreign one', new Tab({ cookie: `stele=${'a'.repeat(43)}` })],
    ['with one that has ended', ended],
    ['with a cookie of another name', new Tab({ cookie: `session=${tab.cookie?.split('=')[1]}` })],
  ]

  it('of the public API are those that they are without the cookie', async () => {
    for (const path of ['/api/who', '/api/articles', '/api/notes']) {
      const plain = await new Tab().ask(app, 'GET', path)
      for (const headers of [{}, { 'sec-fetch-site': 'cross-site', origin: 'https://blog.example' }]) {
        const sent = await tab.ask(app, 'GET', path, undefined, headers)
        assert.deepEqual([sent.status, sent.body, sent.cookie], [plain.status, plain.body, undefined], path)
      }
    }
    assert.equal((await tab.ask(app, 'GET', '/api/articles')).status, 200)
    assert.equal((await tab.ask(app, 'GET', '/api/notes')).status, 403)
  })

  it('of the console are editors', async () => {
    const { body } = await tab.ask(app, 'GET', '/console/api/who')
    assert.equal(body.actor, 'admin 1')
    assert.deepEqual(
      [(await tab.ask(app, 'GET', '/console/api/notes')).status, (await tab.ask(app, 'GET', '/api/notes')).status],
      [200, 403],
      'the permissions of a Super Admin, and those of a visitor',
    )
  })

  it('of the console are never visitors, who may read articles here', async () => {
    for (const [says, stranger] of strangers(ended))
      for (const path of ['/console/api/articles', '/console/api/who', '/console/api/auth/local/register']) {
        const method = path.endsWith('register') ? 'POST' : 'GET'
        const { status, body } = await stranger.ask(app, method, path, method === 'POST' ? {} : undefined)
        assert.deepEqual([status, body.error.name], [401, 'UnauthorizedError'], `${path} ${says}`)
      }
  })

  /** The page itself, and routes that lead to a session, or end one. */
  const open = [
    ...['POST /console/session', 'DELETE /console/session', 'POST /console/first-account'],
    ...['POST /console/password/forgotten', 'POST /console/password/new', 'POST /console/password/new/owner'],
    ...[
      'GET /console',
      'GET /console/assets/:name',
      'GET /console/brand/:file',
      'GET /console/kit/:file',
      'POST /console/invitation',
      'POST /console/invitation/owner',
    ],
  ]

  it('of every route of the console need a session', async () => {
    const whole = await createTestApp({ ...unthrottled, plugins: [...unthrottled.plugins, contentConsole] } as never)
    onTestFinished(() => whole.close())
    await editor(whole, 'ada@example.test')
    const gone = await endedIn(whole)
    const routes = whole.outline.routes.filter(({ path }) => path.startsWith('/console') && !path.includes('*'))
    assert.ok(routes.length > 20)
    for (const { method, path } of routes) {
      if (open.includes(`${method} ${path}`)) continue
      for (const [says, stranger] of strangers(gone)) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {}
        const url = path.replace(':id', '1').replace(':uid', 'api::note.note')
        const { status, text } = await stranger.ask(whole, method, url, body)
        assert.equal(status, 401, `${method} ${path} ${says}: ${text}`)
      }
    }
  })

  it('of a long response are known by their session, whatever has become of their token', async () => {
    onTestFinished(() => void vi.useRealTimers())
    const begin = async (path: string) => {
      const arrived = new Promise<void>(resolve => {
        waiting.arrived = resolve
      })
      const go = new Promise<void>(resolve => {
        waiting.go = resolve
      })
      waiting.until = go
      const response = tab.another().ask(app, 'GET', path)
      await arrived
      return { response, goOn: waiting.go }
    }
    const later = async (time: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + time })
      await passTime(1000)
    }
    const first = await begin('/console/api/long')
    await later(3600_000)
    assert.notEqual((await tab.ask(app, 'GET', '/console/session')).cookie, undefined)
    await later(120_000)
    first.goOn()
    const { status, body } = await first.response
    assert.deepEqual([status, body], [200, { actor: 'admin 1' }])
    const second = await begin('/console/api/long')
    await tab.another().ask(app, 'DELETE', '/console/session')
    second.goOn()
    assert.equal((await second.response).status, 401)
  })
})

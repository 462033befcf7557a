import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin, type Route, type TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { usesUsualRoutes, useUsualRoutes } from '../../core/plugin-kit.js'
import { patch } from '../../plugins/patch/index.js'

const types = {
  note: { attributes: { text: { type: 'string' }, code: { type: 'uid' } } },
  home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
}
const uid = 'api::note.note'
const says = (text: string) => () => ({ says: text })

/** Marks requests with a header, as one that rewrites their path could. */
const marking = definePlugin({
  name: 'marking',
  middleware: [
    {
      before: 'routing',
      run: () => (ctx, next) => {
        if (ctx.headers['x-usual'] !== undefined) useUsualRoutes(ctx)
        return next()
      },
    },
  ],
})

const open = { action: null, credentials: 'ignored' } as const

/** Code that leaves little of the usual routes: its own are at the places of some, and elsewhere. */
const taking = definePlugin({
  name: 'taking',
  routes: [
    { ...open, method: 'GET', path: '/notes', replaces: true, actsAs: { uid, action: 'find' }, run: says('code') },
    { method: 'GET', path: '/moved/:id', action: 'findOne', uid, replaces: true, run: 'generated' },
    { ...open, method: 'GET', path: '/own', replaces: true, actsAs: { uid: '', action: '' }, run: says('code') },
    ...['create', 'update', 'delete'].map(action => ({ removed: true, uid, action })),
    { removed: true, method: 'GET', path: '/tools' },
    ...['find', 'update', 'delete'].map(action => ({ removed: true, uid: 'api::home.home', action })),
  ] as readonly Route[],
})

const tools = definePlugin({
  name: 'tools',
  routes: [{ ...open, method: 'GET', path: '/tools', run: ({ ctx }) => ({ says: `tools ${usesUsualRoutes(ctx)}` }) }],
})

async function appWith(plugins: readonly AnyPlugin[], more: Partial<Parameters<typeof createTestApp>[0]> = {}) {
  const config = { api: { rest: { public: true as const } } }
  const app = await createTestApp({ types, plugins: [marking, ...plugins], config, ...more })
  onTestFinished(() => app.close())
  return app
}

type Asked = readonly [method: string, path: string, body?: unknown]

async function ask(app: TestApp, [method, path, data]: Asked, headers: Readonly<Record<string, string>>) {
  const payload = data === undefined ? {} : { payload: { data } }
  const { statusCode, body } = await app.inject({ method: method as 'GET', url: `/api${path}`, headers, ...payload })
  const { says, data: found } = body.startsWith('{') ? JSON.parse(body) : ({} as Record<string, unknown>)
  return [statusCode, says ?? found?.attributes?.text ?? found?.attributes?.title ?? found?.length]
}

const usual = (app: TestApp, ...asked: Asked) => ask(app, asked, { 'x-usual': '1' })
const plain = (app: TestApp, ...asked: Asked) => ask(app, asked, {})

describe('a request that uses the usual routes', () => {
  it('reaches all that a type has, whatever has been replaced, moved or taken away', async () => {
    const app = await appWith([tools, patch, taking])
    assert.deepEqual(await usual(app, 'POST', '/notes', { text: 'one', code: 'a' }), [200, 'one'])
    assert.deepEqual(await usual(app, 'GET', '/notes'), [200, 1])
    assert.deepEqual(await usual(app, 'GET', '/notes/1'), [200, 'one'])
    assert.deepEqual(await usual(app, 'PUT', '/notes/1', { text: 'two' }), [200, 'two'])
    assert.deepEqual(await usual(app, 'PATCH', '/notes/1', { text: 'three' }), [200, 'three'])
    assert.deepEqual(await usual(app, 'GET', '/notes/by/code/a'), [200, 'three'])
    assert.deepEqual(await usual(app, 'GET', '/notes/aggregate'), [200, 1])
    assert.deepEqual(await usual(app, 'PUT', '/home', { title: 'hello' }), [200, 'hello'])
    assert.deepEqual(await usual(app, 'GET', '/home'), [200, 'hello'])
    assert.deepEqual(await usual(app, 'DELETE', '/notes/1'), [200, 'three'])
  })

  it('reaches routes of plugins as they were declared, and no others', async () => {
    const app = await appWith([tools, taking])
    for (const path of ['/own', '/moved/1', '/nothing']) assert.equal((await usual(app, 'GET', path))[0], 404, path)
    assert.equal((await usual(app, 'DELETE', '/notes'))[0], 405)
  })

  it('leaves all others as they are', async () => {
    const requests: readonly Asked[] = [
      ...['/notes', '/notes/1', '/moved/1', '/own', '/tools', '/home', '/notes/aggregate'].map(
        path => ['GET', path] as const,
      ),
      ['POST', '/notes', { text: 'new' }],
      ['PUT', '/notes/1', { text: 'new' }],
      ['DELETE', '/notes/1'],
      ['PUT', '/home', { title: 'new' }],
    ]
    const app = await appWith([tools, taking])
    await app.entries(uid).create({ text: 'one' })
    const all = async () => {
      const replies = []
      for (const request of requests) replies.push(await plain(app, ...request))
      return replies
    }
    const routes = structuredClone(app.outline.routes.map(({ method, path }) => ({ method, path })))
    const before = await all()
    assert.deepEqual(before.slice(0, 4), [
      [200, 'code'],
      [404, undefined],
      [200, 'one'],
      [200, 'code'],
    ])
    assert.deepEqual(
      before.slice(7).map(([status]) => status),
      [405, 404, 404, 404],
    )
    await usual(app, 'PUT', '/notes/1', { text: 'one' })
    assert.ok(app.outline.usualRoutes.length > 0)
    assert.deepEqual(await all(), before)
    assert.deepEqual(
      app.outline.routes.map(({ method, path }) => ({ method, path })),
      routes,
    )
  })

  it('needs the permissions of the caller', async () => {
    const app = await appWith([taking], { config: { api: { rest: { public: { note: ['find'] } } } } })
    assert.equal((await usual(app, 'GET', '/notes'))[0], 200)
    assert.equal((await usual(app, 'POST', '/notes', { text: 'one' }))[0], 403)
  })
})

it('a place is that of the first that has it; a type without its place has none at all, which the log says once', async () => {
  const clashing = definePlugin({
    name: 'clashing',
    routes: [
      { ...open, method: 'GET', path: '/notes', run: says('of the plugin') },
      { removed: true, uid, action: 'find' },
    ] as readonly Route[],
  })
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: line => void lines.push(JSON.parse(line).msg) } })
  const app = await appWith([clashing], { log })
  await app.entries(uid).create({ text: 'one' })
  const told = () => lines.filter(line => line.includes('usual routes'))
  assert.deepEqual(await plain(app, 'GET', '/notes/1'), [200, 'one'])
  assert.deepEqual(told(), [])
  assert.deepEqual(await usual(app, 'GET', '/notes'), [200, 'of the plugin'])
  assert.equal((await usual(app, 'GET', '/notes/1'))[0], 404)
  assert.equal((await usual(app, 'GET', '/home'))[0], 404)
  assert.deepEqual(told(), [
    `the usual routes are without ${uid} (note.json), as GET /notes is a route of the plugin clashing; another pluralName in its "info" gives it other paths`,
  ])
  assert.equal(
    app.outline.usualRoutes.some(route => route.uid === uid),
    false,
  )
})

import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import {
  type AnyPlugin,
  createTestApp,
  definePlugin,
  type Route,
  type TestApp,
  UnauthorizedError,
} from '../../core/index.js'
import { patch } from '../../plugins/patch/index.js'

const types = {
  note: { attributes: { text: { type: 'string' }, code: { type: 'uid' } } },
  home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
}
const uid = 'api::note.note'

/** An app with two notes, in which everything is permitted unless `open` says otherwise. */
async function appWith(plugins: readonly AnyPlugin[], open: unknown = true): Promise<TestApp> {
  const config = { api: { rest: { public: open as true } } }
  const app = await createTestApp({ types, plugins, config })
  onTestFinished(() => app.close())
  await app.entries(uid).create({ text: 'one', code: 'a' })
  await app.entries(uid).create({ text: 'two', code: 'b' })
  return app
}

type Routes = readonly (Route | { removed: true; [name: string]: unknown })[]

const withRoutes = (routes: Routes, name = 'coded') => definePlugin({ name, routes: routes as readonly Route[] })

const says = (text: string) => ({ says: text })

async function asked(app: TestApp, url: string, method: string = 'GET', headers = {}) {
  const { statusCode, body } = await app.inject({ method: method as 'GET', url: `/api${url}`, headers })
  return [statusCode, body && (JSON.parse(body).says ?? JSON.parse(body).data)]
}

describe('the first route that takes a request answers it', () => {
  const get = { method: 'GET', action: null } as const

  it('in the order of the list, and those that ask for it before those of other plugins', async () => {
    const other = withRoutes([{ ...get, path: '/words/:word', run: () => says('other') }], 'other')
    const own = withRoutes([
      { ...get, path: '/words/late', run: () => says('late') },
      { ...get, path: '/words/early', first: true, run: () => says('early') },
      { ...get, path: '/first/:word', run: ({ params }) => says(params.word as string) },
      { ...get, path: '/first/late', run: () => says('never') },
    ])
    const app = await appWith([other, own])
    assert.deepEqual(await asked(app, '/words/early'), [200, 'early'])
    assert.deepEqual(await asked(app, '/words/late'), [200, 'other'])
    assert.deepEqual(await asked(app, '/first/late'), [200, 'late'])
  })

  it('which may be a pattern from its first segment on, below the prefix and at the root', async () => {
    const app = await appWith([
      withRoutes([
        { ...get, path: '/before', run: () => says('before') },
        { ...get, path: '/:any/:id', run: ({ params }) => says(`${params.any} ${params.id}`) },
        { ...get, path: '/files/*rest', run: ({ params }) => says(`files ${params.rest}`) },
        { ...get, path: '/:page', at: 'root', run: ({ params }) => says(`page ${params.page}`) },
        { ...get, path: '/api/deep', at: 'root', run: () => says('deep') },
      ]),
    ])
    assert.deepEqual(await asked(app, '/notes/1'), [200, 'notes 1'])
    assert.deepEqual(await asked(app, '/nowhere/2'), [200, 'nowhere 2'])
    assert.deepEqual(await asked(app, '/before'), [200, 'before'])
    assert.deepEqual(await asked(app, '/files/a/b'), [200, 'files a/b'])
    assert.deepEqual(await asked(app, '/deep'), [200, 'deep'])
    assert.equal((await asked(app, '/nowhere'))[0], 404)
    assert.equal((await asked(app, '/notes'))[0], 200)
    assert.deepEqual((await app.inject('/about')).json(), says('page about'))
  })

  it('where its parameters match; the routes that follow have the rest', async () => {
    const id = { id: /^\d+$/g }
    const app = await appWith([
      withRoutes([
        { ...get, path: '/words/:id', matches: id, run: ({ params }) => says(`number ${params.id}`) },
        { ...get, path: '/words/:id', matches: { id: /^[a-c]+$/i }, run: ({ params }) => says(`abc ${params.id}`) },
        { ...get, path: '/only/:id{/:more}', matches: { ...id, more: /^x/ }, run: () => says('only') },
      ]),
    ])
    for (let times = 0; times < 2; times += 1) assert.deepEqual(await asked(app, '/words/12'), [200, 'number 12'])
    assert.deepEqual(await asked(app, '/words/ABC'), [200, 'abc ABC'])
    assert.equal((await asked(app, '/words/xyz'))[0], 404)
    assert.equal((await asked(app, '/words/12', 'DELETE'))[0], 405)
    assert.equal((await asked(app, '/words/xyz', 'DELETE'))[0], 404)
    assert.deepEqual(await asked(app, '/only/1'), [200, 'only'])
    assert.deepEqual(await asked(app, '/only/1/xy'), [200, 'only'])
    assert.equal((await asked(app, '/only/1/yx'))[0], 404)
  })

  it('whatever the method, if it takes all of them', async () => {
    const app = await appWith([
      withRoutes([
        { ...get, path: '/echo', run: () => says('get') },
        {
          method: 'ALL',
          path: '/echo',
          action: null,
          run: ({ ctx, body }) => says(`${ctx.method} ${JSON.stringify(body)}`),
        },
      ]),
    ])
    assert.deepEqual(await asked(app, '/echo'), [200, 'get'])
    for (const method of ['DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'])
      assert.match(String((await asked(app, '/echo', method))[1]), new RegExp(`^${method} `))
    const sent = await app.inject({ method: 'POST', url: '/api/echo', payload: { a: 1 } })
    assert.deepEqual(sent.json(), says('POST {"a":1}'))
    const all = app.outline.routes.filter(({ path }) => path === '/api/echo').map(({ method }) => method)
    assert.deepEqual(all, ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE'])
  })
})

describe('a route that is answered as a generated endpoint', () => {
  const at = (route: Partial<Route>): Route => ({
    method: 'GET',
    path: '/x',
    action: 'find',
    uid,
    run: 'generated',
    ...route,
  })

  it('is what that one is, at its own path', async () => {
    const app = await appWith([
      withRoutes([
        at({ path: '/list' }),
        at({ path: '/one/:id', action: 'findOne' }),
        at({ method: 'POST', path: '/make', action: 'create' }),
        at({ path: '/start', uid: 'api::home.home' }),
      ]),
    ])
    const [own, usual] = [await app.inject('/api/list?sort=id:desc'), await app.inject('/api/notes?sort=id:desc')]
    assert.equal(own.body, usual.body)
    assert.equal(own.headers.etag, usual.headers.etag)
    const known = await app.inject({
      url: '/api/list?sort=id:desc',
      headers: { 'if-none-match': String(own.headers.etag) },
    })
    assert.equal(known.statusCode, 304)
    assert.equal((await asked(app, '/one/2'))[0], 200)
    assert.equal((await asked(app, '/one/9'))[0], 404)
    assert.equal((await asked(app, '/start'))[0], 404)
    const made = await app.inject({ method: 'POST', url: '/api/make', payload: { data: { text: 'three' } } })
    assert.deepEqual([made.statusCode, made.json().data.id], [200, 3])
    const outlined = app.outline.routes.find(({ path }) => path === '/api/make')
    assert.deepEqual([outlined?.plugin, outlined?.generated, outlined?.takesBody], ['coded', false, true])
  })

  it('has a permission of its own, or none', async () => {
    const routes = [
      at({ path: '/open', action: null, actsAs: { uid, action: 'find' } }),
      at({ path: '/closed' }),
      at({ path: '/other', action: 'listed', actsAs: { uid, action: 'find' } }),
    ]
    const app = await appWith([withRoutes(routes)], { note: ['listed'] })
    assert.equal((await asked(app, '/open'))[0], 200)
    assert.equal((await asked(app, '/closed'))[0], 403)
    assert.equal((await asked(app, '/other'))[0], 200)
    assert.equal((await asked(app, '/notes'))[0], 403)
  })

  it('can be one that does not exist, or lack the id, only in an app that does not start', async () => {
    await assert.rejects(
      appWith([withRoutes([at({ action: 'publish' })])]),
      /plugin coded: the route GET \/x: its "run" is "generated"; there is no generated endpoint api::note.note.publish/,
    )
    await assert.rejects(
      appWith([withRoutes([at({ action: 'findOne' })])]),
      /its path lacks :id, which names the entry/,
    )
  })

  it('in place of the usual one is that one, in its place among the others', async () => {
    const app = await appWith([
      withRoutes([
        at({ path: '/notes/:id', action: 'findOne', replaces: true }),
        { method: 'GET', path: '/notes/late', action: null, run: () => says('never') },
        at({ path: '/notes', replaces: true, action: null, actsAs: { uid, action: 'find' } }),
      ]),
    ])
    assert.equal((await asked(app, '/notes/1'))[0], 200)
    assert.equal((await asked(app, '/notes/late'))[0], 404)
    assert.deepEqual(await asked(app, '/notes/aggregate?measures[count]=*'), [200, [{ group: {}, count: { '*': 2 } }]])
    assert.equal((await asked(app, '/notes/by/code/a'))[0], 200)
    const [one, list] = ['/api/notes/:id', '/api/notes'].map(path =>
      app.outline.routes.find(route => route.path === path),
    )
    assert.deepEqual([one?.generated, one?.plugin, one?.action], [true, undefined, 'findOne'])
    assert.deepEqual([list?.generated, list?.plugin, list?.action], [false, 'coded', undefined])
  })
})

describe('a route that replaces', () => {
  const replacing = (route: Partial<Route>): Route => ({
    ...{ method: 'GET', path: '/notes', action: 'find', uid, replaces: true },
    run: () => says('own'),
    ...route,
  })

  it('has the path and the permission of what it replaces, and nothing goes round it', async () => {
    const before = await appWith([patch])
    assert.equal((await asked(before, '/notes/1', 'PATCH'))[0], 400)
    const plugins = [
      patch,
      withRoutes([replacing({}), replacing({ method: 'PUT', path: '/notes/:id', action: 'update' })]),
    ]
    const app = await appWith(plugins)
    assert.deepEqual(await asked(app, '/notes'), [200, 'own'])
    assert.equal((await asked(app, '/notes/1'))[0], 200)
    // It would show numbers of what the code may keep to itself.
    assert.equal((await asked(app, '/notes/aggregate'))[0], 404)
    assert.equal((await asked(app, '/notes/by/code/a'))[0], 200)
    assert.equal((await asked(app, '/notes/by/code/a', 'PUT'))[0], 405)
    assert.equal((await asked(app, '/notes/1', 'PATCH'))[0], 405)
    const closed = await appWith(plugins, { note: ['findOne'] })
    assert.equal((await asked(closed, '/notes'))[0], 403)
  })

  it('may stand at another path: the usual one is not there any more', async () => {
    const app = await appWith([withRoutes([replacing({ path: '/elsewhere' })])])
    assert.deepEqual(await asked(app, '/elsewhere'), [200, 'own'])
    assert.equal((await asked(app, '/notes'))[0], 405)
    assert.ok(app.outline.actions.some(one => one.uid === uid && one.action === 'find'))
  })

  it('takes the path of another plugin, and of another type', async () => {
    const other = withRoutes([{ method: 'GET', path: '/me', action: 'me', run: () => says('theirs') }], 'other')
    const app = await appWith([
      other,
      withRoutes([
        replacing({ path: '/me', uid: 'plugin::other', action: 'me' }),
        replacing({ path: '/home', uid: 'plugin::coded', action: 'home' }),
      ]),
    ])
    assert.deepEqual(await asked(app, '/me'), [200, 'own'])
    assert.deepEqual(await asked(app, '/home'), [200, 'own'])
    await assert.rejects(
      appWith([other, withRoutes([replacing({ path: '/me', replaces: undefined as never })])]),
      /the plugins other and coded both declare the route GET \/me/,
    )
  })
})

describe('a route that is removed', () => {
  it('is a generated endpoint, or the route of another plugin', async () => {
    const other = withRoutes([{ method: 'GET', path: '/me', action: 'me', run: () => says('theirs') }], 'other')
    const app = await appWith([
      other,
      withRoutes([
        { removed: true, uid, action: 'delete' },
        { removed: true, method: 'GET', path: '/me' },
      ]),
    ])
    assert.equal((await asked(app, '/notes/1', 'DELETE'))[0], 405)
    assert.equal((await asked(app, '/notes/by/code/a', 'DELETE'))[0], 405)
    assert.equal((await asked(app, '/notes/1'))[0], 200)
    assert.equal((await asked(app, '/me'))[0], 404)
  })

  it('of each type is what a function gives', async () => {
    const closed = definePlugin({
      name: 'closed',
      appliesTo: ({ singularName }) => singularName === 'note',
      routes: [type => ['create', 'update', 'delete'].map(action => ({ removed: true, uid: type.uid, action }))],
    })
    const app = await appWith([closed])
    assert.equal((await asked(app, '/notes', 'POST'))[0], 405)
    assert.equal((await asked(app, '/home', 'PUT'))[0], 400)
  })
})

describe('the credentials of a request', () => {
  it('are not looked at where a route ignores them', async () => {
    const keys = definePlugin({
      name: 'keys',
      authenticate: ({ headers }) => {
        if (headers.authorization !== undefined) throw new UnauthorizedError('a bad key')
        return { scope: 'nobody', can: () => true }
      },
    })
    const route = {
      method: 'GET',
      path: '/open',
      action: null,
      run: ({ caller }) => says(caller.scope),
    } satisfies Route
    const app = await appWith([
      keys,
      withRoutes([
        { ...route, credentials: 'ignored' },
        { ...route, path: '/read' },
      ]),
    ])
    const headers = { authorization: 'Bearer bad' }
    assert.deepEqual(await asked(app, '/open', 'GET', headers), [200, 'nobody'])
    assert.deepEqual(await asked(app, '/open'), [200, 'nobody'])
    assert.equal((await asked(app, '/read', 'GET', headers))[0], 401)
  })
})

describe('what is wrong with a route', () => {
  const route = { method: 'GET', path: '/x', action: null, run: () => 1 }
  const cases: readonly (readonly [part: object, message: string])[] = [
    [{ matches: { id: '\\d' } }, 'its "matches" has "\\\\d" for "id"; expected a RegExp'],
    [{ actsAs: uid }, 'its "actsAs" is "api::note.note"; expected { uid, action } of a generated endpoint'],
    [{ replaces: false }, 'its "replaces" is of type boolean; expected true'],
    [{ first: 1 }, 'its "first" is of type number; expected true'],
    [{ credentials: 'none' }, 'its "credentials" is "none"; expected "needed" or "ignored"'],
    [{ run: 'usual' }, 'its "run" is "usual"; expected a function, or "generated"'],
    [{ removed: true, method: 'get' }, 'it is removed; expected the uid and the action'],
  ]
  for (const [part, message] of cases)
    it(`stops the start: ${message}`, async () => {
      await assert.rejects(appWith([withRoutes([{ ...route, ...part } as never])]), (error: Error) => {
        assert.ok(error.message.includes(message), error.message)
        return true
      })
    })
})

describe('a route that a plugin adds to a type', () => {
  const ship = (says: string): Pick<Route, 'method' | 'path' | 'action' | 'run'> => ({
    ...{ method: 'POST', path: '/notes/ship', action: 'ship' },
    run: () => ({ says }),
  })
  const ofTypes = definePlugin({
    name: 'shipping',
    routes: [({ pluralName }) => (pluralName === 'notes' ? [ship('added')] : [])],
  })

  it('is not there where another plugin has the permission for something of its own: no role may do more by it', async () => {
    assert.deepEqual(await asked(await appWith([ofTypes]), '/notes/ship', 'POST'), [200, 'added'])
    const own = definePlugin({ name: 'coded', actions: [{ uid, action: 'ship' }] })
    assert.equal((await asked(await appWith([ofTypes, own]), '/notes/ship', 'POST'))[0], 405)
    const same = definePlugin({ name: 'coded', actions: [{ uid, action: 'create' }] })
    assert.deepEqual(await asked(await appWith([ofTypes, same]), '/notes/ship', 'POST'), [200, 'added'])
  })
})

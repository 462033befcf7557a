import assert from 'node:assert/strict'
import { beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../core/index.js'
import {
  type AnySchema,
  createClient,
  createSession,
  type SessionOptions,
} from '../../plugins/typescript/client/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { fetchOf, url } from './fetch.js'

const credentials = { identifier: 'ann', password: 'a long password' }

async function serve(sessions: boolean): Promise<TestApp> {
  const settings = { jwtSecret: 'a secret of this test', sessions: { enabled: sessions } }
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [[usersPermissions, settings as never]],
    config: {
      api: { rest: { public: {} } },
      permissions: { roles: { authenticated: { note: ['find'] }, public: {} } },
    },
  })
  await app.inject({
    method: 'POST',
    url: '/api/auth/local/register',
    payload: { username: 'ann', email: 'ann@example.com', password: credentials.password },
  })
  return app
}

/** As `sessionStorage` has it. */
function memory() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}

interface World {
  readonly sent: string[]
  readonly changes: unknown[]
}

function open(app: TestApp, options: Partial<SessionOptions> = {}) {
  const world: World = { sent: [], changes: [] }
  const session = createSession<AnySchema>({
    url,
    fetch: fetchOf(app, request => {
      const { pathname } = new URL(request.url)
      world.sent.push(`${request.method} ${pathname}${request.headers.has('authorization') ? ' with a token' : ''}`)
    }),
    onChange: user => world.changes.push((user as { username: string } | undefined)?.username),
    ...options,
  })
  const api = createClient<AnySchema>({ url, fetch: session.fetch }) as unknown as {
    notes: { find(): Promise<{ data: unknown; error?: { status: number } }> }
  }
  return { ...world, session, api }
}

/** The token has expired: the server refuses it. */
const expire = (session: ReturnType<typeof open>['session'], refreshToken?: string) =>
  session.keep({ jwt: 'a.b.c', user: session.user, ...(refreshToken !== undefined && { refreshToken }) })

describe('a session', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await serve(true)
    return () => app.close()
  })
  const signedIn = async (options?: Partial<SessionOptions>) => {
    const world = open(app, options)
    const { data } = await world.session.signIn(credentials)
    assert.equal((data as { username: string }).username, 'ann')
    return world
  }
  const refreshTokenOf = (store: ReturnType<typeof memory>): string =>
    JSON.parse(store.getItem('stele') ?? '{}').refreshToken

  it('sends the token of the account that has signed in, and none before and after', async () => {
    const { api, session, sent, changes } = open(app)
    assert.equal((await api.notes.find()).error?.status, 403)
    await session.signIn(credentials)
    assert.deepEqual((await api.notes.find()).data, [])
    await session.signOut()
    assert.deepEqual([session.token, session.user], [undefined, undefined])
    assert.equal((await api.notes.find()).error?.status, 403)
    assert.deepEqual(changes, ['ann', undefined])
    assert.deepEqual(sent, [
      'GET /api/notes',
      'POST /api/auth/local',
      'GET /api/notes with a token',
      'POST /api/auth/logout',
      'GET /api/notes',
    ])
  })

  it('tells of a sign-in that failed, and keeps nothing', async () => {
    const { session, changes } = open(app)
    const { data, error } = await session.signIn({ ...credentials, password: 'wrong' })
    assert.deepEqual([data, error?.status, session.token, changes], [null, 400, undefined, []])
  })

  it('refreshes a token that has expired once, however many requests find that out', async () => {
    const storage = memory()
    const { api, session, sent } = await signedIn({ storage })
    expire(session, refreshTokenOf(storage))
    const all = await Promise.all(Array.from({ length: 5 }, () => api.notes.find()))
    assert.deepEqual(
      all.map(({ data }) => data),
      Array.from({ length: 5 }, () => []),
    )
    assert.equal(sent.filter(one => one === 'POST /api/auth/refresh').length, 1)
    assert.equal((session.user as { username: string }).username, 'ann')
  })

  it('uses what another page has refreshed meanwhile', async () => {
    const storage = memory()
    const one = await signedIn({ storage })
    const other = open(app, { storage })
    assert.equal(other.session.token, one.session.token)
    const expired = { ...JSON.parse(storage.getItem('stele') ?? ''), jwt: 'a.b.c' }
    storage.setItem('stele', JSON.stringify(expired))
    let hasOther = false
    const late = open(app, {
      storage,
      fetch: async (input, init) => {
        const response = await fetchOf(app)(input, init)
        // The first refusal arrives when the other page has its new token already.
        if (response.status === 401 && !hasOther) {
          hasOther = true
          assert.deepEqual((await other.api.notes.find()).data, [])
        }
        return response
      },
    })
    assert.deepEqual((await late.api.notes.find()).data, [])
    assert.equal(other.sent.filter(one => one === 'POST /api/auth/refresh').length, 1)
  })

  it('ends where the refresh token is refused, and with a token that cannot be refreshed', async () => {
    for (const refreshToken of [`${'x'.repeat(22)}.${'y'.repeat(43)}`, undefined]) {
      const { api, session, changes } = await signedIn()
      expire(session, refreshToken)
      assert.equal((await api.notes.find()).error?.status, 401)
      assert.deepEqual([session.token, changes.at(-1)], [undefined, undefined])
      assert.equal((await api.notes.find()).error?.status, 403)
    }
  })

  it('stays where the server cannot be reached, or is busy', async () => {
    for (const answer of [
      () => Promise.reject(new Error('no network')),
      async () => new Response('{}', { status: 503 }),
    ]) {
      let isDown = false
      const reach = fetchOf(app)
      const storage = memory()
      const { session, api } = await signedIn({
        storage,
        fetch: (input, init) => (isDown && `${input}`.endsWith('/refresh') ? answer() : reach(input, init)),
      })
      expire(session, refreshTokenOf(storage))
      isDown = true
      assert.equal((await api.notes.find()).error?.status, 401)
      assert.equal(session.token, 'a.b.c')
      isDown = false
      assert.deepEqual((await api.notes.find()).data, [])
    }
  })

  it('sends its token to the API and to no other address, and not in place of a header of the caller', async () => {
    const seen: (string | null)[] = []
    const { session } = await signedIn({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.method === 'POST') return fetchOf(app)(input, init)
        seen.push(request.headers.get('authorization'))
        return new Response('', { status: 401 })
      },
    })
    for (const address of ['http://localhost/apiary', 'http://localhost.example/api', 'https://other.example/'])
      await session.fetch(address)
    await session.fetch(`${url}/notes`, { headers: { authorization: 'Bearer mine' } })
    assert.deepEqual(seen, [null, null, null, 'Bearer mine'])
    assert.ok(session.token)
    await session.fetch(`${url}/notes`)
    assert.match(String(seen.at(-1)), /^Bearer ey/)
  })

  it('takes over the tokens of a registration', async () => {
    const { api, session } = open(app)
    const { data } = await (
      createClient<AnySchema>({ url, fetch: fetchOf(app) }) as unknown as (
        route: string,
        call: object,
      ) => Promise<{ data: Parameters<typeof session.keep>[0] }>
    )('POST /auth/local/register', {
      body: { username: 'bob', email: 'bob@example.com', password: 'a long password' },
    })
    session.keep(data)
    assert.deepEqual((await api.notes.find()).data, [])
  })
})

it('a server without sessions gives a token that ends', async () => {
  const app = await serve(false)
  onTestFinished(() => app.close())
  const { session, api, sent } = open(app)
  await session.signIn(credentials)
  assert.deepEqual((await api.notes.find()).data, [])
  await session.signOut()
  assert.ok(!sent.includes('POST /api/auth/logout'))
})

import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../../core/index.js'
import { editor, type Heard, origin, password, Tab, unthrottled, watched } from './tab.js'

type Headers = Readonly<Record<string, string | undefined>>

/** Headers that browsers send where the page's own script asks. */
const ownFetch = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
const none = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, origin: undefined }
const form = 'application/x-www-form-urlencoded'

const { statements, log } = watched()
let bodiesRead = 0

/** A plugin beside the console that has a page of its own, and that looks into every request. */
const nosy = definePlugin({
  name: 'nosy',
  register: host => host,
  middleware: [
    {
      before: 'routing',
      run:
        ({ readBody }) =>
        async (ctx, next) => {
          if ((await readBody(ctx)) !== undefined) bodiesRead += 1
          await next()
        },
    },
  ],
  routes: [{ method: 'GET', at: 'root', path: '/console/page', action: null, run: () => ({ page: true }) }],
})

describe('requests below /console', () => {
  let app: TestApp
  let tab: Tab
  beforeAll(async () => {
    app = await createTestApp({ ...(unthrottled as object), plugins: [nosy, ...unthrottled.plugins] as never, log })
    await editor(app, 'ada@example.test')
    tab = new Tab()
    await tab.signIn(app)
  })
  afterAll(() => app?.close())

  const ask = (headers: Headers, method = 'GET', url = '/console/session', body?: unknown): Promise<Heard> =>
    tab.ask(app, method, url, body, { ...none, ...headers })

  const passing: readonly (readonly [string, Headers, string?])[] = [
    ['of a script of the page', ownFetch],
    ['for an image of the page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' }],
    ['that change something, of a script of the page', { ...ownFetch, origin }, 'DELETE'],
    ['of a browser that sends the origin alone', { origin }],
    ['of such a browser, that change something', { origin }, 'DELETE'],
    ['by a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['by an address that was typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ]
  for (const [says, headers, method = 'GET'] of passing)
    it(`pass: ${says}`, async () => {
      const { status } = await ask(headers, method, method === 'DELETE' ? '/console/sessions/1000' : undefined)
      assert.equal(status, method === 'DELETE' ? 404 : 200)
    })

  const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const sub = { 'sec-fetch-site': 'same-site', origin: 'http://blog.localhost' }
  const refused: readonly (readonly [string, Headers, string])[] = [
    ['a script of another site', { ...cross, 'sec-fetch-mode': 'cors' }, 'GET'],
    ['its preflight', { ...cross, 'sec-fetch-mode': 'cors', 'access-control-request-method': 'DELETE' }, 'OPTIONS'],
    ['a script of another site that hides it', { ...cross, 'sec-fetch-mode': 'no-cors' }, 'POST'],
    ['an image on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'GET'],
    ['a form on another site', { ...cross, 'sec-fetch-mode': 'navigate', 'content-type': form }, 'POST'],
    ['a form without an origin', { ...cross, origin: 'null', 'sec-fetch-mode': 'navigate' }, 'POST'],
    ['a script of a subdomain', { ...sub, 'sec-fetch-mode': 'cors' }, 'DELETE'],
    ['an image on a subdomain', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }, 'GET'],
    ['a form on a subdomain', { ...sub, 'sec-fetch-mode': 'navigate', 'content-type': form }, 'POST'],
    ['another port of the machine', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }, 'DELETE'],
    ['a typed address that is no navigation', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' }, 'GET'],
    ['two sites at once', { 'sec-fetch-site': 'same-origin, cross-site' }, 'GET'],
    ['an old browser on another site', { origin: 'https://evil.example' }, 'POST'],
    ['an old browser on another site, reading', { origin: 'https://evil.example' }, 'GET'],
    ['an old browser in a frame without an origin', { origin: 'null' }, 'POST'],
    ['an old browser with another scheme', { origin: 'https://localhost' }, 'POST'],
    ['an origin that is none', { origin: 'localhost' }, 'POST'],
    ['an old browser that says nothing', {}, 'GET'],
    ['an old browser that navigates with POST', { 'sec-fetch-mode': 'navigate' }, 'POST'],
  ]
  const paths = [
    '/console/session',
    '/console/sessions',
    '/console/page',
    '/console/nowhere',
    '/console',
    '/CONSOLE/Session',
  ]
  for (const [says, headers, method] of refused)
    it(`are refused before anything is read: ${says}`, async () => {
      for (const path of paths) {
        statements.length = 0
        bodiesRead = 0
        const body = method === 'POST' ? { email: 'ada@example.test', password } : undefined
        const heard = await ask(headers, method, path, body)
        assert.equal(heard.status, 403, `${path}: ${heard.text}`)
        assert.equal(heard.body.error.name, 'ForbiddenError')
        assert.deepEqual([statements, bodiesRead], [[], 0], path)
        assertClosed(heard)
      }
    })

  it('say what to do to a browser that cannot say where they come from, as over plain http', async () => {
    const { body } = await ask({}, 'GET', '/console')
    assert.match(body.error.message, /^Open \/console over https, or on localhost/)
  })

  it('say the same as a text to a person who opens the address there', async () => {
    const opened = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: '192.168.1.5:1337' }
    const heard = await ask(opened, 'GET', '/console/c/article')
    assert.deepEqual([heard.status, heard.headers['content-type']], [403, 'text/plain; charset=utf-8'])
    assert.match(heard.text, /^The console cannot be opened at http:\/\/192\.168\.1\.5:1337: without TLS/)
    assert.match(heard.text, /http:\/\/localhost:1337\/console/)
    assertClosed(heard)
    for (const headers of [
      { ...opened, origin: 'https://evil.example' },
      { ...opened, 'sec-fetch-site': 'cross-site' },
    ])
      assert.equal((await ask(headers, 'GET', '/console')).body.error.name, 'ForbiddenError')
  })

  const bodies: readonly (readonly [string, Headers])[] = [
    ['a form', { 'content-type': form }],
    ['a text', { 'content-type': 'text/plain' }],
    ['a text that says it is JSON', { 'content-type': 'text/plain; application/json' }],
    ['no media type', { 'content-type': '' }],
    ['files without the header of the page', { 'content-type': 'multipart/form-data; boundary=a' }],
    ['files with another header', { 'content-type': 'multipart/form-data; boundary=a', 'x-console': '2' }],
  ]
  for (const [says, headers] of bodies)
    it(`are refused with a body that other sites could send: ${says}`, async () => {
      bodiesRead = 0
      const { status, body } = await ask({ ...ownFetch, origin, ...headers }, 'POST', '/console/session', '{}')
      assert.deepEqual(
        [status, body.error.message, bodiesRead],
        [403, 'A body below /console is JSON, or multipart/form-data with the header X-Console: 1', 0],
      )
    })

  it('pass with JSON of any kind, and with files and the header of the page', async () => {
    const types: readonly Headers[] = [
      { 'content-type': 'application/json; charset=utf-8' },
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': 'Multipart/Form-Data; boundary=a', 'x-console': '1' },
    ]
    for (const headers of types) {
      const { status } = await ask({ ...ownFetch, origin, ...headers }, 'POST', '/console/nowhere', '{}')
      assert.equal(status, 404, headers['content-type'])
    }
  })

  it('are not mixed with tokens of the API', async () => {
    const heard = await ask({ ...ownFetch, authorization: 'Bearer abc' })
    assert.equal(heard.status, 400)
    assert.match(heard.body.error.message, /leave out the token of the Authorization header, or send it to the API/)
    assert.equal((await ask({ ...ownFetch, authorization: 'Basic YTpi' })).status, 200, 'that of a proxy in front')
  })

  it('have responses that no cache keeps, no other page shows, and no other origin reads', async () => {
    for (const url of ['/console/session', '/console/nowhere', '/console/page', '/console'])
      for (const headers of [ownFetch, { origin }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }])
        assertClosed(await ask(headers, 'GET', url))
  })

  it('begin with the path itself, and no other path is looked at', async () => {
    for (const url of ['/consoles', '/console.json', '/api/console', '/xconsole'])
      assert.equal((await ask(cross, 'GET', url)).status, 404, url)
  })
})

function assertClosed({ headers }: Heard): void {
  assert.deepEqual(
    Object.keys(headers).filter(name => name.startsWith('access-control')),
    [],
  )
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal(headers['x-frame-options'], 'DENY')
}

it('responses below /console are shown in no frame, whatever policy the settings have', async () => {
  const config = { server: { headers: { contentSecurityPolicy: false } } } as const
  const app = await createTestApp({ ...(unthrottled as object), config })
  onTestFinished(() => app.close())
  assertClosed(await new Tab().ask(app, 'GET', '/console/session'))
})

describe('the own origin of the server', () => {
  const cms = 'https://cms.example.test'
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cms.example.test' }
  const cases: readonly {
    readonly says: string
    readonly server?: object
    readonly own: readonly Headers[]
    readonly foreign: readonly Headers[]
  }[] = [
    {
      says: 'is the address that was asked',
      own: [
        { host: 'localhost:1337', origin: 'http://localhost:1337' },
        { host: '10.0.0.5', origin: 'http://10.0.0.5' },
      ],
      foreign: [
        { host: 'cms.example.test', origin: cms },
        { host: '10.0.0.5:1337', origin: 'http://10.0.0.5' },
        { host: 'localhost:1337', origin: cms, ...forwarded },
      ],
    },
    {
      says: 'is the one that the settings name; its machine may be asked by itself',
      server: { url: 'https://cms.example.test/' },
      own: [
        { host: '127.0.0.1:1337', origin: cms },
        { host: 'cms.example.test', origin: cms },
        { host: '127.0.0.1:1337', origin: 'http://127.0.0.1:1337' },
      ],
      foreign: [
        { host: 'evil.example', origin: 'http://evil.example' },
        { host: 'cms.example.test', origin: 'http://cms.example.test' },
        { host: 'localhost:1337', origin: 'http://localhost:3000' },
      ],
    },
    {
      says: 'is the one that a trusted proxy names',
      server: { proxy: ['127.0.0.1'] },
      own: [{ host: '10.0.0.5:1337', origin: cms, ...forwarded }],
      foreign: [{ host: '10.0.0.5:1337', origin: 'http://10.0.0.5:1337', ...forwarded }],
    },
    {
      says: 'is not what other senders say who are no proxy',
      server: { proxy: ['192.0.2.1'] },
      own: [{ host: '10.0.0.5', origin: 'http://10.0.0.5', ...forwarded }],
      foreign: [{ host: '10.0.0.5', origin: cms, ...forwarded }],
    },
    {
      says: 'is not a path, where the settings have one',
      server: { url: '/cms' },
      own: [{ host: '10.0.0.5', origin: 'http://10.0.0.5' }],
      foreign: [{ host: '10.0.0.5', origin: cms }],
    },
  ]
  for (const { says, server = {}, own, foreign } of cases)
    it(says, async () => {
      const app = await createTestApp({ ...(unthrottled as object), config: { server } })
      onTestFinished(() => app.close())
      const statusOf = async (headers: Headers) =>
        (await new Tab(none).ask(app, 'DELETE', '/console/session', undefined, headers)).status
      for (const headers of own) assert.equal(await statusOf(headers), 204, JSON.stringify(headers))
      for (const headers of foreign) assert.equal(await statusOf(headers), 403, JSON.stringify(headers))
    })
})

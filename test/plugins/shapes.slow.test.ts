import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import type { Method } from '../../core/http/endpoint.js'
import { type AnyPlugin, createTestApp, type RouteOutline, type TestApp } from '../../core/index.js'
import { idType, valueTypes } from '../../core/schema/field-types.js'
import { pluginNames } from '../support/plugin-names.js'
import { ShapeValidator } from '../support/shapes.js'
import { editor, password as editorPassword } from './admin/sessions/tab.js'
import { adminOf } from './admin/world.js'
import { mint } from './api-tokens/world.js'

const folder = new URL('../../plugins/', import.meta.url)
const names = pluginNames()

const types = {
  article: {
    options: { draftAndPublish: true, trash: true, versions: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', required: true, maxLength: 50 },
      body: { type: 'richtext' },
      views: { type: 'integer', min: 0 },
      price: { type: 'decimal' },
      code: { type: 'biginteger' },
      day: { type: 'date' },
      at: { type: 'time' },
      seen: { type: 'datetime' },
      stamp: { type: 'timestamp' },
      kind: { type: 'enumeration', enum: ['news', 'story'] },
      slug: { type: 'uid', targetField: 'title' },
      mail: { type: 'email' },
      hot: { type: 'boolean' },
      data: { type: 'json' },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      seo: { type: 'component', component: 'shared.seo' },
      parts: { type: 'dynamiczone', components: ['shared.seo'] },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
  },
  author: { attributes: { name: { type: 'string', required: true }, secret: { type: 'password' } } },
  home: { kind: 'singleType', attributes: { text: { type: 'text' } } },
}
const components = { 'shared.seo': { attributes: { words: { type: 'string' } } } }
const full = {
  ...{ title: 'A', body: 'b', views: 1, price: 1.5, code: '12', day: '2026-01-02', at: '10:00:00', hot: true },
  ...{
    seen: '2026-01-02T03:04:05.000Z',
    stamp: 1_700_000_000_000,
    kind: 'news',
    mail: 'a@example.com',
    data: { a: [1] },
  },
}

/** The settings under which every route of a plugin is there and can answer. */
const settings = (mails: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'users-permissions': {
    jwtSecret: 'a secret for tests',
    ratelimit: { enabled: false },
    plainCodes: true,
    revealConfirmed: false,
    sessions: { enabled: true },
    email: { provider: 'file', providerOptions: { path: mails } },
  },
  'api-tokens': { salt: 'a salt for tests' },
  admin: { ratelimit: { enabled: false } },
  i18n: { manageLocales: true },
  'draft-and-publish': { actions: true },
  upload: { folder: mails },
})

async function pluginOf(name: string): Promise<AnyPlugin> {
  const exported = (await import(new URL(`${name}/index.ts`, folder).href)) as Record<string, AnyPlugin>
  return Object.values(exported).find(value => value?.name === name) as AnyPlugin
}

async function appOfAll(dialect: 'spec' | 'strapi4'): Promise<TestApp> {
  const own = settings(mkdtempSync(join(tmpdir(), 'shapes-')))
  // The one fills the types of the sample app, which are not those of this test; the other is described by its own schema.
  const wanted = names.filter(name => name !== 'sample-content' && name !== 'graphql')
  const plugins = await Promise.all(wanted.map(async name => [await pluginOf(name), own[name] ?? {}] as const))
  const webhooks = { build: { url: 'http://127.0.0.1:1/' } }
  const app = await createTestApp({ types, components, plugins, config: { api: { rest: { dialect } }, webhooks } })
  onTestFinished(() => app.close())
  return app
}

describe('everything that comes with the server', () => {
  it('says what it takes and answers', async () => {
    const { outline } = await appOfAll('spec')
    const lacking = outline.routes.flatMap(({ method, path, answers, takesBody, accepts }) => [
      ...(answers || path.includes('*') ? [] : [`${method} ${path}: answers`]),
      ...(takesBody && !accepts ? [`${method} ${path}: accepts`] : []),
    ])
    assert.deepEqual(lacking, [])
    const named = <Row extends { readonly name?: string | undefined }>(rows: readonly Row[], key: keyof Row) =>
      rows.flatMap(row => (row[key] === undefined || row[key] === '' ? [row.name] : []))
    assert.deepEqual(named(outline.params, 'schema'), [])
    assert.deepEqual(named(outline.params, 'describe'), [])
    assert.deepEqual(named(outline.operators, 'describe'), [])
    assert.deepEqual(named(outline.formats, 'shape'), [])
    assert.deepEqual(
      named(
        outline.routes.map(({ path, describe }) => ({ name: path, describe })),
        'describe',
      ),
      [],
    )
    assert.deepEqual(named([...valueTypes, idType] as (typeof idType)[], 'json'), [])
    assert.ok(outline.routes.length > 60 && outline.params.length >= 9)
    const plugins = (await Promise.all(names.map(pluginOf))) as readonly { name: string; describe?: string }[]
    assert.deepEqual(named(plugins, 'describe'), [])
  })
})

/** Sends requests as a client would, and holds each response and each accepted body against what its route declares. */
class CheckingClient {
  readonly covered = new Set<string>()
  readonly wrong: string[] = []
  readonly #app: TestApp
  readonly #validator: ShapeValidator
  readonly #headers: Record<string, string>

  constructor(app: TestApp, token: string) {
    this.#app = app
    this.#validator = new ShapeValidator(app.outline)
    this.#headers = { authorization: `Bearer ${token}` }
  }

  async send(method: Method, url: string, payload?: object, headers = this.#headers) {
    const { body, type } = payload instanceof FormData ? await encoded(payload) : { body: payload, type: undefined }
    const all = { ...headers, ...(type !== undefined && { 'content-type': type }) }
    const response = await this.#app.inject({ method, url, headers: all, ...(body !== undefined && { payload: body }) })
    const [path = ''] = url.split('?')
    const route = routeOf(this.#app.outline.routes, method, path)
    const name = `${method} ${route.path}`
    const { statusCode } = response
    const shape = route.answers?.[statusCode]
    const says = (text: string) => this.wrong.push(`${method} ${url} ${statusCode}: ${text}`)
    if (!shape) says(`is not declared: ${response.payload.slice(0, 300)}`)
    else if (shape.kind === 'nothing') {
      if (!['', 'Found'].includes(response.payload) && statusCode !== 302) says(`has a body: ${response.payload}`)
    } else if (shape.kind === 'media') {
      if (response.payload === '') says('has no body')
    } else
      for (const problem of this.#validator.problems(shape, response.json())) says(`${problem} in ${response.payload}`)
    // Query parameters in a body accept the same as in an address, so they are not checked here.
    if (route.accepts && route.accepts.kind !== 'query' && !(payload instanceof FormData))
      for (const problem of this.#validator.problems(route.accepts, payload)) says(`body: ${problem}`)
    this.covered.add(name)
    return response
  }
}

async function encoded(form: FormData): Promise<{ body: Buffer; type: string }> {
  const response = new Response(form)
  return { body: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') as string }
}

/** The router takes the first that fits. */
function routeOf(routes: readonly RouteOutline[], method: string, path: string): RouteOutline {
  const fits = (route: RouteOutline) =>
    route.method === method && new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`, 'i').test(path)
  const found = routes.find(fits)
  assert.ok(found, `${method} ${path}`)
  return found
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function content(api: CheckingClient, isBare: boolean): Promise<void> {
  const author = (await api.send('POST', '/api/authors', { data: { name: 'Ann', secret: 'hidden' } })).json().data.id
  const form = new FormData()
  form.append('files', new Blob([png], { type: 'image/png' }), 'dot.png')
  const [file] = (await api.send('POST', '/api/upload', form)).json()
  await api.send('GET', file.url)
  await api.send('GET', '/api/upload/files')
  await api.send('GET', `/api/upload/files/${file.id}`)
  const changed = new FormData()
  changed.append('fileInfo', JSON.stringify({ caption: 'a dot' }))
  await api.send('POST', `/api/upload?id=${file.id}`, changed)
  const folder = (await api.send('POST', '/api/upload/folders', { name: 'dots' })).json().id
  await api.send('PUT', `/api/upload/folders/${folder}`, { name: 'spots', parent: null })
  await api.send('POST', '/api/upload/move', { files: [file.id], to: folder })
  await api.send('GET', '/api/upload/folders')
  await api.send('POST', '/api/upload/move', { files: [file.id], folders: [], to: null })
  await api.send('DELETE', `/api/upload/folders/${folder}`)
  const other = (await api.send('POST', '/api/upload/folders', { name: 'dots' })).json().id
  await api.send('POST', '/api/upload/delete', { folders: [other] })
  const data = {
    ...full,
    ...{ author, cover: file.id, gallery: [file.id], seo: { words: 'a' } },
    parts: [{ __component: 'shared.seo', words: 'b' }],
  }
  const all = 'populate=*'
  const { id } = (await api.send('POST', `/api/articles?${all}`, { data })).json().data
  await api.send('POST', '/api/articles', { data: { title: 'B', publishedAt: null } })
  await api.send('POST', '/api/articles/uid', { data: { title: 'A' } })
  await api.send('PUT', '/api/articles/by/slug/by-value', { data: { title: 'E' } })
  await api.send('PUT', '/api/articles/by/slug/by-value', { data: { title: 'F' } })
  await api.send('GET', '/api/articles/by/slug/by-value')
  await api.send('DELETE', '/api/articles/by/slug/by-value')
  await api.send('GET', `/api/articles?${all}&sort=title`)
  await api.send('GET', '/api/articles?pagination[withCount]=false&publicationState=preview&fields=title')
  await api.send('GET', '/api/articles?filters[title]=nothing')
  await api.send('GET', `/api/articles/${id}?populate[author]=true&populate[gallery][fields]=name`)
  await api.send('PATCH', `/api/articles/${id}?${all}`, { data: { title: 'D', seo: { words: 'c' } } })
  await api.send('PATCH', `/api/authors/${author}`, { data: { name: 'Anna' } })
  await api.send('PUT', `/api/articles/${id}?${all}`, { data: { title: 'C', views: null, author: null, gallery: [] } })
  await api.send('GET', '/api/authors')
  await api.send('GET', `/api/authors/${author}`)
  await api.send('PUT', `/api/authors/${author}`, { data: { name: 'Bea' } })
  await api.send('PUT', '/api/home', { data: { text: 'hi' } })
  await api.send('PATCH', '/api/home', { data: {} })
  await api.send('POST', '/api/articles/bulk?fields=title', { operations: [{ create: { title: 'Bulk' } }] })
  await api.send('POST', '/api/authors/bulk', { operations: [{ delete: 999 }], atomic: false })
  await api.send('GET', '/api/home')
  for (const path of ['/api/articles', `/api/articles/${id}`, '/api/authors', `/api/authors/${author}`, '/api/home']) {
    await api.send('QUERY', path, { populate: '*' })
    await api.send('POST', `${path}/query`, { fields: ['id'] })
  }
  await api.send('DELETE', '/api/home')
  await api.send('DELETE', `/api/authors/${author}`)
  const german = { locale: 'de', title: 'D' }
  return entry(api, { id, file: file.id, german: isBare ? german : { data: german } })
}

interface CreatedEntries {
  readonly id: number
  readonly file: number
  readonly german: object
}

async function entry(api: CheckingClient, { id, file, german }: CreatedEntries): Promise<void> {
  await api.send('POST', `/api/articles/${id}/actions/unpublish`)
  await api.send('POST', `/api/articles/${id}/actions/publish`)
  await api.send('GET', '/api/i18n/locales')
  const { id: locale } = (await api.send('POST', '/api/i18n/locales', { code: 'de', name: 'German' })).json()
  await api.send('PUT', `/api/i18n/locales/${locale}`, { name: 'Deutsch' })
  await api.send('POST', `/api/articles/${id}/localizations`, german)
  await api.send('GET', `/api/articles/${id}?populate=localizations`)
  await api.send('GET', `/api/i18n/locales/${locale}/entries`)
  await api.send('DELETE', `/api/i18n/locales/${locale}?entries=delete`)
  await api.send('DELETE', `/api/articles/${id}`)
  await api.send('GET', '/api/articles?trash=only&populate=*')
  await api.send('POST', `/api/articles/${id}/actions/restore?populate=*`)
  await api.send('GET', `/api/articles/${id}/versions`)
  await api.send('GET', `/api/articles/${id}/versions/1`)
  await api.send('GET', `/api/articles/${id}/versions/1/changes`)
  await api.send('POST', `/api/articles/${id}/versions/1/actions/restore?populate=*`)
  await api.send('DELETE', `/api/articles/${id}`)
  await api.send('DELETE', `/api/articles/${id}?trash=only`)
  await api.send('DELETE', `/api/upload/files/${file}`)
  for (const what of ['components', 'content-types']) {
    const [first] = (await api.send('GET', `/api/content-type-builder/${what}`)).json().data
    await api.send('GET', `/api/content-type-builder/${what}/${first.uid}`)
  }
}

const userUid = 'plugin::users-permissions.user'

async function accounts(api: CheckingClient, app: TestApp): Promise<void> {
  const person = { username: 'ann', email: 'ann@example.com', password: 'a long password' }
  const { jwt, refreshToken, user } = (await api.send('POST', '/api/auth/local/register', person, {})).json()
  const { password } = person
  const own = { authorization: `Bearer ${jwt}` }
  await api.send('POST', '/api/auth/local', { identifier: 'ann', password }, {})
  const next = (await api.send('POST', '/api/auth/refresh', { refreshToken }, {})).json()
  await api.send('POST', '/api/auth/logout', { refreshToken: next.refreshToken }, {})
  await api.send('GET', '/api/users/me', undefined, own)
  const other = 'another password'
  const change = { currentPassword: password, password: other, passwordConfirmation: other }
  await api.send('POST', '/api/auth/change-password', change, own)
  await api.send('POST', '/api/auth/forgot-password', { email: person.email }, {})
  await api.send('POST', '/api/auth/send-email-confirmation', { email: person.email }, {})
  await app.entries(userUid).update(user.id, { resetPasswordToken: 'code', confirmationToken: 'token' })
  await api.send('POST', '/api/auth/reset-password', { code: 'code', password, passwordConfirmation: password }, {})
  await app.entries(userUid).update(user.id, { confirmationToken: 'token' })
  await api.send('GET', '/api/auth/email-confirmation?confirmation=token', undefined, {})
  const [role] = (await api.send('GET', '/api/users-permissions/roles')).json().roles
  await api.send('GET', `/api/users-permissions/roles/${role.id}`)
  await api.send('GET', '/api/users-permissions/permissions')
  await api.send('POST', '/api/users-permissions/roles', { name: 'Guest', description: 'a guest' })
  const guest = (await api.send('GET', '/api/users-permissions/roles')).json().roles.at(-1)
  await api.send('PUT', `/api/users-permissions/roles/${guest.id}`, { name: 'Guests' })
  await api.send('DELETE', `/api/users-permissions/roles/${guest.id}`)
  const made = { username: 'bob', email: 'bob@example.com', password: 'a long password', role: role.id }
  const { id } = (await api.send('POST', '/api/users', made)).json()
  await api.send('GET', '/api/users?populate=role')
  await api.send('GET', '/api/users/count')
  await api.send('GET', `/api/users/${id}`)
  await api.send('PUT', `/api/users/${id}`, { username: 'bobby' })
  await api.send('DELETE', `/api/users/${id}`)
  await api.send('GET', `/api/users/${id}`)
}

async function tokens(api: CheckingClient): Promise<void> {
  const data = { name: 'reader', type: 'read-only', lifespan: '7d' }
  const { id } = (await api.send('POST', '/api/api-tokens', { data })).json().data
  await api.send('GET', '/api/api-tokens')
  await api.send('GET', `/api/api-tokens/${id}`)
  await api.send('PUT', `/api/api-tokens/${id}`, { data: { description: 'reads' } })
  await api.send('POST', `/api/api-tokens/${id}/regenerate`)
  await api.send('DELETE', `/api/api-tokens/${id}`)
}

/** Those of the app's files; their receiver has a private address. */
async function webhooks(api: CheckingClient, app: TestApp): Promise<void> {
  await app.runJob('events/webhooks')
  const one = '/api/events/webhooks/config:build'
  await api.send('GET', '/api/events/webhooks')
  await api.send('GET', one)
  for (const what of ['test', 'enable', 'replay']) await api.send('POST', `${one}/${what}`)
  const data = { name: 'added', url: 'http://127.0.0.1:1/', events: ['entry.create'] }
  const made = (await api.send('POST', '/api/events/webhooks', { data })).json().data
  await api.send('PUT', `/api/events/webhooks/${made.key}`, { data: { enabled: false } })
  await api.send('DELETE', `/api/events/webhooks/${made.key}`)
  const [delivery] = (await api.send('GET', '/api/events/deliveries?limit=1')).json().data
  await api.send('GET', `/api/events/deliveries/${delivery.id}`)
  await api.send('POST', `/api/events/deliveries/${delivery.id}/replay`)
}

async function editors(api: CheckingClient, app: TestApp): Promise<void> {
  await editor(app, 'ada@example.com')
  const page = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }
  const password = editorPassword
  let cookie = ''
  const send = async (method: Method, path: string, body?: object) => {
    const response = await api.send(method, `/console/${path}`, body, { ...page, cookie })
    cookie = String(response.headers['set-cookie'] ?? cookie).split(';')[0] as string
    return response.json()
  }
  const nothing = (path: string) => api.send('DELETE', `/console/${path}`, undefined, { ...page, cookie })
  await send('POST', 'password/forgotten', { email: 'ada@example.com' })
  const { links, accounts } = adminOf(app)
  // Links are shown from here on.
  vi.spyOn(links, 'areSent', 'get').mockReturnValue(false)
  const layout = 'layouts/api::author.author'
  const { session } = await send('POST', 'session', { email: 'ada@example.com', password })
  await send('GET', 'session')
  // In another browser, as the same one would end the session before.
  cookie = ''
  await send('POST', 'session', { email: 'ada@example.com', password, keep: true })
  await send('PUT', 'session/account', { firstname: 'Ada' })
  await send('GET', 'sessions')
  await send('GET', 'meta.json')
  await send('GET', layout)
  await send('PUT', layout, {})
  await send('DELETE', layout)
  const view = await send('POST', 'views', { uid: 'api::author.author', name: 'E', query: 'q=e' })
  await send('GET', 'views')
  await send('PUT', `views/${view.id}`, { name: 'Eve' })
  await send('DELETE', `views/${view.id}`)
  const { id: eve } = await app.entries('api::author.author').create({ name: 'Eve' })
  await send('GET', 'session/data')
  for (const part of ['links', 'rights']) await send('GET', `${part}/api::author.author/${eve}`)
  await send('GET', 'roles')
  const made = await send('POST', 'roles', { name: 'Reader' })
  const ofRole = `roles/${made.id}`
  const { stamp } = await send('GET', ofRole)
  await send('PUT', ofRole, { stamp, name: 'Reader', permissions: [] })
  await send('POST', `${ofRole}/try`, { type: 'api::author.author' })
  await nothing(ofRole)
  await send('GET', 'schema.json')
  await send('POST', 'schema/plan', { files: {} })
  await api.send('GET', '/console/kit/0.js', undefined, page)
  await send('GET', 'accounts')
  const { account } = await send('POST', 'accounts', { email: 'cleo@example.com', roles: [3] })
  const path = `accounts/${account.id}`
  await send('GET', path)
  await send('PUT', path, { firstname: 'Cleo' })
  await send('POST', `${path}/link`)
  await nothing(`${path}/sessions`)
  await nothing(path)
  await nothing(`sessions/${session.id}`)
  await send('POST', 'password', { current: password, password: 'thirteen elephants' })
  await nothing('sessions')
  await nothing('session')
  const codeOf = (address = '') => address.split('#')[1] ?? ''
  const role = 3
  const invited = await links.invite({ email: 'ben@example.com', roles: [role] })
  for (const [path, code] of [
    ['invitation', codeOf(invited.address)],
    ['password/new', codeOf((await links.renewPassword((await accounts.all())[0]?.id as number)).address)],
  ] as const) {
    await send('POST', `${path}/owner`, { code })
    await send('POST', path, { code, password })
  }
}

// Passwords are hashed a dozen times, and every route is asked.
vi.setConfig({ testTimeout: 120_000 })

/**
 * Routes that get no response here: three need a provider, one a relation to a type without a view, one a terminal, one
 * `stele dev`, one always refuses, one has no end, and pages have to be built first.
 */
const unasked = [
  'GET /api/connect/:provider',
  'GET /api/connect/:provider/callback',
  'GET /api/auth/:provider/callback',
  'GET /console/choices/:uid',
  'POST /console/first-account',
  'POST /console/schema/write',
  'POST /api/email',
  'GET /api/events',
  'GET /',
  'GET /explorer',
  'GET /explorer/assets/:name',
  'GET /console',
  'GET /console/assets/:name',
  'GET /console/brand/:file',
]

/** Documents: plain reads that need nothing. */
async function others(api: CheckingClient, app: TestApp): Promise<void> {
  const isAsked = (path: string) => api.covered.has(`GET ${path}`) || unasked.includes(`GET ${path}`)
  for (const { method, path } of app.outline.routes)
    if (method === 'GET' && !/[:*]/.test(path) && !isAsked(path)) await api.send('GET', path)
}

describe('what is declared is what happens', () => {
  for (const dialect of ['spec', 'strapi4'] as const)
    it(`in the dialect ${dialect}`, async () => {
      const app = await appOfAll(dialect)
      const { accessKey } = await mint(app, 'all')
      const api = new CheckingClient(app, accessKey)
      await content(api, dialect === 'strapi4')
      await accounts(api, app)
      await tokens(api)
      await webhooks(api, app)
      await editors(api, app)
      await others(api, app)
      assert.deepEqual(api.wrong, [])
      const missing = app.outline.routes
        .map(({ method, path }) => `${method} ${path}`)
        // What has any path, and what was another server's, leads elsewhere or refuses.
        .filter(name => !api.covered.has(name) && !/\*| \/admin$/.test(name))
      assert.deepEqual(
        missing.filter(name => !unasked.includes(name)),
        [],
      )
    })

  it('and another body is seen to be another one', async () => {
    const { outline } = await appOfAll('spec')
    const validator = new ShapeValidator(outline)
    const list = { kind: 'entries', uid: 'api::author.author' } as const
    const whole = { data: [{ id: 1, attributes: { name: 'Ann' } }], meta: {} }
    assert.deepEqual(validator.problems(list, whole), [])
    for (const wrong of [
      { data: [{ id: '1', attributes: {} }], meta: {} },
      { data: [{ id: 1, attributes: { secret: 'x' } }], meta: {} },
      { data: [{ id: 1, attributes: { name: 5 } }], meta: {} },
      { data: [] },
    ])
      assert.notDeepEqual(validator.problems(list, wrong), [])
  })
})

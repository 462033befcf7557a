import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject as send } from 'light-my-request'
import { afterAll, beforeAll, it } from 'vitest'
import { findPlugins, loadConfig } from '../../core/boot/load-config.js'
import { type App, boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { commandsOf } from '../../core/plugin/running.js'
import { wings } from '../../core/wings.js'
import type { Engine, FreshDatabase } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'

const names = ['i18n', 'draft-and-publish', 'users-permissions', 'upload', 'api-tokens'] as const
type Name = (typeof names)[number]
type Switches = ReadonlySet<Name>

/** Every combination, each one switch away from the one before: all five go off and on many times. */
const combinations: Switches[] = Array.from({ length: 2 ** names.length }, (_, number) => {
  const gray = number ^ (number >> 1)
  // The first combination is that with everything on, in which the data is made.
  return new Set(names.filter((_name, index) => (gray & (1 << index)) === 0))
})

const localized = { pluginOptions: { i18n: { localized: true } } }
const article = {
  kind: 'collectionType',
  collectionName: 'articles',
  info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
  options: { draftAndPublish: true },
  ...localized,
  attributes: {
    title: { type: 'string', required: true, ...localized },
    code: { type: 'integer' },
    cover: { type: 'media', multiple: false },
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
    next: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
  },
}
const memo = {
  kind: 'collectionType',
  collectionName: 'memos',
  info: { singularName: 'memo', pluralName: 'memos', displayName: 'Memo' },
  attributes: { text: { type: 'string' } },
}
const definitions = [
  { uid: 'api::article.article', source: 'article.json', schema: article },
  { uid: 'api::memo.memo', source: 'memo.json', schema: memo },
]
const open = ['find', 'findOne']

interface Data {
  readonly en: number
  readonly draft: number
  readonly fr: number
  readonly url: string
  readonly token: string
}

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

class Server {
  readonly app: App
  readonly #handle: ReturnType<App['koa']['callback']>
  checks = 0

  private constructor(app: App) {
    this.app = app
    this.#handle = app.koa.callback()
  }

  static async start(fresh: FreshDatabase, folder: string, on: Switches): Promise<Server> {
    const settings: Partial<Record<Name, object>> = {
      i18n: { locales: ['fr'] },
      'users-permissions': { jwtSecret: 'a secret for tests' },
      'api-tokens': { salt: 'a salt for tests' },
    }
    const config = await loadConfig(folder, {
      env: { NODE_ENV: 'test', ...fresh.env },
      bare: true,
      overrides: {
        api: { rest: { public: { article: open } } },
        permissions: {
          roles: {
            public: {
              'api::article.article': [...open, 'createLocalization'],
              'plugin::upload.content-api': ['upload'],
            },
          },
        },
        plugins: Object.fromEntries([
          ['openapi', { enabled: true, config: {} }],
          ...names.map(name => [name, { enabled: on.has(name), config: (settings[name] ?? {}) as never }]),
        ]),
      },
    })
    return new Server(
      await boot({ wings, config, log: createLog('silent'), definitions, plugins: await findPlugins(config) }),
    )
  }

  async ask(
    url: string,
    { method = 'GET', body, headers = {} }: { method?: string; body?: object; headers?: object } = {},
  ) {
    const payload = body && {
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    }
    const reply = await send(this.#handle as never, {
      method: method as 'GET',
      url,
      headers: headers as never,
      ...payload,
    })
    return {
      status: reply.statusCode,
      text: reply.payload,
      body: /^[{[]/.test(reply.payload) ? reply.json() : undefined,
    }
  }

  async expect(url: string, status: number, options?: Parameters<Server['ask']>[1]) {
    this.checks += 1
    const reply = await this.ask(url, options)
    assert.equal(reply.status, status, `${options?.method ?? 'GET'} ${url}: ${reply.text.slice(0, 300)}`)
    return reply.body
  }

  same(actual: unknown, expected: unknown, says: string) {
    this.checks += 1
    assert.deepEqual(actual, expected, says)
  }
}

const account = { username: 'ann', email: 'ann@example.com', password: 'a long password' }

/** With everything on: an article in two languages with a cover and an owner, a draft, an account, a token. */
async function makeData(server: Server): Promise<Data> {
  const { app } = server
  await server.expect('/api/auth/local/register', 200, { method: 'POST', body: account })
  const articles = app.entries('api::article.article')
  const cover = await uploaded(app)
  const owner = await app.entries('plugin::users-permissions.user').first()
  const en = await articles.create({ title: 'one', code: 1, cover: cover.id, owner: owner?.id })
  const draft = await articles.create({ title: 'two', code: 2, publishedAt: null })
  await articles.update(Number(en.id), { next: draft.id })
  const command = commandsOf(app).find(({ name }) => name === 'token create')
  const lines: string[] = []
  const call = { options: { type: 'full-access', lifespan: 'unlimited' }, json: true, interactive: false }
  await command?.run({
    args: ['toggles'],
    ...call,
    print: line => void lines.push(line),
    table: rows => void lines.push(JSON.stringify(rows)),
  })
  const token = /[0-9a-f]{256}/.exec(lines.join('\n'))?.[0] as string
  const french = await server.expect(`/api/articles/${en.id}/localizations`, 200, {
    method: 'POST',
    body: { locale: 'fr', title: 'un', publishedAt: new Date().toISOString() },
  })
  return { en: Number(en.id), draft: Number(draft.id), fr: french.data.id, url: String(cover.url), token }
}

async function uploaded(app: App): Promise<{ id: number; url: string }> {
  const boundary = 'a-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n`
  const reply = await send(app.koa.callback() as never, {
    method: 'POST',
    url: '/api/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  assert.equal(reply.statusCode, 200, reply.payload)
  return reply.json()[0]
}

/** A path of each enabled plugin in the API's document. */
const pathsOf: Readonly<Record<string, Name>> = {
  '/api/i18n/locales': 'i18n',
  '/api/articles/{id}/actions/publish': 'draft-and-publish',
  '/api/auth/local': 'users-permissions',
  '/api/upload': 'upload',
  '/api/api-tokens': 'api-tokens',
}

/** Checks that a reader finds everything of an enabled plugin, and nothing of a disabled one. */
async function check(server: Server, on: Switches, { en, draft, fr, url, token }: Data): Promise<void> {
  const found = (await server.expect('/api/articles?sort=id', 200)).data as {
    id: number
    attributes: object
    meta: object
  }[]
  const expected = [en, draft, fr].filter(
    id => (id !== draft || !on.has('draft-and-publish')) && (id !== fr || !on.has('i18n')),
  )
  server.same(
    found.map(({ id }) => id),
    expected,
    'the entries of a list',
  )
  const attributes = ['title', 'code', 'createdAt', 'updatedAt']
  if (on.has('draft-and-publish')) attributes.push('publishedAt')
  if (on.has('i18n')) attributes.push('locale')
  server.same(Object.keys(found[0]?.attributes ?? {}).sort(), attributes.sort(), 'the attributes of an entry')
  server.same(
    found[0]?.meta,
    { availableLocales: on.has('i18n') ? [{ id: fr, locale: 'fr' }] : [] },
    'the meta of an entry',
  )
  const whole = (await server.expect(`/api/articles/${en}?populate=*`, 200)).data.attributes

  const i18n = on.has('i18n')
  await server.expect('/api/articles?locale=fr', i18n ? 200 : 400)
  await server.expect('/api/articles?populate=localizations', i18n ? 200 : 400)
  await server.expect('/api/articles?filters[locale]=en', i18n ? 200 : 400)
  await server.expect(`/api/articles/${en}/localizations`, i18n ? 405 : 404)
  server.same('localizations' in whole, i18n, 'localizations')

  const drafts = on.has('draft-and-publish')
  await server.expect('/api/articles?publicationState=preview', drafts ? 200 : 400)
  await server.expect('/api/articles?filters[publishedAt][$notNull]=true', drafts ? 200 : 400)
  await server.expect(`/api/articles/${en}/actions/publish`, drafts ? 405 : 404)
  await server.expect(`/api/articles/${draft}`, drafts ? 404 : 200)
  server.same(whole.next.data?.id, drafts ? undefined : draft, 'a draft behind a relation')

  const accounts = on.has('users-permissions')
  const login = { method: 'POST', body: { identifier: account.email, password: account.password } }
  const { jwt } = (await server.expect('/api/auth/local', accounts ? 200 : 404, login)) as { jwt?: string }
  const signed = { headers: { authorization: `Bearer ${jwt}` } }
  await server.expect('/api/users/me', accounts ? 200 : 404, accounts ? signed : {})
  await server.expect('/api/articles?filters[owner][id]=1', 400)
  server.same('owner' in whole, false, 'an account is not shown to whoever may not find accounts')
  await server.expect('/api/articles', 403, { method: 'POST', body: { data: { title: 'no' } } })

  const files = on.has('upload')
  await server.expect('/api/articles?populate=cover', files ? 200 : 400)
  await server.expect(url, files ? 200 : 404)
  await server.expect('/api/upload/files', files ? 403 : 404)
  server.same(whole.cover?.data.attributes.url, files ? url : undefined, 'the cover')

  const { paths } = (await server.expect('/openapi.json', 200)) as { paths: Readonly<Record<string, object>> }
  for (const [path, name] of Object.entries(pathsOf))
    server.same(path in paths, on.has(name), `${path} in the document`)

  const tokens = on.has('api-tokens')
  const key = { headers: { authorization: `Bearer ${token}` } }
  await server.expect('/api/memos', tokens ? 200 : accounts ? 401 : 403, key)
  await server.expect('/api/api-tokens', tokens ? 200 : 404, key)
}

const tables = ['articles', 'memos', 'files', 'files_related_morphs', 'i18n_locale', 'articles_localizations_links']
const more = [
  'articles_owner_links',
  'articles_next_links',
  'up_users',
  'up_roles',
  'up_permissions',
  'strapi_api_tokens',
]

/** Every row of every table that a plugin could lose; when a token was last used may change. */
async function snapshot({ app: { store } }: Server): Promise<string> {
  const rows: unknown[] = []
  for (const table of [...tables, ...more]) {
    const { sql, bindings } = store.knex(table).select('*').orderBy('id').toSQL().toNative()
    const columns =
      table === 'strapi_api_tokens'
        ? store.knex(table).select('id', 'access_key').orderBy('id').toSQL().toNative()
        : undefined
    rows.push(table, await store.reader.all(columns?.sql ?? sql, columns ? [] : bindings))
  }
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** Records the confirmation of `stele apply` that drafts may be read: without it the start refuses. */
async function showDrafts({ database }: FreshDatabase): Promise<void> {
  const name = 'shown/draft-and-publish/api::article.article'
  const [known] = await run(database, `select id from stele_steps where name = '${name}'`)
  if (!known) await run(database, `insert into stele_steps (name, time) values ('${name}', 1)`)
}

const lines: string[] = []

function suite(engine: Engine): void {
  let fresh: FreshDatabase
  let folder: string
  let data: Data
  let before: string
  beforeAll(async () => {
    fresh = await engine.fresh()
    folder = mkdtempSync(join(tmpdir(), 'stele-toggles-'))
    const server = await Server.start(fresh, folder, new Set(names))
    data = await makeData(server)
    before = await snapshot(server)
    await server.app.close()
  })
  afterAll(async () => {
    await fresh.drop()
    rmSync(folder, { recursive: true, force: true })
    console.log([`plugins on ${engine.name}, and the checks that passed`, ...lines.splice(0)].join('\n'))
  })

  for (const on of combinations) {
    const title = names.map(name => `${on.has(name) ? '+' : '-'}${name}`).join(' ')
    it(`answers with ${title}`, async () => {
      if (!on.has('draft-and-publish')) await showDrafts(fresh)
      const server = await Server.start(fresh, folder, on)
      try {
        await check(server, on, data)
        server.same(await snapshot(server), before, 'every row is as it was')
        lines.push(`  ${title}: ${server.checks}`)
      } finally {
        await server.app.close()
      }
    })
  }

  it('finds everything as it was when all are on again', async () => {
    const server = await Server.start(fresh, folder, new Set(names))
    await check(server, new Set(names), data)
    assert.equal(await snapshot(server), before)
    await server.app.close()
  })
}

onEveryEngineAtLength('every combination of the five plugins', suite)

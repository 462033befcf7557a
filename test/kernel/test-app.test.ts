import { strict as assert } from 'node:assert'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createTestApp, definePlugin, type TestAppOptions } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'

/** An app folder with these files, gone when the test ends. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-test-app-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function testApp(options: TestAppOptions) {
  const app = await createTestApp(options)
  onTestFinished(() => app.close())
  return app
}

const note = { attributes: { text: { type: 'string' } } }
const noteFile = JSON.stringify({
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
})

describe('settings of an app for a test have the shape of the files', () => {
  it('flags of the dialect and the prefix are in rest, plugins are enabled by name', async () => {
    const app = await testApp({
      types: { note: { ...note, options: { draftAndPublish: true } } },
      config: { api: { rest: { prefix: '/v1', strictParams: false } }, plugins: { 'draft-and-publish': true } },
    })
    await app.entries('api::note.note').create({ text: 'a', publishedAt: null })
    const count = async (url: string) => (await app.inject(url)).json().meta.pagination.total
    assert.equal(await count('/v1/notes?nonsense=1'), 0)
    assert.equal(await count('/v1/notes?publicationState=preview'), 1)
  })

  // No server listens at this address: errors in the settings come before attempts to connect.
  const address = 'mysql://someone:secret@127.0.0.1:1/notes'
  const atAddress = { config: { database: { url: address } } }
  it('the address of a database is enough, with an app and without one', async () => {
    const folder = folderOf({
      'package.json': '{ "type": "module" }',
      'content-types/note.json': noteFile,
      'config/database.js': "export default { client: 'sqlite', filename: 'data.db' }",
    })
    for (const options of [{ types: { note } }, { app: folder }])
      await assert.rejects(createTestApp({ ...options, ...atAddress }), error => {
        const { message } = error as Error
        assert.doesNotMatch(message, /DATABASE_CLIENT|leave the client out/)
        assert.match(message, /127\.0\.0\.1:1\b|ECONNREFUSED/)
        return true
      })
    await assert.rejects(createTestApp({ types: { note }, config: { database: { url: 'nowhere' } } }), {
      message: /config\/database: url cannot be read/,
    })
  })

  it('a wrong one is named', async () => {
    await assert.rejects(createTestApp({ config: { api: { rest: { flags: {} } } } as never }), {
      name: 'BootError',
      message: /rest\.flags is not a setting/,
    })
  })
})

describe('built-in plugins as values', () => {
  const authenticated = { note: { find: true } }

  it('bring their permissions: nothing is open that no role may do', async () => {
    const app = await testApp({
      types: { note },
      plugins: [[usersPermissions, { jwtSecret: 'a secret of this test' }]],
      config: { api: { rest: { public: {} } }, permissions: { roles: { authenticated } } },
    })
    assert.equal((await app.inject('/api/notes')).statusCode, 403)
    const account = { username: 'ann', email: 'ann@example.com', password: 'a long password' }
    const registered = await app.inject({ method: 'POST', url: '/api/auth/local/register', payload: account })
    assert.equal(registered.statusCode, 200, registered.payload)
    const headers = { authorization: `Bearer ${registered.json().jwt}` }
    assert.equal((await app.inject({ url: '/api/notes', headers })).statusCode, 200)
  })

  it('are needed and used by others, with their service and their parameters', async () => {
    const greeting = definePlugin({
      name: 'greeting',
      uses: [i18n, draftAndPublish],
      register: host => ({ locales: () => host.service(i18n) }),
      routes: [{ method: 'GET', path: '/greeting', action: null, run: ({ service }) => typeof service.locales() }],
      hooks: {
        beforeFind(query, { params }) {
          // The type says which words there are.
          const state: 'live' | 'preview' | undefined = params.publicationState
          assert.ok([undefined, 'live', 'preview'].includes(state))
          return query
        },
      },
    })
    const app = await testApp({
      types: { note: { ...note, pluginOptions: { i18n: { localized: true } } } },
      plugins: [greeting, i18n, draftAndPublish],
    })
    assert.equal((await app.inject('/api/greeting')).json(), 'object')
    assert.equal((await app.inject('/api/notes?locale=en')).statusCode, 200)
  })
})

describe('an app folder', () => {
  const files = {
    'content-types/note.json': noteFile,
    'config/api.js': 'export default { rest: { public: { note: ["find"] }, defaultLimit: 7 } }',
    'config/database.js': 'export default { client: "sqlite", filename: "data/never.db" }',
    'config/plugins.js': 'export default { shout: { resolve: "./plugins/shout.js" } }',
    'plugins/shout.js':
      'export const shout = { name: "shout", hooks: { serialize(entry) { entry.text = entry.text.toUpperCase() } } }',
    'package.json': '{ "type": "module" }',
  }

  it('is loaded whole: types, settings, plugins and permissions, with a database in memory', async () => {
    const folder = folderOf(files)
    const app = await testApp({ app: folder, config: { api: { rest: { defaultLimit: 3 } } } })
    assert.equal(app.config.database.filename, ':memory:')
    await app.entries('api::note.note').create({ text: 'quiet' })
    const list = (await app.inject('/api/notes')).json()
    assert.deepEqual([list.data[0].attributes.text, list.meta.pagination.pageSize], ['QUIET', 3])
    assert.equal((await app.inject({ method: 'POST', url: '/api/notes', payload: { data: {} } })).statusCode, 403)
  })

  it('may have one of its plugins replaced by a value', async () => {
    const shout = definePlugin({
      name: 'shout',
      hooks: { serialize: entry => void Object.assign(entry, { text: 'replaced' }) },
    })
    const app = await testApp({ app: folderOf(files), plugins: [shout] })
    await app.entries('api::note.note').create({ text: 'quiet' })
    assert.equal((await app.inject('/api/notes')).json().data[0].attributes.text, 'replaced')
  })

  it('has content types of its own', async () => {
    await assert.rejects(createTestApp({ app: folderOf(files), types: { note } }), {
      message: 'createTestApp: the app folder has content types of its own; leave out "types"',
    })
  })

  it('that is none is named', async () => {
    await assert.rejects(createTestApp({ app: '/nowhere/at/all' }), { message: /There is no app folder/ })
  })
})

describe('the log of a request that fails', () => {
  const failing = definePlugin({
    name: 'failing',
    routes: [
      {
        method: 'GET',
        path: '/fails',
        action: null,
        run: () => {
          throw new Error('the reason')
        },
      },
    ],
  })
  const written = async (url: string) => {
    const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => spy.mockRestore())
    const app = await testApp({ types: { note }, plugins: [failing] })
    await app.inject(url)
    return spy.mock.calls.map(([text]) => String(text))
  }

  it('goes to standard error, with its stack', async () => {
    const lines = await written('/api/fails')
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /a request failed\nError: the reason\n\s+at .*test-app\.test/s)
  })

  it('is silent where the client is at fault', async () => assert.deepEqual(await written('/api/notes?x=1'), []))
})

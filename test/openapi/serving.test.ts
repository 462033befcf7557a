import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { openapi } from '../../plugins/openapi/index.js'

const note = { attributes: { text: { type: 'string' } } }

/** A header names the caller, whose permissions stand behind the name. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) =>
    headers['x-may'] === undefined
      ? { scope: 'nobody', can: () => false }
      : { scope: String(headers['x-may']), can: (action, uid) => headers['x-may'] === `${uid}.${action}` },
})

async function appWith(environment: string, settings: Record<string, unknown> = {}): Promise<TestApp> {
  const app = await createTestApp({
    types: { note },
    plugins: [names, [openapi, settings]],
    config: { environment },
  })
  onTestFinished(() => app.close())
  return app
}

const url = '/openapi.json'
const permitted = { 'x-may': 'plugin::openapi.read' }

describe('who may read the document', () => {
  const cases = [
    { says: 'everybody, while the app is developed', environment: 'development', status: 200 },
    { says: 'callers with the permission, in production', environment: 'production', headers: permitted, status: 200 },
    { says: 'no other callers, in production', environment: 'production', status: 403 },
    { says: 'everybody, where it is public', environment: 'production', settings: { public: true }, status: 200 },
    {
      says: 'no others while it is developed, where it is not',
      environment: 'development',
      settings: { public: false },
      status: 403,
    },
  ]
  for (const { says, environment, settings, headers = {}, status } of cases)
    it(says, async () => {
      const app = await appWith(environment, settings)
      assert.equal((await app.inject({ method: 'GET', url, headers })).statusCode, status)
    })

  it('is an action that callers may be allowed', async () => {
    const app = await appWith('production')
    assert.ok(app.outline.actions.some(({ uid, action }) => `${uid}.${action}` === 'plugin::openapi.read'))
  })
})

describe('the document as it is served', () => {
  it('is JSON with a tag, and is not sent again to who has it', async () => {
    const app = await appWith('test')
    const first = await app.inject({ method: 'GET', url })
    assert.match(String(first.headers['content-type']), /^application\/json/)
    const { openapi: version, paths } = first.json()
    assert.equal(version, '3.1.1')
    assert.ok(paths['/api/notes/{id}'])
    const tag = String(first.headers.etag)
    const again = await app.inject({ method: 'GET', url, headers: { 'if-none-match': tag } })
    assert.deepEqual([again.statusCode, again.payload, again.headers.etag], [304, '', tag])
    const other = await app.inject({ method: 'GET', url, headers: { 'if-none-match': '"another"' } })
    assert.deepEqual([other.statusCode, other.payload], [200, first.payload])
  })

  it('has the same tag in every process', async () => {
    const tags = await Promise.all(
      [1, 2].map(async () => (await (await appWith('test')).inject({ method: 'GET', url })).headers.etag),
    )
    assert.equal(tags[0], tags[1])
  })

  it('is made once for all who ask at the same time', async () => {
    const app = await appWith('test')
    const all = await Promise.all([1, 2, 3].map(() => app.inject({ method: 'GET', url })))
    assert.equal(new Set(all.map(({ payload }) => payload)).size, 1)
  })

  it('is there in two versions of OpenAPI, and in no others', async () => {
    const app = await appWith('test')
    assert.equal((await app.inject(`${url}?version=3.1`)).json().openapi, '3.1.1')
    assert.equal((await app.inject(`${url}?version=3.2`)).json().openapi, '3.2.0')
    const refused = await app.inject(`${url}?version=2`)
    assert.equal(refused.statusCode, 400)
    assert.match(refused.json().error.message, /version: takes 3\.1 or 3\.2/)
  })

  it('describes itself as the settings say', async () => {
    const app = await appWith('test', {
      title: 'Notes',
      version: '2.1.0',
      license: 'MIT',
      servers: ['https://notes.example.com'],
    })
    const { info, servers } = (await app.inject(url)).json()
    assert.deepEqual(info, { title: 'Notes', version: '2.1.0', license: { name: 'MIT', identifier: 'MIT' } })
    assert.deepEqual(servers, [{ url: 'https://notes.example.com' }])
  })
})

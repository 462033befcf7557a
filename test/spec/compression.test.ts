import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../core/index.js'
import { onSqlite } from '../support/engines.js'

const types = { note: { attributes: { name: { type: 'string' }, text: { type: 'text' } } } }
const around = definePlugin({ name: 'around', middleware: [{ before: 'handler', run: () => (_, next) => next() }] })
const secrets = definePlugin({
  name: 'secrets',
  routes: [{ method: 'GET', path: '/value', action: null, run: () => ({ text: 'x'.repeat(5000) }) }],
})

onSqlite('compression', engine => {
  async function fresh(compression: boolean, plugins: readonly (typeof around)[] = []): Promise<TestApp> {
    const { database, drop } = await engine.fresh()
    const app = await createTestApp({
      types,
      plugins: [...plugins, secrets],
      config: { database: database as never, server: { compression }, api: { rest: { maxLimit: 5000 } } },
    })
    onTestFinished(async () => {
      await app.close()
      await drop()
    })
    for (let index = 0; index < 40; index += 1)
      await app
        .entries('api::note.note')
        .create({ name: `note ${index}`, text: 'Bread that waits for you. '.repeat(20) })
    return app
  }
  const path = '/api/notes?pagination[pageSize]=40'
  const get = async (app: TestApp, accepted: string | undefined, url = path, more: object = {}) => {
    const headers = { ...(accepted !== undefined && { 'accept-encoding': accepted }), ...more }
    const { rawPayload, headers: answered, statusCode } = await app.inject({ url, headers })
    const coding = answered['content-encoding'] as string | undefined
    const bytes =
      coding === 'br' ? brotliDecompressSync(rawPayload) : coding === 'gzip' ? gunzipSync(rawPayload) : rawPayload
    assert.equal(Number(answered['content-length'] ?? 0), rawPayload.length)
    return { coding, text: String(bytes), size: rawPayload.length, headers: answered, status: statusCode }
  }

  for (const [says, plugins] of [
    ['straight to the socket', []],
    ['through middleware', [around]],
  ] as const)
    it(`is that which the client prefers, ${says}`, async () => {
      const app = await fresh(true, plugins)
      const plain = await get(app, undefined)
      assert.equal(plain.coding, undefined)
      // The later ones are cached where the database can tell that nothing has changed.
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip, deflate', 'gzip'],
        ['br;q=0.5, gzip;q=0.8', 'gzip'],
        ['br;q=0, *;q=0.1', 'gzip'],
        ['BR', 'br'],
        ['*', 'br'],
        ['identity', undefined],
        ['gzip;q=0.2, identity;q=0.9', undefined],
        ['gzip;q=0', undefined],
        ['deflate, zstd', undefined],
        ['', undefined],
      ] as const)
        for (let times = 0; times < 3; times += 1) {
          const answer = await get(app, accepted)
          assert.deepEqual([answer.status, answer.coding, answer.text === plain.text], [200, coding, true], accepted)
          assert.match(String(answer.headers.vary), /\bAccept-Encoding\b/)
          if (coding) assert.ok(answer.size * 5 < plain.size)
        }
    })

  it('shares its weak ETag with every coding, and answers 304 and HEAD', async () => {
    const app = await fresh(true)
    const { headers } = await get(app, 'br')
    assert.match(String(headers.etag), /^W\//)
    for (const accepted of ['br', 'gzip', undefined])
      assert.equal((await get(app, accepted, path, { 'if-none-match': String(headers.etag) })).status, 304)
    const head = await app.inject({ method: 'HEAD', url: path, headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([head.headers['content-encoding'], head.rawPayload.length], ['br', 0])
    assert.equal(head.headers['content-length'], headers['content-length'])
    const changed = await app.inject({
      ...{ method: 'PUT', url: '/api/notes/1', headers: { 'accept-encoding': 'gzip' } },
      payload: { data: { text: 'y'.repeat(3000) } },
    })
    assert.equal(changed.headers['content-encoding'], 'gzip')
    assert.equal((await get(app, 'br', path, { 'if-none-match': String(headers.etag) })).status, 200)
    assert.ok((await get(app, 'br')).text.includes('yyy'))
  })

  it('leaves short responses, errors and values of plugins as they are, and all of them where it is off', async () => {
    const app = await fresh(true)
    for (const url of ['/api/notes/1?fields=name', `/api/notes?sort=${'x'.repeat(3000)}`, '/api/value'])
      assert.equal((await get(app, 'br, gzip', url)).coding, undefined, url)
    const off = await fresh(false)
    const answer = await get(off, 'br, gzip')
    assert.equal(answer.coding, undefined)
    assert.doesNotMatch(String(answer.headers.vary), /Accept-Encoding/)
  })

  it('takes long responses, which are sent in pieces otherwise', async () => {
    const app = await fresh(true)
    await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        app.entries('api::note.note').create({ name: `more ${index}`, text: 'z'.repeat(1000) }),
      ),
    )
    const url = '/api/notes?pagination[pageSize]=5000&sort=id'
    const [plain, coded] = [await get(app, undefined, url), await get(app, 'gzip', url)]
    assert.ok(plain.size > 500_000)
    assert.deepEqual([coded.coding, coded.text === plain.text], ['gzip', true])
  })
})

import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { bearer, mint } from '../api-tokens/world.js'

const salt = 'hM3qf0Zt9vXw2Lr8KdPz'
const find = 'api::note.note.find'
const asking = { prefer: 'return=minimal; x=1, Server-Timing' }

onEveryEngine('what responses cost in production', engine => {
  it('is told to callers that may know it, where they ask', async () => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const app = await createTestApp({
      types: { note: { attributes: { text: { type: 'string' } } } },
      plugins: [explorer, [apiTokens, { salt }]],
      config: { environment: 'production', database: fresh.database, api: { rest: { public: { note: ['find'] } } } },
    })
    onTestFinished(() => app.close())
    const keyOf = async (name: string, options: Record<string, string> = {}) =>
      bearer((await mint(app, name, options)).accessKey)
    const [all, timed, untimed, reading] = await Promise.all([
      keyOf('all'),
      keyOf('timed', { type: 'custom', actions: `${find},plugin::explorer.timing.read` }),
      keyOf('untimed', { type: 'custom', actions: find }),
      keyOf('reading', { type: 'read-only' }),
    ])
    const timing = async (headers: Record<string, string>, url = '/api/notes?sort=text') => {
      const response = await app.inject({ url, headers })
      assert.equal(response.statusCode, url.endsWith('/9') ? 403 : 200, response.body)
      return response.headers['server-timing']
    }
    const first =
      /^total;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, db;dur=\d+\.\d;desc="2 statements", serialize;dur=\d+\.\d/
    assert.match(String(await timing({ ...timed, ...asking })), first)
    assert.match(String(await timing({ ...all, ...asking })), /^total;/)
    assert.match(String(await timing({ ...timed, ...asking }, '/api/notes/9')), /^total;/)
    for (const headers of [asking, timed, all, { ...untimed, ...asking }, { ...reading, ...asking }])
      assert.equal(await timing(headers), undefined)
    assert.equal(await timing({ ...timed, prefer: 'server-timings' }), undefined)
    const { headers } = await app.inject({ url: '/api/notes', headers: { ...timed, ...asking, origin: 'https://a.b' } })
    assert.match(String(headers['access-control-expose-headers']), /Server-Timing/)
    assert.equal(headers['timing-allow-origin'], undefined)
    const preflight = { origin: 'https://a.b', 'access-control-request-method': 'GET' }
    const allowed = await app.inject({ method: 'OPTIONS', url: '/api/notes', headers: preflight })
    assert.match(String(allowed.headers['access-control-allow-headers']), /Prefer/)
  })
})

import assert from 'node:assert/strict'
import { smallApp } from '../small-app.mjs'

const tokens = [
  ...['{', '}', '[', ']', ':', ',', '"', '\\', '\\u0000', '\\ud800', ' ', '\n', '-', '.', 'e', '/'],
  ...[
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '1e400',
    '99999999999999999999',
    '""',
    '"x"',
    '[]',
    '{}',
    '[null]',
    '[1]',
  ],
  ...['"data":', '"title":', '"views":', '"released":', '"extra":', '"author":', '"tags":', '"anything":', '"cover":'],
  ...['"seo":', '"blocks":', '"secret":', '"id":', '"locale":', '"publishedAt":', '"createdAt":', '"localizations":'],
  ...['"__component":', '"shared.seo"', '"__type":', '"api::tag.tag"', '"connect":', '"disconnect":', '"set":'],
  ...['"position":', '"before":', '"after":', '"start":true', '"end":true', '"__proto__":', '"constructor":'],
  ...['"2024-01-01"', '"fr"', '"2024-02-30T25:00:00Z"'],
]
const bodies = [
  { data: { title: 'a', views: 1, released: '2024-01-01', extra: { a: [1, { b: null }] }, publishedAt: null } },
  { data: { title: 'a', author: 1, tags: [1], cover: null, seo: { title: 'a' } } },
  {
    data: { tags: { connect: [{ id: 1, position: { start: true } }], disconnect: [1] }, author: { set: [{ id: 1 }] } },
  },
  { data: { anything: [{ id: 1, __type: 'api::tag.tag' }], blocks: [{ __component: 'shared.seo', title: 'b' }] } },
  { data: { locale: 'fr', title: 'a', localizations: [1] } },
  { locale: 'fr', title: 'a', seo: { id: 1, title: 'c' } },
]
const routes = [
  ['POST', '/api/articles'],
  ['PUT', '/api/articles/1'],
  ['POST', '/api/tags'],
  ['PUT', '/api/articles/2'],
  ['POST', '/api/articles/1/localizations'],
  ['PUT', '/api/authors/1'],
]

/** A write succeeds, or is refused with a 4xx; its entry is removed again. */
export async function write({ folder }) {
  const apps = []
  for (const dialect of ['spec', 'strapi4']) apps.push(await smallApp(dialect, folder))
  return {
    seeds: bodies.map(body => JSON.stringify(body)),
    tokens,
    async run(input) {
      // The length chooses where it goes, so that the same input always goes there.
      const app = apps[input.length % 2]
      const [method, url] = routes[(input.length >> 1) % routes.length]
      const send = (method, url, payload) =>
        app.inject({ method, url, ...(payload && { payload, headers: { 'content-type': 'application/json' } }) })
      const { statusCode, payload } = await send(method, url, input)
      assert.ok(statusCode === 200 || (statusCode >= 400 && statusCode < 500), `${method} ${url}: ${payload}`)
      assert.doesNotMatch(payload, /TOPSECRET/)
      assert.deepEqual(Object.keys(Object.prototype), [])
      const said = JSON.parse(payload)
      if (statusCode !== 200 || method !== 'POST') return
      const made = `/api/${url.split('/')[2]}/${(said.data ?? said).id}`
      assert.equal((await send('DELETE', made)).statusCode, 200)
    },
    close: () => Promise.all(apps.map(app => app.close())),
  }
}

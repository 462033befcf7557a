import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import { explorer } from '../../../plugins/explorer/index.js'
import { pageContract } from '../../support/pages/page-contract.js'

/** A header names a caller with these permissions. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) => {
    const allowed = String(headers['x-may'] ?? '').split(' ')
    return { scope: allowed.join(' '), can: (action, uid) => allowed.includes(`${uid}.${action}`) }
  },
})

const types = { book: { attributes: { title: { type: 'string', required: true } } } }
const asks = (access: string | undefined, environment = 'development') =>
  createTestApp({
    types,
    plugins: [names, access === undefined ? explorer : [explorer, { access }]],
    config: { environment },
  })

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

describe('the pages of the explorer', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await asks(undefined)
  })
  afterAll(() => app.close())

  pageContract({
    ...{ app: () => app, path: '/explorer', policy },
    most: { script: { plain: 120_000, packed: 40_000 }, styles: { plain: 16_000, packed: 5000 } },
  })

  it('have a start page that may load and ask this server only, and contains neither scripts nor styles', async () => {
    const { statusCode, headers, body } = await app.inject('/')
    assert.deepEqual([statusCode, headers['content-security-policy']], [200, policy])
    assert.doesNotMatch(body, /<style|style=|<script[^>]*>[^<]|\son\w+=|https?:/)
  })

  it('say at the root what runs here, with a first request that is answered', async () => {
    const open = await createTestApp({ types, plugins: [explorer] })
    try {
      const { headers, body } = await open.inject('/')
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      for (const part of ['stele', 'book', '/api/books/:id', 'explorer', 'href="/explorer"'])
        assert.ok(body.includes(part), part)
      const [, first = ''] = /href="(\/api[^"]+)"/.exec(body) ?? []
      assert.equal((await open.inject(first)).statusCode, 200)
    } finally {
      await open.close()
    }
  })

  it('say at the root how types are opened while no one may read any', async () => {
    const { body } = await app.inject('/')
    assert.match(body, /config\/permissions/)
    assert.doesNotMatch(body, /href="\/api/)
  })

  it('show names of the app as text', async () => {
    const odd = await createTestApp({
      types: { book: { info: { singularName: 'book', pluralName: 'books', displayName: '<img src=x>"' } } },
      plugins: [explorer],
    })
    try {
      const { body } = await odd.inject('/')
      assert.doesNotMatch(body, /<img/)
      assert.match(body, /&lt;img src=x&gt;&quot;/)
    } finally {
      await odd.close()
    }
  })
})

describe('what responses cost', () => {
  const cases = [
    { says: 'is told while developing', timing: undefined, environment: 'development', told: true },
    { says: 'is not told in production', timing: undefined, environment: 'production', told: false },
    { says: 'is told in production where that is set', timing: 'always', environment: 'production', told: true },
    { says: 'is told nowhere where that is set', timing: 'never', environment: 'development', told: false },
  ]
  for (const { says, timing, environment, told } of cases)
    it(says, async () => {
      const app = await createTestApp({
        types,
        plugins: [timing === undefined ? explorer : [explorer, { timing }]],
        config: { environment },
      })
      try {
        const timings: unknown[] = []
        for (let time = 0; time < 3; time += 1)
          timings.push((await app.inject('/api/books?sort=id')).headers['server-timing'])
        timings.push((await app.inject('/explorer')).headers['server-timing'])
        const serialized = 'serialize;dur=\\d+\\.\\d, cache;desc="miss"$'
        const expected = [
          new RegExp(`, parse;dur=.*, plan;dur=.*;desc="2 statements", ${serialized}`),
          new RegExp(`^total;dur=\\d+\\.\\d, db;.*;desc="\\d statements?", ${serialized}`),
        ]
        expected.push(/^total;dur=\d+\.\d, db;dur=0\.0;desc="0 statements", cache;desc="hit"$/)
        expected.push(/^total;dur=\d+\.\d, db;dur=0\.0;desc="0 statements"$/)
        if (told)
          for (const [index, timing] of timings.entries()) assert.match(String(timing), expected[index] as RegExp)
        else assert.deepEqual(timings, [undefined, undefined, undefined, undefined])
      } finally {
        await app.close()
      }
    })
})

describe('who may see what the app consists of', () => {
  const permission = { 'x-may': 'plugin::explorer.metadata.read' }
  const open = { page: 200, root: 200, meta: 200, caller: 200, permitted: 200 }
  const asked = { page: 200, root: 404, meta: 403, caller: 403, permitted: 200 }
  const cases = [
    { says: 'everybody while developing', access: undefined, environment: 'development', gives: open },
    { says: 'callers with the permission in production', access: undefined, environment: 'production', gives: asked },
    { says: 'everybody where that is set', access: 'open', environment: 'production', gives: open },
    {
      says: 'callers with the permission where that is set',
      access: 'permission',
      environment: 'development',
      gives: asked,
    },
  ]
  for (const { says, access, environment, gives } of cases) {
    it(says, async () => {
      const app = await asks(access, environment)
      try {
        const status = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode
        const found = {
          page: await status('/explorer'),
          root: await status('/'),
          meta: await status('/explorer/meta.json'),
          caller: await status('/explorer/caller.json'),
          permitted: await status('/explorer/meta.json', permission),
        }
        assert.deepEqual(found, gives)
        // The page itself tells nothing of the app, whoever opens it.
        assert.doesNotMatch((await app.inject('/explorer')).body, /book/i)
      } finally {
        await app.close()
      }
    })
  }

  it('tells a caller what that caller may do, and nothing of others', async () => {
    const app = await asks(undefined)
    try {
      const headers = { 'x-may': 'api::book.book.find api::book.book.create plugin::explorer.metadata.read' }
      const { can } = (await app.inject({ url: '/explorer/caller.json', headers })).json()
      assert.deepEqual(can, { 'api::book.book': ['find', 'create'] })
      assert.deepEqual((await app.inject('/explorer/caller.json')).json().can, {})
    } finally {
      await app.close()
    }
  })
})

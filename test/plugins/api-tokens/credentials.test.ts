import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, it } from 'vitest'
import { definePlugin, UnauthorizedError } from '../../../core/index.js'
import { bearerOf } from '../../../core/plugin-kit.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { contract, refused, start } from '../../support/contract.js'
import { anyEngine } from '../../support/engines.js'
import { bearer, hashOf, mint, planted, salt, status, until, world } from './world.js'

const unknown = { status: 401, name: 'UnauthorizedError', message: 'Missing or invalid credentials' }
const open = { ...world, rest: { public: ['api::author.author.find'] } }

contract('the Authorization header', open, api => {
  let key = ''
  beforeAll(async () => {
    key = (await mint(api.app, 'full')).accessKey
  })
  const ask = (path: string, authorization: string) => api.get(path, { authorization })

  for (const header of ['Bearer {}', 'bearer {}', 'BEARER {}', 'bEaReR {}', 'Bearer   {}', 'Bearer {} ', 'Bearer\t{}'])
    it(`${JSON.stringify(header)} is the token`, async () => {
      assert.equal((await ask('/memos/1', header.replace('{}', key))).status, 200)
    })

  for (const header of [
    '',
    '{}',
    'Token {}',
    'Basic {}',
    'Bearer',
    'Bearer ',
    'Bearer {} {}',
    'Bearer{}',
    'Bearer a b',
  ])
    it(`${JSON.stringify(header)} is a visitor`, async () => {
      const words = header.replaceAll('{}', key)
      refused(await ask('/memos/1', words), { status: 403, name: 'ForbiddenError', message: 'Forbidden' })
      assert.equal((await ask('/authors', words)).status, 200)
    })

  for (const [name, value] of [
    ['x-api-key', '{}'],
    ['cookie', 'token={}'],
    ['x-authorization', 'Bearer {}'],
    ['proxy-authorization', 'Bearer {}'],
  ] as const)
    it(`a token in ${name} counts for nothing`, async () => {
      assert.equal((await api.get('/memos/1', { [name]: value.replace('{}', key) })).status, 403)
    })
  it('a token in the address counts for nothing', async () => {
    assert.equal((await api.get(`/memos/1?token=${key}&access_token=${key}`)).status, 403)
  })

  const wrong: readonly (readonly [string, (key: string) => string])[] = [
    ['another word', () => 'deadbeef'],
    ['a key of the same length', () => randomBytes(128).toString('hex')],
    ['a key that lacks its last letter', key => key.slice(0, -1)],
    ['a key that lacks its first letter', key => key.slice(1)],
    ['a key with a letter more', key => `${key}0`],
    ['a key in capitals', key => key.toUpperCase()],
    ['the stored hash of a key', key => hashOf(key)],
    ['an overlong word', () => 'a'.repeat(15_000)],
    ['a key many times', key => key.repeat(50)],
    ['a null byte', key => `${key}\0`],
    ['a percent sign', key => `%${key}`],
    ['SQL', () => "'/**/or/**/1=1--"],
    ['letters that are no ASCII', () => '\u00e9\u00ff'],
    ['a JWT of nobody', () => 'eyJhbGciOiJub25lIn0.eyJpZCI6MX0.'],
    ['three dots', () => 'a.b.c'],
    ['names of an object', () => '__proto__'],
    ['null', () => 'null'],
  ]
  for (const [says, make] of wrong)
    it(`${says} is 401 everywhere, also where visitors may read`, async () => {
      for (const path of ['/memos/1', '/authors', '/api-tokens'])
        refused(await ask(path, `Bearer ${make(key)}`), unknown)
      assert.equal((await ask('/nowhere', `Bearer ${make(key)}`)).status, 404)
    })

  it('thousands of wrong keys read nothing', async () => {
    const began = performance.now()
    let statements = 0
    for (let index = 0; index < 3000; index++) {
      const answer = await ask('/authors', `Bearer ${randomBytes(128).toString('hex')}`)
      assert.equal(answer.status, 401)
      statements += answer.statements.length
    }
    // All tokens are read together, once a second at most.
    const seconds = Math.ceil((performance.now() - began) / 1000) + 1
    assert.ok(statements <= seconds * 3, `${statements} statements in ${seconds} s`)
  })

  describe('a token that ends', () => {
    it('is 401 "Token expired" from that moment on, everywhere', async () => {
      const brief = await mint(api.app, 'brief', { lifespan: '1500' })
      assert.equal((await api.get('/memos/1', bearer(brief.accessKey))).status, 200)
      await until(status(api, '/memos/1', brief.accessKey), code => code === 401)
      assert.ok(Date.now() >= Date.parse(brief.expiresAt))
      for (const path of ['/memos/1', '/authors', '/api-tokens'])
        refused(await api.get(path, bearer(brief.accessKey)), {
          ...{ status: 401, name: 'UnauthorizedError', message: 'Token expired' },
        })
    })
    it('may have ended long ago', async () => {
      const old = randomBytes(128).toString('hex')
      await planted(api.app, old, { name: 'old', lifespan: 604_800_000, expiresAt: '2023-01-01T00:00:00.000Z' })
      const answer = await until(
        () => api.get('/authors', bearer(old)),
        ({ body }) => body.error.message === 'Token expired',
      )
      assert.equal(answer.status, 401)
    })
  })

  it('a token of a type that no one knows may do nothing', async () => {
    const odd = randomBytes(128).toString('hex')
    const id = await planted(api.app, odd, { name: 'odd' })
    const { knex, reader } = api.app.store
    const { sql, bindings } = knex('strapi_api_tokens').where({ id }).update({ type: 'owner' }).toSQL().toNative()
    await reader.run(sql, bindings)
    await until(status(api, '/memos/1', odd), code => code === 403)
    assert.equal((await api.get('/authors', bearer(odd))).status, 403)
  })
})

describe('over a socket', () => {
  it('a null byte in the header is a bad request, and two headers are not two chances', async () => {
    const api = await start(anyEngine, { ...world, config: { server: { port: 0 } } })
    try {
      const { accessKey } = await mint(api.app, 'full')
      const { port } = await api.app.listen()
      const say = async (...headers: string[]) => {
        const socket = connect(port, '127.0.0.1')
        let text = ''
        socket.setEncoding('latin1').on('data', part => {
          text += part
        })
        socket.on('error', () => undefined)
        const lines = headers.map(header => `Authorization: ${header}\r\n`).join('')
        socket.write(`GET /api/memos/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`)
        await once(socket, 'close')
        return text.split(' ')[1]
      }
      assert.equal(await say(`Bearer ${accessKey}`), '200')
      assert.equal(await say(`Bearer ${accessKey}\0`), '400')
      assert.equal(await say('Bearer wrong', `Bearer ${accessKey}`), '401')
      assert.equal(await say(`Bearer ${'a'.repeat(20_000)}`), '431')
    } finally {
      await api.close()
    }
  })
})

/** A plugin that knows words of three parts, as one that signs them would. */
const signed = definePlugin({
  name: 'signed',
  authenticate: ctx => {
    const word = bearerOf(ctx)
    if (word === undefined) return { scope: 'visitor', can: action => action === 'find', refusal: 403 }
    if (word.split('.').length !== 3) return undefined
    if (word === 'broken.b.c') throw new UnauthorizedError('Invalid credentials')
    return word === 'a.b.c' ? { scope: 'account', can: () => true, refusal: 403 } : undefined
  },
})

for (const plugins of [
  [[apiTokens, { salt }], signed],
  [signed, [apiTokens, { salt }]],
] as const)
  contract(
    `beside a plugin that reads the same header, ${Array.isArray(plugins[0]) ? 'before' : 'behind'} it`,
    { ...world, plugins },
    api => {
      it('each knows its own, and what neither knows is 401', async () => {
        const { accessKey } = await mint(api.app, 'full')
        const say = async (path: string, word?: string) =>
          (await api.get(path, word === undefined ? {} : bearer(word))).status
        assert.equal(await say('/memos/1', accessKey), 200)
        assert.equal(await say('/memos/1', 'a.b.c'), 200)
        assert.equal(await say('/memos/1', 'x.y.z'), 401)
        assert.equal(await say('/memos/1', 'broken.b.c'), 401)
        assert.equal(await say('/memos/1', 'nonsense'), 401)
        assert.equal(await say('/memos'), 200)
        assert.equal(await say('/memos/1'), 403)
      })
      it('only a token manages tokens, whatever the other caller may do', async () => {
        refused(await api.get('/api-tokens', bearer('a.b.c')), { status: 403, name: 'ForbiddenError' })
        refused(await api.get('/api-tokens'), { status: 401, name: 'UnauthorizedError' })
      })
    },
  )

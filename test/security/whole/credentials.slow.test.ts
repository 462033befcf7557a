import { strict as assert } from 'node:assert'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { describe } from 'vitest'
import { attacks, type RequestOptions } from './attacked.js'
import { secret } from './fill.js'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
const claims = (more: object = {}) => ({ id: 4, iat: now(), exp: now() + 3600, ...more })
/** A token whose parts are as they are given, under a signature that is right for them. */
const signed = (header: unknown, payload: unknown, key = secret, hash = 'sha256'): string => {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`
}
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const hs256 = { alg: 'HS256', typ: 'JWT' }
const good = () => signed(hs256, claims())

/** Tokens that open nothing, each made of one confusion. */
const tokens: Readonly<Record<string, () => string>> = {
  'no algorithm': () => `${part({ alg: 'none' })}.${part(claims())}.`,
  'no algorithm in odd letters': () => `${part({ alg: 'nOnE', typ: 'JWT' })}.${part(claims())}.`,
  'no algorithm, with a signature': () => signed({ alg: 'none' }, claims()),
  'an empty algorithm': () => signed({ alg: '' }, claims()),
  'an algorithm that is a list': () => signed({ alg: ['HS256'] }, claims()),
  'another hash': () => jwt.sign(claims(), secret, { algorithm: 'HS512' }),
  'HS256 said of HS384': () => signed(hs256, claims(), secret, 'sha384'),
  'a pair of keys': () => jwt.sign(claims(), privateKey, { algorithm: 'RS256' }),
  'a public key as the secret': () => signed(hs256, claims(), publicKey),
  'an empty secret': () => signed(hs256, claims(), ''),
  'a guessed secret': () => signed(hs256, claims(), 'secret'),
  'a key of its own': () => signed({ ...hs256, jwk: { kty: 'oct', k: part('x') } }, claims(), 'x'),
  'the address of a key': () => signed({ ...hs256, jku: 'http://127.0.0.1/keys', kid: '1' }, claims(), 'x'),
  'a key id that is a path': () => signed({ ...hs256, kid: '../../dev/null' }, claims(), ''),
  'no signature': () => good().replace(/[^.]+$/, ''),
  'half a signature': () => good().slice(0, -20),
  'the signature of another token': () => good().replace(/\.[^.]+\./, `.${part(claims({ id: 3 }))}.`),
  'one part more': () => `${good()}.${part({})}`,
  'parts that are no JSON': () => 'e30.e.e',
  'only dots': () => '...',
  'an end in the past': () => signed(hs256, claims({ exp: now() - 1 })),
  'an end that is text': () => signed(hs256, claims({ exp: 'never' })),
  'a beginning in the future': () => signed(hs256, claims({ nbf: now() + 3600 })),
  'a payload that is text': () => signed(hs256, 'admin'),
  'a payload that is a list': () => signed(hs256, [claims()]),
  'a payload that is null': () => signed(hs256, null),
  'no id': () => signed(hs256, { iat: now() }),
  ...Object.fromEntries(
    [0, -1, 1.5, 1e300, '4', '4 or 1=1', true, null, [4], { $gt: 0 }, { id: 4 }, 999_999].map(id => [
      `the id ${JSON.stringify(id)}`,
      () => signed(hs256, claims({ id })),
    ]),
  ),
  'the account under another name': () => signed(hs256, { sub: 4, userId: 4, user: { id: 4 }, iat: now() }),
  'a blocked account': () => signed(hs256, claims({ id: 5 })),
  'the beginning of a key': () => 'key-of-ful',
  'a key and more': () => 'key-of-fullx',
  'the hash of a key': () => createHmac('sha512', 'a salt of tests').update('key-of-full').digest('hex'),
  'an expired key': () => 'key-of-expired',
  'a key in other letters': () => 'KEY-OF-FULL',
  undefined: () => 'undefined',
  'a null byte': () => '%00',
  '8,000 letters': () => 'x'.repeat(8000),
  '4,000 dots': () => '.'.repeat(4000),
}
const open = ['/api/articles', '/api/users/me', '/api/memos', '/api/api-tokens', '/api/upload/files', '/api/tags/1']

describe('credentials', () => {
  const { attack } = attacks('credentials')

  for (const [says, make] of Object.entries(tokens))
    attack(`a token with ${says} is refused, and its bearer is no visitor`, async server => {
      for (const path of open) {
        const { status } = await server.send('visitor', 'GET', path, { headers: { authorization: `Bearer ${make()}` } })
        assert.equal(status, 401, path)
      }
    })

  attack('the good token of the same making is taken', async server => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal(
        (await server.send('visitor', 'GET', '/api/users/me', { headers: { authorization: `${scheme} ${good()}` } }))
          .status,
        200,
      )
  })

  attack('of several headers with credentials none adds to the first', async server => {
    const both = (first: string, second: string) =>
      server.send('visitor', 'GET', '/api/users/me', { headers: { authorization: [first, second] } })
    for (const bad of ['Bearer x', 'Basic eDp5', ''])
      assert.notEqual((await both(bad, `Bearer ${good()}`)).status, 200, bad)
    for (const text of [`Bearer ${good()}, Bearer x`, `Bearer x, Bearer ${good()}`, `Bearer Bearer ${good()}`])
      assert.notEqual(
        (await server.send('visitor', 'GET', '/api/users/me', { headers: { authorization: text } })).status,
        200,
      )
  })

  attack('credentials stand in one header and nowhere else', async server => {
    const token = good()
    const elsewhere: readonly RequestOptions[] = [
      { headers: { cookie: `jwt=${token}; token=${token}; Authorization=Bearer ${token}` } },
      { headers: { 'x-access-token': token, 'x-api-key': 'key-of-full', jwt: token } },
      { headers: { 'proxy-authorization': `Bearer ${token}`, 'x-authorization': `Bearer ${token}` } },
      { headers: { authorization: `Basic ${Buffer.from(`manager:${token}`).toString('base64')}` } },
      { headers: { authorization: `Token ${token}` } },
      { headers: { authorization: token } },
    ]
    for (const sending of elsewhere)
      for (const path of ['/api/users/me', '/api/memos', '/api/upload/files'])
        assert.equal((await server.send('visitor', 'GET', path, sending)).status, 403, JSON.stringify(sending))
    for (const query of [
      `access_token=${token}`,
      `jwt=${token}`,
      `token=key-of-full`,
      `Authorization=Bearer%20${token}`,
    ])
      assert.ok((await server.get('visitor', `/api/memos?${query}`)).status >= 400)
  })

  attack(
    'a page of another origin cannot use who is signed in: no cookie opens anything, and no form changes it',
    async server => {
      const before = await server.ask('tables')
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', 'data[title]=forged&title=forged'],
        ['text/plain', '{"data":{"title":"forged"}}'],
        [
          'multipart/form-data; boundary=x',
          '--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{"title":"forged"}\r\n--x--\r\n',
        ],
      ] as const)
        for (const path of ['/api/articles', '/api/memos', '/api/users', '/api/api-tokens', '/api/i18n/locales']) {
          const headers = { origin: 'http://evil.test', cookie: `jwt=${good()}`, 'content-type': type }
          const { status, headers: answered } = await server.send('visitor', 'POST', path, { body, headers })
          assert.ok(status === 401 || status === 403, `${path} ${type} ${status}`)
          assert.equal(answered['access-control-allow-credentials'], undefined)
          assert.notEqual(answered['access-control-allow-origin'], 'http://evil.test')
        }
      const asked = { origin: 'http://evil.test', 'access-control-request-method': 'PUT' }
      const { headers } = await server.send('visitor', 'OPTIONS', '/api/articles/1', { headers: asked })
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.deepEqual(await server.ask('tables'), before)
    },
  )

  const spellings = (path: string): string[] => [
    path,
    `${path}/`,
    path.toUpperCase(),
    `${path}?x=1`,
    `${path}#x`,
    path.replace('/api/', '/api/./'),
    path.replace('/api/', '/api//'),
    path.replace('/api/', '/%61pi/'),
    path.replace('/api/', '/%2561pi/'),
    path.replace('/api/', '/api%2f'),
    path.replace('/api/', '/api%252f'),
    path.replace(/\/(\w)(\w*)$/, (_, first: string, rest: string) => `/%${first.charCodeAt(0).toString(16)}${rest}`),
    `${path};jsessionid=1`,
    `${path}.json`,
    `${path}%20`,
    `${path}%00`,
    `/x/..${path}`,
    `http://127.0.0.1${path}`,
  ]
  const overrides = { 'x-http-method-override': 'GET', 'x-method-override': 'GET', 'x-original-url': '/api/tags' }
  /** Actions that the world grants to visitors. */
  const publicActions = new Set([
    ...['article', 'author', 'tag'].flatMap(name => ['find', 'findOne'].map(one => `api::${name}.${name}.${one}`)),
    'api::homepage.homepage.find',
    'api::message.message.create',
    ...['callback', 'connect', 'forgotPassword', 'resetPassword', 'register', 'emailConfirmation'].map(
      action => `plugin::users-permissions.auth.${action}`,
    ),
    'plugin::users-permissions.auth.sendEmailConfirmation',
  ])

  attack('every route that nobody opened is closed, however it is spelt', async server => {
    const before = await server.ask('tables')
    let closed = 0
    for (const { method, path, at, action, uid } of server.known.routes) {
      if (action === undefined || publicActions.has(`${uid}.${action}`)) continue
      closed += 1
      const place = `${at === 'root' ? '' : '/api'}${path.replace(/:\w+/g, '1')}`
      for (const spelt of spellings(place))
        for (const headers of [{}, overrides]) {
          const { status } = await server.send('visitor', method, spelt, {
            headers: { 'content-type': 'application/json', ...headers },
            ...(method !== 'GET' && { body: '{"data":{}}' }),
          })
          assert.ok([400, 401, 403, 404, 405].includes(status), `${method} ${spelt}: ${status}`)
          if (spelt === place) assert.ok(status === 401 || status === 403, `${method} ${spelt}: ${status}`)
        }
      assert.equal((await server.send('nobodyToken', method, place, { body: '{}' })).status, 401)
    }
    assert.ok(closed > 40, String(closed))
    assert.deepEqual(await server.ask('tables'), before)
  })

  attack('a read-only token changes nothing, and a custom one does what it lists', async server => {
    const before = await server.ask('tables')
    for (const { method, path, at, action, uid } of server.known.routes) {
      if (action === undefined) continue
      const place = `${at === 'root' ? '' : '/api'}${path.replace(/:\w+/g, '1')}`
      const body = method === 'GET' ? undefined : '{"data":{"title":"x","text":"x"}}'
      const send = (who: 'readToken' | 'customToken') =>
        server.send(who, method, place, { headers: { 'content-type': 'application/json' }, ...(body && { body }) })
      if (!['find', 'findOne'].includes(action))
        assert.equal((await send('readToken')).status, 403, `${method} ${place}`)
      if (uid !== 'api::article.article' || !['find', 'findOne'].includes(action))
        assert.equal((await send('customToken')).status, 403, `${method} ${place}`)
    }
    assert.deepEqual(await server.ask('tables'), before)
  })

  attack('an account that is blocked, demoted or gone is so with the next request', async server => {
    const { body } = await server.write('manager', 'POST', '/api/users', {
      ...{ username: 'shortlived', email: 'shortlived@example.test', password: 'shortlived', role: 3, confirmed: true },
    })
    const signIn = async (password = 'shortlived') =>
      (await server.write('visitor', 'POST', '/api/auth/local', { identifier: 'shortlived', password })).body
    const statusOf = async (token: string, path: string) =>
      (await server.send('visitor', 'GET', path, { headers: { authorization: `Bearer ${token}` } })).status
    const change = (changes: object) => server.write('manager', 'PUT', `/api/users/${body.id}`, changes)
    const first = await signIn()
    assert.equal(await statusOf(first.jwt, '/api/users'), 200)
    await change({ role: 1 })
    assert.equal(await statusOf(first.jwt, '/api/upload/files'), 403)
    await change({ password: 'another-one' })
    assert.equal(await statusOf(first.jwt, '/api/users/me'), 401)
    const refreshed = await server.write('visitor', 'POST', '/api/auth/refresh', { refreshToken: first.refreshToken })
    assert.equal(refreshed.status, 401)
    await change({ blocked: true })
    assert.equal((await signIn('another-one')).data, null)
    await change({ blocked: false })
    const second = await signIn('another-one')
    await server.send('manager', 'DELETE', `/api/users/${body.id}`)
    assert.equal(await statusOf(second.jwt, '/api/users/me'), 401)
  })

  attack('a new password ends the sessions that were begun with the old one', async server => {
    const account = { username: 'renewing', email: 'renewing@example.test', password: 'renewing-1' }
    const { status } = await server.write('manager', 'POST', '/api/users', { ...account, role: 3, confirmed: true })
    assert.equal(status, 201)
    const signIn = async (password: string) =>
      (await server.write('visitor', 'POST', '/api/auth/local', { identifier: account.username, password })).body
    const me = async (jwt: string) =>
      (await server.send('visitor', 'GET', '/api/users/me', { headers: { authorization: `Bearer ${jwt}` } })).status
    const [first, second] = [await signIn(account.password), await signIn(account.password)]
    assert.equal(await me(second.jwt), 200)
    const passwords = { currentPassword: account.password, password: 'renewing-2', passwordConfirmation: 'renewing-2' }
    const changed = await server.send('visitor', 'POST', '/api/auth/change-password', {
      body: JSON.stringify(passwords),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${first.jwt}` },
    })
    assert.equal(changed.status, 200)
    for (const { jwt, refreshToken } of [first, second]) {
      assert.equal(await me(jwt), 401)
      assert.equal((await server.write('visitor', 'POST', '/api/auth/refresh', { refreshToken })).status, 401)
    }
    assert.equal(await me(changed.body.jwt), 200)
    await server.send('manager', 'DELETE', `/api/users/${changed.body.user.id}`)
  })

  attack('a refresh token that was used before ends its session', async server => {
    const { body } = await server.write('visitor', 'POST', '/api/auth/local', {
      ...{ identifier: 'bob', password: 'bob-pass-1' },
    })
    const refresh = (refreshToken: unknown) => server.write('visitor', 'POST', '/api/auth/refresh', { refreshToken })
    const next = await refresh(body.refreshToken)
    assert.equal(next.status, 200)
    assert.equal((await refresh(body.refreshToken)).status, 401)
    assert.equal((await refresh(next.body.refreshToken)).status, 401)
    for (const token of [{}, [], { $ne: null }, `${body.refreshToken}'`, '%', '.', 'x'.repeat(10_000), null, 1])
      assert.ok([400, 401].includes((await refresh(token)).status))
  })
})

import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { wellFormed } from '../world.js'
import { type AttackedServer, attacks, isFull } from './attacked.js'

const json = { 'content-type': 'application/json' }
const login = (server: AttackedServer, identifier: unknown, password: unknown) =>
  server.write('visitor', 'POST', '/api/auth/local', { identifier, password })
const mails = (server: AttackedServer): { to: string; subject: string; text: string; from: string }[] => {
  const file = join(server.known.folder, 'mail.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

describe('accounts', () => {
  const { attack } = attacks('accounts', {
    settings: {
      advanced: { allow_register: false, email_confirmation_redirection: 'http://front.test/welcome' },
      letters: { reset_password: { object: 'For <%= USER.username %>', message: '<%= URL %>?code=<%= TOKEN %>' } },
    },
  })

  attack('an answer does not tell whether an address has an account', async server => {
    for (const path of ['/api/auth/forgot-password', '/api/auth/send-email-confirmation']) {
      const answers = new Set<string>()
      for (const email of ['alice@example.test', 'ALICE@example.test', 'zed@example.test', 'nobody@example.test']) {
        const { status, text } = await server.write('visitor', 'POST', path, { email })
        answers.add(`${status} ${text.replace(/"email":"[^"]+"/, '')}`)
      }
      assert.deepEqual([...answers].length, 1, [...answers].join('\n'))
    }
    const answers = new Set<string>()
    for (const identifier of ['alice', 'alice@example.test', 'zed', 'nobody', 'root', '', ' '].slice(0, 5))
      answers.add((await login(server, identifier, 'a wrong password')).text)
    assert.equal(answers.size, 1)
    for (const code of ['x', '0'.repeat(128), 'CANARY', 'sha256$x', null, { $ne: null }, ['x']]) {
      const body = { code, password: 'a-password', passwordConfirmation: 'a-password' }
      assert.equal((await server.write('visitor', 'POST', '/api/auth/reset-password', body)).status, 400)
    }
  })

  // On a machine that does nothing else.
  if (isFull)
    attack('the time does not tell it either', async server => {
      const times = async (identifier: string) => {
        const all: number[] = []
        for (let round = 0; round < 7; round += 1) {
          const begun = performance.now()
          await login(server, identifier, 'a wrong password')
          all.push(performance.now() - begun)
        }
        return Math.min(...all)
      }
      // Without the comparison with a hash, an answer takes a fiftieth of the time.
      for (const other of ['nobody', 'zed', "alice' or 1=1"]) {
        const ratio = (await times('alice')) / (await times(other))
        assert.ok(ratio > 0.2 && ratio < 5, `${other} ${ratio}`)
      }
      // Work for an account is done after the response; the next request waits until it is done.
      const median = async (email: string, letters: number) => {
        const all: number[] = []
        for (let round = 0; round < 11; round += 1) {
          const sent = mails(server).length + letters
          const begun = performance.now()
          await server.write('visitor', 'POST', '/api/auth/forgot-password', { email })
          all.push(performance.now() - begun)
          while (mails(server).length < sent) await new Promise(resolve => setTimeout(resolve, 5))
        }
        return all.sort((one, other) => one - other)[5] as number
      }
      const ratio = (await median('alice@example.test', 1)) / (await median('nobody@example.test', 0))
      assert.ok(ratio > 0.2 && ratio < 5, `a letter ${ratio}`)
    })

  const odd: readonly unknown[] = [
    { $gt: '' },
    { $ne: null },
    ['alice'],
    [['alice']],
    { alice: true },
    true,
    1,
    'alice\u0000',
    "alice' --",
    "' or ''='",
    'alice"; drop table up_users; --',
    '%',
    '_lice',
    'a*',
    'x'.repeat(200_000),
    '@'.repeat(10_000),
    `${'a.'.repeat(5000)}@${'b.'.repeat(5000)}c`,
    '\ud800',
    '\u202ealice',
    '__proto__',
    'constructor',
  ]
  for (const [at, value] of odd.entries())
    attack(`no odd value lets anybody in or through: ${JSON.stringify(value).slice(0, 40)} (${at})`, async server => {
      const known = await server.ask('tables')
      for (const [path, body] of [
        ['/api/auth/local', { identifier: value, password: 'alice-pass-1' }],
        ['/api/auth/local', { identifier: 'alice', password: value }],
        ['/api/auth/local/register', { username: value, email: value, password: value }],
        ['/api/auth/forgot-password', { email: value }],
        ['/api/auth/send-email-confirmation', { email: value }],
        ['/api/auth/reset-password', { code: value, password: value, passwordConfirmation: value }],
        ['/api/auth/refresh', { refreshToken: value }],
        ['/api/auth/logout', { refreshToken: value }],
      ] as const) {
        const { status, text } = await server.write('visitor', 'POST', path, body)
        assert.ok(status === 400 || status === 401, `${path}: ${status} ${text.slice(0, 200)}`)
      }
      const changed = { currentPassword: value, password: value, passwordConfirmation: value }
      assert.equal((await server.write('alice', 'POST', '/api/auth/change-password', changed)).status, 400)
      const query = encodeURIComponent(typeof value === 'string' ? wellFormed(value.slice(0, 2000)) : 'x')
      for (const path of [
        `/api/auth/email-confirmation?confirmation=${query}`,
        `/api/auth/email/callback?access_token=${query}`,
        `/api/connect/${query}`,
        `/api/connect/${query}/callback?code=x&state=x`,
        `/api/auth/${query}/callback?access_token=x`,
      ])
        assert.ok([400, 404, 414].includes((await server.get('visitor', path)).status), path.slice(0, 100))
      assert.deepEqual(await server.ask('tables'), known)
    })

  attack('no header and no parameter decides where a mail or an answer leads', async server => {
    const headers = {
      ...json,
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.test',
      origin: 'http://evil.test',
      referer: 'http://evil.test/',
    }
    const before = mails(server).length
    const body = JSON.stringify({ email: 'bob@example.test', url: 'http://evil.test', redirect: 'http://evil.test' })
    const path = '/api/auth/forgot-password?url=http://evil.test&callback=http://evil.test'
    assert.equal((await server.send('visitor', 'POST', path, { headers, body })).status, 200)
    const deadline = performance.now() + 5000
    while (mails(server).length === before) {
      assert.ok(performance.now() < deadline, 'no mail came')
      await new Promise(setImmediate)
    }
    assert.doesNotMatch(JSON.stringify(mails(server).at(-1)), /evil/)
    for (const place of [
      '/api/connect/google?callback=http://evil.test&redirect=//evil.test',
      '/api/connect/google/callback?redirect_uri=http://evil.test&state=x&code=y',
      '/api/auth/google/callback?callback=//evil.test',
      '/api/auth/email-confirmation?confirmation=x&redirect=http://evil.test',
      '//evil.test/api/connect/google',
      '/api/articles?redirect=http://evil.test',
    ]) {
      const { status, headers: answered, text } = await server.send('visitor', 'GET', place, { headers })
      assert.ok(status >= 400, place)
      assert.equal(answered.location, undefined)
      assert.doesNotMatch(text.replaceAll(place, ''), /evil\.test\/?"|location/)
    }
  })

  attack('no name of an account adds to the head of a mail', async server => {
    for (const username of ['Bob\r\nBcc: eve@evil.test', 'Bob\nSubject: x', '\u202eboB', 'B\u0007b', 'B\u2028b'])
      for (const [method, path, more] of [
        ['PUT', `/api/users/${server.known.ids.bob}`, {}],
        ['POST', '/api/users', { email: 'bcc@example.test', password: 'a-password', role: 1 }],
      ] as const) {
        const { status, body } = await server.write('manager', method, path, { username, ...more })
        assert.equal(status, 400)
        assert.match(JSON.stringify(body), /control characters/)
      }
    for (const email of [
      'a@b.test\r\nBcc: c@d.test',
      'a@b.test,c@d.test',
      '"a@b.test>" <c@d.test>',
      'a b@c.test',
      '\u0001@b.test',
    ])
      assert.equal((await server.write('manager', 'PUT', '/api/users/2', { email })).status, 400, email)
  })
})

describe('guessing', () => {
  const { attack } = attacks('guessing', {
    settings: { ratelimit: { max: 5, account: { max: 20 } }, advanced: { email_confirmation: false } },
  })

  /** Variations that could make a second attempt look like another one. */
  const disguises: readonly (readonly [says: string, path: string, headers?: object, more?: object])[] = [
    ['another address behind no proxy', '/api/auth/local', { 'x-forwarded-for': '203.0.113.RANDOM' }],
    ['another real address', '/api/auth/local', { 'x-real-ip': '203.0.113.RANDOM', 'client-ip': '203.0.113.RANDOM' }],
    ['the standard header', '/api/auth/local', { forwarded: 'for=203.0.113.RANDOM' }],
    [
      'headers of content networks',
      '/api/auth/local',
      { 'cf-connecting-ip': '1.1.1.RANDOM', 'true-client-ip': '1.1.1.RANDOM' },
    ],
    ['another client', '/api/auth/local', { 'user-agent': 'client RANDOM', 'x-request-id': 'RANDOM' }],
    ['another host', '/api/auth/local', { host: 'hRANDOM.test' }],
    ['a slash', '/api/auth/local/'],
    ['capitals', '/API/Auth/LOCAL'],
    ['a query', '/api/auth/local?RANDOM=RANDOM'],
    ['another field', '/api/auth/local', {}, { email: 'RANDOM@example.test', RANDOM: 1 }],
    ['another account', '/api/auth/local', {}, { identifier: 'userRANDOM' }],
    ['spaces', '/api/auth/local', {}, { identifier: ' alice ' }],
    ['a cookie', '/api/auth/local', { cookie: 'session=RANDOM' }],
  ]
  attack('goes on no longer for being disguised', async server => {
    const attempt = (path: string, headers: object = {}, more: object = {}) => {
      const text = JSON.stringify({ path, headers, more, password: 'wrong' })
      const random = JSON.parse(text.replaceAll('RANDOM', String(1 + Math.floor(Math.random() * 250))))
      return server.send('visitor', 'POST', random.path, {
        headers: { ...json, ...random.headers },
        body: JSON.stringify({ identifier: 'alice', password: 'wrong', ...random.more }),
      })
    }
    for (let times = 0; times < 6; times += 1) await attempt('/api/auth/local')
    for (const [says, ...how] of disguises) {
      const { status, headers } = await attempt(...how)
      assert.equal(status, 429, says)
      assert.ok(Number(headers['retry-after']) > 0)
    }
    const right = await login(server, 'alice', 'alice-pass-1')
    assert.equal(right.status, 429)
  })

  attack('is slowed down at every door', async server => {
    for (const [path, body] of [
      ['/api/auth/forgot-password', { email: 'x@example.test' }],
      ['/api/auth/reset-password', { code: 'x', password: 'a-password', passwordConfirmation: 'a-password' }],
      ['/api/auth/local/register', { email: 'no address', username: 'x', password: 'y' }],
      ['/api/auth/send-email-confirmation', { email: 'x@example.test' }],
    ] as const) {
      const statuses: number[] = []
      for (let times = 0; times < 8; times += 1)
        statuses.push((await server.write('visitor', 'POST', path, body)).status)
      assert.ok(statuses.includes(429), `${path} ${statuses}`)
    }
    const statuses: number[] = []
    const wrong = { currentPassword: 'wrong', password: 'a-password', passwordConfirmation: 'a-password' }
    for (let times = 0; times < 8; times += 1)
      statuses.push((await server.write('bob', 'POST', '/api/auth/change-password', wrong)).status)
    assert.ok(statuses.includes(429))
  })
})

describe('guessing behind a proxy', () => {
  const { attack } = attacks('guessing behind a proxy', {
    server: { proxy: ['127.0.0.1'] },
    settings: { ratelimit: { max: 3 } },
  })

  attack('counts for the address that the proxy saw, whatever the client wrote before it', async server => {
    const attempt = async (chain: string) => {
      const body = JSON.stringify({ identifier: 'alice', password: 'wrong' })
      const headers = { ...json, 'x-forwarded-for': chain }
      return (await server.send('visitor', 'POST', '/api/auth/local', { headers, body })).status
    }
    const address = `198.51.100.${1 + (server.requests % 250)}`
    for (let times = 0; times < 3; times += 1) assert.equal(await attempt(`10.0.0.${times}, ${address}`), 400)
    assert.equal(await attempt(`10.0.0.9, ${address}`), 429)
    assert.equal(await attempt(`10.0.0.9, ${address}, 127.0.0.1`), 429)
    assert.equal(await attempt(`203.0.113.${1 + (server.requests % 250)}`), 400)
  })
})

import { strict as assert } from 'node:assert'
import { describe } from 'vitest'
import { engines } from '../../support/engines.js'
import { type AttackedServer, type Attacks, attacks, isFull, some } from './attacked.js'
import type { Who } from './fill.js'

const allTexts = [
  "' or '1'='1",
  "' or 1=1 -- ",
  '" or ""="',
  "';drop table up_users;--",
  "') or ('1'='1",
  "' union select password from up_users --",
  "'||(select reset_password_token from up_users limit 1)||'",
  "x' and sleep(5) and '1",
  "x' and pg_sleep(5) is null and '1",
  "x' and randomblob(1000000000) and '1",
  "\\' or 1=1 #",
  "1; attach database 'x.db' as x",
  '1) or (1=1',
  '$1',
  '?',
  '??',
  ':id',
  '%',
  '_',
  "%' escape '",
  '`id`',
  '"id"',
  'id)--',
  '$.a',
  "$.a') or 1=1 --",
  '$[0].*',
  '{"a":1}',
  '0x27',
  '1e309',
  'NaN',
  'Infinity',
  '-0',
  '9223372036854775808',
  '99999999999999999999999999',
  '1,2',
  'NULL',
  'true',
  '\u0000',
  '\u001a',
  '\ud83d',
  '\uffff',
]

/** Positions of texts that end up in a statement, through routes and parameters of plugins: TEXT is replaced by it. */
const places: readonly (readonly [Who, string])[] = [
  ...[
    'filters[title]=TEXT',
    'filters[title][$contains]=TEXT',
    'filters[title][$in][0]=TEXT',
    'filters[title][$between][0]=TEXT&filters[title][$between][1]=TEXT',
    'filters[extra]=TEXT',
    'filters[extra][$contains]=TEXT',
    'filters[extra][TEXT]=1',
    'filters[TEXT]=1',
    'filters[title][TEXT]=1',
    'filters[id]=TEXT',
    'filters[views]=TEXT',
    'filters[big]=TEXT',
    'filters[price]=TEXT',
    'filters[released]=TEXT',
    'filters[happened]=TEXT',
    'filters[active]=TEXT',
    'filters[author][name]=TEXT',
    'filters[tags]=TEXT',
    'filters[seo][social][network]=TEXT',
    'filters[localizations][title]=TEXT',
    'sort=TEXT',
    'sort=title:TEXT',
    'sort=author.TEXT',
    'sort[TEXT]=asc',
    'fields[0]=TEXT',
    'populate=TEXT',
    'populate[author][fields][0]=TEXT',
    'populate[author][filters][name]=TEXT',
    'populate[author][sort]=TEXT',
    'populate[anything][on][TEXT]=true',
    'populate[anything][on][api::tag.tag][filters][name]=TEXT',
    'populate[blocks][on][TEXT][fields][0]=text',
    'pagination[page]=TEXT',
    'pagination[pageSize]=TEXT',
    'pagination[start]=TEXT',
    'pagination[limit]=TEXT',
    'locale=TEXT',
    'locale[$in][0]=TEXT',
    'fallback=TEXT',
    'publicationState=TEXT',
    '_q=TEXT',
    'TEXT=TEXT',
  ].map(query => ['visitor', `/api/articles?${query}`] as const),
  ['visitor', '/api/articles/TEXT'],
  ['visitor', '/api/homepage?locale=TEXT&fallback=TEXT'],
  ['editor', '/api/users?filters[username]=TEXT'],
  ['editor', '/api/users?filters[email][$contains]=TEXT&sort=TEXT'],
  ['editor', '/api/users?start=TEXT&limit=TEXT'],
  ['editor', '/api/users/count?filters[username]=TEXT'],
  ['editor', '/api/users/TEXT'],
  ['editor', '/api/upload/files?filters[name]=TEXT&sort=TEXT'],
  ['editor', '/api/upload/files?start=TEXT&limit=TEXT'],
  ['editor', '/api/upload/files/TEXT'],
  ['manager', '/api/users-permissions/roles/TEXT'],
  ['fullToken', '/api/api-tokens/TEXT'],
  ['visitor', '/api/auth/email-confirmation?confirmation=TEXT'],
  ['visitor', '/api/auth/email/callback?access_token=TEXT'],
  ['visitor', '/api/connect/TEXT'],
  ['visitor', '/uploads/TEXT'],
]
const writes: readonly (readonly [Who, string, string, (text: string) => unknown])[] = [
  ['visitor', 'POST', '/api/auth/local', text => ({ identifier: text, password: text })],
  ['visitor', 'POST', '/api/auth/forgot-password', text => ({ email: text })],
  ['visitor', 'POST', '/api/auth/reset-password', text => ({ code: text, password: text, passwordConfirmation: text })],
  ['visitor', 'POST', '/api/auth/refresh', text => ({ refreshToken: text })],
  ['visitor', 'POST', '/api/messages', text => ({ data: { about: text, anything: [{ id: text, __type: text }] } })],
  ['editor', 'PUT', '/api/articles/1', text => ({ data: { tags: [text], author: text, cover: text } })],
  ['editor', 'PUT', '/api/articles/1', text => ({ data: { blocks: [{ __component: text }], slides: [{ id: text }] } })],
  [
    'editor',
    'PUT',
    '/api/articles/1',
    text => ({ data: { tags: { connect: [{ id: 1, position: { before: text } }] } } }),
  ],
  ['editor', 'PUT', '/api/articles/TEXT', () => ({ data: { title: 'x' } })],
  ['editor', 'POST', '/api/articles/1/localizations', text => ({ locale: text, title: text })],
  ['editor', 'POST', '/api/articles/TEXT/localizations', () => ({ locale: 'fr', title: 'x' })],
  ['editor', 'DELETE', '/api/i18n/locales/TEXT?entries=TEXT', () => ({})],
  ['editor', 'POST', '/api/upload?id=TEXT', text => ({ fileInfo: { name: text } })],
  ['manager', 'PUT', '/api/users/TEXT', text => ({ username: text })],
  ['manager', 'PUT', '/api/users/2', text => ({ role: text })],
  ['manager', 'PUT', '/api/users-permissions/roles/TEXT', text => ({ name: text })],
  ['manager', 'DELETE', '/api/users-permissions/roles/TEXT', () => ({})],
  ['fullToken', 'PUT', '/api/api-tokens/TEXT', text => ({ name: text })],
]
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString())

/** The tables stand, the accounts are as they were, and a good question is answered. */
async function unharmed(server: AttackedServer, before: unknown): Promise<void> {
  assert.deepEqual(await server.ask('tables'), before)
  const { body } = await server.get('manager', '/api/users?sort=id&fields[0]=username&fields[1]=email')
  assert.deepEqual(
    body.slice(0, 4).map(({ username }: { username: string }) => username),
    ['alice', 'bob', 'editor', 'manager'],
  )
  assert.equal((await server.get('visitor', '/api/articles?filters[title]=article%202')).body.data.length, 1)
}

function suite({ attack }: Attacks, texts: readonly string[]): void {
  for (const [who, path] of places)
    attack(`no text becomes a part of a statement: ${path}`, async server => {
      const before = await server.ask('tables')
      await Promise.all(
        texts.map(async text => {
          const begun = performance.now()
          const { status, body } = await server.get(who, path.replaceAll('TEXT', encoded(text)))
          assert.ok(!isFull || performance.now() - begun < 4500, `${path} ${text}: a database slept`)
          // No text of the world has this value: a match means that it was taken for something else.
          const exact = /filters\[(title|username|name)\](\[\$in\]\[0\])?=TEXT$/.test(path)
          if (status === 200 && exact) assert.equal((body.data ?? body).length ?? body, 0, `${path} ${text}`)
        }),
      )
      await unharmed(server, before)
    })

  for (const [who, method, path, bodyOf] of writes)
    attack(`no text becomes a part of a write: ${method} ${path} ${JSON.stringify(bodyOf('TEXT'))}`, async server => {
      const before = await server.ask('tables')
      for (const text of texts) {
        // A number that an entry can have is no attack.
        const { status } = await server.write(who, method, path.replaceAll('TEXT', encoded(text)), bodyOf(text))
        assert.ok(status >= 400 && status < 500, `${method} ${path} ${JSON.stringify(text)}: ${status}`)
      }
      await unharmed(server, before)
    })

  attack('what is stored as it was sent is sent as it was stored, and is never run', async server => {
    for (const text of texts) {
      const kept = Buffer.from(text).toString()
      if (kept.includes('\u0000')) continue
      const { status, body } = await server.write('editor', 'POST', '/api/articles', {
        data: { title: kept, body: kept, extra: { [kept]: kept }, seo: { metaTitle: kept } },
      })
      assert.equal(status, 200, JSON.stringify(body))
      const found = await server.get('editor', `/api/articles?filters[title]=${encoded(kept)}&populate=seo`)
      assert.equal(found.body.data[0].attributes.body, kept)
      assert.deepEqual(found.body.data[0].attributes.extra, { [kept]: kept })
      assert.equal(found.body.data[0].attributes.seo.metaTitle, kept)
      await server.send('editor', 'DELETE', `/api/articles/${body.data.id}`)
    }
  })
}

function prototypes({ attack }: Attacks): void {
  const names = ['__proto__', 'constructor', 'prototype', 'constructor][prototype', '__proto__][__proto__', 'toString']
  for (const name of names)
    attack(`no prototype is changed by ${name}`, async server => {
      for (const query of [
        `${name}[polluted]=1`,
        `filters[${name}][polluted]=1`,
        `filters[title][${name}]=1`,
        `populate[${name}][polluted]=1`,
        `populate[author][${name}][polluted]=1`,
        `sort[${name}]=asc`,
        `fields[${name}]=1`,
        `pagination[${name}]=1`,
        `locale[${name}]=1`,
        `a[${name}][polluted]=1&a.${name}.polluted=1`,
      ])
        for (const path of [
          '/api/articles',
          '/api/users',
          '/api/upload/files',
          '/api/i18n/locales',
          '/api/auth/email/callback',
        ])
          await server.get('editor', `${path}?${query}`)
      const key = name.split('][')[0] as string
      const json = `{"data":{"title":"x","extra":{"${key}":{"polluted":1}},"${key}":{"polluted":1},"seo":{"${key}":{"polluted":1}}},"${key}":{"polluted":1}}`
      for (const [who, path] of [
        ['editor', '/api/articles'],
        ['editor', '/api/i18n/locales'],
        ['editor', '/api/articles/1/localizations'],
        ['manager', '/api/users-permissions/roles'],
        ['manager', '/api/users'],
        ['fullToken', '/api/api-tokens'],
        ['visitor', '/api/auth/local'],
        ['visitor', '/api/messages'],
      ] as const) {
        await server.send(who, 'POST', path, { body: json, headers: { 'content-type': 'application/json' } })
        const form = `data[${name}][polluted]=1&${name}[polluted]=1`
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        await server.send(who, 'POST', path, { body: form, headers })
      }
      assert.deepEqual(await server.ask('polluted'), [])
    })
}

for (const engine of engines)
  (engine.available ? describe : describe.skip)(`injection on ${engine.name}`, () => {
    const begun = attacks(`injection, ${engine.name}`, async () => ({ database: (await engine.fresh()).database }))
    suite(begun, engine.name === 'sqlite' ? allTexts : some(allTexts, 4))
    // Objects are made of a request before any engine is asked.
    if (isFull || engine.name === 'sqlite') prototypes(begun)
  })

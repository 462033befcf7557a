import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { BootError } from '../../../core/index.js'
import { PersistedDocuments } from '../../../plugins/graphql/http/persisted.js'
import { checkStart, type GraphqlHost, startGraphql } from '../../../plugins/graphql/http/service.js'
import { readDefaults, smallWorld } from './protocol-world.js'

let world: Awaited<ReturnType<typeof smallWorld>>
const folder = mkdtempSync(path.join(tmpdir(), 'graphql-protocol-'))
beforeAll(async () => {
  world = await smallWorld({ folder })
})
afterAll(async () => {
  await world.app.close()
  rmSync(folder, { recursive: true, force: true })
})

const query = '{ hello }'
const hello = { data: { hello: 'hello you' } }
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (hash: string, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash: hash } })
const at = (parameters: Record<string, string>) => `/graphql?${new URLSearchParams(parameters)}`
const get = (parameters: Record<string, string>, headers = {}) =>
  world.app.inject({ method: 'GET', url: at(parameters), headers })
const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

describe('a POST', () => {
  it('runs an operation', async () => {
    const response = await world.send({ query })
    assert.deepEqual([response.statusCode, response.headers['content-type'], response.json()], [200, json, hello])
    assert.equal(response.headers.etag, undefined)
  })

  it('takes variables as an object, and as its text', async () => {
    const asked = 'query A { hello } query B($to: String) { hello(to: $to) }'
    for (const variables of [{ to: 'me' }, '{"to":"me"}']) {
      const response = await world.send({ query: asked, operationName: 'B', variables })
      assert.deepEqual(response.json(), { data: { hello: 'hello me' } })
    }
  })

  it('takes a list of variables for none, and nothing for nothing', async () => {
    for (const more of [{ variables: [] }, { variables: null }, { variables: '' }, { operationName: null }])
      assert.deepEqual((await world.send({ query, ...more })).json(), hello)
  })

  it('takes a form', async () => {
    const response = await world.send(new URLSearchParams({ query, variables: '{}' }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    assert.deepEqual([response.statusCode, response.json()], [200, hello])
  })

  it('works with a slash behind the path, and in no other case', async () => {
    const sent = { method: 'POST', payload: { query } } as const
    assert.equal((await world.app.inject({ ...sent, url: '/graphql/' })).statusCode, 200)
    const response = await world.app.inject({ ...sent, url: '/GRAPHQL' })
    assert.deepEqual([response.statusCode, response.json().error.name], [404, 'NotFoundError'])
  })

  const texts: readonly [says: string, body: unknown, headers?: Record<string, string>][] = [
    ['an empty object', {}],
    ['an empty list', []],
    ['a text', 'query', { 'content-type': 'text/plain' }],
    ['a document alone', query, { 'content-type': 'application/graphql' }],
    ['no media type', JSON.stringify({ query }), { 'content-type': '' }],
    ['a number in place of the query', { query: 5 }],
    ['an object in place of the query', { query: {} }],
    ['variables that are no JSON', { query, variables: '{bad' }],
    ['extensions that are no JSON', { query, extensions: '{bad' }],
  ]
  for (const [says, body, headers] of texts)
    it(`is refused with a text: ${says}`, async () => {
      const response = await world.send(body, headers)
      assert.deepEqual([response.statusCode, response.headers['content-type']], [400, plain])
    })

  const refusals: readonly [says: string, body: unknown][] = [
    ['no query', { query: null }],
    ['an empty query', { query: '' }],
    ['a number in place of variables', { query, variables: 5 }],
    ['a number in a text in place of variables', { query, variables: '5' }],
    ['a number in place of the name', { query, operationName: 5 }],
    ['an unknown name', { query: 'query A { hello } query B { hello }', operationName: 'C' }],
    ['a batch that is too long', Array(11).fill({ query })],
    ['a hash of another version', { query, extensions: persisted(hashOf(query), 2) }],
    ['the hash of another query', { query, extensions: persisted(hashOf('other')) }],
  ]
  for (const [says, body] of refusals)
    it(`is refused with errors: ${says}`, async () => {
      const response = await world.send(body)
      assert.deepEqual([response.statusCode, response.headers['content-type']], [400, json])
      const { errors, ...more } = response.json()
      assert.deepEqual([errors.length, errors[0].extensions.code, more], [1, 'BAD_REQUEST', {}])
    })

  it('is refused as in REST where the body cannot be read', async () => {
    for (const body of ['{bad', '"a"', 'null']) {
      const response = await world.send(body)
      assert.deepEqual([response.statusCode, response.json().error.status, response.json().data], [400, 400, null])
    }
    const variables = `{"to":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    for (const deep of [`{"query":"{ hello }","variables":${variables}}`, JSON.stringify({ query, variables })])
      assert.equal((await world.send(deep)).json().error.name, 'ValidationError')
  })

  it('is refused as in REST without valid credentials, before anything is read', async () => {
    const before = world.runner.ran.length
    for (const body of [{ query: '{ __typename }' }, '{bad']) {
      const response = await world.send(body, { authorization: 'Bearer wrong' })
      assert.deepEqual([response.statusCode, response.json().error.name], [401, 'UnauthorizedError'])
    }
    assert.equal(world.runner.ran.length, before)
  })

  it('sends what is refused before it runs with 400', async () => {
    const response = await world.send({ query: '{ nosuch }' })
    assert.deepEqual([response.statusCode, Object.keys(response.json())], [400, ['errors']])
  })

  it('hides what breaks', async () => {
    const response = await world.send([{ query: 'break' }, { query: 'forbid' }, { query }])
    const [broken, forbidden, last] = response.json()
    assert.equal(broken.errors[0].message, 'Internal Server Error')
    assert.deepEqual(Object.keys(broken.errors[0].extensions), ['code', 'requestId'])
    assert.equal(forbidden.errors[0].extensions.code, 'FORBIDDEN')
    assert.deepEqual(last, hello)
  })
})

describe('the media type of an answer', () => {
  const types: readonly [accept: string, type: string][] = [
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    ['application/graphql-response+json,application/json;q=0.9', 'application/graphql-response+json; charset=utf-8'],
    ['application/graphql-response+json, application/json', 'application/graphql-response+json; charset=utf-8'],
    ['application/json, application/graphql-response+json', json],
    ['application/json, application/graphql-response+json;q=0.9, */*', json],
    ['*/*', json],
    ['text/html', json],
  ]
  for (const [accept, type] of types)
    it(`follows Accept: ${accept}`, async () => {
      for (const asked of [query, '{ nosuch }'])
        assert.equal((await world.send({ query: asked }, { accept })).headers['content-type'], type)
    })

  it('is what caches tell responses apart by', async () => {
    const other = 'application/graphql-response+json'
    const asked = async (accept: string, more = {}) => get({ query }, { accept, ...more })
    const [plainly, specially] = [await asked('*/*'), await asked(other)]
    assert.equal(plainly.payload, specially.payload)
    const [tag, otherTag] = [String(plainly.headers.etag), String(specially.headers.etag)]
    assert.notEqual(tag, otherTag)
    assert.equal((await asked(other, { 'if-none-match': tag })).statusCode, 200)
    const again = await asked(other, { 'if-none-match': otherTag })
    assert.equal(again.statusCode, 304)
    const refused = [await get({ query: '{ nosuch }' }), await get({}), await get({ query: 'mutation { note }' })]
    for (const response of [plainly, specially, again, ...refused, await world.send({ query })])
      assert.match(String(response.headers.vary), /\bAccept(,|$)/)
  })
})

describe('a batch', () => {
  it('is answered with a list, whatever happens to one of it', async () => {
    const response = await world.send([
      { query },
      { query: '{ nosuch }' },
      5,
      { query: 5 },
      { query: 'mutation { note }' },
    ])
    const answers = response.json()
    assert.deepEqual([response.statusCode, answers.length], [200, 5])
    assert.deepEqual([answers[0], answers[4]], [hello, { data: { note: 'noted' } }])
    const found = [1, 2, 3].map(index => answers[index].errors[0].extensions.code)
    assert.deepEqual(found, ['GRAPHQL_VALIDATION_FAILED', 'BAD_REQUEST', 'BAD_REQUEST'])
  })

  it('is refused where the settings say so', async () => {
    const { app, send } = await smallWorld({ settings: { apolloServer: { allowBatchedHttpRequests: false } } })
    onTestFinished(() => app.close())
    assert.equal((await send([{ query }])).statusCode, 400)
    assert.equal((await send({ query })).statusCode, 200)
  })
})

describe('a GET', () => {
  it('runs a query, and is not sent twice', async () => {
    const response = await get({ query: 'query($to: String) { hello(to: $to) }', variables: '{"to":"me"}' })
    assert.deepEqual([response.statusCode, response.json()], [200, { data: { hello: 'hello me' } }])
    const tag = String(response.headers.etag)
    const again = await get(
      { query: 'query($to: String) { hello(to: $to) }', variables: '{"to":"me"}' },
      { 'if-none-match': tag },
    )
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })

  it('runs no mutation', async () => {
    const response = await get({ query: 'mutation { note }' })
    assert.deepEqual([response.statusCode, response.headers.allow, response.headers.etag], [405, 'POST', undefined])
    assert.equal(response.json().errors.length, 1)
  })

  it('is refused without a query, and with variables that are no JSON', async () => {
    for (const parameters of [{}, { query: '' }, { query, variables: '{bad' }] as Record<string, string>[]) {
      const response = await get(parameters)
      assert.deepEqual([response.statusCode, response.headers['content-type']], [400, plain])
    }
  })

  it('has no tag where it is refused', async () => {
    const response = await get({ query: '{ nosuch }' })
    assert.deepEqual([response.statusCode, response.headers.etag], [400, undefined])
  })
})

describe('other methods', () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'HEAD'] as const)
    it(`are refused: ${method}`, async () => {
      const response = await world.app.inject({ method, url: at({ query }) })
      assert.deepEqual(
        [response.statusCode, response.headers.allow, response.headers['content-type']],
        [405, 'GET, POST', plain],
      )
    })

  it('answers OPTIONS, those of pages included', async () => {
    assert.equal((await world.app.inject({ method: 'OPTIONS', url: '/graphql' })).statusCode, 204)
    const headers = { origin: 'http://x.test', 'access-control-request-method': 'POST' }
    const response = await world.app.inject({ method: 'OPTIONS', url: '/graphql', headers })
    assert.equal(response.statusCode, 204)
    assert.ok(response.headers['access-control-allow-origin'])
  })
})

describe('a persisted query', () => {
  it('is unknown, sent, and known from then on', async () => {
    const document = 'query Kept { hello }'
    const extensions = persisted(hashOf(document))
    const unknown = await world.send({ extensions })
    assert.deepEqual([unknown.statusCode, unknown.json().errors[0].message], [200, 'PersistedQueryNotFound'])
    assert.equal(unknown.json().errors[0].extensions.code, 'PERSISTED_QUERY_NOT_FOUND')
    assert.equal(unknown.headers['cache-control'], 'private, no-cache, must-revalidate')
    assert.deepEqual((await world.send({ query: document, extensions })).json(), hello)
    assert.deepEqual((await world.send({ extensions })).json(), hello)
    assert.deepEqual((await get({ extensions: JSON.stringify(extensions) })).json(), hello)
  })

  it('is not kept if it is not valid', async () => {
    const extensions = persisted(hashOf('{ nosuch }'))
    assert.equal((await world.send({ query: '{ nosuch }', extensions })).statusCode, 400)
    assert.equal((await world.send({ extensions })).json().errors[0].message, 'PersistedQueryNotFound')
  })

  it('is not supported where the settings say so, and runs if it is sent whole', async () => {
    for (const settings of [{ persisted: false }, { apolloServer: { persistedQueries: false } }]) {
      const { app, send } = await smallWorld({ settings })
      onTestFinished(() => app.close())
      const extensions = persisted(hashOf(query))
      const response = await send({ extensions })
      const [{ extensions: told }] = response.json().errors
      assert.deepEqual([response.statusCode, told.code], [200, 'PERSISTED_QUERY_NOT_SUPPORTED'])
      assert.deepEqual((await send({ query, extensions })).json(), hello)
    }
  })

  it('may be the only kind that runs', async () => {
    const persistedFile = path.join(folder, 'listed.json')
    writeFileSync(persistedFile, JSON.stringify({ [hashOf(query)]: query, short: '{ greeting: hello }' }))
    const { app, send, runner } = await smallWorld({ settings: { persisted: 'only', persistedFile } })
    onTestFinished(() => app.close())
    assert.deepEqual((await send({ extensions: persisted(hashOf(query)) })).json(), hello)
    assert.deepEqual((await send({ extensions: persisted('short') })).json(), { data: { greeting: 'hello you' } })
    assert.deepEqual((await send({ query })).json(), hello)
    const refused = await send({ query: '{ hello hello }' })
    assert.deepEqual([refused.statusCode, refused.json().errors[0].extensions.code], [400, 'OPERATION_NOT_LISTED'])
    assert.equal(runner.ran.includes('{ hello hello }'), false)
  })

  it('needs a list where only listed ones run', async () => {
    const persistedFile = path.join(folder, 'wrong.json')
    writeFileSync(persistedFile, '["a"]')
    for (const more of [{}, { persistedFile }, { persistedFile: path.join(folder, 'absent.json') }])
      await assert.rejects(smallWorld({ settings: { persisted: 'only', ...more } }), /persistedFile/)
  })

  it('is forgotten when many others have been used since', () => {
    const documents = new PersistedDocuments('auto')
    const known = (hash: string) => {
      try {
        return documents.documentOf({ query: undefined, hash })
      } catch {
        return undefined
      }
    }
    for (let at = 0; at < 1000; at += 1) documents.keep({ query: `{ a${at} }`, hash: `${at}` })
    assert.equal(known('0'), '{ a0 }')
    documents.keep({ query: '{ more }', hash: 'more' })
    assert.deepEqual([known('0'), known('1'), known('more')], ['{ a0 }', undefined, '{ more }'])
    const long = 'x'.repeat(399_999)
    for (let at = 0; at < 20; at += 1) documents.keep({ query: long, hash: `long ${at}` })
    assert.deepEqual([known('0'), known('long 9'), known('long 19') === long], [undefined, undefined, true])
    documents.keep({ query: `${long}yyyyy`, hash: 'too long' })
    assert.equal(known('too long'), undefined)
  })
})

describe('with csrfPrevention', () => {
  it('refuses what pages send without asking', async () => {
    const { app, send } = await smallWorld({ settings: { apolloServer: { csrfPrevention: true } } })
    onTestFinished(() => app.close())
    const form = new URLSearchParams({ query }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const passes = { 'apollo-require-preflight': 'true' }
    const sent = async (headers: Record<string, string>) => (await send(form, headers)).statusCode
    assert.deepEqual([await sent(type), await sent({ ...type, ...passes })], [400, 200])
    assert.equal((await send({ query })).statusCode, 200)
    const got = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'GET', url: at({ query }), headers })).statusCode
    assert.deepEqual([await got({}), await got({ 'x-apollo-operation-name': 'A' })], [400, 200])
  })
})

describe('a form with files', () => {
  const operations = JSON.stringify({
    query: 'mutation($file: Upload!) { send(file: $file) }',
    variables: { file: null },
  })
  const form = (...parts: readonly (readonly [head: string, content: string])[]) =>
    `${parts.map(([head, content]) => `--xx\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--xx--\r\n`
  const known = { 'content-type': 'multipart/form-data; boundary=xx', authorization: 'Bearer ann' }
  const [first, map] = [['name="operations"', operations] as const, ['name="map"', '{"0":["variables.file"]}'] as const]
  const file = ['name="0"; filename="a.txt"\r\nContent-Type: text/plain', 'hello'] as const

  it('hands them on as variables', async () => {
    const response = await world.send(form(first, map, file), known)
    assert.deepEqual(response.json(), { data: { send: 'a.txt text/plain 5' } })
  })

  it('puts them into the operations of a batch', async () => {
    const batch = ['name="operations"', `[{"query":"{ hello }"},${operations}]`] as const
    const places = ['name="map"', '{"0":["1.variables.file"]}'] as const
    const response = await world.send(form(batch, places, file), known)
    assert.deepEqual(response.json(), [hello, { data: { send: 'a.txt text/plain 5' } }])
  })

  it('leaves a variable empty that the map does not name', async () => {
    const response = await world.send(form(first, ['name="map"', '{}'], file), known)
    assert.deepEqual([response.statusCode, response.json().errors[0].extensions.code], [400, 'BAD_USER_INPUT'])
  })

  it('takes no text in place of a file', async () => {
    const response = await world.send({
      query: 'mutation($file: Upload!) { send(file: $file) }',
      variables: { file: 'x' },
    })
    assert.deepEqual([response.statusCode, response.json().errors[0].extensions.code], [400, 'BAD_USER_INPUT'])
  })

  const wrong: readonly [says: string, ...parts: (readonly [string, string])[]][] = [
    ['no map', first],
    ['no operations', map, file],
    ['a map before the operations', map, first, file],
    ['operations that are no JSON', ['name="operations"', '{bad'], map, file],
    ['operations that are a number', ['name="operations"', '5'], map, file],
    ['a map that is no JSON', first, ['name="map"', '{bad'], file],
    ['a map without lists', first, ['name="map"', '{"0":"variables.file"}'], file],
    ['a map of numbers', first, ['name="map"', '{"0":[5]}'], file],
    ['no file', first, map],
  ]
  for (const [says, ...parts] of wrong)
    it(`is refused: ${says}`, async () => {
      const response = await world.send(form(...parts), known)
      assert.deepEqual([response.statusCode, response.json().error?.name], [400, 'BadRequestError'])
      assert.equal('polluted' in {}, false)
    })

  const nowhere: readonly [says: string, path: string][] = [
    ['a place outside of the variables', 'query'],
    ['the variables themselves', 'variables'],
    ['a place that is not there', 'variables.a.b'],
    ['a prototype', 'variables.__proto__'],
    ['a property of a prototype', 'variables.__proto__.polluted'],
    ['a constructor', 'variables.constructor.polluted'],
  ]
  for (const [says, place] of nowhere)
    it(`fills no variable that the map does not lead to: ${says}`, async () => {
      const response = await world.send(form(first, ['name="map"', JSON.stringify({ 0: [place] })], file), known)
      assert.deepEqual([response.statusCode, response.json().errors[0].extensions.code], [400, 'BAD_USER_INPUT'])
      assert.equal('polluted' in {}, false)
    })

  it('takes little of callers who may not upload, and leaves nothing behind', async () => {
    const big = ['name="0"; filename="a.txt"', 'x'.repeat(1_500_000)] as const
    const { authorization: _, ...anyone } = known
    assert.equal((await world.send(form(first, map, big), known)).statusCode, 200)
    assert.equal((await world.send(form(first, map, big), anyone)).statusCode, 413)
    const staging = path.join(folder, '.incoming')
    assert.deepEqual(existsSync(staging) ? readdirSync(staging) : [], [])
  })
})

describe('without the package graphql', () => {
  const absent = () => Promise.reject(Object.assign(new Error('absent'), { code: 'ERR_MODULE_NOT_FOUND' }))
  const version = (major: number, minor: number) => async () => ({ versionInfo: { major, minor } })

  it('does not start an app', async () => {
    await assert.rejects(smallWorld({ load: absent }), /not installed: npm install graphql@16/)
    for (const [major, minor] of [
      [15, 8],
      [16, 10],
      [18, 0],
    ] as const)
      await assert.rejects(
        smallWorld({ load: version(major, minor) }),
        new RegExp(
          `needs version 16 or 17 of the package graphql.*, and ${major}\\.${minor} is installed: npm install graphql@16`,
        ),
      )
  })

  it('starts a Strapi project, which says so', async () => {
    const warnings: string[] = []
    const log = { info: () => undefined, warn: (text: string) => warnings.push(text) }
    const host = (project: string) =>
      ({
        ...{ config: readDefaults(), log, service: () => undefined, outline: { dialectName: 'strapi4' } },
        app: { project, appDir: folder, environment: 'production' },
      }) as unknown as GraphqlHost
    const parts = { package: absent, runner: () => assert.fail('there is nothing to run it with') }
    const { runner } = await startGraphql(host('strapi4'), parts)
    assert.match(String(runner), /npm install graphql@16$/)
    assert.match(warnings.join(), /npm install graphql@16; requests to \/graphql get 501/)
    await assert.rejects(startGraphql(host('stele'), parts), BootError)
    await assert.rejects(checkStart(host('stele'), absent), BootError)
    await checkStart(host('strapi4'), absent)
  })

  it('starts a Strapi project without a schema, which says so', async () => {
    const warnings: string[] = []
    const log = { info: () => undefined, warn: (_: unknown, text: string) => warnings.push(text) }
    const host = (project: string) =>
      ({
        ...{ config: readDefaults(), log, service: () => undefined, outline: { dialectName: 'strapi4' } },
        app: { project, appDir: folder, environment: 'production' },
      }) as unknown as GraphqlHost
    const parts = {
      package: () => import('graphql'),
      runner: async () => ({ run: () => assert.fail('there is nothing to run it with') }),
      begin: () => Promise.reject(new BootError('graphql: two fields have one name')),
    }
    const service = await startGraphql(host('strapi4'), parts)
    await service.begin()
    assert.equal(service.runner, 'No schema can be made: the log of the server says why')
    assert.match(warnings.join(), /two fields have one name; requests to \/graphql get 501/)
    await assert.rejects((await startGraphql(host('stele'), parts)).begin(), BootError)
  })

  it('answers 501 with what is to be done', async () => {
    const { app, send } = await smallWorld({ missing: 'npm install graphql' })
    onTestFinished(() => app.close())
    for (const response of [await send({ query }), await app.inject({ method: 'GET', url: '/graphql' })]) {
      const [{ message, extensions }] = response.json().errors
      assert.deepEqual([response.statusCode, message, extensions.code], [501, 'npm install graphql', 'NOT_IMPLEMENTED'])
    }
  })
})

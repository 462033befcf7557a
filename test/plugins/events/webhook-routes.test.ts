import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { audit } from '../../../plugins/audit/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { credentials } from '../../strapi4/fixture.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { type Answer, type Body, refused, start } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { bearer, mint } from '../api-tokens/world.js'
import { Receiver } from './receiver.js'

const secret = `whsec_${randomBytes(32).toString('base64')}`

onEveryEngine('routes of webhooks', engine => {
  let receiver: Receiver
  let api: Awaited<ReturnType<typeof start>>
  const keys: Record<string, string> = {}
  beforeAll(async () => {
    receiver = await Receiver.start()
    const { url, port } = receiver
    api = await start(engine, {
      types: {
        author: { attributes: { name: { type: 'string' } } },
        page: { options: { draftAndPublish: true }, attributes: { title: { type: 'string' } } },
        article: {
          attributes: {
            title: { type: 'string' },
            author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
          },
        },
      },
      plugins: [
        [events, { privateAddresses: ['127.0.0.1'] }],
        [apiTokens, { salt: 'for tests' }],
        [draftAndPublish, { strict: true, restrictPreview: true }],
        [audit, { secret: 'a secret of this test, long enough', show: 'value' }],
      ],
      config: {
        webhooks: {
          build: { url, types: ['article', 'page'], secret, headers: { Authorization: 'Bearer TOPSECRET' } },
          inside: { url: `http://[::1]:${port}/`, types: ['author'] },
          off: { url, enabled: false },
        },
      },
    })
    const action = (name: string) => `plugin::events.webhook.${name}`
    const custom = async (...actions: string[]) =>
      (await mint(api.app, `of ${actions}`, { type: 'custom', actions: actions.join(',') })).accessKey
    keys.full = (await mint(api.app, 'all')).accessKey
    keys.readOnly = (await mint(api.app, 'reader', { type: 'read-only' })).accessKey
    keys.lists = await custom(action('list'), 'api::article.article.find')
    keys.live = await custom(action('list'), 'api::page.page.find')
    keys.previews = await custom(action('list'), 'api::page.page.find', 'api::page.page.preview')
    keys.reads = await custom(action('list'), 'api::article.article.find', 'api::author.author.find')
  })
  afterAll(async () => {
    await api?.close()
    await receiver?.stop()
  })
  beforeEach(() => {
    receiver.answer = (_, response) => response.end('thanks')
  })
  const as = (key: string | undefined, method: string, path: string, body?: unknown) =>
    api.send(method, path, body, bearer(key ?? ''))
  const ask = (method: string, path: string, body?: unknown) => as(keys.full, method, path, body)
  const sent = () => api.app.runJob('events/webhooks')
  const delivered = async (state: string): Promise<Body[]> => {
    const { body, text } = await ask('GET', `/events/deliveries?webhook=config:build&state=${state}`)
    assert.ok(Array.isArray(body.data), text)
    return body.data
  }

  const calls = [
    ...[
      ['GET', '/events/webhooks'],
      ['POST', '/events/webhooks'],
      ['GET', '/events/webhooks/config:build'],
    ],
    ...[
      ['PUT', '/events/webhooks/config:build'],
      ['DELETE', '/events/webhooks/config:build'],
    ],
    ...['test', 'enable', 'replay'].map(name => ['POST', `/events/webhooks/config:build/${name}`]),
    ...[
      ['GET', '/events/deliveries'],
      ['GET', '/events/deliveries/1'],
      ['POST', '/events/deliveries/1/replay'],
    ],
  ] as [string, string][]
  for (const [method, path] of calls)
    it(`are closed unless permitted: ${method} ${path}`, async () => {
      const body = ['POST', 'PUT'].includes(method) ? { data: {} } : undefined
      assert.equal((await api.send(method, path, body)).status, 401)
      refused(await as(keys.readOnly, method, path, body), { status: 403, name: 'ForbiddenError' })
      if (method !== 'GET') refused(await as(keys.lists, method, path, body), { status: 403 })
    })

  it('list what is declared, without values of headers and secrets', async () => {
    const { body, text, status } = await as(keys.lists, 'GET', '/events/webhooks')
    assert.equal(status, 200)
    assert.doesNotMatch(text, /TOPSECRET|whsec_/)
    assert.deepEqual(body.meta, {})
    assert.deepEqual(body.data[0], {
      ...{ key: 'config:build', name: 'build', from: 'config/webhooks', url: receiver.url, events: ['*'] },
      ...{ types: ['article', 'page'], headers: ['Authorization'], signed: true, state: 'enabled', behind: 0 },
    })
    assert.deepEqual(
      body.data.map(({ name, state }: Body) => `${name} ${state}`),
      ['build enabled', 'inside enabled', 'off disabled'],
    )
    assert.deepEqual((await ask('GET', '/events/webhooks/config:off')).body.data, body.data[2])
    refused(await ask('GET', '/events/webhooks/config:nothing'), { status: 404 })
  })

  it('change nothing that is declared', async () => {
    const data = { name: 'new', url: receiver.url, events: ['entry.create'] }
    for (const method of ['PUT', 'DELETE'])
      refused(await ask(method, '/events/webhooks/config:build', method === 'PUT' ? { data } : undefined), {
        status: 400,
        message: /build is declared in config\/webhooks/,
      })
  })

  it('add one beside those that are declared, which is sent what happens from then on, and record who did it', async () => {
    const data = { name: 'new', url: receiver.url, events: ['entry.create'], headers: { 'X-Key': 'TOPSECRET' } }
    const made = await ask('POST', '/events/webhooks', { data })
    assert.equal(made.status, 201, made.text)
    const { key, behind, ...shown } = made.body.data
    assert.deepEqual([key, behind], ['added:1', 0])
    assert.deepEqual(shown, {
      ...{ name: 'new', from: 'added', url: receiver.url, events: ['entry.create'], types: null },
      ...{ headers: ['x-key'], signed: false, state: 'enabled' },
    })
    await api.post('/authors', { name: 'Ann' })
    const got: ReturnType<typeof receiver.take> = []
    while (got.length === 0) {
      await sent()
      got.push(...receiver.take())
    }
    expect(got[0]).toMatchObject({
      headers: { 'x-key': 'TOPSECRET' },
      body: { event: 'entry.create', model: 'author' },
    })
    const changed = await ask('PUT', `/events/webhooks/${key}`, { data: { enabled: false, headers: {} } })
    assert.deepEqual([changed.body.data.state, changed.body.data.headers], ['disabled', []])
    assert.equal((await ask('DELETE', `/events/webhooks/${key}`)).status, 200)
    refused(await ask('GET', `/events/webhooks/${key}`), { status: 404 })
    refused(await ask('DELETE', `/events/webhooks/${key}`), { status: 404 })
    const records = await ask('GET', '/audit/records?type=plugin::events.added-webhook')
    assert.doesNotMatch(records.text, /TOPSECRET/)
    assert.deepEqual(
      records.body.data.map(({ event, entry, changes }: Body) => [event, entry, Object.keys(changes).length]),
      [
        ['webhook.delete', 1, 5],
        ['webhook.update', 1, 2],
        ['webhook.create', 1, 5],
      ],
    )
    const [, change] = records.body.data
    assert.deepEqual(change.changes, { headers: {}, enabled: { from: true, to: false } })
    assert.match(change.actor, /^token \d+$/)
  })

  it('record an address as it is shown: without a name and a password', async () => {
    const isOn = engine.name === 'postgres' ? 'true' : '1'
    await run(
      api.database,
      `insert into stele_webhooks (name, url, headers, events, enabled) values
        ('known', 'https://ann:TOPSECRET@hooks.example.com/a', '{}', '["entry.create"]', ${isOn})`,
    )
    const { body } = await ask('GET', '/events/webhooks')
    const { key } = body.data.find(({ name }: Body) => name === 'known')
    const url = 'https://hooks.example.com/b'
    assert.equal((await ask('PUT', `/events/webhooks/${key}`, { data: { url } })).status, 200)
    const { body: records, text } = await ask('GET', '/audit/records?type=plugin::events.added-webhook')
    assert.doesNotMatch(text, /TOPSECRET|ann:/)
    assert.deepEqual(records.data[0].changes, { url: { from: 'https://hooks.example.com/a', to: url } })
    assert.equal((await ask('DELETE', `/events/webhooks/${key}`)).status, 200)
  })

  it('send a test, and say what came of it', async () => {
    receiver.answer = (_, response) => response.writeHead(500).end('no')
    const { data } = (await ask('POST', '/events/webhooks/config:build/test')).body
    expect(data).toMatchObject({ status: 500, reply: 'no', taken: false })
    expect(receiver.take()[0]).toMatchObject({
      headers: { authorization: 'Bearer TOPSECRET' },
      body: { event: 'trigger-test' },
    })
    const inside = (await ask('POST', '/events/webhooks/config:inside/test')).body.data
    expect(inside).toMatchObject({ status: null, taken: false })
    assert.match(inside.reply, /::1, a private address/)
    assert.deepEqual(receiver.take(), [])
  })

  it('list deliveries by pages, with what came of them', async () => {
    const author = (await api.post('/authors', { name: 'Ann' })).body.data.id
    for (const title of ['A', 'B', 'C']) await api.post('/articles', { title, author })
    await sent()
    const done = await delivered('done')
    assert.deepEqual(
      done.map(({ event, subject, tries, status, reply }) => `${event} ${subject} ${tries} ${status} ${reply}`),
      [3, 2, 1].map(id => `entry.create api::article.article ${id} 1 200 thanks`),
    )
    assert.equal('body' in (done[0] as object), false)
    const path = '/events/deliveries?webhook=config:build&limit=2'
    const first = (await ask('GET', path)).body.data
    const second = (await ask('GET', `${path}&before=${first.at(-1).id}`)).body.data
    assert.deepEqual(
      [...first, ...second].map(({ id }) => id),
      done.map(({ id }) => id),
    )
  })

  it('show the message to callers alone who may read all of the entry in it', async () => {
    const [{ id }] = (await delivered('done')) as [Body]
    const path = `/events/deliveries/${id}`
    expect((await as(keys.reads, 'GET', path)).body.data.body).toMatchObject({
      event: 'entry.create',
      entry: { title: 'C', author: { name: 'Ann' } },
    })
    const { body, text } = await as(keys.lists, 'GET', path)
    assert.deepEqual([body.data.id, body.data.body], [id, null])
    assert.doesNotMatch(text, /Ann/)
    refused(await ask('GET', '/events/deliveries/99999'), { status: 404 })
  })

  it('show the message about a type with drafts to callers alone who may read these', async () => {
    await api.post('/pages', { title: 'not yet', publishedAt: null })
    await sent()
    const [{ id }] = (await delivered('done')) as [Body]
    const bodyFor = async (key: string) => (await as(keys[key], 'GET', `/events/deliveries/${id}`)).body.data.body
    assert.equal(await bodyFor('live'), null)
    expect(await bodyFor('previews')).toMatchObject({ entry: { title: 'not yet' } })
  })

  for (const [query, parameter] of [
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['state=open', 'state'],
    ['before=x', 'before'],
    ['webhook[a]=1', 'webhook'],
    ['sort=id', 'sort'],
  ] as const)
    it(`refuse deliveries?${query}`, async () =>
      refused(await ask('GET', `/events/deliveries?${query}`), { status: 400, parameter }))

  it('send again what was sent, one or all that have failed', async () => {
    receiver.answer = (_, response) => response.writeHead(410).end()
    await api.post('/articles', { title: 'D' })
    await sent()
    assert.equal((await ask('GET', '/events/webhooks/config:build')).body.data.state, 'stopped')
    const enabled = await ask('POST', '/events/webhooks/config:build/enable')
    assert.equal(enabled.body.data.state, 'enabled')
    refused(await ask('POST', '/events/webhooks/config:off/enable'), { status: 400, message: /off is disabled/ })
    receiver.take()
    receiver.answer = (_, response) => response.end('thanks')
    const replayed = await ask('POST', '/events/webhooks/config:build/replay')
    assert.deepEqual(replayed.body.data, { count: 1 })
    await sent()
    const [{ id }] = (await delivered('done')) as [Body]
    assert.deepEqual((await ask('POST', `/events/deliveries/${id}/replay`)).body.data, { count: 1 })
    await sent()
    assert.deepEqual(
      receiver.take().map(({ body }) => body.entry.title),
      ['D', 'D'],
    )
    refused(await ask('POST', '/events/deliveries/99999/replay'), { status: 404 })
  })
})

onEveryEngine("routes of webhooks of Strapi 4's panel", engine => {
  let pristine: Pristine
  let project: OpenProject
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    const folder = join(pristine.project.folder, 'config/env/production')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'plugins.js'), 'module.exports = { events: true }\n')
    await run(
      pristine.database,
      `insert into strapi_webhooks (name, url, headers, events, enabled) values
        ('old', 'https://hooks.example.com/a', '{"Authorization":"TOPSECRET"}', '["entry.create","review.done"]',
          ${engine.name === 'postgres' ? 'true' : '1'})`,
    )
    project = await openProject(pristine.project, pristine.variables)
  })
  afterAll(async () => {
    await project?.close()
    await pristine?.drop()
  })
  const authorization = `Bearer ${credentials.apiTokens.full ?? Object.values(credentials.apiTokens)[0]}`
  const ask = async (method: string, path: string, data?: unknown): Promise<Answer> => {
    const reply = await project.send({
      ...{ method: method as 'GET', url: `/api/events/webhooks${path}`, headers: { authorization } },
      ...(data !== undefined && { payload: { data } }),
    })
    const { statusCode: status, payload: text } = reply
    return { status, text, body: JSON.parse(text), headers: reply.headers, statements: [] } as unknown as Answer
  }
  const named = async (name: string): Promise<Body> => {
    const { body } = await ask('GET', '')
    return body.data.find((one: Body) => one.name === name)
  }
  const rowOf = async (key: string) =>
    run(pristine.database, `select name, headers, events from strapi_webhooks where id = ${Number(key.split(':')[1])}`)
  const wish = {
    name: 'build',
    url: 'https://ci.example.com/x',
    events: ['entry.publish'],
    headers: { 'X-Key': 'abc' },
  }

  it('add one, change and delete it, as Strapi stores them', async () => {
    const made = await ask('POST', '', wish)
    assert.equal(made.status, 201, made.text)
    const { key, ...shown } = made.body.data
    assert.deepEqual(shown, {
      ...{ name: 'build', from: 'panel', url: wish.url, events: wish.events, types: null },
      ...{ headers: ['x-key'], signed: false, state: 'enabled', behind: 0 },
    })
    const changed = await ask('PUT', `/${key}`, { enabled: false, events: ['media.create', 'entry.delete'] })
    assert.equal(changed.body.data.state, 'disabled')
    assert.match(JSON.stringify(await rowOf(key)), /X-Key.*abc.*media\.create.*entry\.delete/)
    assert.equal((await ask('DELETE', `/${key}`)).status, 200)
    assert.equal(await named('build'), undefined)
    refused(await ask('PUT', `/${key}`, { enabled: true }), { status: 404 })
  })

  it('keep values of headers that are not shown, but send them to no other server', async () => {
    const { key, headers, events } = await named('old')
    assert.deepEqual(headers, ['authorization'])
    const same = await ask('PUT', `/${key}`, { url: 'https://hooks.example.com/b', headers: { authorization: true } })
    assert.equal(same.status, 200, same.text)
    assert.match(JSON.stringify(await rowOf(key)), /Authorization.*TOPSECRET/)
    assert.deepEqual(same.body.data.events, events)
    const moved = { url: 'https://evil.example.com/a' }
    for (const data of [moved, { ...moved, headers: { Authorization: true } }])
      refused(await ask('PUT', `/${key}`, data), {
        status: 400,
        message: /headers\.Authorization has to be sent again/,
      })
    assert.equal((await ask('PUT', `/${key}`, { ...moved, headers: {} })).status, 200)
    assert.deepEqual((await named('old')).headers, [])
  })

  it('show no name and no password of an address, and take none', async () => {
    await run(
      pristine.database,
      `insert into strapi_webhooks (name, url, headers, events, enabled) values
        ('known', 'https://ann:TOPSECRET@hooks.example.com/a', '{}', '["entry.create"]',
          ${engine.name === 'postgres' ? 'true' : '1'})`,
    )
    const { key, url } = await named('known')
    assert.equal(url, 'https://hooks.example.com/a')
    assert.doesNotMatch((await ask('GET', `/${key}`)).text, /TOPSECRET|ann/)
    for (const data of [{ enabled: false }, { url, name: 'renamed' }])
      assert.equal((await ask('PUT', `/${key}`, data)).status, 200)
    const id = Number(key.split(':')[1])
    const [row] = await run(pristine.database, `select name, url from strapi_webhooks where id = ${id}`)
    assert.deepEqual({ ...row }, { name: 'renamed', url: 'https://ann:TOPSECRET@hooks.example.com/a' })
    const sent = await ask('PUT', `/${key}`, { url: 'https://ann:other@hooks.example.com/a' })
    refused(sent, { status: 400, message: /url must have no name and no password: send them in the header Authoriz/ })
    assert.doesNotMatch(sent.text, /other/)
  })

  describe('refuse what cannot be sent', () => {
    const cases: [object, RegExp][] = [
      [{ url: 'ftp://example.com' }, /url must be an address of http or https/],
      [{ url: undefined }, /url must be/],
      [{ name: ' ' }, /name must be a text/],
      [{ events: [] }, /events must be a list/],
      [{ events: ['*'] }, /events must be a list/],
      [{ events: ['entry.create', 'entry.create'] }, /events must be a list/],
      [{ headers: { 'a b': 'x' } }, /headers\.a b is no name of a header/],
      [{ headers: { 'X-A': 'a\r\nB: c' } }, /headers\.X-A must be a text/],
      [{ headers: { 'X-A': true } }, /headers\.X-A must be a text/],
      [{ enabled: 1 }, /enabled must be true or false/],
      [{ secret: 'x' }, /secret is not accepted/],
      [{ url: 'https://ann:x@example.com' }, /url must have no name and no password/],
    ]
    for (const [data, message] of cases)
      it(JSON.stringify(data), async () =>
        refused(await ask('POST', '', { ...wish, ...data }), { status: 400, message }),
      )
    for (const name of ['name', 'url', 'headers', 'events', 'enabled'])
      it(`a change that has null for ${name}`, async () => {
        const { key } = await named('old')
        refused(await ask('PUT', `/${key}`, { [name]: null }), { status: 400, message: new RegExp(`^${name} must be`) })
      })
    it('a body without data', async () => refused(await ask('POST', '', null), { status: 400 }))
  })
})

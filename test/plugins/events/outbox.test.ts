import assert from 'node:assert/strict'
import { expect, it } from 'vitest'
import { BadRequestError, definePlugin, type TestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import type { Events } from '../../../plugins/events/service.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { contract, type World } from '../../support/contract.js'

const undone = 'undone'
/** The requests of writes, in the order of their transactions. */
const written: (string | undefined)[] = []
/** Undoes writes after all other plugins have had them. */
const undoing = definePlugin({
  name: 'undoing',
  appliesTo: ({ uid }) => uid === 'api::author.author',
  hooks: {
    async afterWrite({ name }, { requestId }) {
      if (name === undone) throw new BadRequestError('it is undone')
      written.push(requestId)
    },
  },
})

const world: World = {
  types: {
    author: { attributes: { name: { type: 'string' } } },
    article: {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: { type: 'string' },
        secret: { type: 'password' },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
        editors: { type: 'relation', relation: 'manyToMany', target: 'api::author.author' },
      },
    },
  },
  plugins: [
    events,
    draftAndPublish,
    [i18n, { locales: ['en', 'fr'] }],
    upload,
    apiTokens,
    [usersPermissions, { jwtSecret: 'a secret of this test' }],
    bulk,
    undoing,
  ],
  config: {
    permissions: {
      roles: {
        public: {
          article: ['find', 'findOne', 'create', 'update', 'delete'],
          author: ['find', 'findOne', 'create', 'update', 'delete'],
          'plugin::upload.content-api': ['upload', 'destroy'],
        },
      },
    },
  },
}

const serviceOf = (app: TestApp) => app.plugins.find(({ spec }) => spec.name === 'events')?.service as Events

contract('the outbox', world, api => {
  let seen = 0
  /** Events since the last call, as readers get them. */
  const recorded = async () => {
    const { outbox } = serviceOf(api.app)
    while (await outbox.arrange());
    const found = await outbox.after(seen)
    seen = found.at(-1)?.position ?? seen
    return found
  }
  const brief = async () =>
    (await recorded()).map(({ event, uid, entry }) => `${event} ${uid.split(/[.:]/).at(-1)} ${entry}`)

  it('records the start of an app in the order of its writes, with no one behind it', async () => {
    const found = await recorded()
    assert.ok(found.some(({ event, uid }) => event === 'entry.create' && uid === 'plugin::users-permissions.role'))
    assert.deepEqual(
      found.map(({ position }) => position),
      found.map((_, index) => index + 1),
    )
    assert.deepEqual([...new Set(found.map(({ actor, requestId }) => `${actor} ${requestId}`))], ['system undefined'])
  })

  it('records a create with its request, its caller, its locale and both ends of its relations', async () => {
    const [ann, bob] = await api.makeMany('/authors', 2)
    await recorded()
    const { headers } = await api.send('POST', '/articles', {
      data: { title: 'Bread', author: ann, editors: { connect: [{ id: bob }] } },
    })
    const [event, ...others] = await recorded()
    assert.deepEqual(others, [])
    const { id: _, position: __, at, actor, ...rest } = event as NonNullable<typeof event>
    assert.deepEqual(rest, {
      event: 'entry.create',
      uid: 'api::article.article',
      entry: 1,
      locale: 'en',
      requestId: headers['x-request-id'],
      trace: undefined,
      changed: undefined,
      gone: undefined,
      ends: [
        { attribute: 'author', uid: 'api::author.author', id: ann },
        { attribute: 'editors', uid: 'api::author.author', id: bob },
      ],
    })
    assert.match(String(actor), /^role /)
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
  })

  it('records what an update changes, and the ends that it leaves', async () => {
    await api.put('/articles/1', { title: 'Bread', secret: 'new', author: 2 })
    const [event] = await recorded()
    assert.deepEqual(event?.changed?.toSorted(), ['author', 'secret'])
    assert.deepEqual(
      event?.ends?.map(({ attribute, id }) => `${attribute} ${id}`),
      ['author 1', 'author 2'],
    )
  })

  it('tells publishing and its opposite by what they do', async () => {
    await api.put('/articles/1', { publishedAt: null })
    await api.put('/articles/1', { title: 'Rye' })
    await api.put('/articles/1', { publishedAt: '2026-01-01T00:00:00.000Z' })
    assert.deepEqual(await brief(), ['entry.unpublish article 1', 'entry.update article 1', 'entry.publish article 1'])
  })

  it('records a delete with the entry as it was, without what requests cannot see', async () => {
    await api.delete('/articles/1')
    const [event] = await recorded()
    assert.equal(event?.event, 'entry.delete')
    expect(event?.gone).toMatchObject({ id: 1, title: 'Rye', locale: 'en' })
    assert.doesNotMatch(JSON.stringify(event?.gone), /secret/)
    assert.deepEqual(event?.ends?.map(({ attribute, id }) => `${attribute} ${id}`).toSorted(), [
      'author 2',
      'editors 2',
    ])
  })

  it('records files, accounts, roles and tokens, from every way of writing', async () => {
    const boundary = 'x'
    const payload = `--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nhello\r\n--x--\r\n`
    const sent = await api.send('POST', '/upload', payload, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    })
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual((await brief()).at(-1), 'media.create file 1')
    const account = { username: 'ann', email: 'ann@example.com', password: 'a long password' }
    assert.equal((await api.send('POST', '/auth/local/register', account)).status, 200)
    assert.deepEqual(await brief(), ['entry.create user 1'])
    const { entries } = api.app
    const role = await entries('plugin::users-permissions.role').create({ name: 'Editor', type: 'editor' })
    const token = await entries('admin::api-token').create({ name: 'one', type: 'read-only', accessKey: 'x' })
    assert.deepEqual(await brief(), [`entry.create role ${role.id}`, `entry.create api-token ${token.id}`])
  })

  it('records an import as one event', async () => {
    await serviceOf(api.app).imported()
    assert.deepEqual(await brief(), ['content.import * 0'])
  })

  it('records nothing of a write that is undone', async () => {
    const before = await api.count('stele_events')
    await assert.rejects(
      api.app.store.transaction(async session => {
        await api.app.entries('api::author.author', session).create({ name: 'gone' })
        throw new Error('undone')
      }),
      /undone/,
    )
    assert.equal((await api.send('POST', '/authors', { data: { name: { not: 'a name' } } })).status, 400)
    assert.equal(await api.count('stele_events'), before)
  })

  it('records all writes of one moment, and not those of them that are undone later', async () => {
    await recorded()
    const names = Array.from({ length: 24 }, (_, index) => (index % 3 ? `author ${index}` : undone))
    const sent = await Promise.all(names.map(name => api.send('POST', '/authors', { data: { name } })))
    assert.deepEqual(
      sent.map(({ status }) => status),
      names.map(name => (name === undone ? 400 : 200)),
    )
    const ids = sent.flatMap(({ status, body }) => (status === 200 ? [body.data.id] : []))
    assert.deepEqual((await recorded()).map(({ entry }) => entry).toSorted(), ids.toSorted())
  })

  it('records writes to one entry in their order, however they come', async () => {
    const id = await api.make('/authors', { name: 'Ann' })
    await recorded()
    written.length = 0
    const operations = [{ update: id, data: { name: 'one of several' } }, { delete: 99_999 }]
    const client = async (number: number) => {
      for (let count = 0; count < 6; count += 1)
        if (number % 2) await api.send('PUT', `/authors/${id}`, { data: { name: `name ${count}` } })
        else await api.send('POST', '/authors/bulk', { operations, atomic: false })
    }
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(client))
    // A write that was retried, or was undone with a refused operation, is written a second time.
    const order = written.filter((request, index) => written.lastIndexOf(request) === index)
    const found = await recorded()
    assert.equal(order.length, 42)
    assert.deepEqual(
      found.map(({ requestId }) => requestId),
      order,
    )
  })

  it('records the operations of a request that are done, and not those that are refused', async () => {
    const id = await api.make('/authors', { name: 'Ann' })
    await recorded()
    const operations = [
      { create: { name: 'first' } },
      { update: id, data: { name: undone } },
      { update: id, data: { name: 'Bea' } },
      { create: { name: undone } },
      { delete: 99_999 },
      { delete: id },
    ]
    const { body } = await api.send('POST', '/authors/bulk', { operations, atomic: false })
    const statuses = body.results.map(({ status }: { status: number }) => status)
    assert.deepEqual(statuses, [200, 400, 200, 400, 404, 200])
    const made = body.results[0].data.id
    assert.deepEqual(await brief(), [
      `entry.create author ${made}`,
      `entry.update author ${id}`,
      `entry.delete author ${id}`,
    ])
  })

  it('gives a row that is committed late a place behind all that were read, from two readers at once', async () => {
    const { outbox } = serviceOf(api.app)
    await recorded()
    const authors = (session?: Parameters<typeof api.app.entries>[1]) => api.app.entries('api::author.author', session)
    const names: string[] = []
    const read: number[] = []
    let position = seen
    const reader = async () => {
      await outbox.arrange()
      for (const event of await outbox.after(position)) {
        read.push(event.entry)
        position = event.position
      }
    }
    const made: number[] = []
    const write = async (name: string, pause: () => Promise<unknown>) => {
      await api.app.store.transaction(async session => {
        const { id } = await authors(session).create({ name })
        names.push(name)
        await pause()
        made.push(Number(id))
      })
    }
    for (let round = 0; round < 10; round += 1) {
      const isQuick = api.app.store.facts.oneWriter
      // The first has the smaller id, and is committed when the second has been read.
      const late = write(`late ${round}`, async () => {
        if (isQuick) return
        await Promise.all([write(`early ${round}`, async () => undefined), outbox.arrange(), outbox.arrange()])
        await reader()
      })
      await late
      await Promise.all([outbox.arrange(), reader()])
    }
    await reader()
    assert.deepEqual(read.toSorted(), made.toSorted())
    const rows = await api.rows('stele_events', ['position'])
    const places = rows.map(row => Number(row.position)).toSorted((a, b) => a - b)
    assert.deepEqual(
      places,
      places.map((_, index) => index + 1),
    )
    seen = position
  })

  it('keeps events for as long as the setting says, and goes on counting', async () => {
    const { outbox } = serviceOf(api.app)
    const { signal } = new AbortController()
    const { last } = await outbox.bounds()
    await outbox.prune(new Date(Date.now() + 60_000), signal)
    assert.deepEqual(await outbox.bounds(), { first: last, last })
    await api.app.runJob('events/prune')
    await api.post('/authors', { name: 'next' })
    assert.deepEqual(
      (await recorded()).map(({ position }) => position),
      [last + 1],
    )
  })
})

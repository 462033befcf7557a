import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import {
  BadRequestError,
  createTestApp,
  definePlugin,
  flag,
  type Host,
  InvalidParameter,
  NotFoundError,
  type TestApp,
  where,
} from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { text: { type: 'string' } } } }
const uid = 'api::note.note'

describe('the settings of a plugin', () => {
  const plugin = definePlugin({
    name: 'tuned',
    config: { type: 'object', properties: { strict: { type: 'boolean', default: { spec: true, strapi4: false } } } },
    register: ({ config }) => config,
    routes: [{ method: 'GET', path: '/strict', action: null, run: ({ service }) => service.strict }],
  })
  const ask = async (dialect: 'spec' | 'strapi4', config: object) => {
    const app = await createTestApp({ plugins: [[plugin, config as never]], config: { api: { rest: { dialect } } } })
    const answer = (await app.inject('/api/strict')).json()
    await app.close()
    return answer
  }
  it('begin with the values of the dialect', async () => {
    assert.equal(await ask('spec', {}), true)
    assert.equal(await ask('strapi4', {}), false)
  })
  it('are what the app says in any dialect', async () => {
    assert.equal(await ask('strapi4', { strict: true }), true)
    assert.equal(await ask('spec', { strict: false }), false)
  })
})

describe('routes', () => {
  const plugin = definePlugin({
    name: 'ways',
    appliesTo: type => type.options.marked === true,
    attributes: type => ({ [`of${type.displayName}`]: { type: 'string' } }),
    routes: [
      ({ pluralName }) => [
        {
          method: 'POST',
          path: `/${pluralName}/:id/mark`,
          action: 'mark',
          run: ({ content, params, ctx }) => {
            ctx.status = 201
            return content.update(`api::${pluralName.slice(0, -1)}.note`, params.id, { text: 'marked' })
          },
        },
      ],
      { method: 'GET', path: '/elsewhere/*rest', at: 'root', action: null, run: ({ params }) => ({ at: params.rest }) },
      {
        method: 'POST',
        path: '/raw',
        action: null,
        body: 'raw',
        run: async ({ ctx }) => {
          let size = 0
          for await (const chunk of ctx.req) size += chunk.length
          return { size }
        },
      },
      {
        method: 'GET',
        path: '/all-notes',
        action: null,
        run: ({ content }) => content.find(uid, { paging: 'open' }),
      },
    ],
  })
  const marked = { note: { ...types.note, options: { marked: true } }, memo: types.note }
  const start = () => createTestApp({ types: marked, plugins: [plugin] })

  it('of a type exist for the types that the plugin applies to, and answer as the type does', async () => {
    const app = await start()
    const { id } = await app.entries(uid).create({ text: 'a' })
    const reply = await app.inject({ method: 'POST', url: `/api/notes/${id}/mark?fields[0]=text` })
    assert.equal(reply.statusCode, 201)
    assert.deepEqual(reply.json(), {
      data: { id, attributes: { text: 'marked' }, meta: { availableLocales: [] } },
      meta: {},
    })
    assert.equal((await app.inject({ method: 'POST', url: '/api/memos/1/mark' })).statusCode, 404)
    assert.equal((await app.inject({ method: 'POST', url: '/api/notes/99/mark' })).statusCode, 404)
    assert.ok(app.types.get(uid).fields.has('ofnote'))
    await app.close()
  })
  it('may begin at the root of the server', async () => {
    const app = await start()
    assert.deepEqual((await app.inject('/elsewhere/a/b.txt')).json(), { at: 'a/b.txt' })
    assert.equal((await app.inject('/api/elsewhere/a')).statusCode, 404)
    assert.equal((await app.inject({ method: 'POST', url: '/elsewhere/a' })).statusCode, 405)
    await app.close()
  })
  it('may read their bodies themselves', async () => {
    const app = await start()
    const reply = await app.inject({ method: 'POST', url: '/api/raw', payload: 'x'.repeat(70_000) })
    assert.deepEqual(reply.json(), { size: 70_000 })
    await app.close()
  })
  it('may list without pages, as far as the query says', async () => {
    const app = await start()
    for (let index = 0; index < 30; index += 1) await app.entries(uid).create({ text: String(index) })
    const ids = async (query: string) =>
      (await app.inject(`/api/all-notes${query}`)).json().data.map(({ id }: { id: number }) => id)
    assert.equal((await ids('')).length, 30)
    assert.deepEqual(await ids('?start=3&limit=2'), [4, 5])
    assert.equal((await ids('?pagination[pageSize]=1')).length, 30)
    await app.close()
  })
})

describe('bodies of other media types', () => {
  const released: boolean[] = []
  const plugin = definePlugin({
    name: 'lines',
    bodies: [
      {
        type: 'text/x-lines',
        read: async ({ ctx, action, uid: of }) => {
          let text = ''
          for await (const chunk of ctx.req) text += chunk
          if (text === 'none') throw new BadRequestError('no lines')
          return { body: { data: { text: `${action} ${of} ${text}` } }, release: failed => void released.push(failed) }
        },
      },
    ],
  })
  it('are read for the generated routes, and released when the response is known', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    const send = (payload: string, path = '/api/notes') =>
      app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'text/x-lines; charset=utf-8' } })
    assert.equal((await send('one')).json().data.attributes.text, `create ${uid} one`)
    assert.equal((await send('none')).json().error.message, 'no lines')
    assert.equal((await send('two', '/api/notes?fields=nosuch')).statusCode, 400)
    assert.deepEqual(released, [false, true])
    await app.close()
  })
})

describe('parameters', () => {
  const plugin = definePlugin({
    name: 'loud',
    appliesTo: type => type.options.loud === true,
    params: { quiet: { ...flag(), everywhere: true, nested: true } },
    hooks: { beforeFind: (query, ask) => (ask.params.quiet ? where(query, { id: { $lt: 0 } }) : query) },
  })
  const both = {
    note: { attributes: { of: { type: 'relation', relation: 'manyToOne', target: 'api::memo.memo' } } },
    memo: { ...types.note, options: { loud: true } },
  }
  it('may hold everywhere, and inside a populate and below it', async () => {
    const app = await createTestApp({ types: both, plugins: [plugin] })
    const memo = await app.entries('api::memo.memo').create({ text: 'm' })
    await app.entries(uid).create({ of: memo.id })
    const memoOf = async (query: string) => (await app.inject(`/api/notes${query}`)).json().data[0].attributes.of.data
    assert.equal((await memoOf('?populate=of')).id, memo.id)
    assert.equal(await memoOf('?populate=of&quiet=true'), null)
    assert.equal(await memoOf('?populate[of][quiet]=true'), null)
    assert.equal((await memoOf('?populate[of][quiet]=false')).id, memo.id)
    const wrong = await app.inject('/api/notes?populate[of][quiet]=perhaps')
    assert.equal(wrong.statusCode, 400)
    assert.match(wrong.json().error.message, /populate\[of\]\[quiet\]/)
    await app.close()
  })
})

describe('what a plugin caches of the database', () => {
  it('is reread at start and by the first request after a second', async () => {
    let reads = 0
    const plugin = definePlugin({
      name: 'keeper',
      register: () => ({
        refresh: () => {
          reads += 1
        },
      }),
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    assert.equal(reads, 1)
    await Promise.all(Array.from({ length: 20 }, () => app.inject('/api/notes')))
    assert.equal(reads, 1)
    await app.entries(uid).create({ text: 'a' })
    const deadline = Date.now() + 5_000
    while (reads === 1 && Date.now() < deadline) await app.inject('/api/notes')
    assert.equal(reads, 2)
    await app.close()
  })
})

describe('an app that extends the type of a plugin', () => {
  const plugin = definePlugin({
    name: 'people',
    contentTypes: [
      {
        uid: 'plugin::people.person',
        source: 'people',
        schema: {
          kind: 'collectionType',
          collectionName: 'people',
          info: { singularName: 'person', pluralName: 'people' },
          attributes: { name: { type: 'string' } },
        },
      },
    ],
  })
  const extension = {
    uid: 'plugin::people.person',
    source: 'own.json',
    schema: { attributes: { age: { type: 'integer' } } },
  }
  it('finds its attributes beside those of the plugin', async () => {
    const app = await createTestApp({ plugins: [plugin], definitions: [extension] })
    const person = await app.entries('plugin::people.person').create({ name: 'Ann', age: 40 })
    assert.deepEqual([person.name, person.age], ['Ann', 40])
    await app.close()
  })
})

onEveryEngine('parts that reach the store', engine => {
  const within = async (options: object, suite: (app: TestApp) => Promise<void>) => {
    const fresh = await engine.fresh()
    const app = await createTestApp({ ...options, config: { database: fresh.database as never } })
    try {
      await suite(app)
    } finally {
      await app.close()
      await fresh.drop()
    }
  }

  it('keeps settings of a plugin, with its own values while there are none', async () => {
    let host: Host<unknown, { colour: string; sizes: { small: number; large: number } }> | undefined
    const plugin = definePlugin({
      name: 'painter',
      shares: { stored: { colour: 'red', sizes: { small: 1, large: 9 } } },
      register: given => {
        host = given
      },
    })
    await within({ plugins: [plugin] }, async app => {
      const stored = host?.shares.stored as NonNullable<typeof host>['shares']['stored']
      assert.equal(await stored.get('colour'), 'red')
      await stored.set('colour', 'blue')
      await stored.set('colour', 'green')
      assert.equal(await stored.get('colour'), 'green')
      await stored.set('sizes', { small: 2 } as never)
      assert.deepEqual(await stored.get('sizes'), { small: 2, large: 9 })
      const rows = await app.store.reader.all('select value, type from strapi_core_store_settings order by id', [])
      assert.deepEqual(rows, [
        ['"green"', 'string'],
        ['{"small":2}', 'object'],
      ])
      await assert.rejects(
        app.store.transaction(async session => {
          await stored.set('colour', 'lost', session)
          assert.equal(await stored.get('colour', session), 'lost')
          throw new Error('undone')
        }),
        /undone/,
      )
      assert.equal(await stored.get('colour'), 'green')
      await assert.rejects(async () => stored.get('shape' as never), /declares no stored setting "shape"/)
    })
  })

  const tongues = definePlugin({
    name: 'tongues',
    attributes: {
      tongue: { type: 'string', writable: false, uniqueWithin: true },
      others: { type: 'relation', relation: 'oneToMany', target: uid, inMeta: { inOther: ['tongue'] } },
    },
    params: { missing: { read: raw => String(raw) } },
    hooks: {
      beforeWrite: write => {
        const { tongue, ...data } = write.data
        return write.action === 'create' ? { ...write, data, set: { tongue } } : write
      },
      beforeFind: (query, ask) => {
        const shown = where(query, { text: { $ne: 'hidden' } })
        if (query.use !== 'root' || ask.params.missing === undefined) return shown
        return where(shown, { others: { $none: { tongue: ask.params.missing } } }, ask)
      },
    },
  })
  const unique = { note: { attributes: { text: { type: 'string' }, code: { type: 'string', unique: true } } } }
  const three = async (app: TestApp) => {
    const notes = app.entries(uid)
    const one = await notes.create({ text: 'one', code: 'x', tongue: 'en' })
    const two = await notes.create({ text: 'two', code: 'x', tongue: 'fr', others: [one.id] })
    const three = await notes.create({ text: 'hidden', code: 'x', tongue: 'de' })
    await notes.update(Number(one.id), { others: [two.id, three.id] })
    return [one, two, three].map(({ id }) => Number(id)) as [number, number, number]
  }

  /** With it answers are put together from objects; without it the database writes some of them. */
  const onlooker = definePlugin({ name: 'onlooker', hooks: { afterFind: () => undefined } })
  const ways = { '': [tongues], ', put together from objects': [tongues, onlooker] }
  for (const [way, plugins] of Object.entries(ways))
    it(`lists in the meta of every entry what a plugin wants there, as far as it may be seen${way}`, async () => {
      await within({ types: unique, plugins }, async app => {
        const [one, two] = await three(app)
        const metas = async (query: string) =>
          (await app.inject(`/api/notes${query}`)).json().data.map(({ meta }: { meta: unknown }) => meta)
        const expected = [{ inOther: [{ id: two, tongue: 'fr' }] }, { inOther: [{ id: one, tongue: 'en' }] }]
        assert.deepEqual(await metas('?sort=id'), expected)
        assert.deepEqual(await metas('?sort=id&populate=others'), expected)
        assert.deepEqual((await app.inject(`/api/notes/${one}`)).json().data.meta, expected[0])
        const reply = await app.inject({ method: 'PUT', url: `/api/notes/${one}`, payload: { data: {} } })
        assert.deepEqual(reply.json().data.meta, expected[0])
      })
    })

  it('takes values for unique within the worlds that a plugin names', async () => {
    await within({ types: unique, plugins: [tongues] }, async app => {
      const [one] = await three(app)
      const notes = app.entries(uid)
      await assert.rejects(notes.create({ code: 'x', tongue: 'fr' }), /must be unique/)
      await notes.create({ code: 'y', tongue: 'en' })
      await assert.rejects(notes.update(one, { code: 'y' }), /must be unique/)
      await notes.update(one, { code: 'x' })
      const together = await Promise.allSettled(['it', 'it'].map(tongue => notes.create({ code: 'z', tongue })))
      assert.deepEqual(together.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    })
  })

  it('finds entries with nothing behind a link, as far as the reader may see it', async () => {
    await within({ types: unique, plugins: [tongues] }, async app => {
      const [one, two] = await three(app)
      const ids = async (query: string) =>
        (await app.inject(`/api/notes${query}`)).json().data.map(({ id }: { id: number }) => id)
      assert.deepEqual(await ids('?missing=fr'), [two])
      assert.deepEqual(await ids('?missing=de'), [one, two])
      assert.deepEqual(await ids('?missing=en'), [one])
    })
  })

  it('does not let requests write what only hooks may set', async () => {
    await within({ types: unique, plugins: [tongues] }, async app => {
      const [one] = await three(app)
      const reply = await app.inject({ method: 'PUT', url: `/api/notes/${one}`, payload: { data: { tongue: 'fr' } } })
      assert.equal(reply.json().data.attributes.tongue, 'en')
    })
  })

  it('tells what a stored entry lacks, components included', async () => {
    const parts = {
      types: {
        note: {
          attributes: {
            text: { type: 'string', required: true, minLength: 3 },
            secret: { type: 'password', required: true },
            part: { type: 'component', component: 'shared.part' },
            list: { type: 'component', component: 'shared.part', repeatable: true, required: true },
          },
        },
      },
      components: { 'shared.part': { attributes: { label: { type: 'string', required: true } } } },
      plugins: [definePlugin({ name: 'loose', hooks: { beforeWrite: write => ({ ...write, incomplete: true }) } })],
    }
    await within(parts, async app => {
      const notes = app.entries(uid)
      const { id } = await notes.create({ text: 'ab', part: {}, list: [{ label: 'a' }, {}] })
      const refusal = await notes.check(Number(id)).catch(error => error)
      const paths = refusal.details.errors.map(({ path }: { path: string[] }) => path.join('.'))
      assert.deepEqual(paths, ['text', 'secret', 'part.label', 'list.1.label'])
      await notes.update(Number(id), { text: 'abc', secret: 's', part: null, list: [{ label: 'a' }] })
      await notes.check(Number(id))
      await assert.rejects(notes.check(99), NotFoundError)
    })
  })

  it('keeps what a write leaves within the rules of the caller', async () => {
    const ruled = definePlugin({
      name: 'ruled',
      authenticate: () => ({
        scope: 'ruled',
        can: () => true,
        rows: action => (action === 'create' || action === 'update' ? { text: { $ne: 'other' } } : undefined),
      }),
    })
    await within({ types, plugins: [ruled] }, async app => {
      const send = (method: 'POST' | 'PUT', url: string, text: string) =>
        app.inject({ method, url: `/api/notes${url}`, payload: { data: { text } } })
      assert.equal((await send('POST', '', 'other')).statusCode, 403)
      assert.equal(await app.entries(uid).count(), 0)
      const { id } = (await send('POST', '', 'own')).json().data
      assert.equal((await send('PUT', `/${id}`, 'other')).statusCode, 403)
      assert.equal((await send('PUT', `/${id}`, 'mine')).statusCode, 200)
      assert.equal((await app.entries(uid).find())[0]?.text, 'mine')
    })
  })
})

describe('credentials', () => {
  const plugin = definePlugin({
    name: 'keys',
    authenticate: ({ headers }) =>
      headers.authorization === 'Bearer good' ? { scope: 'good', can: () => true } : undefined,
  })
  it('that are unknown are refused, and what is no credentials is anonymous', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    const status = async (authorization?: string) =>
      (await app.inject({ url: '/api/notes', ...(authorization && { headers: { authorization } }) })).statusCode
    assert.equal(await status('Bearer good'), 200)
    assert.equal(await status('Bearer bad'), 401)
    assert.equal(await status('bearer bad'), 401)
    for (const nothing of [undefined, 'Basic abc', 'Bearer', 'bad', 'Bearer a b'])
      assert.equal(await status(nothing), 200)
    assert.equal((await app.inject({ url: '/api/nosuch', headers: { authorization: 'Bearer bad' } })).statusCode, 404)
    await app.close()
  })
})

// The error of a hook that looks at a parameter names it like the parameter itself would.
describe('a hook that refuses', () => {
  const plugin = definePlugin({
    name: 'picky',
    params: { word: { read: raw => String(raw) } },
    hooks: {
      beforeFind: (query, ask) => {
        if (ask.params.word === 'bad') throw new InvalidParameter(['word'], 'is a bad word')
        return query
      },
    },
  })
  it('answers 400 with the name of the parameter', async () => {
    const app = await createTestApp({ types, plugins: [plugin] })
    const reply = await app.inject('/api/notes?word=bad')
    assert.equal(reply.statusCode, 400)
    assert.match(reply.json().error.message, /^word: .*bad word/)
    await app.close()
  })
})

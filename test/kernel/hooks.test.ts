import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { type Ask, createTestApp, definePlugin, late, type TestApp, ValidationError, where } from '../../core/index.js'

const types = {
  note: {
    attributes: {
      text: { type: 'string' },
      owner: { type: 'integer' },
      folder: { type: 'relation', relation: 'manyToOne', target: 'api::folder.folder', inversedBy: 'notes' },
    },
  },
  folder: {
    attributes: {
      name: { type: 'string' },
      owner: { type: 'integer' },
      notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'folder' },
    },
  },
}

const post = (app: TestApp, url: string, data: unknown, headers = {}) =>
  app.inject({ method: 'POST', url, payload: { data } as never, headers })
const put = (app: TestApp, url: string, data: unknown, headers = {}) =>
  app.inject({ method: 'PUT', url, payload: { data } as never, headers })

describe('the stops of a request', () => {
  const log: string[] = []
  const recorder = (name: string) =>
    definePlugin({
      name,
      hooks: {
        parseQuery(raw) {
          log.push(`${name} parseQuery`)
          return raw
        },
        beforeFind(query, { type }) {
          log.push(`${name} beforeFind ${query.use} ${type.singularName} ${query.type.singularName} ${query.depth}`)
          return query
        },
        afterFind: rows => void log.push(`${name} afterFind ${rows.length}`),
        serialize: entry => void log.push(`${name} serialize ${entry.id}`),
        beforeWrite(write) {
          log.push(`${name} beforeWrite ${write.action}`)
          return write
        },
        afterWrite(row, { afterCommit }) {
          log.push(`${name} afterWrite ${row.id}`)
          afterCommit(() => void log.push(`${name} afterCommit ${row.id}`))
        },
      },
    })
  const seen = async (act: (app: TestApp) => Promise<unknown>) => {
    const app = await createTestApp({ types, plugins: [recorder('one'), recorder('two')] })
    await post(app, '/api/folders', { name: 'f' })
    await post(app, '/api/notes', { text: 'a', folder: 1 })
    await post(app, '/api/notes', { text: 'b', folder: 1 })
    log.length = 0
    await act(app)
    await app.close()
    return log
  }
  const twice = (...lines: string[]) => lines.flatMap(line => [`one ${line}`, `two ${line}`])

  it('a list: parsed, narrowed, seen as one batch, shown one by one; plugins in the order of the configuration', async () => {
    assert.deepEqual(await seen(app => app.inject('/api/notes')), [
      ...twice('parseQuery', 'beforeFind root note note 0', 'afterFind 2'),
      ...['serialize 1', 'serialize 2'].flatMap(line => twice(line)),
    ])
  })
  it('the same list again is neither parsed nor narrowed', async () => {
    const lines = await seen(async app => {
      await app.inject('/api/notes')
      log.length = 0
      await app.inject('/api/notes')
    })
    assert.deepEqual(
      lines.filter(line => /parseQuery|beforeFind/.test(line)),
      [],
    )
  })
  it('every node is narrowed: what is populated, filtered and sorted by', async () => {
    const lines = await seen(app => app.inject('/api/notes?populate=folder&filters[folder][name]=f&sort=folder.name'))
    for (const use of ['root note note 0', 'populate note folder 1', 'filter note folder 1', 'sort note folder 1'])
      assert.ok(lines.includes(`one beforeFind ${use}`), `${use} in ${lines.join()}`)
    assert.equal(lines.filter(line => line.startsWith('one afterFind')).length, 2)
  })
  it('a write: shaped, stored, read, seen after the commit', async () => {
    const lines = await seen(app => post(app, '/api/notes', { text: 'c' }))
    assert.deepEqual(
      lines.filter(line => /Write|Commit/.test(line)),
      twice('beforeWrite create', 'afterWrite 3', 'afterCommit 3'),
    )
    const gone = await seen(app => app.inject({ method: 'DELETE', url: '/api/notes/2' }))
    assert.deepEqual(
      gone.filter(line => /Write|Commit/.test(line)),
      twice('beforeWrite delete', 'afterWrite 2', 'afterCommit 2'),
    )
  })
  it('a bad write is shaped and no more', async () => {
    const lines = await seen(app => post(app, '/api/notes', { owner: 'x' }))
    assert.deepEqual(
      lines.filter(line => /after/.test(line)),
      [],
    )
  })

  it('a stop that no plugin uses does not exist, and a plugin that does not apply is not called', async () => {
    const quiet = definePlugin({
      name: 'quiet',
      appliesTo: type => type.singularName === 'folder',
      hooks: {
        serialize: entry => {
          entry.seen = true
        },
      },
    })
    const app = await createTestApp({ types, plugins: [quiet] })
    await post(app, '/api/notes', { text: 'a' })
    const made = await post(app, '/api/folders', { name: 'f', notes: [1] })
    assert.equal(made.json().data.attributes.seen, true)
    assert.equal((await app.inject('/api/notes/1')).json().data.attributes.seen, undefined)
    assert.equal(
      (await app.inject('/api/notes/1?populate=folder')).json().data.attributes.folder.data.attributes.seen,
      true,
    )
    await app.close()
  })
})

describe('what hooks can do', () => {
  it('parseQuery gives another query', async () => {
    const app = await createTestApp({
      types,
      plugins: [
        definePlugin({
          name: 'p',
          hooks: { parseQuery: ({ newest, ...raw }) => (newest === undefined ? raw : { ...raw, sort: 'id:desc' }) },
        }),
      ],
    })
    for (const text of ['a', 'b']) await post(app, '/api/notes', { text })
    assert.equal((await app.inject('/api/notes?newest')).json().data[0].id, 2)
    assert.equal((await app.inject('/api/notes')).json().data[0].id, 1)
    await app.close()
  })
  it('afterFind may wait, and sees one batch for each place of a type', async () => {
    const sizes: number[] = []
    const plugin = definePlugin({
      name: 'p',
      register: ({ entries }) => ({ entries }),
      hooks: {
        async afterFind(rows, { session }, { entries }) {
          sizes.push(rows.length)
          const count = await entries('api::note.note', session).count()
          for (const row of rows) row.text = `${row.text} of ${count}`
        },
      },
      appliesTo: type => type.singularName === 'note',
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    await post(app, '/api/folders', { name: 'f' })
    for (const text of ['a', 'b', 'c']) await post(app, '/api/notes', { text, folder: 1 })
    sizes.length = 0
    const answer = (await app.inject('/api/folders?populate=notes')).json()
    assert.deepEqual(sizes, [3])
    assert.equal(answer.data[0].attributes.notes.data[2].attributes.text, 'c of 3')
    await app.close()
  })
  it('beforeWrite changes what is written, and knows when and by whom', async () => {
    const plugin = definePlugin({
      name: 'p',
      authenticate: () => ({ scope: 's', id: 7, can: () => true }),
      hooks: {
        beforeWrite: (write, { caller, now }) => ({
          ...write,
          data: { ...write.data, owner: caller.id, text: String(now instanceof Date) },
        }),
      },
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    const { attributes } = (await post(app, '/api/notes', { text: 'x' })).json().data
    assert.deepEqual([attributes.owner, attributes.text], [7, 'true'])
    await app.close()
  })
  it('a write answers the entry that was written, whatever lists would show', async () => {
    const plugin = definePlugin({ name: 'p', hooks: { beforeFind: query => where(query, { text: 'shown' }) } })
    const app = await createTestApp({ types, plugins: [plugin] })
    assert.equal((await post(app, '/api/notes', { text: 'hidden' })).json().data.attributes.text, 'hidden')
    assert.equal((await put(app, '/api/notes/1', { text: 'still' })).json().data.attributes.text, 'still')
    assert.equal((await app.inject('/api/notes/1')).statusCode, 404)
    assert.equal((await app.inject({ method: 'DELETE', url: '/api/notes/1' })).json().data.attributes.text, 'still')
    await app.close()
  })
  it('an error of afterWrite undoes the write; a refusal keeps its words', async () => {
    const plugin = definePlugin({
      name: 'p',
      hooks: {
        afterWrite() {
          throw new ValidationError('not today')
        },
      },
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    const response = await post(app, '/api/notes', { text: 'x' })
    assert.equal(response.statusCode, 400)
    assert.equal(response.json().error.message, 'not today')
    assert.equal(await app.entries('api::note.note').count(), 0)
    await app.close()
  })
  it('afterWrite works inside the transaction of the write', async () => {
    const plugin = definePlugin({
      name: 'p',
      hooks: {
        async afterWrite(row, { session, type }) {
          if (type.singularName !== 'note') return
          await session.run('insert into folders (name, owner) values (?, ?)', [`made for ${row.id}`, 1])
          if (row.text === 'bad') throw new ValidationError('bad')
        },
      },
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    await post(app, '/api/notes', { text: 'bad' })
    assert.equal(await app.entries('api::folder.folder').count(), 0)
    await post(app, '/api/notes', { text: 'good' })
    assert.equal(await app.entries('api::folder.folder').count(), 1)
    await app.close()
  })
  it('an error after the commit is logged with its plugin, and undoes nothing', async () => {
    const { createLog } = await import('../../core/log.js')
    const lines: string[] = []
    const done: string[] = []
    const log = createLog('error', { destination: { write: (line: string) => void lines.push(line) } })
    const clumsy = (name: string) =>
      definePlugin({
        name,
        hooks: {
          inTransaction(write, { afterCommit }) {
            afterCommit(async () => {
              throw new Error(`${name} is too late`)
            })
            return write
          },
          afterWrite: (_, { afterCommit }) => afterCommit(() => void done.push(name)),
        },
      })
    const app = await createTestApp({ types, log, plugins: [clumsy('p'), clumsy('q')] })
    assert.equal((await post(app, '/api/notes', { text: 'x' })).statusCode, 200)
    assert.equal(await app.entries('api::note.note').count(), 1)
    assert.deepEqual(done, ['p', 'q'])
    for (const name of done)
      assert.match(lines.join(''), new RegExp(`plugin ${name}, afterCommit: ${name} is too late`))
    assert.match(lines.join(''), /a hook failed after the write was stored/)
    await app.close()
  })
})

describe('an error of a plugin', () => {
  for (const stop of ['parseQuery', 'beforeFind', 'afterFind', 'serialize', 'beforeWrite', 'afterWrite'] as const)
    it(`in ${stop} is a 500 that tells nothing, and a log line that names the plugin`, async () => {
      const { createLog } = await import('../../core/log.js')
      const lines: string[] = []
      const log = createLog('error', { destination: { write: (line: string) => void lines.push(line) } })
      const fails = () => {
        throw new Error('secret detail')
      }
      const app = await createTestApp({
        types,
        log,
        plugins: [definePlugin({ name: 'clumsy', hooks: { [stop]: fails } })],
      })
      await app.store.transaction(session => Promise.resolve(session.run("insert into notes (text) values ('a')", [])))
      const response = stop.includes('Write') ? await post(app, '/api/notes', {}) : await app.inject('/api/notes')
      assert.equal(response.statusCode, 500)
      assert.doesNotMatch(response.payload, /secret|clumsy/)
      const { requestId } = response.json().error.details
      const line = JSON.parse(lines.find(one => one.includes(requestId)) ?? '{}')
      assert.equal(line.err.message, `plugin clumsy, ${stop}: secret detail`)
      assert.equal((await app.inject('/api/folders?nosuch=1')).statusCode, stop === 'parseQuery' ? 500 : 400)
      await app.close()
    })
})

/** Trusts the name in the request; notes and folders belong to their owner. */
const asks: Ask[] = []
const owners = definePlugin({
  name: 'owners',
  authenticate: ({ headers }) => {
    const id = headers['x-user']
    if (!id) return undefined
    return {
      scope: 'owner',
      id: Number(id),
      can: () => true,
      rows: (_action, uid) => (uid === 'api::note.note' ? { owner: { $eq: late(caller => caller.id) } } : undefined),
    }
  },
  hooks: {
    beforeFind(query, ask) {
      asks.push(ask)
      return query
    },
  },
})

describe('rows that a caller may see', () => {
  const app = async () => {
    const made = await createTestApp({ types, plugins: [owners] })
    for (const name of ['f', 'g']) await made.entries('api::folder.folder').create({ name })
    for (const [text, owner, folder] of [
      ['a', 1, 1],
      ['b', 2, 1],
      ['c', 1, 2],
      ['d', null, 2],
    ] as const)
      await made.entries('api::note.note').create({ text, owner, folder })
    asks.length = 0
    return made
  }
  const as = (id: number) => ({ 'x-user': String(id) })
  const texts = (list: { attributes: { text: string } }[]) => list.map(({ attributes }) => attributes.text)

  it('hold in lists and totals, with one plan for all callers of a scope', async () => {
    const server = await app()
    const first = (await server.inject({ url: '/api/notes', headers: as(1) })).json()
    const second = (await server.inject({ url: '/api/notes', headers: as(2) })).json()
    assert.deepEqual([texts(first.data), first.meta.pagination.total], [['a', 'c'], 2])
    assert.deepEqual([texts(second.data), second.meta.pagination.total], [['b'], 1])
    assert.equal(asks.length, 1)
    assert.equal('caller' in (asks[0] as object), false)
    await server.close()
  })
  it('hold by id, and what may not be seen is not found', async () => {
    const server = await app()
    const status = async (method: 'GET' | 'PUT' | 'DELETE', id: number, user: number) =>
      (
        await server.inject({
          method,
          url: `/api/notes/${id}`,
          headers: as(user),
          ...(method === 'PUT' && { payload: { data: { text: 'x' } } as never }),
        })
      ).statusCode
    assert.deepEqual([await status('GET', 1, 1), await status('GET', 1, 2), await status('GET', 4, 1)], [200, 404, 404])
    assert.deepEqual(
      [await status('PUT', 1, 2), await status('PUT', 1, 1), await status('PUT', 99, 1)],
      [404, 200, 404],
    )
    assert.deepEqual(
      [await status('DELETE', 1, 2), await status('DELETE', 4, 2), await status('DELETE', 1, 1)],
      [404, 404, 200],
    )
    assert.equal(await server.entries('api::note.note').count(), 3)
    await server.close()
  })
  it('hold in what is populated, filtered and sorted by', async () => {
    const server = await app()
    const ask = async (url: string, user: number) => (await server.inject({ url, headers: as(user) })).json().data
    const populated = await ask('/api/folders?populate=notes', 2)
    assert.deepEqual(
      populated.map((folder: { attributes: { notes: { data: [] } } }) => texts(folder.attributes.notes.data)),
      [['b'], []],
    )
    assert.deepEqual((await ask('/api/folders?filters[notes][text]=a', 2)).length, 0)
    assert.deepEqual((await ask('/api/folders?filters[notes][text]=a', 1)).length, 1)
    assert.deepEqual((await ask('/api/folders?filters[notes][id][$notNull]=true', 2)).length, 1)
    // Folder 2 holds no note that the second caller may see, so it comes first, as if it were empty.
    assert.deepEqual(
      (await ask('/api/folders?sort=notes.text:asc', 2)).map(({ id }: { id: number }) => id),
      [2, 1],
    )
    await server.close()
  })
  it('are not told apart by tags of responses: each caller gets a response of its own', async () => {
    const server = await app()
    const first = await server.inject({ url: '/api/notes', headers: as(1) })
    const second = await server.inject({
      url: '/api/notes',
      headers: { ...as(2), 'if-none-match': String(first.headers.etag) },
    })
    assert.equal(second.statusCode, 200)
    assert.deepEqual(texts(second.json().data), ['b'])
    await server.close()
  })
  it('a late value that no caller has matches nothing', async () => {
    const plugin = definePlugin({
      name: 'p',
      hooks: { beforeFind: query => where(query, { owner: { $eq: late(() => undefined) } }) },
    })
    const server = await createTestApp({
      types: { note: { attributes: { owner: { type: 'integer' } } } },
      plugins: [plugin],
    })
    await server.entries('api::note.note').create({ owner: null })
    assert.deepEqual((await server.inject('/api/notes')).json().data, [])
    await server.close()
  })
  it('where reads frozen filters once for a type, and anew where they lead to what others may not see', async () => {
    const plain = Object.freeze({ text: Object.freeze({ $ne: 'c' }) })
    const through = Object.freeze({ folder: Object.freeze({ name: Object.freeze({ $notNull: true }) }) })
    const conditions: unknown[] = []
    const plugin = definePlugin({
      name: 'p',
      authenticate: ({ headers }) => ({
        scope: String(headers['x-user']),
        can: () => true,
        rows: (_action, uid) => (uid === 'api::folder.folder' ? { name: String(headers['x-user']) } : undefined),
      }),
      hooks: {
        beforeFind(query, ask) {
          if (query.use !== 'root' || query.type.singularName !== 'note') return query
          const shown = where(query, plain, ask)
          conditions.push(shown.where)
          return where(shown, through, ask)
        },
      },
    })
    const server = await createTestApp({ types, plugins: [plugin] })
    for (const name of ['f', 'g']) await server.entries('api::folder.folder').create({ name })
    for (const [text, folder] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const)
      await server.entries('api::note.note').create({ text, folder })
    for (const [user, expected] of [
      ['f', ['a']],
      ['g', ['b']],
    ] as const) {
      const reply = await server.inject({ url: '/api/notes', headers: { 'x-user': user } })
      assert.deepEqual(texts(reply.json().data), expected)
    }
    const [first, second] = conditions.slice(-2)
    assert.equal(first, second)
    await server.close()
  })
  it('where narrows by relations and private fields, and leaves what was asked as it was', async () => {
    const plugin = definePlugin({
      name: 'p',
      appliesTo: type => type.singularName === 'note',
      hooks: { beforeFind: query => where(query, { folder: { name: { $in: ['g'] } } }) },
    })
    const server = await createTestApp({ types, plugins: [plugin] })
    for (const name of ['f', 'g']) await server.entries('api::folder.folder').create({ name })
    for (const [text, folder] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ] as const)
      await server.entries('api::note.note').create({ text, folder })
    assert.deepEqual(texts((await server.inject('/api/notes')).json().data), ['b', 'c'])
    assert.deepEqual(
      texts((await server.inject('/api/notes?filters[$or][0][text]=a&filters[$or][1][text]=c')).json().data),
      ['c'],
    )
    await server.close()
  })
})

describe('who asks', () => {
  it('is told by the first plugin that knows the credentials; else it is the public caller', async () => {
    const order: string[] = []
    const knows = (name: string, key: string, refusal: 401 | 403) =>
      definePlugin({
        name,
        authenticate: ({ headers }) => {
          order.push(name)
          return headers.authorization === key
            ? { scope: name, can: (action: string) => action === 'find', refusal }
            : undefined
        },
      })
    const app = await createTestApp({
      types,
      plugins: [knows('one', 'a', 401), knows('two', 'b', 403)],
      config: { api: { rest: { public: [] } } },
    })
    const status = async (authorization: string, url: string) =>
      (await app.inject({ url, headers: { authorization } })).statusCode
    assert.equal(await status('a', '/api/notes'), 200)
    assert.deepEqual(order, ['one'])
    assert.equal(await status('a', '/api/notes/1'), 401)
    assert.equal(await status('b', '/api/notes/1'), 403)
    assert.equal(await status('c', '/api/notes'), 403)
    await app.close()
  })
  it('plans of two scopes are never mixed up, and a scope cannot pretend to be another', async () => {
    const plugin = definePlugin({
      name: 'p',
      authenticate: ({ headers }) => ({
        scope: decodeURIComponent(String(headers['x-scope'])),
        can: (_action: string, uid: string) => headers['x-scope'] === 'all' || uid === 'api::note.note',
      }),
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    const ask = (scope: string) =>
      app.inject({ url: '/api/notes?filters[folder][name]=f', headers: { 'x-scope': scope } })
    assert.equal((await ask('all')).statusCode, 200)
    assert.equal((await ask('few')).statusCode, 400)
    assert.equal((await ask('all')).statusCode, 200)
    assert.equal((await ask('few%0A')).statusCode, 500)
    await app.close()
  })
  it('an error of authenticate is no way in, and names the plugin in the log', async () => {
    const plugin = definePlugin({
      name: 'broken',
      authenticate: () => {
        throw new Error('no keys')
      },
    })
    const app = await createTestApp({ types, plugins: [plugin] })
    assert.equal((await app.inject('/api/notes')).statusCode, 500)
    await app.close()
  })
})

describe('writing for others', () => {
  it('a caller does not get past his rows by changing what they are chosen by', async () => {
    const server = await createTestApp({ types, plugins: [owners] })
    await server.entries('api::note.note').create({ text: 'theirs', owner: 2 })
    const response = await put(server, '/api/notes/1', { owner: 1 }, { 'x-user': '1' })
    assert.equal(response.statusCode, 404)
    assert.equal((await server.entries('api::note.note').first())?.owner, 2)
    await server.close()
  })
})

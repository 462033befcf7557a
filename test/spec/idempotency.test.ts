import assert from 'node:assert/strict'
import { describe, it, vi } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'
import { type Answer, type Api, type Body, contract, refused, start } from '../support/contract.js'
import { anyEngine, type DatabaseSettings } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'

const types = {
  note: {
    attributes: {
      text: { type: 'string', required: true },
      story: { type: 'text' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author' },
    },
  },
  author: { attributes: { name: { type: 'string' } } },
}

/** Trusts the name in the request, by `x-name`, by a token, or by what they may do. */
const names = definePlugin({
  name: 'names',
  authenticate: ({ headers }) => {
    const may = String(headers['x-may'] ?? 'create find findOne').split(' ')
    return {
      scope: `may ${may}`,
      can: (action, uid) => may.includes(action) && (uid !== 'api::author.author' || !may.includes('noAuthors')),
      ...(headers['x-name'] !== undefined && { id: String(headers['x-name']) }),
    }
  },
})

/** Knows other callers, whose ids may be the same; some have a name alone. */
const others = definePlugin({
  name: 'others',
  authenticate: ({ headers }) => {
    const [id, actor] = [headers['x-other'], headers['x-actor']]
    if (id === undefined && actor === undefined) return undefined
    const known = id === undefined ? { actor: String(actor) } : { id: Number(id) }
    return { scope: 'may create,find,findOne', can: () => true, ...known }
  },
})

/** The same as the one above, for a third kind of callers. */
const further = definePlugin({
  name: 'further',
  authenticate: ({ headers }) =>
    headers['x-further'] === undefined
      ? undefined
      : { scope: 'may create,find,findOne', can: () => true, id: Number(headers['x-further']) },
})

const key = (value: string, more: Record<string, string> = {}) => ({ 'idempotency-key': value, ...more })
const isReplayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

contract('keys of callers that several plugins know', { types, plugins: [others, further, names] }, api => {
  it('are of one caller alone, whatever ids others have', async () => {
    const callers: readonly Record<string, string>[] = [
      { 'x-other': '1' },
      { 'x-further': '1' },
      { 'x-name': '1' },
      { 'x-other': '2' },
      { 'x-actor': '1' },
      { 'x-actor': 'ann' },
      {},
    ]
    const send = (headers: Record<string, string>) =>
      api.send('POST', '/notes', { data: { text: 'mine' } }, key('the-same', headers))
    const made = new Set<number>()
    for (const headers of callers) {
      const first = await send(headers)
      assert.deepEqual([first.status, isReplayed(first)], [200, false], JSON.stringify(headers))
      made.add(first.body.data.id)
      const again = await send(headers)
      assert.deepEqual([again.text, isReplayed(again)], [first.text, true], JSON.stringify(headers))
    }
    assert.equal(made.size, callers.length)
  })
})

contract('a create with an Idempotency-Key', { types, plugins: [names] }, api => {
  const post = (data: unknown, headers: Record<string, string>, path = '/notes') =>
    api.send('POST', path, { data }, headers)
  const total = async (path = '/notes') => (await api.get(path)).body.meta.pagination.total

  it('makes one entry, however often it is sent, and is answered alike', async () => {
    const before = await total()
    const first = await post({ text: 'a' }, key('one'))
    assert.equal(first.status, 200)
    assert.equal(isReplayed(first), false)
    for (let times = 0; times < 3; times += 1) {
      const again = await post({ text: 'a' }, key('one'))
      assert.deepEqual([again.status, again.text, isReplayed(again)], [200, first.text, true])
    }
    assert.equal(await total(), before + 1)
  })

  it('gives the first response, whatever became of the entry', async () => {
    const first = await post({ text: 'a' }, key('changed'))
    await api.send('PUT', `/notes/${first.body.data.id}`, { data: { text: 'b' } }, { 'x-may': 'update' })
    assert.equal((await post({ text: 'a' }, key('changed'))).text, first.text)
  })

  it('makes one entry of many requests at once', async () => {
    const before = await total()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ text: 'a' }, key('at-once'))))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.equal(answers.filter(answer => !isReplayed(answer)).length, 1)
    assert.equal(await total(), before + 1)
  })

  it('is answered alike where that is a long text', async () => {
    const story = 'é'.repeat(300_000)
    const [first, second] = [
      await post({ text: 'a', story }, key('long')),
      await post({ text: 'a', story }, key('long')),
    ]
    assert.equal(first.body.data.attributes.story, story)
    assert.deepEqual([second.text === first.text, isReplayed(second)], [true, true])
  })

  it('is refused where another body or query comes with the key', async () => {
    const before = await total()
    const first = await post({ text: 'a' }, key('reused'))
    const refusal = {
      status: 422,
      name: 'UnprocessableEntityError',
      message: /Idempotency-Key.*needs a key of its own/,
    }
    refused(await post({ text: 'b' }, key('reused')), refusal)
    refused(await post({ text: 'a' }, key('reused'), '/notes?populate=author'), refusal)
    assert.equal((await post({ text: 'a' }, key('reused'))).text, first.text)
    assert.equal(await total(), before + 1)
  })

  it('that was refused may be corrected under the same key', async () => {
    refused(await post({}, key('corrected')), { status: 400, message: /text/ })
    const second = await post({ text: 'a' }, key('corrected'))
    assert.deepEqual([second.status, isReplayed(second)], [200, false])
    assert.ok(isReplayed(await post({ text: 'a' }, key('corrected'))))
  })

  it('is another one for another caller, and at another path', async () => {
    const [notes, authors] = [await total(), await total('/authors')]
    const ids = new Set<number>()
    const callers: Record<string, string>[] = [
      {},
      { 'x-name': 'ann' },
      { 'x-name': 'ben' },
      { authorization: 'Bearer a' },
      { authorization: 'Bearer b' },
    ]
    for (const caller of callers) {
      const made = await post({ text: 'a' }, key('shared', caller))
      assert.equal(isReplayed(made), false)
      ids.add(made.body.data.id)
      assert.ok(isReplayed(await post({ text: 'a' }, key('shared', caller))))
    }
    assert.equal(ids.size, callers.length)
    assert.equal(isReplayed(await post({ name: 'a' }, key('shared'), '/authors')), false)
    assert.deepEqual([await total(), await total('/authors')], [notes + callers.length, authors + 1])
  })

  it('is asked for its permission every time, and shows what the caller may see now', async () => {
    const author = (await api.send('POST', '/authors', { data: { name: 'Ann' } })).body.data.id
    const ann = (may: string) => key('rights', { 'x-name': 'ann', 'x-may': may })
    const populated = '/notes?populate=author'
    const first = await post({ text: 'a', author }, ann('create find findOne'), populated)
    assert.equal(first.body.data.attributes.author.data.id, author)
    refused(await post({ text: 'a', author }, ann('find'), populated), { status: 403 })
    const later = await post({ text: 'a', author }, ann('create find noAuthors'), populated)
    assert.equal(later.body.data?.attributes.author, undefined)
    assert.doesNotMatch(later.text, /Ann/)
  })

  const wrong = {
    'that is empty': '',
    'with a space': 'a b',
    'that is too long': 'a'.repeat(256),
    'of other letters': 'é',
  }
  for (const [what, value] of Object.entries(wrong))
    it(`is refused under a key ${what}`, async () => {
      const before = await total()
      refused(await post({ text: 'a' }, key(value)), { status: 400, message: /^Idempotency-Key/ })
      assert.equal(await total(), before)
    })

  it('takes a key of 255 letters', async () => {
    const longest = key('k'.repeat(255))
    const first = await post({ text: 'a' }, longest)
    assert.equal((await post({ text: 'a' }, longest)).text, first.text)
  })

  it('costs two statements more than one without a key, and the response to it one', async () => {
    const plain = await post({ text: 'a' }, {})
    const first = await post({ text: 'a' }, key('counted'))
    const again = await post({ text: 'a' }, key('counted'))
    const asked = first.statements.filter(sql => /stele_requests/.test(sql))
    assert.ok(asked.length <= 5, asked.join('\n'))
    assert.equal(first.statements.length - asked.length, plain.statements.length)
    assert.equal(again.statements.length, 1)
    assert.ok(!plain.statements.some(sql => /stele_requests/.test(sql)))
  })
})

onEveryEngine('what is stored of keys', engine => {
  const begin = async (idempotency: object = {}) => {
    const api = await start(engine, { types, plugins: [names], config: { server: { idempotency } } })
    const { client, filename, host, port, user, password, database: name } = api.app.config.database
    const place = { client, host, port, user, password, database: name }
    const database = (client === 'sqlite' ? { client, filename } : place) as DatabaseSettings
    return {
      api,
      post: (value: string, text = 'a'): Promise<Answer> => api.send('POST', '/notes', { data: { text } }, key(value)),
      notes: async () => Number((await run(database, 'select count(*) as n from notes'))[0]?.n),
      kept: async () => Number((await run(database, 'select count(*) as n from stele_requests'))[0]?.n),
      alter: (sql: string) => run(database, sql),
      hasTable: async () => (await api.app.engine.introspect()).tables.has('stele_requests'),
    }
  }

  it('has a table from the first key on', async () => {
    const { api, post, hasTable } = await begin()
    await api.send('POST', '/notes', { data: { text: 'a' } })
    assert.equal(await hasTable(), false)
    await post('first')
    assert.equal(await hasTable(), true)
    await api.close()
  })

  it('expires', async () => {
    const { api, post, notes, alter } = await begin({ maxAge: 60 })
    await post('old')
    await alter('update stele_requests set time = time - 59000')
    assert.ok(isReplayed(await post('old')))
    await alter('update stele_requests set time = time - 2000')
    assert.equal(isReplayed(await post('old')), false)
    assert.ok(isReplayed(await post('old')))
    assert.equal(await notes(), 2)
    await api.close()
  })

  it('is removed after its time, with the next keys that come', async () => {
    const { api, post, kept, alter } = await begin({ maxAge: 60 })
    for (let index = 0; index < 3; index += 1) await post(`old-${index}`)
    await alter('update stele_requests set time = 0')
    // The other process is new: this one has looked a moment ago.
    const other = await startOn(api)
    await other.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'a' } }, headers: key('new') })
    while ((await kept()) > 1) await new Promise(setImmediate)
    await other.close()
    await api.close()
  })

  it('stores no responses that are too long: those are read anew', async () => {
    const { api, post, notes, alter } = await begin({ answer: 10 })
    const first = await post('long')
    assert.deepEqual(
      (await alter('select answer from stele_requests')).map(row => row.answer),
      [null],
    )
    const again = await post('long')
    assert.deepEqual([again.text, isReplayed(again)], [first.text, true])
    await api.send('DELETE', `/notes/${first.body.data.id}`, undefined, { 'x-may': 'delete' })
    refused(await post('long'), { status: 404, message: /Idempotency-Key/ })
    assert.equal(await notes(), 0)
    await api.close()
  })

  it('is nothing where the setting says so', async () => {
    const { api, post, notes, hasTable } = await begin({ maxAge: 0 })
    for (let times = 0; times < 2; times += 1) assert.equal(isReplayed(await post('off')), false)
    assert.deepEqual([await notes(), await hasTable()], [2, false])
    await api.close()
  })

  it('says nothing of keys and credentials', async () => {
    const { api, alter } = await begin()
    const headers = key('a-secret-key', { authorization: 'Bearer a-secret-token' })
    await api.send('POST', '/notes', { data: { text: 'a' } }, headers)
    assert.doesNotMatch(JSON.stringify(await alter('select * from stele_requests')), /secret/)
    await api.close()
  })
})

/** Starts another server on the same database. */
async function startOn({ app }: Api) {
  const { database, server } = app.config
  return createTestApp({ types, plugins: [names], config: { database, server } as never })
}

describe('a route that writes more than once', () => {
  const pairs = definePlugin({
    name: 'pairs',
    routes: [
      {
        method: 'POST',
        path: '/pairs',
        action: null,
        run: async ({ content, body }) => {
          const { first, second } = body as { first: unknown; second: unknown }
          await content.create('api::author.author', first)
          return content.create('api::note.note', second)
        },
      },
    ],
  })

  it('goes on under its key where it had ended', async () => {
    let fails = true
    const hook = definePlugin({
      name: 'failing',
      appliesTo: ({ uid }) => uid === 'api::note.note',
      hooks: {
        afterWrite: () => {
          if (fails) throw new Error('not yet')
        },
      },
    })
    const api = await start(anyEngine, { types, plugins: [pairs, hook] })
    const send = () => api.send('POST', '/pairs', { first: { name: 'Ann' }, second: { text: 'a' } }, key('pair'))
    assert.equal((await send()).status, 500)
    fails = false
    const made = await send()
    assert.equal(made.status, 200)
    assert.equal((await send()).text, made.text)
    assert.equal((await api.get('/authors')).body.meta.pagination.total, 1)
    assert.equal((await api.get('/notes')).body.meta.pagination.total, 1)
    await api.close()
  })
})

describe('a create whose first sending takes too long', () => {
  const twice = {
    method: 'POST',
    url: '/api/notes',
    headers: { 'idempotency-key': 'slow' },
    payload: { data: { text: 'a' } },
  } as const
  const stillRunning = { status: 409, name: 'ConflictError', retryAfter: '1' }
  const told = (answer: { statusCode: number; headers: Record<string, unknown>; json(): Body }) => ({
    status: answer.statusCode,
    name: answer.json().error?.name,
    retryAfter: answer.headers['retry-after'],
  })

  function gate() {
    let open = () => {}
    const opened = new Promise<void>(resolve => {
      open = resolve
    })
    return { open, opened }
  }

  /** Stays where it is from the moment that somebody waits for until it is let go. */
  function stop() {
    const [come, go] = [gate(), gate()]
    const pass = async () => {
      come.open()
      await go.opened
    }
    return { pass, reached: come.opened, letGo: go.open }
  }

  it('is told to come again by the same server', async () => {
    const { pass, reached, letGo } = stop()
    const slow = definePlugin({ name: 'slow', hooks: { beforeWrite: write => pass().then(() => write) } })
    const app = await createTestApp({ types, plugins: [slow] })
    const first = app.inject(twice)
    await reached
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const second = app.inject(twice)
      while (vi.getTimerCount() === 0) await new Promise(setImmediate)
      vi.advanceTimersByTime(10_000)
      assert.deepEqual(told(await second), stillRunning)
    } finally {
      vi.useRealTimers()
    }
    letGo()
    const made = await first
    assert.equal(made.statusCode, 200)
    assert.equal((await app.inject(twice)).payload, made.payload)
    await app.close()
  })

  onEveryEngine('and another server', engine => {
    // SQLite keeps its one writer waiting, and has nobody who waits for a row.
    const ofServers = engine.name === 'sqlite' ? it.skip : it
    ofServers('is told to come again by that one', async () => {
      const fresh = await engine.fresh()
      const { pass, reached, letGo } = stop()
      const slow = definePlugin({ name: 'slow', hooks: { afterWrite: pass } })
      const database = { ...fresh.database, statementTimeout: 300 } as never
      const one = await createTestApp({ types, plugins: [slow], config: { database } })
      const other = await createTestApp({ types, config: { database } })
      const first = one.inject(twice)
      await reached
      assert.deepEqual(told(await other.inject(twice)), stillRunning)
      letGo()
      const made = await first
      assert.equal(made.statusCode, 200)
      assert.equal((await other.inject(twice)).payload, made.payload)
      await one.close()
      await other.close()
      await fresh.drop()
    })
  })
})

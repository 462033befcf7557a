import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, it } from 'vitest'
import { onEveryEngine } from '../../support/every-engine.js'
import type { Line, OpenOptions, RunningProject } from './support/project.js'
import { get, schemaOf, start } from './support/written.js'

/** An API with the generated routes of a type. */
const note = {
  'src/api/note/content-types/note/schema.json': schemaOf('note'),
  'src/api/note/controllers/note.js':
    "module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note')",
  'src/api/note/services/note.js':
    "module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note')",
  'src/api/note/routes/note.js': `
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', { config: { find: { auth: false }, findOne: { auth: false }, create: { auth: false }, update: { auth: false }, delete: { auth: false } } })`,
}

/** A project whose API `bad` has these handlers, each at the path of its name, for all methods. */
const bad = (handlers: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}) => ({
  'src/api/bad/controllers/bad.js': `
const fs = require('fs')
const { Readable } = require('stream')
module.exports = {
${Object.entries(handlers)
  .map(([name, body]) => `${name}: ${body},`)
  .join('\n')}
}`,
  'src/api/bad/routes/bad.js': `module.exports = { routes: ['${Object.keys(handlers).join("', '")}'].map(name =>
    ({ method: 'ALL', path: '/' + name, handler: 'bad.' + name, config: { auth: false } })) }`,
  ...more,
})

/** The statement that tells connections apart. */
const connectionOf = { sqlite: 'select 1', mysql: 'select connection_id()', postgres: 'select pg_backend_pid()' }

const internal = { data: null, error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' } }

const where = 'src/api/bad/routes/bad.js'

/** The lines of the log at the level error, each with what was thrown. */
const errorsOf = ({ lines }: { readonly lines: readonly Line[] }): string[] =>
  lines
    .filter(({ level }) => String(level) === 'error')
    .map(({ msg, err, ...more }) => `${msg} ${err?.stack ?? ''} ${JSON.stringify(more)}`)

/** The project has logged one error since, with these words. */
function logged(project: RunningProject, ...words: readonly (string | RegExp)[]): void {
  const errors = errorsOf(project)
  assert.equal(errors.length, 1, errors.join('\n'))
  for (const word of words)
    assert.ok(
      typeof word === 'string' ? errors[0]?.includes(word) : word.test(errors[0] ?? ''),
      `${word} in ${errors[0]}`,
    )
  ;(project.lines as Line[]).length = 0
}

/** Opens the port of a project. */
async function listening(files: Readonly<Record<string, string>>, options: OpenOptions = {}) {
  const project = await start(files, options)
  const { port } = await project.app.listen()
  return { project, url: `http://127.0.0.1:${port}`, port }
}

const settings = (config: object) => ({
  'config/plugins.js': `module.exports = { 'strapi-code': { config: ${JSON.stringify(config)} } }`,
})

describe('a handler that misbehaves', () => {
  it('throws: the client learns nothing of it, and the log has file and line', async () => {
    const project = await start(
      bad({
        error: "() => { throw new Error('secret of the cause') }",
        text: "async () => { throw 'secret of the text' }",
        nothing: 'async () => { throw undefined }',
        late: "async ctx => { ctx.body = { fine: true }; throw new Error('secret after the answer') }",
        odd: "() => { throw Object.assign(new Error('secret odd'), { status: 'x', headers: { 'x-secret': 'secret' } }) }",
        frozen: "() => { throw Object.freeze(new TypeError('secret frozen')) }",
        proxy: "() => { throw new Proxy({}, { get() { throw new Error('secret proxy') } }) }",
      }),
    )
    for (const [name, word] of [
      ['error', /secret of the cause[\s\S]*bad\.js:5/],
      ['text', /bad\.js[\s\S]*secret of the text/],
      ['nothing', /bad\.js/],
      ['late', /secret after the answer[\s\S]*bad\.js:8/],
      ['odd', /secret odd[\s\S]*bad\.js:9/],
      ['frozen', /secret frozen[\s\S]*bad\.js:10/],
      ['proxy', /bad/],
    ] as const) {
      assert.deepEqual(await get(project, `/api/${name}`), { status: 500, body: internal }, name)
      logged(project, word)
    }
  })

  it('answers with what is no JSON: a 500, and the log has the file', async () => {
    const project = await start(
      bad({
        cyclic: 'ctx => { const all = { secret: 1 }; all.all = all; return all }',
        cyclicBody: 'ctx => { const all = { secret: 1 }; all.all = all; ctx.body = all }',
        list: 'ctx => { const all = []; all.push(all); ctx.body = all }',
        big: 'ctx => ({ secret: 10n })',
        getter: "ctx => { ctx.body = { get one() { throw new Error('secret getter') } } }",
        json: "ctx => ({ toJSON() { throw new Error('secret toJSON') } })",
        typed: "ctx => { ctx.type = 'application/vnd.api+json'; const all = {}; all.all = all; ctx.body = all }",
      }),
    )
    for (const name of ['cyclic', 'cyclicBody', 'list', 'big', 'getter', 'json', 'typed']) {
      assert.deepEqual(await get(project, `/api/${name}`), { status: 500, body: internal }, name)
      logged(project, /routes\/bad\.js|"route":"\/api\/(cyclic|big|json)"/)
    }
  })

  it('answers with a value of another kind of object', async () => {
    const project = await start(
      bad({
        date: 'ctx => { ctx.body = new Date(0) }',
        map: 'ctx => { ctx.body = new Map([[1, 2]]) }',
        made: 'ctx => { class Own { x = 1 }; return new Own() }',
        bare: 'ctx => Object.assign(Object.create(null), { __proto__: 1, y: 2 })',
        error: "ctx => new Error('shown as an object')",
        func: 'ctx => () => 1',
        symbol: "ctx => Symbol('x')",
        holes: 'ctx => [, undefined, () => 1]',
      }),
    )
    assert.deepEqual((await get(project, '/api/date')).body, '1970-01-01T00:00:00.000Z')
    assert.deepEqual((await get(project, '/api/map')).body, {})
    assert.deepEqual((await get(project, '/api/made')).body, { x: 1 })
    assert.equal((await get(project, '/api/bare')).status, 200)
    assert.deepEqual((await get(project, '/api/error')).body, {})
    for (const name of ['func', 'symbol']) assert.ok((await get(project, `/api/${name}`)).status < 600, name)
    assert.deepEqual((await get(project, '/api/holes')).body, [null, null, null])
  })

  it('answers by a stream that fails: a 500 before the first byte, and a cut response after it', async () => {
    const { project, url } = await listening(
      bad({
        missing: "ctx => { ctx.body = fs.createReadStream('/nowhere/secret') }",
        missingLate:
          "async ctx => { ctx.body = fs.createReadStream('/nowhere/secret'); await new Promise(done => setTimeout(done, 50)) }",
        first: "ctx => { ctx.body = Readable.from((async function* () { throw new Error('secret first') })()) }",
        middle:
          "ctx => { ctx.body = Readable.from((async function* () { yield 'a'.repeat(1000); await new Promise(done => setTimeout(done, 20)); throw new Error('secret middle') })()) }",
        fine: "ctx => { ctx.body = Readable.from(['fi', 'ne']); ctx.type = 'text/plain' }",
      }),
    )
    for (const name of ['missing', 'missingLate', 'first']) {
      const response = await fetch(`${url}/api/${name}`)
      assert.equal(response.status, 500, name)
      assert.deepEqual(await response.json(), internal, name)
      assert.ok(response.headers.get('x-request-id'), name)
      logged(project, where, name === 'first' ? 'secret first' : 'ENOENT')
    }
    const middle = await fetch(`${url}/api/middle`)
    assert.equal(middle.status, 200)
    await assert.rejects(middle.text())
    logged(project, where, 'secret middle')
    assert.equal(await (await fetch(`${url}/api/fine`)).text(), 'fine')
    // A client that goes away is no error of the code.
    const gone = new AbortController()
    const begun = await fetch(`${url}/api/middle`, { signal: gone.signal })
    assert.equal(begun.status, 200)
    gone.abort()
    await pause(100)
    assert.ok(errorsOf(project).length <= 1)
  })

  it('writes to the response itself, with `ctx.respond = false`', async () => {
    const { project, url } = await listening(
      bad({
        own: "ctx => { ctx.respond = false; ctx.res.statusCode = 202; ctx.res.setHeader('x-own', '1'); ctx.res.end('own') }",
        later: "ctx => { ctx.respond = false; setTimeout(() => ctx.res.end('later'), 20) }",
        both: "ctx => { ctx.res.end('both'); return { more: true } }",
        throws: "ctx => { ctx.respond = false; ctx.res.write('part'); throw new Error('secret after a part') }",
        thrown: "ctx => { ctx.respond = false; throw new Error('secret before a part') }",
        twice:
          "async ctx => { ctx.body = 1; await new Promise(setImmediate); setTimeout(() => { ctx.body = 2; ctx.status = 500; ctx.set('x', 'y') }, 20) }",
      }),
    )
    const text = async (name: string) => {
      const response = await fetch(`${url}/api/${name}`, { signal: AbortSignal.timeout(5_000) })
      return [response.status, await response.text()]
    }
    assert.deepEqual(await text('own'), [202, 'own'])
    assert.deepEqual((await text('later'))[1], 'later')
    assert.deepEqual((await text('both'))[1], 'both')
    assert.deepEqual(await text('twice'), [200, '1'])
    await pause(50)
    assert.deepEqual(errorsOf(project), [])
    const [status, body] = await text('thrown')
    assert.deepEqual([status, JSON.parse(body as string)], [500, internal])
    logged(project, /secret before a part[\s\S]*bad\.js/)
    await assert.rejects(text('throws'))
    logged(project, /secret after a part[\s\S]*bad\.js/)
    assert.deepEqual(await text('own'), [202, 'own'])
  })

  it('answers with much: the response is whole, and others are answered meanwhile', async () => {
    const { url } = await listening(
      bad({
        much: "ctx => ({ text: 'x'.repeat(8_000_000) })",
        rows: 'ctx => Array.from({ length: 50_000 }, (_, id) => ({ id, text: "text" }))',
        ping: 'ctx => 1',
      }),
    )
    const [much, rows, ping] = await Promise.all(['much', 'rows', 'ping'].map(name => fetch(`${url}/api/${name}`)))
    assert.equal((await (much as Response).text()).length, 8_000_011)
    assert.equal(((await (rows as Response).json()) as unknown[]).length, 50_000)
    assert.equal(await (ping as Response).text(), '1')
  })

  it('changes what it is given: only its own request is changed', async () => {
    const project = await start(
      bad({
        body: "ctx => { ctx.request.body.data = { title: 'other' }; ctx.request.body = { ...ctx.request.body, more: 1 }; return ctx.request.body }",
        query:
          'ctx => { ctx.query.filters = { x: 1 }; ctx.query.__proto__.polluted = ctx.query.polluted; return { own: ctx.query, all: {}.polluted ?? null } }',
        route: 'ctx => { ctx.state.route.config.auth = undefined; ctx.params.id = 5; return { fine: true } }',
        seen: 'ctx => ({ query: ctx.query, body: ctx.request.body, all: {}.polluted ?? null, admin: {}.admin ?? null })',
      }),
    )
    const post = async (path: string, body?: unknown) => {
      const { text } = await project.send({ auth: 'none', method: 'POST', path, ...(body !== undefined && { body }) })
      return JSON.parse(text)
    }
    assert.deepEqual(await post('/api/body', { data: { title: 'mine' } }), { data: { title: 'other' }, more: 1 })
    assert.deepEqual((await get(project, '/api/route')).body, { fine: true })
    assert.deepEqual((await get(project, '/api/route')).body, { fine: true })
    for (const text of [
      '__proto__[admin]=1',
      'constructor[prototype][admin]=1',
      'a[__proto__][admin]=1',
      'toString=1',
    ]) {
      const { body } = (await get(project, `/api/seen?${text}`)) as { body: { all: unknown; admin: unknown } }
      assert.equal(body.admin, null, text)
    }
    const sent =
      '{"data":{"title":"x","__proto__":{"admin":1}},"__proto__":{"admin":1},"constructor":{"prototype":{"admin":1}}}'
    assert.notEqual((await post('/api/seen', JSON.parse(sent))).admin, 1)
    assert.equal(({} as { admin?: unknown }).admin, undefined)
  })
})

describe('a route of the code that never answers', () => {
  const files = bad(
    {
      never: 'ctx => new Promise(() => undefined)',
      slow: "async ctx => { await new Promise(done => setTimeout(done, 300)); ctx.body = 'too late'; throw new Error('secret too late') }",
      own: "ctx => { ctx.respond = false; setTimeout(() => ctx.res.end('own'), 300) }",
      fine: 'ctx => 1',
    },
    settings({ timeLimit: 100 }),
  )

  it('is a 503 after the time limit, the log names the file, and other requests go on', async () => {
    const { project, url } = await listening(files)
    const began = performance.now()
    const never = fetch(`${url}/api/never`)
    assert.equal(await (await fetch(`${url}/api/fine`)).text(), '1')
    const response = await never
    assert.ok(performance.now() - began < 5_000)
    assert.equal(response.status, 503)
    const { error } = (await response.json()) as { error: { status: number; name: string; message: string } }
    assert.deepEqual([error.status, error.name], [503, 'ServiceUnavailableError'])
    assert.doesNotMatch(error.message, /bad/)
    logged(project, where, '100')
    assert.equal((await fetch(`${url}/api/slow`)).status, 503)
    await pause(400)
    const errors = errorsOf(project)
    assert.equal(errors.length, 2, errors.join('\n'))
    assert.match(errors[1] as string, /secret too late/)
    assert.equal(await (await fetch(`${url}/api/own`)).text(), 'own')
  })

  it('holds for global middlewares, apart from the time of what they are around', async () => {
    const project = await start({
      ...bad(
        { slow: 'async ctx => { await new Promise(done => setTimeout(done, 600)); return 1 }' },
        settings({ timeLimit: 1000 }),
      ),
      'config/middlewares.js': "module.exports = ['strapi::errors', 'strapi::body', 'global::stuck', 'strapi::query']",
      'src/middlewares/stuck.js': `module.exports = () => async (ctx, next) => {
        const wait = ms => new Promise(done => setTimeout(done, ms))
        if (ctx.query.never) await new Promise(() => undefined)
        if (ctx.query.wait) await wait(600)
        await next()
        if (ctx.query.after) await new Promise(() => undefined)
      }`,
    })
    // The first request has more to do than the others.
    assert.equal((await get(project, '/api/nothing')).status, 404)
    assert.equal((await get(project, '/api/slow?wait=1')).status, 200)
    assert.equal((await get(project, '/api/slow?never=1')).status, 503)
    assert.equal((await get(project, '/api/slow?after=1')).status, 503)
  })
})

describe('middlewares and policies that misbehave', () => {
  const files = {
    ...bad(
      { fine: 'ctx => ({ fine: true })', throws: "ctx => { throw new Error('secret') }" },
      {
        'src/middlewares/twice.js': 'module.exports = () => async (ctx, next) => { await next(); await next() }',
        'src/middlewares/swallow.js':
          'module.exports = () => async (ctx, next) => { try { await next() } catch (error) { ctx.body = { swallowed: true } } }',
        'src/middlewares/silent.js': 'module.exports = () => async (ctx, next) => { try { await next() } catch {} }',
        'src/middlewares/forgets.js': 'module.exports = () => (ctx, next) => { next() }',
        'src/policies/rejects.js': "module.exports = async () => { throw 'secret of a policy' }",
        'src/policies/cyclic.js': 'module.exports = () => { const all = {}; all.all = all; return all }',
      },
    ),
    'src/api/bad/routes/bad.js': `module.exports = { routes: ${JSON.stringify([
      ['/twice', 'fine', { middlewares: ['global::twice'] }],
      ['/swallow', 'throws', { middlewares: ['global::swallow'] }],
      ['/silent', 'throws', { middlewares: ['global::silent'] }],
      ['/forgets', 'fine', { middlewares: ['global::forgets'] }],
      ['/rejects', 'fine', { policies: ['global::rejects'] }],
      ['/cyclic', 'fine', { policies: ['global::cyclic'] }],
    ])}.map(([path, handler, config]) => ({ method: 'GET', path, handler: 'bad.' + handler, config: { auth: false, ...config } })) }`,
  }

  it('of routes: next() twice is an error, what is swallowed stays so', async () => {
    const project = await start(files)
    assert.deepEqual(await get(project, '/api/twice'), { status: 500, body: internal })
    logged(project, /multiple times/, /twice|bad/)
    assert.deepEqual(await get(project, '/api/swallow'), { status: 200, body: { swallowed: true } })
    assert.equal((await get(project, '/api/silent')).status, 404)
    assert.equal((await get(project, '/api/forgets')).status < 500, true)
    assert.deepEqual(await get(project, '/api/rejects'), { status: 500, body: internal })
    logged(project, /secret of a policy/)
    assert.equal((await get(project, '/api/cyclic')).status, 403)
    assert.deepEqual(errorsOf(project), [])
  })

  it('around everything: next() twice is an error, what is swallowed stays so', async () => {
    for (const [name, url, expected] of [
      ['twice', '/api/forgets', 500],
      ['swallow', '/api/plain', 200],
      ['swallow', '/api/nothing', 404],
      ['silent', '/api/plain', 404],
    ] as const) {
      const project = await start({
        ...files,
        'src/api/more/routes/more.js':
          "module.exports = { routes: [{ method: 'GET', path: '/plain', handler: ctx => { throw new Error('secret') }, config: { auth: false } }] }",
        'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::body', 'global::${name}', 'strapi::query']`,
      })
      const { status, body } = await get(project, url)
      assert.equal(status, expected, `${name} ${url}`)
      assert.doesNotMatch(JSON.stringify(body), /secret|multiple/)
      await project.close()
    }
  })
})

describe('lifecycles that misbehave', () => {
  const events = ['Create', 'Update', 'Delete', 'FindOne', 'FindMany', 'Count']
  const lifecycles = (text: string) => ({ 'src/api/note/content-types/note/lifecycles.js': `module.exports = ${text}` })

  it('throw anywhere: a 500 without the cause, and the log has file and line', async () => {
    const project = await start({
      ...note,
      ...lifecycles(
        `{ ${['before', 'after']
          .flatMap(time =>
            events.map(
              event =>
                `${time}${event}() { if (strapi.failing === '${time}${event}') throw new Error('secret ${time}${event}') }`,
            ),
          )
          .join(',\n')} }`,
      ),
    })
    const strapi = () => (globalThis as unknown as { strapi: { failing?: string } }).strapi
    const send = async (method: string, path: string, body?: unknown) =>
      project.send({ auth: 'none', method, path, ...(body !== undefined && { body }) })
    const data = { data: { title: 'x' } }
    await send('POST', '/api/notes', data)
    const requests: Readonly<Record<string, () => Promise<{ status: number; text: string }>>> = {
      Create: () => send('POST', '/api/notes', data),
      Update: () => send('PUT', '/api/notes/1', data),
      Delete: async () => {
        const made = await send('POST', '/api/notes', data)
        const id = (JSON.parse(made.text) as { data?: { id: number } }).data?.id ?? 1
        return send('DELETE', `/api/notes/${id}`)
      },
      FindOne: () => send('GET', '/api/notes/1'),
      FindMany: () => send('GET', '/api/notes'),
      Count: () => send('GET', '/api/notes'),
    }
    for (const event of events)
      for (const time of ['before', 'after']) {
        const name = `${time}${event}`
        strapi().failing = name
        const { status, text } = await (requests[event] as () => Promise<{ status: number; text: string }>)()
        strapi().failing = ''
        assert.deepEqual([status, JSON.parse(text)], [500, internal], name)
        logged(project, `secret ${name}`, /lifecycles\.js:\d+/)
      }
  })

  it('write to their own type without an end: one sentence in the log, and the server goes on', async () => {
    const project = await start({
      ...note,
      ...lifecycles(
        "{ async afterCreate() { await strapi.entityService.create('api::note.note', { data: { title: 'again' } }) }, async beforeUpdate({ params }) { await strapi.db.query('api::note.note').update({ where: params.where, data: { title: 'again' } }) } }",
      ),
    })
    const began = performance.now()
    const { status, text } = await project.send({
      auth: 'none',
      method: 'POST',
      path: '/api/notes',
      body: { data: { title: 'x' } },
    })
    assert.deepEqual([status, JSON.parse(text)], [500, internal])
    logged(project, /api::note\.note/, /afterCreate/, /itself|own/)
    const update = await project.send({
      auth: 'none',
      method: 'PUT',
      path: '/api/notes/1',
      body: { data: { title: 'x' } },
    })
    assert.equal(update.status, 500)
    logged(project, /beforeUpdate/)
    assert.ok(performance.now() - began < 20_000)
    assert.equal((await get(project, '/api/notes')).status, 200)
  })
})

onEveryEngine('errors with the codes and words of a database that code throws', engine => {
  const thrown = [
    { code: 'ECONNRESET' },
    { code: 'ETIMEDOUT' },
    { code: 'PROTOCOL_CONNECTION_LOST' },
    { code: 'ER_LOCK_DEADLOCK', errno: 1213 },
    { code: '40P01' },
    { message: 'database is locked', code: 'ERR_SQLITE_ERROR' },
  ]
  const files = {
    ...note,
    ...bad({
      plain: "ctx => strapi.fails('plain')",
      transaction: `ctx => strapi.db.transaction(async () => {
        await strapi.db.query('api::note.note').create({ data: { title: 'undone' } })
        strapi.fails('transaction')
      })`,
      service:
        "ctx => strapi.db.transaction(() => strapi.entityService.create('api::note.note', { data: { title: 'x' } }))",
      connection: `async ctx => {
        const [all] = [await strapi.db.connection.raw('${connectionOf[engine.name]} as id')].flat(2)
        return all.rows ?? [all]
      }`,
    }),
    'src/api/note/content-types/note/lifecycles.js': `
      module.exports = { beforeCreate() { strapi.fails('beforeCreate') }, afterCreate() { strapi.fails('afterCreate') } }`,
    'src/index.js': `module.exports = { register({ strapi }) {
      strapi.failing = []
      strapi.fails = place => {
        if (strapi.failing[0] !== place) return
        strapi.failing.push(place)
        throw Object.assign(new Error('secret'), strapi.error)
      }
    } }`,
  }

  it('are errors of the code: a 500, its work is done once, and connections are trusted', async () => {
    const project = await start(files, { engine })
    const { strapi } = globalThis as unknown as { strapi: { failing: string[]; error: object } }
    const connection = () => get(project, '/api/connection')
    const first = await connection()
    assert.equal(first.status, 200)
    for (const [place, path] of [
      ['plain', '/api/plain'],
      ['transaction', '/api/transaction'],
      ['beforeCreate', '/api/notes'],
      ['afterCreate', '/api/notes'],
      ['beforeCreate', '/api/service'],
      ['afterCreate', '/api/service'],
    ] as const)
      for (const error of thrown) {
        Object.assign(strapi, { failing: [place], error })
        const { status, text } = await project.send({
          auth: 'none',
          method: 'POST',
          path,
          body: { data: { title: 'x' } },
        })
        const says = `${place} ${path} ${JSON.stringify(error)}`
        assert.deepEqual([status, JSON.parse(text), strapi.failing], [500, internal, [place, place]], says)
        logged(project, error.message ?? 'secret')
        assert.deepEqual(await connection(), first, says)
      }
    strapi.failing = []
    const { body } = await get(project, '/api/notes')
    assert.equal((body as { meta: { pagination: { total: number } } }).meta.pagination.total, thrown.length)
  })
})

describe('code that changes what is shared', () => {
  it('changes its own settings alone', async () => {
    const project = await start({
      ...bad({
        change:
          "ctx => { strapi.config.set('server.port', 1); strapi.config.server.host = 'x'; strapi.config.api = null; strapi.config.get('custom').a = 2; delete strapi.config.server; return strapi.config.get('custom') }",
        types:
          "ctx => { strapi.contentTypes['api::note.note'].attributes.title = { type: 'json', private: true }; Object.assign(strapi.getModel('api::note.note'), { collectionName: 'x' }); return 1 }",
      }),
      'config/custom.js': 'module.exports = { a: 1 }',
      'src/api/note/content-types/note/schema.json': schemaOf('note'),
      'src/api/note/controllers/note.js':
        "module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note')",
      'src/api/note/routes/note.js':
        "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', { config: { find: { auth: false } } })",
    })
    assert.deepEqual((await get(project, '/api/change')).body, { a: 2 })
    assert.equal((await get(project, '/api/types')).status, 200)
    assert.equal(project.app.config.server.host, '127.0.0.1')
    assert.equal((await get(project, '/api/notes')).status, 200)
  })
})

describe('the end of a project', () => {
  it('waits for `destroy` and for running cron tasks no longer than shutdownDeadline', async () => {
    const project = await start(
      {
        ...bad({ fine: 'ctx => 1' }),
        'src/index.js': `module.exports = {
          bootstrap({ strapi }) { strapi.timer = setInterval(() => undefined, 10) },
          destroy({ strapi }) { clearInterval(strapi.timer); strapi.log.warn('destroy runs'); return new Promise(() => undefined) },
        }`,
      },
      { config: { server: { shutdownDeadline: 200 } } as never },
    )
    const began = performance.now()
    await project.close()
    assert.ok(performance.now() - began < 5_000)
    assert.ok(project.lines.some(({ msg }) => msg === 'destroy runs'))
    assert.ok(
      project.lines.some(
        ({ level, msg }) => ['warn', 'error'].includes(String(level)) && /destroy/.test(msg) && /src\/index/.test(msg),
      ),
      JSON.stringify(project.lines),
    )
  })

  it('runs every `destroy`, though one throws', async () => {
    const project = await start({
      ...bad({ fine: 'ctx => 1' }),
      'src/api/bad/index.js': "module.exports = { destroy() { throw new Error('of the api') } }",
      'src/index.js': "module.exports = { destroy({ strapi }) { strapi.log.warn('destroy runs') } }",
    })
    await project.close().catch(() => undefined)
    assert.ok(project.lines.some(({ msg }) => msg === 'destroy runs'))
    assert.ok(project.lines.some(({ msg, err }) => /of the api/.test(`${msg} ${err?.message}`)))
  })

  it('cuts requests that never end, and a hanging one keeps no connection', async () => {
    const { project, port } = await listening(bad({ never: 'ctx => new Promise(() => undefined)' }), {
      config: { server: { shutdownDeadline: 200 } } as never,
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /api/never HTTP/1.1\r\nHost: x\r\n\r\n')
    await pause(50)
    const closed = once(socket, 'close')
    const began = performance.now()
    await project.close()
    await closed
    assert.ok(performance.now() - began < 5_000)
  })
})

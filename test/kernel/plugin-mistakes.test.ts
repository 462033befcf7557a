import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin, type QueryNode, type TestApp, where } from '../../core/index.js'
import { createLog } from '../../core/log.js'

/** A plugin as JavaScript lets it be written. */
const written = (parts: object): AnyPlugin => ({ name: 'clumsy', ...parts }) as unknown as AnyPlugin

/** The message with which the start refuses; fails if it does not. */
async function refusal(parts: object): Promise<string> {
  try {
    await (await createTestApp({ types: { note: {} }, plugins: [written(parts)] })).close()
  } catch (error) {
    assert.equal((error as Error).name, 'BootError')
    return (error as Error).message
  }
  throw new Error('the server started')
}

describe('a plugin that cannot work stops the start, named with what is wrong and what is accepted', () => {
  const route = { method: 'GET', path: '/x', action: null, run: () => 1 }
  const action = "expected action: '<name>', the permission that it requires, or action: null, which requires none"
  const methods = 'expected one of GET, QUERY, POST, PUT, PATCH, DELETE, ALL, in capital letters'
  const test = () => true
  /** A format that is right but for these parts. */
  const bare = (parts: object) => ({ formats: { bare: { entry: 'plain', one: test, many: test, ...parts } } })
  const cases: readonly (readonly [says: string, parts: object, message: string])[] = [
    [
      'a route without an action',
      { routes: [{ ...route, action: undefined }] },
      `the route GET /x: its action is missing; ${action}`,
    ],
    [
      'a route without an action, of a type',
      { routes: [() => [{ method: 'GET', path: '/x', run: () => 1 }]] },
      `the route GET /x: its action is missing; ${action}`,
    ],
    ['an empty action', { routes: [{ ...route, action: '' }] }, `the route GET /x: its action is ""; ${action}`],
    [
      'an action that is no name',
      { routes: [{ ...route, action: false }] },
      `the route GET /x: its action is of type boolean; ${action}`,
    ],
    [
      'a method in small letters',
      { routes: [{ ...route, method: 'get' }] },
      `the route get /x: its method is "get"; ${methods}`,
    ],
    [
      'a path without a slash',
      { routes: [{ ...route, path: 'x' }] },
      'the route GET x: its path is "x"; expected one that begins with a slash',
    ],
    [
      'a place that does not exist',
      { routes: [{ ...route, at: 'top' }] },
      'the route GET /x: its "at" is "top"; expected "api" or "root"',
    ],
    [
      'a route that runs nothing',
      { routes: [{ ...route, run: undefined }] },
      'the route GET /x: its "run" is missing; expected a function, or "generated"',
    ],
    ['routes that come later', { routes: async () => [route] }, 'routes gives a promise; expected a list'],
    ['routes of a type that come later', { routes: [async () => [route]] }, 'routes gives a promise; expected a list'],
    [
      'a hook that is no function',
      { hooks: { beforeFind: 'hook' } },
      'the hook beforeFind is "hook"; expected a function',
    ],
    [
      'a hook that is an object',
      { hooks: { afterFind: {} } },
      'the hook afterFind is of type object; expected a function',
    ],
    ['a part that is no function', { authenticate: null }, 'authenticate is null; expected a function or an object'],
    [
      'callers known before some others',
      { authenticate: { before: 'some', run: () => undefined } },
      'authenticate has "some" for "before"; expected "others"',
    ],
    [
      'callers known by no function',
      { authenticate: { before: 'others' } },
      'authenticate has missing for "run"; expected a function',
    ],
    [
      'a format without "many"',
      { formats: { bare: { entry: 'plain', one: (entry: object) => entry } } },
      'the format "bare" has missing for "many"; expected a function',
    ],
    [
      'a format of entries in no known form',
      bare({ entry: 'flat' }),
      'the format "bare" has "flat" for "entry"; expected "nested" or "plain"',
    ],
    [
      'a format that wants no header',
      bare({ wants: { test } }),
      'the format "bare" has missing for "wants.header"; expected the name of a header',
    ],
    [
      'a format that wants a header that no request can have',
      bare({ wants: { header: 'X Format', test } }),
      'the format "bare" has "X Format" for "wants.header"; expected the name of a header',
    ],
    [
      'a format that serves no type',
      bare({ serves: { unless: { header: 'X-Format', test } } }),
      'the format "bare" has missing for "serves.test"; expected a function',
    ],
    [
      'a format that serves all but requests without a header',
      bare({ serves: { test, unless: { test } } }),
      'the format "bare" has missing for "serves.unless.header"; expected the name of a header',
    ],
    [
      'a format that tests nothing',
      bare({ wants: { header: 'X-Format' } }),
      'the format "bare" has missing for "wants.test"; expected a function',
    ],
    [
      'a format with a name for ids that is no name',
      bare({ idText: true }),
      'the format "bare" has of type boolean for "idText"; expected the name of a property',
    ],
    [
      'a format under a media type that is not one of JSON',
      bare({ mediaType: 'text/html' }),
      'the format "bare" has "text/html" for "mediaType"; expected one of JSON, such as application/vnd.api+json',
    ],
    [
      'a shape without lists',
      bare({ shape: { one: test } }),
      'the format "bare" has missing for "shape.many"; expected a function',
    ],
    [
      'a shape that is none',
      bare({ shape: true }),
      'the format "bare" has missing for "shape.one"; expected a function',
    ],
    [
      'a format of errors that is none',
      bare({ error: {} }),
      'the format "bare" has of type object for "error"; expected a function',
    ],
    [
      'an attribute of a type that does not exist',
      { attributes: { mood: { type: 'strng' } } },
      'the attribute "mood" that it adds has the type "strng"; did you mean "string"?',
    ],
    [
      'settings whose schema is wrong',
      { config: { type: 'objct', properties: {} } },
      'its "config" is not a JSON schema: type must be JSONType or JSONType[]: objct',
    ],
    [
      'a type that it applies to later',
      { appliesTo: async () => false, hooks: { serialize: () => undefined } },
      'appliesTo gives a promise; expected true or false',
    ],
  ]
  const atOnce = 'expected a function that returns its result at once'
  const waits = async () => undefined
  const own = (parts: object) => ({
    contentTypes: [{ uid: 'plugin::clumsy.thing', source: 'clumsy.ts', schema: {}, ...parts }],
  })
  const named = 'expected a name without a dot, as what stands before the last dot of a permission is its uid'
  const further: typeof cases = [
    ...['parseQuery', 'beforeFind', 'serialize'].map(
      stop => [`an async ${stop}`, { hooks: { [stop]: waits } }, `the hook ${stop} is async; ${atOnce}`] as const,
    ),
    [
      'an async reader of a parameter',
      { params: { tone: { read: waits } } },
      `"read" of the parameter "tone" is async; ${atOnce}`,
    ],
    [
      'a parameter without a reader',
      { params: { tone: {} } },
      '"read" of the parameter "tone" is null; expected a function',
    ],
    [
      'an async format',
      bare({ many: waits }),
      'the format "bare" has an async function for "many"; expected one that returns its result at once',
    ],
    [
      'a content type without a source',
      own({ source: undefined }),
      'the content type "plugin::clumsy.thing" has missing for "source"; expected the file that declares it',
    ],
    [
      'a content type without a schema',
      own({ schema: undefined }),
      'the content type "plugin::clumsy.thing" has missing for "schema"; expected an object',
    ],
    [
      'a content type with the uid of another plugin',
      own({ uid: 'plugin::upload.file' }),
      'the content type "plugin::upload.file" belongs to others; expected a uid that begins with "plugin::clumsy."',
    ],
    [
      'a content type with a uid of the app',
      own({ uid: 'api::thing.thing' }),
      'the content type "api::thing.thing" belongs to others; expected a uid that begins with "plugin::clumsy."',
    ],
    [
      'an action with a dot',
      { routes: [{ ...route, action: 'a.b' }] },
      `the route GET /x: its action is "a.b"; ${named}`,
    ],
    [
      'an action of its own with a dot',
      { actions: [{ uid: 'plugin::clumsy', action: 'a.b' }] },
      `actions has the action "a.b"; ${named}`,
    ],
    ['an action of a type with a dot', { actions: [() => ['a.b']] }, `actions has the action "a.b"; ${named}`],
  ]
  for (const [says, parts, message] of [...cases, ...further])
    it(says, async () => assert.equal(await refusal(parts), `plugin clumsy: ${message}`))

  it('a register that fails, with the line of code', async () => {
    const message = await refusal({
      register: () => {
        throw new Error('no such thing')
      },
    })
    assert.match(message, /^plugin clumsy could not start: no such thing \(\/.*plugin-mistakes\.test\.ts:\d+:\d+\)$/)
  })

  it('a route that a content type has', async () => {
    assert.equal(
      await refusal({ routes: [{ ...route, path: '/notes' }] }),
      'the route GET /notes is declared twice: by the plugin clumsy and the content type api::note.note (note.json)',
    )
  })

  it('a hook that is undefined is none', async () => {
    const plugin = written({ hooks: { beforeFind: undefined }, authenticate: undefined })
    await (await createTestApp({ types: { note: {} }, plugins: [plugin] })).close()
  })
})

interface FailingApp {
  readonly app: TestApp
  readonly log: Record<string, unknown>[]
  readonly rejections: unknown[]
}

/** A server whose log and unhandled rejections are looked at. */
async function failing(parts: object, more: object = {}): Promise<FailingApp> {
  const log: Record<string, unknown>[] = []
  const rejections: unknown[] = []
  const note = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', note)
  const app = await createTestApp({
    types: { note: { attributes: { text: { type: 'string' } } } },
    plugins: [written(parts)],
    log: createLog('error', { destination: { write: line => void log.push(JSON.parse(line)) } }),
    ...more,
  })
  onTestFinished(async () => {
    process.off('unhandledRejection', note)
    await app.close()
  })
  await app.store.transaction(async session => session.run("insert into notes (text) values ('a')", []))
  return { app, log, rejections }
}

/** A 500 that tells nothing, and one line of the log. */
async function fails({ app, log, rejections }: FailingApp, request: object, message: string): Promise<void> {
  const response = await app.inject(request)
  assert.equal(response.statusCode, 500, response.payload)
  assert.doesNotMatch(response.payload, /clumsy|later/)
  assert.deepEqual(
    log.map(({ err }) => (err as Error).message),
    [message],
  )
  await new Promise(setImmediate)
  assert.deepEqual(rejections, [])
}

const promise = 'returned a promise; expected the result itself: it cannot wait, so it cannot be async'
/** Functions that are declared async are refused at the start; this one can be found out by what it returns alone. */
const later = () => Promise.reject(new Error('later'))
const list = { method: 'GET', url: '/api/notes' }
const create = { method: 'POST', url: '/api/notes', payload: { data: { text: 'x' } } }

describe('what a plugin has to return at once', () => {
  for (const stop of ['parseQuery', 'beforeFind', 'serialize'])
    it(`is no promise: ${stop} fails with the names of plugin and hook, and its rejection is handled`, async () =>
      fails(await failing({ hooks: { [stop]: later } }), list, `plugin clumsy, ${stop}: it ${promise}`))

  const formats = (part: string) => ({
    formats: { late: { entry: 'plain', one: String, many: String, [part]: later } },
  })
  const asFormat = { config: { api: { rest: { format: 'late' } } } }
  for (const [part, request] of [
    ['many', list],
    ['one', { method: 'GET', url: '/api/notes/1' }],
  ] as const)
    it(`is no promise: ${part} of a format`, async () =>
      fails(await failing(formats(part), asFormat), request, `plugin clumsy, late.${part} ${promise}`))

  it('is no promise: an error in such a format has the usual form', async () => {
    const { app, log, rejections } = await failing(formats('error'), asFormat)
    const response = await app.inject('/api/notes/77')
    assert.equal(response.statusCode, 404)
    assert.equal(response.json().error.name, 'NotFoundError')
    assert.match(log.map(({ err }) => (err as Error).message).join(), /^plugin clumsy, late\.error returned a promise/)
    await new Promise(setImmediate)
    assert.deepEqual(rejections, [])
  })

  it('is no promise: the value of a parameter', async () =>
    fails(
      await failing({ params: { tone: { read: later } } }),
      { method: 'GET', url: '/api/notes?tone=a' },
      `plugin clumsy, params.tone ${promise}`,
    ))

  const caller = { scope: 'some', can: () => true }
  it('is no promise: permission that is asked for later is not given', async () =>
    fails(
      await failing({ authenticate: () => ({ ...caller, can: async () => false }) }),
      list,
      `a caller's can ${promise}`,
    ))
  it('is no promise: filters that come later do not let every row through', async () =>
    fails(await failing({ authenticate: () => ({ ...caller, rows: later }) }), list, `a caller's rows ${promise}`))
})

describe('what a plugin has no use for, or the log no place', () => {
  const asFormat = { config: { api: { rest: { format: 'bare' } } } }
  it('an entry that serialize returns in place of the one it was given', async () =>
    fails(
      await failing({ hooks: { serialize: (entry: object) => ({ ...entry, text: 'b' }) } }),
      list,
      'plugin clumsy, serialize: it returned an object, which has no effect; expected that it changes the entry it is given',
    ))
  it('but the entry itself and other results do no harm', async () => {
    for (const serialize of [(entry: object) => Object.assign(entry, { text: 'b' }), () => true]) {
      const { app } = await failing({ hooks: { serialize } })
      assert.equal((await app.inject(list as never)).statusCode, 200)
    }
  })
  for (const [part, request] of [
    ['many', list],
    ['one', { method: 'GET', url: '/api/notes/1' }],
  ] as const)
    it(`a format whose ${part} returns nothing`, async () =>
      fails(
        await failing(
          { formats: { bare: { entry: 'plain', one: String, many: String, [part]: () => undefined } } },
          asFormat,
        ),
        request,
        `plugin clumsy, bare.${part} returned nothing; expected the body (is a return missing?)`,
      ))

  const text = '"no luck" was thrown, which is no error and has no stack; expected new Error(...)'
  const throws = () => {
    throw 'no luck'
  }
  it('a text that a route throws: the log names the plugin, and says what it lacks', async () => {
    const broken = await failing({ routes: [{ method: 'GET', path: '/luck', action: null, run: throws }] })
    await fails(broken, { method: 'GET', url: '/api/luck' }, text)
    assert.equal(broken.log[0]?.plugin, 'clumsy')
    assert.match(String((broken.log[0]?.err as Error | undefined)?.stack), /no luck/)
  })
  it('a text that a hook throws', async () =>
    fails(await failing({ hooks: { afterFind: throws } }), list, `plugin clumsy, afterFind: ${text}`))
})

describe('a hook that shapes what goes on', () => {
  const cases = [
    ['parseQuery', list, 'query'],
    ['beforeFind', list, 'query'],
    ['beforeWrite', create, 'write'],
  ] as const
  for (const [stop, request, subject] of cases)
    for (const [what, hook] of [
      ['nothing', () => undefined],
      ['a value of type null', () => null],
      ['a value of type string', () => 'x'],
    ] as const)
      it(`and returns ${what} is named: ${stop}`, async () =>
        fails(
          await failing({ hooks: { [stop]: hook } }),
          request,
          `plugin clumsy, ${stop}: it returned ${what}; expected the ${subject}, changed or as it was (is a return missing?)`,
        ))

  it('and filters by what the type does not have is named: the client is not at fault', async () =>
    fails(
      await failing({ hooks: { beforeFind: (query: QueryNode) => where(query, { txet: 'a' }) } }),
      list,
      'plugin clumsy, beforeFind: filters[txet]: api::note.note has no attribute "txet" that can be used here; did you mean "text"?',
    ))

  it('may wait where it shapes a write', async () => {
    const { app } = await failing({
      hooks: { beforeWrite: async (write: { data: object }) => ({ ...write, data: { ...write.data, text: 'y' } }) },
    })
    assert.equal((await app.inject(create as never)).json().data.attributes.text, 'y')
    const nothing = definePlugin({ name: 'forgetful', hooks: { beforeWrite: (async () => undefined) as never } })
    await fails(
      await failing({}, { plugins: [nothing] }),
      create,
      'plugin forgetful, beforeWrite: it returned nothing; expected the write, changed or as it was (is a return missing?)',
    )
  })
})

import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import {
  type AnyPlugin,
  createTestApp,
  definePlugin,
  FormatError,
  type TestApp,
  ValidationError,
  type ValueType,
  WrongValue,
} from '../../core/index.js'
import { createLog } from '../../core/log.js'
import type { AttributeKind } from '../../core/schema/kinds.js'
import { onEveryEngine } from '../support/every-engine.js'

const fails = (reason: unknown) => () => {
  throw reason
}

/** A plugin with one attribute type that is right but for these parts. */
const typed = (parts: Partial<ValueType>): AnyPlugin =>
  definePlugin({
    name: 'odd',
    fieldTypes: [
      { name: 'thing', kind: 'value', as: 'text', operators: 'order', write: String, operand: String, ...parts },
    ],
  })
const types = { note: { attributes: { text: { type: 'string' }, thing: { type: 'thing' } } } }

interface LoggedApp {
  readonly app: TestApp
  /** The messages of errors in the log. */
  readonly logged: () => readonly string[]
}

async function running(parts: Partial<ValueType>): Promise<LoggedApp> {
  const lines: { readonly err?: Error }[] = []
  const app = await createTestApp({
    types,
    plugins: [typed(parts)],
    log: createLog('error', { destination: { write: line => void lines.push(JSON.parse(line)) } }),
  })
  onTestFinished(() => app.close())
  return { app, logged: () => lines.map(({ err }) => err?.message ?? '') }
}

const written = (app: TestApp, thing: unknown = 'x') =>
  app.inject({ method: 'POST', url: '/api/notes', payload: { data: { thing } } })

describe('an attribute type of a plugin refuses a value', () => {
  const refusals = [
    ['by throwing a text', 'must be odd', 'thing must be odd'],
    ['by throwing a WrongValue', new WrongValue('must be odd'), 'thing must be odd'],
    ['by throwing a FormatError', new FormatError('Not odd', 'an odd one'), 'thing must be an odd one'],
    ['by throwing a refusal of its own', new ValidationError('That is not odd'), 'That is not odd'],
  ] as const
  for (const [says, reason, message] of refusals) {
    it(`${says}: a write is a 400`, async () => {
      const response = await written((await running({ write: fails(reason) })).app)
      assert.deepEqual([response.statusCode, response.json().error.message], [400, message])
    })
    it(`${says}: a filter is a 400`, async () => {
      const { app } = await running({ operand: fails(reason) })
      const response = await app.inject('/api/notes?filters[thing]=x')
      assert.equal(response.statusCode, 400, response.payload)
    })
  }
  it('together with everything else that is wrong with a body', async () => {
    const { app } = await running({ write: fails('must be odd') })
    const payload = { data: { text: 7, thing: 'x' } }
    const { error } = (await app.inject({ method: 'POST', url: '/api/notes', payload })).json()
    assert.deepEqual(
      error.details.errors.map(({ path }: { path: string[] }) => path.join()),
      ['text', 'thing'],
    )
  })
})

describe('a mistake of an attribute type is a 500, and the log names plugin and type', () => {
  const whose = 'plugin odd, attribute type "thing"'
  const nothing = 'it returned nothing (is a return missing?); expected text, as the type is stored as text'
  const mistakes: readonly (readonly [says: string, parts: Partial<ValueType>, message: string])[] = [
    ['an error of write', { write: fails(new TypeError('no lat')) }, 'write: no lat'],
    [
      'write that throws no error',
      { write: fails(7) },
      'write: 7 was thrown, which is no error and has no stack; expected new Error(...)',
    ],
    ['write that returns nothing', { write: () => undefined }, `write: ${nothing}`],
    [
      'write that returns a promise',
      { write: async () => 'x' },
      'write: it returned a promise; expected the result itself: it cannot wait, so it cannot be async',
    ],
    [
      'write that returns what its column does not take',
      { write: () => 7 },
      'write: it returned 7; expected text, as the type is stored as text',
    ],
    [
      'write that returns text that is no JSON',
      { as: 'json', write: () => '{' },
      'write: it returned "{"; expected JSON text, or a value that can be written as JSON, as the type is stored as json',
    ],
    [
      'write that returns a time as text',
      { as: 'datetime', write: () => '2024-05-01' },
      'write: it returned "2024-05-01"; expected milliseconds since 1970, as the type is stored as datetime',
    ],
    ['an error of seal', { seal: async () => fails(new Error('no hash'))() }, 'seal: no hash'],
    ['an error of show', { show: fails(new Error('no text')) }, 'show: no text'],
  ]
  for (const [says, parts, message] of mistakes)
    it(says, async () => {
      const { app, logged } = await running(parts)
      const response = await written(app)
      assert.equal(response.statusCode, 500, response.payload)
      assert.doesNotMatch(response.payload, /odd/)
      assert.deepEqual(logged(), [`${whose}, ${message}`])
    })
  for (const [says, operand, message] of [
    ['an error of operand', fails(new TypeError('no lat')), 'operand: no lat'],
    [
      'operand that returns what its column is not compared with',
      () => 7,
      'operand: it returned 7; expected text, as the type is stored as text',
    ],
  ] as const)
    it(says, async () => {
      const { app, logged } = await running({ operand })
      assert.equal((await app.inject('/api/notes?filters[thing]=x')).statusCode, 500)
      assert.deepEqual(logged(), [`${whose}, ${message}`])
    })
  it('an operand that is undefined matches nothing', async () => {
    const { app } = await running({ operand: () => undefined })
    await written(app)
    assert.deepEqual((await app.inject('/api/notes?filters[thing]=x')).json().data, [])
  })
})

describe('an attribute type that nothing can be made of stops the start', () => {
  const right = { name: 'thing', kind: 'value', as: 'text', operators: 'text', write: String, operand: String }
  for (const [parts, message] of [
    [{ name: undefined }, 'missing has missing for "name"; expected its name'],
    [{ kind: 'column' }, '"thing" has "column" for "kind"; expected "value" or "link"'],
    [{ kind: 'link' }, '"thing" has missing for "link"; expected a function'],
    [{ as: 'object' }, '"thing" has "object" for "as"; expected one of id, text, longtext, integer'],
    [{ operators: 'all' }, '"thing" has "all" for "operators"; expected one of text, order, equality'],
    [{ write: undefined }, '"thing" has missing for "write"; expected a function'],
    [{ operand: 'x' }, '"thing" has "x" for "operand"; expected a function'],
  ] as const)
    it(message, async () => {
      const kind = { ...right, ...parts } as unknown as AttributeKind
      await assert.rejects(
        createTestApp({ plugins: [definePlugin({ name: 'odd', fieldTypes: [kind] })] }).then(app => app.close()),
        (error: Error) => error.message.startsWith(`plugin odd: the attribute type ${message}`),
      )
    })
})

onEveryEngine('an attribute type of a plugin', engine => {
  const within = async (parts: Partial<ValueType>, suite: (app: TestApp) => Promise<void>) => {
    const fresh = await engine.fresh()
    const app = await createTestApp({ types, plugins: [typed(parts)], config: { database: fresh.database as never } })
    try {
      await suite(app)
    } finally {
      await app.close()
      await fresh.drop()
    }
  }

  for (const [says, write] of [
    ['returns a value', (value: unknown) => value],
    ['returns JSON text', (value: unknown) => JSON.stringify(value)],
  ] as const)
    it(`that is stored as JSON and ${says} gives the entry that value`, () =>
      within({ as: 'json', operators: 'equality', write }, async app => {
        const value = { lat: 52.5, tags: ['a', 'b'] }
        assert.deepEqual((await written(app, value)).json().data.attributes.thing, value)
        assert.deepEqual((await app.inject('/api/notes/1')).json().data.attributes.thing, value)
      }))

  const hasLimits = engine.name !== 'sqlite'
  for (const [says, parts, value, message] of [
    ['a text that is too long', {}, 'x'.repeat(256), 'thing must be at most 255 characters'],
    [
      'a number that is too large',
      { as: 'integer', write: Number, operand: Number },
      2 ** 40,
      'thing must be less than or equal to 2147483647',
    ],
  ] as const)
    it(`is refused ${says} where the column has a limit, and stores it whole where it has none`, () =>
      within(parts, async app => {
        const response = await written(app, value)
        if (!hasLimits) assert.equal(response.json().data.attributes.thing, value)
        else assert.deepEqual([response.statusCode, response.json().error.message], [400, message])
      }))
  it('is refused a text with a null byte', () =>
    within({ write: () => 'a\0b' }, async app => {
      const response = await written(app)
      assert.deepEqual(
        [response.statusCode, response.json().error.message],
        [400, 'thing must not contain a null byte'],
      )
    }))
})

describe('attributes that requests may not write', () => {
  const counting = definePlugin({
    name: 'counting',
    attributes: {
      commentCount: { type: 'integer', default: 0, writable: false },
      approvedBy: { type: 'relation', relation: 'manyToOne', target: 'api::person.person', writable: false },
    },
    appliesTo: ({ uid }) => uid === 'api::note.note',
  })
  const world = {
    note: { attributes: { text: { type: 'string' } } },
    person: { attributes: { name: { type: 'string' } } },
  }
  async function counted() {
    const app = await createTestApp({ types: world, plugins: [counting] })
    onTestFinished(() => app.close())
    await app.entries('api::person.person').create({ name: 'Ann' })
    return { app, notes: app.entries('api::note.note') }
  }
  const populate = { populate: ['approvedBy'] }

  it('are written by code, columns and relations', async () => {
    const { notes } = await counted()
    const { id } = await notes.create({ text: 'a', commentCount: 2, approvedBy: 1 })
    const created = (await notes.first(populate)) as { commentCount: number; approvedBy: { name: string } }
    assert.deepEqual([created.commentCount, created.approvedBy.name], [2, 'Ann'])
    await notes.update(Number(id), { commentCount: 3, approvedBy: null })
    const updated = await notes.first(populate)
    assert.deepEqual([updated?.commentCount, updated?.approvedBy], [3, null])
  })
  it('are checked there, as all values are', async () => {
    const { notes } = await counted()
    await assert.rejects(notes.create({ commentCount: 'many' }), /commentCount must be a number/)
  })
  it('keep their value, or their default, where code does not name them', async () => {
    const { notes } = await counted()
    const { id, commentCount } = await notes.create({ text: 'a' })
    assert.equal(commentCount, 0)
    await notes.update(Number(id), { commentCount: 5 })
    assert.equal((await notes.update(Number(id), { text: 'b' })).commentCount, 5)
  })
  it('are not written by requests, whatever their caller is called', async () => {
    const named = definePlugin({ name: 'named', authenticate: () => ({ scope: 'system', can: () => true }) })
    const app = await createTestApp({ types: world, plugins: [counting, named] })
    onTestFinished(() => app.close())
    await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'a', commentCount: 7 } } })
    const found = await app.entries('api::note.note').find()
    assert.deepEqual(
      found.map(({ commentCount }) => commentCount).filter(count => count !== 0),
      [],
    )
  })
  it('do not include the id and the times of an entry, which stay with the server', async () => {
    const { notes } = await counted()
    const { id, createdAt } = await notes.create({ text: 'a', id: 77, createdAt: '2001-01-01T00:00:00.000Z' })
    assert.equal(id, 1)
    assert.notEqual(createdAt, '2001-01-01T00:00:00.000Z')
  })
})

import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { it } from 'vitest'
import type { QueryHook } from '../../../core/content/hooks/types.js'
import { type Ask, createTestApp, definePlugin, type QueryNode, type Raw, type TestApp } from '../../../core/index.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { isFull } from '../whole/attacked.js'
import { fill } from './fill.js'
import { kinds, model } from './model.js'
import { queries, spoilt, text } from './queries.js'

/** The same run every time; `FUZZ_SEED` tries another one, `FUZZ_TIMES` more of it. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_125)
const times = Number(process.env.FUZZ_TIMES ?? 1)
/** The number of schemas with their data, and of texts for each: every text is followed by others that differ in values alone. */
const runs = isFull
  ? ({ sqlite: [6, 60], mysql: [2, 60], postgres: [2, 60] } as const)
  : ({ sqlite: [3, 60], mysql: [1, 60], postgres: [1, 60] } as const)
const followers = 15

/** Values that are read, checked or written in their own way somewhere. */
const odd = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '2',
    '-1',
    '3',
    '0501',
    '1.5',
    '1e3',
    '1e400',
    '-0',
    '9007199254740993',
    '99999999999999999999',
  ],
  ...[
    'true',
    'false',
    't',
    'f',
    'null',
    'undefined',
    'NaN',
    'a',
    'A',
    '%25',
    '_',
    'a%25',
    '%C3%A9',
    '%C3%89',
    '%DF',
    '%',
  ],
  ...[
    '%00',
    'a%00b',
    '+',
    'a+b',
    '%2B',
    ',',
    'a,b',
    "'",
    '"',
    '%5C',
    '[',
    ']',
    '%5B1%5D',
    '{',
    '%7B%22a%22:1%7D',
    '[1]',
  ],
  ...['=', 'a=b', 'a]=b', 'a%5D=b', '%26', '__proto__', 'constructor', '$eq', '*', '?', '%F0%9F%98%80', 'Stra%C3%9Fe'],
  ...[
    '2024-01-01',
    '2024-01-01T00:00:00.000Z',
    '2024-13-01',
    '12:30:00',
    '12:30',
    '1969-12-31T23:59:59.999Z',
    '1704067200000',
  ],
  ...['x'.repeat(10_001), 'x'.repeat(300)],
]

/** Values of every kind. */
const common = Object.values(kinds)
  .flat()
  .map(value => encodeURIComponent(String(value)))

/** A text that differs from another in values alone. */
function varied(of: string, { chance, pick }: { chance: () => number; pick: <T>(list: readonly T[]) => T }): string {
  const pairs = of.split('&')
  const values = [...pairs.map(pair => pair.slice(pair.indexOf('=') + 1)), ...common]
  return pairs
    .map(pair => {
      const name = pair.slice(0, pair.indexOf('='))
      const isOften = /^(filters|pagination\[(page|start)\])/.test(name)
      if (name === '' || chance() > (isOften ? 0.5 : 0.02)) return pair
      const kind = chance()
      return `${name}=${kind < 0.15 ? pick(odd) : kind < 0.6 ? Math.floor(chance() * 900) : pick(values)}`
    })
    .join('&')
}

/** The response without values that differ from request to request. */
async function sent(app: TestApp, path: string) {
  const { statusCode, payload, headers } = await app.inject(path)
  const { 'x-request-id': _, date: __, etag, ...others } = headers
  assert.ok(statusCode < 500, `${path}: ${payload}`)
  // Each app makes its tags with a key of its own.
  return { statusCode, payload, others, hasTag: etag !== undefined }
}

/** Counts how often queries are read as a whole: its hook is shown those alone. */
const counting = (name: string, isWhole: boolean) => {
  const shown = { times: 0 }
  const plugin = definePlugin({
    name,
    describe: 'counts queries that are read as a whole',
    hooks: {
      beforeFind: {
        readsValues: false,
        run(query) {
          if (query.use === 'root') shown.times += 1
          return query
        },
      },
      // A hook that does not say that it reads no values has every query read as a whole.
      ...(isWhole && { parseQuery: (raw: Raw) => raw }),
    },
  })
  return { plugin, shown }
}

async function on(engine: Engine): Promise<{ cases: number; bySlots: number }> {
  const [schemas, each] = runs[engine.name]
  let cases = 0
  let bySlots = 0
  for (const [at, known] of fc.sample(model, { seed, numRuns: schemas * times }).entries()) {
    const { database, drop } = await engine.fresh()
    const config = { database: { ...database, statementTimeout: 0 } }
    const [learning, whole] = [counting('learning', false), counting('whole', true)]
    const world = { types: known.schemas, components: known.components, config }
    const apps = [
      await createTestApp({ ...world, plugins: [learning.plugin] }),
      await createTestApp({ ...world, plugins: [whole.plugin] }),
    ] as const
    try {
      await fill(apps[0], known)
      learning.shown.times = 0
      const types = [...known.types.values()].filter(({ name }) => !name.includes('.'))
      const asked = fc.oneof(
        ...types.flatMap(type => [
          { weight: 6, arbitrary: queries(known, type).map(query => ({ type, query })) },
          { weight: 1, arbitrary: spoilt(known, type).map(query => ({ type, query })) },
        ]),
      )
      const texts = new Set<string>()
      const drawn = fc.sample(fc.record({ asked, from: fc.integer() }), { seed: seed + at, numRuns: each })
      for (const {
        asked: { type, query },
        from,
      } of drawn) {
        const dice = chances(from)
        const first = text(query)
        for (let turn = 0; turn <= followers; turn += 1) {
          const path = `/api/${type.name}s?${turn === 0 ? first : varied(first, dice)}`
          if (texts.has(path)) continue
          texts.add(path)
          cases += 1
          const [one, other] = [await sent(apps[0], path), await sent(apps[1], path)]
          assert.deepEqual(one, other, path.slice(0, 2000))
        }
      }
      bySlots += whole.shown.times - learning.shown.times
    } finally {
      for (const app of apps) await app.close()
      await drop()
    }
  }
  return { cases, bySlots }
}

/** The same chances every time. */
function chances(start: number) {
  let state = start >>> 0
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
  return { chance, pick: <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T }
}

onEveryEngine('a query that differs from others in values alone', engine => {
  it('gets the response that it gets where every query is read as a whole', async () => {
    const { cases, bySlots } = await on(engine)
    console.log(`security: shapes, ${engine.name}: ${cases} queries agree, ${bySlots} of them by their values alone`)
    assert.ok(bySlots > cases / 10, `${bySlots} of ${cases}`)
  }, 600_000)

  it('is read as a whole where its value asks for another statement', async () => {
    const { database, drop } = await engine.fresh()
    const types = { thing: { attributes: { title: { type: 'string' }, size: { type: 'integer' } } } }
    const [learning, whole] = [counting('learning', false), counting('whole', true)]
    const apps: TestApp[] = []
    for (const { plugin } of [learning, whole]) {
      apps.push(await createTestApp({ types, plugins: [plugin], config: { database: { ...database } } }))
    }
    const [one, other] = apps as [TestApp, TestApp]
    try {
      for (const [size, title] of ['É', 'é', 'e', 'E', 'a%'].entries())
        await one.entries('api::thing.thing').create({ title, size })
      const ask = async (text: string) =>
        assert.deepEqual(await sent(one, `/api/things?${text}`), await sent(other, `/api/things?${text}`), text)
      const shapes: readonly (readonly [before: string, usual: (turn: number) => unknown, odd: readonly unknown[]])[] =
        [
          ['filters[title][$containsi]=', turn => `a${turn}`, ['É', 'é', 'E', '%25']],
          ['filters[size][$lt]=', turn => turn, [1.5, 1e20, '1e3', 'x', '']],
          ['pagination[pageSize]=1&pagination[page]=', turn => turn + 1, [600, 0, -1, 'x', '1e9', 999_999_999_999]],
        ]
      for (const [before, usual, odd] of shapes) {
        for (let turn = 0; turn < 30; turn += 1) await ask(`${before}${usual(turn)}`)
        for (const value of odd) await ask(before + value)
      }
      assert.ok(whole.shown.times - learning.shown.times > 30, `${learning.shown.times} of ${whole.shown.times}`)
    } finally {
      for (const app of apps) await app.close()
      await drop()
    }
  })

  type ParseHook = QueryHook<Raw, Ask, unknown>
  interface Reader {
    readonly says: string
    readonly parseQuery?: ParseHook
    /** The hooks of what the list populates. */
    readonly below?: { readonly beforeFind: QueryHook<QueryNode, Ask, unknown> }
    readonly expected: (size: number) => readonly number[]
    /** The number of reads of the whole list in twenty queries. */
    readonly whole: number
  }
  const others = Array.from({ length: 12 }, (_, index) => index + 8)
  const all = { filters: { size: { $gt: 7 } } }
  const [itself, query] = [(size: number) => [size], (node: QueryNode) => node]
  const readers: readonly Reader[] = [
    { says: 'reads no values', parseQuery: { readsValues: false, run: raw => raw }, expected: itself, whole: 2 },
    { says: 'does not say whether it reads values', parseQuery: raw => raw, expected: itself, whole: 20 },
    {
      says: 'reads a value',
      parseQuery: raw => (JSON.stringify(raw.filters).includes('13') ? all : raw),
      expected: size => (size === 13 ? others : [size]),
      whole: 20,
    },
    {
      says: 'changes the query in place',
      parseQuery: raw => Object.assign(raw, all),
      expected: () => others,
      whole: 20,
    },
    {
      says: 'reads no values and puts others in their place',
      parseQuery: { readsValues: false, run: raw => ({ ...raw, ...all }) },
      expected: () => others,
      whole: 20,
    },
    {
      says: 'reads no values of what is populated',
      below: { beforeFind: { readsValues: false, run: query } },
      expected: itself,
      whole: 2,
    },
    { says: 'may read values of what is populated', below: { beforeFind: query }, expected: itself, whole: 20 },
  ]
  for (const { says, parseQuery, below, expected, whole } of readers)
    it(`gets what a plugin makes of it that ${says}`, async () => {
      const { database, drop } = await engine.fresh()
      const { plugin, shown } = counting('counting', false)
      const isThing = ({ uid }: { readonly uid: string }) => uid === 'api::thing.thing'
      const ofThings = { appliesTo: isThing, hooks: { ...(parseQuery && { parseQuery }) } }
      const ofOthers = { appliesTo: (type: { readonly uid: string }) => !isThing(type), hooks: { ...below } }
      const reader = definePlugin({ name: 'reader', describe: 'reads queries', ...(below ? ofOthers : ofThings) })
      const other = { type: 'relation', relation: 'manyToOne', target: 'api::other.other' } as const
      const types = {
        thing: { attributes: { size: { type: 'integer' }, other } },
        other: { attributes: { name: { type: 'string' } } },
      } as const
      const app = await createTestApp({ types, plugins: [plugin, reader], config: { database: { ...database } } })
      try {
        for (let size = 0; size < 20; size += 1) await app.entries('api::thing.thing').create({ size })
        const ask = async (text: string) => (await app.inject(`/api/things?sort=size&populate=other&${text}`)).json()
        // A few queries are not enough to learn from.
        for (let length = 1; length <= 60; length += 1) await ask(`filters[size][$eq]=0&pagination[pageSize]=${length}`)
        shown.times = 0
        for (let size = 0; size < 20; size += 1) {
          const { data } = await ask(`filters[size][$eq]=${size}`)
          assert.deepEqual(
            data.map((entry: { attributes: { size: number } }) => entry.attributes.size),
            expected(size),
          )
        }
        assert.equal(shown.times, whole)
      } finally {
        await app.close()
        await drop()
      }
    })
})

import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import type { InjectOptions } from 'light-my-request'
import { it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import { queryText } from '../../../core/plugin-kit.js'
import { queryBody } from '../../../plugins/query-body/index.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { isFull } from '../whole/attacked.js'
import { assertDiscreet } from '../world.js'
import type { Query } from './evaluate.js'
import { fill } from './fill.js'
import { model } from './model.js'
import { queries, spoilt, text } from './queries.js'

/** The same run every time; `FUZZ_SEED` tries another one, `FUZZ_TIMES` more of it. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_124)
const times = Number(process.env.FUZZ_TIMES ?? 1)
/** The number of schemas with their data, and of queries for each. */
const runs = isFull
  ? ({ sqlite: [8, 150], mysql: [2, 150], postgres: [2, 150] } as const)
  : ({ sqlite: [4, 150], mysql: [1, 150], postgres: [1, 150] } as const)

/** Numbers and truths in place of the words that stand for them, as far as JSON can hold them. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typed(inner)]))
  if (value === 'true' || value === 'false') return value === 'true'
  const number = Number(value)
  return value !== '' && String(number) === value && !(Math.abs(number) > Number.MAX_SAFE_INTEGER) ? number : value
}

const json = { 'content-type': 'application/json' }
const spellings: Readonly<Record<string, (path: string, query: Query) => InjectOptions>> = {
  'JSON text': (path, query) => ({ url: `${path}?${queryText(query)}` }),
  'a body of QUERY': (path, query) => ({
    method: 'QUERY' as 'GET',
    url: path,
    headers: json,
    payload: JSON.stringify(query),
  }),
  'a body of POST with typed values': (path, query) => ({
    method: 'POST',
    url: `${path}/query`,
    headers: json,
    payload: JSON.stringify(typed(query)),
  }),
}

async function agree(app: TestApp, path: string, query: Query, isGood: boolean): Promise<void> {
  const brackets = await app.inject(`${path}?${text(query)}`)
  if (isGood) assert.equal(brackets.statusCode, 200, brackets.payload)
  for (const [spelling, request] of Object.entries(spellings)) {
    const options = request(path, query)
    const response = await app.inject(options)
    const where = `${spelling}: ${JSON.stringify(query)}`
    assertDiscreet(response, where)
    assert.equal(response.statusCode, brackets.statusCode, `${where}\n${response.payload}\n${brackets.payload}`)
    if (brackets.statusCode === 200) assert.equal(response.payload, brackets.payload, where)
  }
}

/** Names that brackets cannot say: an empty one is a list there, and a prototype is refused by whoever reads JSON first. */
const hasOddName = (query: Query): boolean => /"(?:__proto__|)":/.test(JSON.stringify(query))

async function on(engine: Engine): Promise<number> {
  const [schemas, each] = runs[engine.name]
  let cases = 0
  for (const [at, known] of fc.sample(model, { seed, numRuns: schemas * times }).entries()) {
    const { database, drop } = await engine.fresh()
    const config = { database: { ...database, statementTimeout: 0 } }
    const world = { types: known.schemas, components: known.components, plugins: [queryBody], config }
    const app = await createTestApp(world)
    try {
      await fill(app, known)
      const types = [...known.types.values()].filter(({ name }) => !name.includes('.'))
      const asked = fc.oneof(
        ...types.flatMap(type => [
          { weight: 4, arbitrary: queries(known, type).map(query => ({ type, query, isGood: true })) },
          { weight: 1, arbitrary: spoilt(known, type).map(query => ({ type, query, isGood: false })) },
        ]),
      )
      const property = fc.asyncProperty(asked, async ({ type, query, isGood }) => {
        fc.pre(isGood || !hasOddName(query))
        cases += 1
        await agree(app, `/api/${type.name}s`, query, isGood)
      })
      await fc.assert(property, { seed: seed + at, numRuns: each })
    } finally {
      await app.close()
      await drop()
    }
  }
  return cases
}

onEveryEngine('a query in brackets, as JSON text and in a body', engine => {
  it('gets the same response', async () => {
    const cases = await on(engine)
    console.log(`security: spellings, ${engine.name}: ${cases} queries get one response in four spellings`)
    const [schemas, each] = runs[engine.name]
    assert.ok(cases >= schemas * each)
  }, 600_000)
})

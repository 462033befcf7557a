import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { it } from 'vitest'
import { createTestApp, type TestApp } from '../../../core/index.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { isFull } from '../whole/attacked.js'
import { assertDiscreet } from '../world.js'
import { answer, type Query } from './evaluate.js'
import { fill } from './fill.js'
import { type Model, model, type TypeModel } from './model.js'
import { plain } from './plain.js'
import { queries, spoilt, text } from './queries.js'

/** The same run every time; `FUZZ_SEED` tries another one, `FUZZ_TIMES` more of it. */
const seed = Number(process.env.FUZZ_SEED ?? 20_240_229)
const times = Number(process.env.FUZZ_TIMES ?? 1)
/**
 * The number of schemas with their data, and of queries for each. The short form finds the same errors as the long one: an
 * operator that compares wrongly is found within a hundred queries of the first schema.
 */
const runs = isFull
  ? ({ sqlite: [40, 500], mysql: [4, 500], postgres: [4, 500] } as const)
  : ({ sqlite: [6, 300], mysql: [2, 300], postgres: [2, 300] } as const)

async function agrees(app: TestApp, known: Model, type: TypeModel, query: Query): Promise<void> {
  const path = `/api/${type.name}s?${text(query)}`
  const response = await app.inject(path)
  assertDiscreet(response)
  assert.equal(response.statusCode, 200, `${decodeURIComponent(path)}: ${response.payload}`)
  const { data, meta } = response.json()
  const expected = answer(known, type, query)
  assert.deepEqual(plain(data), expected.data, decodeURIComponent(path))
  assert.equal(meta.pagination.total, expected.total, decodeURIComponent(path))
}

/** A wrong query is refused with the parameter that is wrong, or means something that is right. */
async function isNamed(app: TestApp, type: TypeModel, query: Query): Promise<void> {
  const path = `/api/${type.name}s?${text(query)}`
  const response = await app.inject(path)
  assertDiscreet(response, path)
  if (response.statusCode === 200) return
  assert.equal(response.statusCode, 400, `${path}: ${response.payload}`)
  const { details, message } = response.json().error
  const named = details?.parameter ?? details?.errors?.[0]?.path[0]
  assert.ok(named !== undefined || /page|start|limit|query/i.test(message), `${path}: ${response.payload}`)
}

async function on(engine: Engine): Promise<number> {
  const [schemas, each] = runs[engine.name]
  let cases = 0
  for (const [at, known] of fc.sample(model, { seed, numRuns: schemas * times }).entries()) {
    const { database, drop } = await engine.fresh()
    // Every query is answered, however long a busy machine takes for it.
    const config = { database: { ...database, statementTimeout: 0 } }
    const app = await createTestApp({ types: known.schemas, components: known.components, config })
    try {
      await fill(app, known)
      const types = [...known.types.values()].filter(({ name }) => !name.includes('.'))
      const asked = fc.oneof(
        ...types.flatMap(type => [
          { weight: 9, arbitrary: queries(known, type).map(query => ({ type, query, isGood: true })) },
          { weight: 1, arbitrary: spoilt(known, type).map(query => ({ type, query, isGood: false })) },
        ]),
      )
      const property = fc.asyncProperty(asked, async ({ type, query, isGood }) => {
        cases += 1
        await (isGood ? agrees(app, known, type, query) : isNamed(app, type, query))
      })
      await fc.assert(property, { seed: seed + at, numRuns: each })
    } finally {
      await app.close()
      await drop()
    }
  }
  return cases
}

onEveryEngine('any query of any schema', engine => {
  it('gets the rows that looking at every one of them finds, or is told which parameter is wrong', async () => {
    const cases = await on(engine)
    console.log(`security: properties, ${engine.name}: ${cases} queries agree with the evaluator or name what is wrong`)
    const [schemas, each] = runs[engine.name]
    assert.ok(cases >= schemas * each)
  }, 600_000)
})

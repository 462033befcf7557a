import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { it } from 'vitest'
import { createTestApp, definePlugin, type TestApp } from '../../../core/index.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { isFull } from '../whole/attacked.js'
import { assertDiscreet } from '../world.js'
import { answer, type Query } from './evaluate.js'
import { fill } from './fill.js'
import { type Model, model, type TypeModel } from './model.js'
import { plain } from './plain.js'
import { queries, text } from './queries.js'

const seed = Number(process.env.FUZZ_SEED ?? 20_240_229)
const times = Number(process.env.FUZZ_TIMES ?? 1)
const runs = isFull
  ? ({ sqlite: [20, 500], mysql: [4, 300], postgres: [4, 300] } as const)
  : ({ sqlite: [4, 200], mysql: [2, 150], postgres: [2, 150] } as const)

/** A model without every second field and relation; both ends of a relation go together. */
function limited(known: Model, odd: number): Model {
  const isKept = (name: string) => name.includes('p') || (Number(/\d+/.exec(name)?.[0]) + odd) % 2 === 0
  const types = new Map(
    [...known.types].map(([name, { fields, links }]) => {
      const kept = <T>(all: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(all).filter(([one]) => isKept(one)))
      return [name, { name, fields: kept(fields), links: kept(links) }]
    }),
  )
  const schemas = Object.fromEntries(
    Object.entries(known.schemas).map(([name, { attributes }]) => {
      const { fields = {}, links = {} } = types.get(name) ?? {}
      const left = Object.entries(attributes).filter(([one]) => one in fields || one in links)
      return [name, { attributes: Object.fromEntries(left) }]
    }),
  )
  return { ...known, types, schemas }
}

const isType = ({ name }: TypeModel): boolean => !name.includes('.')

/** Two apps: one whose caller may read a part of each type, and one whose types have nothing else. */
async function pair(engine: Engine, known: Model, part: Model) {
  const names = new Map(
    [...part.types.values()]
      .filter(isType)
      .map(({ name, fields, links }) => [`api::${name}.${name}`, new Set(Object.keys({ ...fields, ...links }))]),
  )
  const caller = { scope: 'limited', can: () => true, fields: (_: string, uid: string) => names.get(uid) }
  const plugin = definePlugin({ name: 'limited', authenticate: () => caller })
  const [first, second] = [await engine.fresh(), await engine.fresh()]
  const configOf = ({ database }: typeof first) => ({ database: { ...database, statementTimeout: 0 } })
  const { schemas: types, components } = known
  const whole = await createTestApp({ types, components, plugins: [plugin], config: configOf(first) })
  const bare = await createTestApp({ types: part.schemas, components, config: configOf(second) })
  return {
    whole,
    bare,
    async close() {
      await whole.close()
      await bare.close()
      await first.drop()
      await second.drop()
    },
  }
}

/** Checks that a response has what the evaluator finds in the part, and that queries about the rest are refused as if it did not exist. */
async function agrees({ whole, bare }: { whole: TestApp; bare: TestApp }, part: Model, type: TypeModel, query: Query) {
  const path = `/api/${type.name}s?${text(query)}`
  const response = await whole.inject(path)
  assertDiscreet(response)
  if (response.statusCode === 200) {
    const { data, meta } = response.json()
    const expected = answer(part, part.types.get(type.name) as TypeModel, query)
    assert.deepEqual(plain(data), expected.data, decodeURIComponent(path))
    assert.equal(meta.pagination.total, expected.total, decodeURIComponent(path))
    return true
  }
  const other = await bare.inject(path)
  // Stamps are hidden as well, and those that every type has.
  const comparable = (said: string) => said.replaceAll(/, (createdAt|updatedAt)/g, '')
  assert.deepEqual([response.statusCode, comparable(response.payload)], [other.statusCode, comparable(other.payload)])
  return false
}

async function on(engine: Engine): Promise<readonly [shown: number, refused: number]> {
  const [schemas, each] = runs[engine.name]
  let [shown, refused] = [0, 0]
  for (const [at, known] of fc.sample(model, { seed, numRuns: schemas * times }).entries()) {
    const part = limited(known, at % 2)
    const apps = await pair(engine, known, part)
    try {
      await fill(apps.whole, known)
      const asked = fc.oneof(
        ...[...known.types.values()].filter(isType).flatMap(type => {
          const seen = part.types.get(type.name) as TypeModel
          const isEmpty = Object.keys(seen.fields).length === 0
          return [
            ...(isEmpty ? [] : [queries(part, seen).map(query => ({ type, query }))]),
            queries(known, type).map(query => ({ type, query })),
          ]
        }),
      )
      const property = fc.asyncProperty(asked, async ({ type, query }) => {
        if (await agrees(apps, part, type, query)) shown += 1
        else refused += 1
      })
      await fc.assert(property, { seed: seed + at, numRuns: each })
    } finally {
      await apps.close()
    }
  }
  return [shown, refused]
}

onEveryEngine('a caller who may read a part of each type', engine => {
  it('gets what there is in that part, and is told of the rest as of what does not exist', async () => {
    const [shown, refused] = await on(engine)
    console.log(`security: limited fields, ${engine.name}: ${shown} queries agree, ${refused} are refused alike`)
    assert.ok(shown > 100 && refused > 50)
  }, 600_000)
})

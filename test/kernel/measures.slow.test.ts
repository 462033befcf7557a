import { strict as assert } from 'node:assert'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type Measure, type ValueType } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import type { Expression } from '../../core/schema/kinds.js'
import { explorer } from '../../plugins/explorer/index.js'
import { openapi } from '../../plugins/openapi/index.js'
import { createClient } from '../../plugins/typescript/client/index.js'
import { compiled } from '../client/compiled.js'
import { fetchOf, url } from '../client/fetch.js'
import { typesOf } from '../client/world.js'
import { modelFrom, senderTo } from '../plugins/explorer/app.js'
import { onEveryEngine } from '../support/every-engine.js'
import { places } from './examples/places.js'

const cafe = { attributes: { name: { type: 'string' }, place: { type: 'place' }, more: { type: 'json' } } }

describe('an operator of an attribute type', () => {
  async function open() {
    const app = await createTestApp({ types: { cafe }, plugins: [places, openapi, explorer] })
    onTestFinished(() => app.close())
    return app
  }

  it('is in the OpenAPI document, on attributes of its type alone', async () => {
    const app = await open()
    const { components } = (await app.inject('/openapi.json')).json()
    const filterOf = (name: string) => {
      const ref: string = components.schemas.CafeFilters.properties[name].$ref
      return components.schemas[ref.split('/').at(-1) as string].anyOf.at(-1).properties
    }
    assert.deepEqual(filterOf('place').$near, {
      ...{ type: 'string', pattern: '^[^,]+,[^,]+(,[^,]+)?$', examples: ['52.52,13.4,5'] },
      description: 'lies within so many kilometres of a latitude and longitude',
    })
    assert.ok('$null' in filterOf('place'))
    assert.equal('$near' in filterOf('more'), false)
    assert.match(components.schemas.Sort.description, /attributes of the type place as an object: .*"\$near"/)
  })

  it('is offered by the explorer, which sends its operand as it is typed', async () => {
    const app = await open()
    const model = await modelFrom(senderTo(app))
    const operators = (name: string) => {
      const field = model.type('api::cafe.cafe')?.attributes.find(one => one.name === name)
      return field?.kind === 'field' ? model.operators(field).map(one => one.name) : []
    }
    assert.ok(operators('place').includes('$near'))
    for (const name of ['more', 'name']) assert.equal(operators(name).includes('$near'), false)
    assert.deepEqual(
      operators('place').filter(name => name !== '$near'),
      operators('more'),
    )
  })

  it('is known to the types of the client, which filters and sorts by it', async () => {
    const app = await open()
    const code = `
      import { createClient } from 'stele/client'
      import type { Schema } from './schema.js'
      const api = createClient<Schema>({ url: '' })
      void api.cafes.find({ filters: { place: { $near: '1,2,3' }, name: 'Anna' }, sort: [{ place: { $near: '1,2' } }, 'name'] })
      void api.cafes.find({ filters: { place: { $null: true } }, sort: { name: 'desc' } })
      // @ts-expect-error it takes a text
      void api.cafes.find({ filters: { place: { $near: 3 } } })
      // @ts-expect-error other attributes do not have it
      void api.cafes.find({ filters: { name: { $near: '1,2,3' } } })
      // @ts-expect-error nor are they sorted by it
      void api.cafes.find({ sort: { name: { $near: '1,2' } } })
    `
    assert.deepEqual((await compiled({ 'schema.ts': typesOf(app), 'near.ts': code })).errors, [])
    for (const [name, lat] of [
      ['Far', 50],
      ['Near', 1],
    ])
      await app.entries('api::cafe.cafe').create({ name, place: { lat, lng: 2 } })
    // biome-ignore lint/suspicious/noExplicitAny: the types are looked at above
    const api = createClient<any>({ url, fetch: fetchOf(app) }) as any
    const names = async (query: object) =>
      (await api.cafes.find(query)).data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
    assert.deepEqual(await names({ sort: { place: { $near: '1,2' } } }), ['Near', 'Far'])
    assert.deepEqual(await names({ filters: { place: { $near: '1,2,3' } } }), ['Near'])
  })

  it('is there for code', async () => {
    const app = await open()
    const cafes = app.entries('api::cafe.cafe')
    for (const lat of [50, 1]) await cafes.create({ place: { lat, lng: 2 } })
    assert.equal(await cafes.count({ place: { $near: '1,2,3' } }), 1)
  })
})

/** A plugin with a number that is measured in some way. */
const measuring = (measure: Partial<Measure>, parts: Partial<ValueType> = {}) =>
  definePlugin({
    name: 'measuring',
    fieldTypes: [
      {
        ...{ name: 'size', kind: 'value', as: 'integer', operators: 'order', write: Number, operand: Number },
        ...parts,
        measures: {
          $by: {
            describe: 'is so near',
            read: Number,
            number: (of, by) => of.abs(of.minus(of.value, by)),
            atMost: Number,
            ...measure,
          },
        },
      },
    ],
  })
const types = { crate: { attributes: { size: { type: 'size' } } } }

describe('a mistake in an operator', () => {
  for (const [measures, message] of [
    [{ near: {} }, 'the measure "near"; expected a name that begins with a dollar sign'],
    [{ $eq: {} }, 'the measure "$eq", which is an operator of every attribute; expected another name'],
    [{ $by: { read: Number, number: 7 } }, 'of type number for "number" of its measure "$by"; expected a function'],
  ] as const)
    it(`stops the start: ${message}`, () =>
      assert.rejects(
        createTestApp({
          plugins: [
            measuring({}, {}),
            definePlugin({
              name: 'odd',
              fieldTypes: [
                {
                  ...{ name: 'thing', kind: 'value', as: 'text', operators: 'text', write: String, operand: String },
                  measures: measures as never,
                },
              ],
            }),
          ],
        }),
        { message: `plugin odd: the attribute type "thing" has ${message}` },
      ))

  for (const [says, measure, message] of [
    [
      'an error',
      {
        number: () => {
          throw new Error('no such thing')
        },
      },
      '$by.number: no such thing',
    ],
    [
      'a number that is none',
      { number: (of: { plus: (a: number, b: number) => Expression }) => of.plus(1, Number.NaN) },
      '$by.number: a number of an expression is NaN; expected a finite one',
    ],
    ['a bound that is none', { atMost: () => Number.NaN }, '$by.atMost: it returned NaN; expected a finite number'],
    [
      'what is no expression',
      { number: () => 'drop table boxes' as never },
      '$by.number: it returned "drop table boxes"; expected what the functions of its first argument return',
    ],
    [
      'an expression of its own making',
      { number: () => ({ kind: 'call', name: 'load_extension', of: { kind: 'value' } }) as never },
      '$by.number: it returned an expression with "load_extension"; expected what the functions of its first argument return',
    ],
    [
      'a part of what is no JSON',
      { number: (of: { part: (name: string) => Expression }) => of.part('x') },
      '$by.number: it asks for the part "x" of an attribute that is stored as integer; expected json',
    ],
  ] as const)
    it(`is a 500 whose log line names plugin, type and function: ${says}`, async () => {
      const lines: { readonly err?: Error }[] = []
      const log = createLog('error', { destination: { write: line => void lines.push(JSON.parse(line)) } })
      const app = await createTestApp({ types, plugins: [measuring(measure as Partial<Measure>)], log })
      onTestFinished(() => app.close())
      assert.equal((await app.inject('/api/crates?filters[size][$by]=1')).statusCode, 500)
      assert.deepEqual(
        lines.map(({ err }) => err?.message),
        [`plugin measuring, attribute type "size", ${message}`],
      )
    })
})

onEveryEngine('the numbers of an operator', engine => {
  it('are the same as in JavaScript, and nothing where something is divided by zero', async () => {
    const fresh = await engine.fresh()
    const wanted: readonly (readonly [Measure<number>['number'], (value: number) => number | null])[] = [
      [of => of.value, value => value],
      [of => of.plus(of.value, 1, 0.25), value => value + 1.25],
      [of => of.minus(1, of.value, 0.5), value => 0.5 - value],
      [of => of.times(of.value, -2.5, 2), value => value * -5],
      [of => of.divided(of.value, 2), value => value / 2],
      [of => of.divided(1, of.value), value => (value === 0 ? null : 1 / value)],
      [of => of.abs(of.minus(of.value, 5)), value => Math.abs(value - 5)],
      [of => of.sin(of.value), Math.sin],
      [of => of.cos(of.divided(of.value, 3)), value => Math.cos(value / 3)],
    ]
    let number: Measure<number>['number'] = of => of.value
    const app = await createTestApp({
      types,
      plugins: [measuring({ number: (of, asked) => number(of, asked) })],
      config: { database: fresh.database as never },
    })
    try {
      const values = [-3, 0, 2, 7]
      for (const size of values) await app.entries('api::crate.crate').create({ size })
      const count = async (bound: number) => {
        return (await app.inject(`/api/crates?filters[size][$by]=${bound}`)).json().meta.pagination.total
      }
      for (const [index, [expression, made]] of wanted.entries()) {
        number = expression
        // Each query is read once: another bound is another query.
        for (const bound of [-4, -0.5, 0.2, 3]) {
          const exact = bound + index / 1000
          const expected = values.filter(value => (made(value) ?? Number.NaN) <= exact).length
          assert.equal(await count(exact), expected, `${index} at most ${exact}`)
        }
      }
    } finally {
      await app.close()
      await fresh.drop()
    }
  })
})

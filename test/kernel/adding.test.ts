import { strict as assert } from 'node:assert'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { types as mysqlTypes } from '../../core/engines/mysql/values.js'
import { casts, types as postgresTypes } from '../../core/engines/postgres/values.js'
import { types as sqliteTypes } from '../../core/engines/sqlite/values.js'
import { operators } from '../../core/query/filters.js'
import { type ValueType, valueTypes } from '../../core/schema/field-types.js'
import type { AttributeKind } from '../../core/schema/kinds.js'
import type { Representation } from '../../core/schema/representation.js'
import { type Kind, kindOf, representations } from '../../core/schema/representation.js'
import type { Attribute, AttributeTypes } from '../../core/schema/types.js'
import { WrongValue } from '../../core/schema/values.js'
import { contract } from '../support/contract.js'

/** A type of whole numbers from 0 to 255: all that core would have to be told of it. */
const channel: ValueType = {
  name: 'channel',
  kind: 'value',
  as: 'integer',
  operators: 'order',
  options: { darkest: { type: 'integer' } },
  write: (value, { attribute }) => {
    const number = Number(value)
    if (number < Number(attribute.darkest ?? 0) || number > 255)
      throw new WrongValue('is out of the range of a channel')
    return number
  },
  operand: Number,
}

/** A representation that one engine has a column type for: a row, and what each of three engines says of it. */
const uuid: { -readonly [K in keyof Kind]: Kind[K] } = {
  archived(value) {
    if (typeof value !== 'string' || !uuidPattern.test(value)) throw 'is no UUID'
    return value
  },
}
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
const uuidTables = [
  [representations, uuid],
  [sqliteTypes, 'char(36)'],
  [mysqlTypes, 'char(36)'],
  [postgresTypes, 'uuid'],
  [casts, 'uuid'],
] as const
const asUuid = 'uuid' as string as Representation
const batch: ValueType = {
  name: 'batch',
  kind: 'value',
  as: asUuid,
  operators: 'equality',
  write: value => {
    if (typeof value !== 'string' || !uuidPattern.test(value)) throw new WrongValue('must be a UUID')
    return value
  },
  operand: value => (uuidPattern.test(String(value)) ? value : undefined),
}

/** The tables of core as somebody would edit them; everything is taken out again. */
const rows = operators as Record<string, (typeof operators)[string]>
const types = valueTypes as readonly AttributeKind[] as AttributeKind[]

beforeAll(() => {
  types.push(channel, batch)
  for (const [table, row] of uuidTables) (table as Record<string, unknown>).uuid = row
  rows.$notStartsWithi = {
    comparison: 'notLike',
    takes: 'one',
    describe: 'does not start with, ignoring case',
    pattern: { open: 'end', ignoreCase: true },
    opposite: true,
  }
})
afterAll(() => {
  types.splice(types.indexOf(channel), 2)
  for (const [table] of uuidTables) delete (table as Record<string, unknown>).uuid
  delete rows.$notStartsWithi
})

const world = {
  types: {
    paint: {
      attributes: { name: { type: 'string' }, red: { type: 'channel', darkest: 10 }, batch: { type: 'batch' } },
    },
  },
}

contract('adding', world, api => {
  const names = async (query: string): Promise<string[]> => {
    const { body } = await api.get(`/paints?sort=red&${query}`)
    return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
  }

  it('an attribute type on a known representation takes one row', async () => {
    for (const [name, red] of Object.entries({ Rose: 200, rust: 120, Moss: 30 }))
      assert.equal((await api.send('POST', '/paints', { data: { name, red } })).body.data.attributes.red, red)
    const refused = await api.send('POST', '/paints', { data: { name: 'Soot', red: 5 } })
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.message, 'red is out of the range of a channel')
    assert.deepEqual(await names(''), ['Moss', 'rust', 'Rose'])
    assert.deepEqual(await names('filters[red][$gt]=100'), ['rust', 'Rose'])
  })

  it('an operator on a known comparison takes one row', async () => {
    assert.deepEqual(await names('filters[name][$notStartsWithi]=R'), ['Moss'])
    assert.deepEqual(await names('filters[name][$notStartsWithi][0]=ro&filters[red][$lt]=150'), ['Moss', 'rust'])
    const { body } = await api.get('/paints?filters[name][$notEndsWithi]=R')
    assert.match(body.error.message, /is not an operator; .*there are .*\$notStartsWithi/)
  })

  it('a representation takes a row, and the column type of each engine: four files', async () => {
    const [one, other] = ['0b2d9f5c-7a0e-4f61-9c59-0d2f1a4f6a11', '5f0c1a7e-3b9d-4c48-8a2e-6d7b9e0f1c22']
    for (const [name, batch] of [
      ['Ochre', one],
      ['Umber', other],
    ])
      assert.equal((await api.send('POST', '/paints', { data: { name, batch } })).body.data.attributes.batch, batch)
    const refused = await api.send('POST', '/paints', { data: { name: 'Sand', batch: '12' } })
    assert.equal(refused.body.error.message, 'batch must be a UUID')
    assert.deepEqual(await names(`filters[batch]=${one}`), ['Ochre'])
    assert.deepEqual(await names(`filters[batch][$in][0]=${one}&filters[batch][$in][1]=${other}&sort=name`), [
      'Ochre',
      'Umber',
    ])
    assert.deepEqual(await names('filters[batch]=12'), [])
    const [{ id }] = (await api.get(`/paints?filters[batch]=${other}`)).body.data
    assert.equal((await api.send('PUT', `/paints/${id}`, { data: { batch: null } })).body.data.attributes.batch, null)
    const { archived } = kindOf(asUuid)
    const room = {
      name: 'any',
      facts: { limits: { shortText: 1, integer: 1, decimal: 1 }, exactDecimals: true, nullBytes: true },
    }
    assert.equal(archived(one, room), one)
    assert.throws(
      () => archived('12', room),
      reason => reason === 'is no UUID',
    )
  })
})

describe('adding, to the compiler', () => {
  it('the row of an attribute type says what may be read of an attribute', () => {
    const attributes: readonly Attribute[] = [
      { type: 'uid', targetField: 'title', maxLength: 20 },
      { type: 'float', min: '0.5' },
      // @ts-expect-error: no row has this name
      { type: 'channel' },
    ]
    const [address] = attributes
    assert.equal(address?.type === 'uid' && address.targetField, 'title')
    // @ts-expect-error: the row of numbers has no such option
    const float: AttributeTypes['float'] = { type: 'float', maxLength: 3 }
    // @ts-expect-error: its bounds are numbers, or texts
    const integer: AttributeTypes['integer'] = { type: 'integer', min: true }
    assert.deepEqual([float.type, integer.type], ['float', 'integer'])
  })
})

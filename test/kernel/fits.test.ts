import { strict as assert } from 'node:assert'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, it } from 'vitest'
import { files, overrides, schemaOf } from '../../core/config/schemas.js'
import { fits } from '../../core/kit/fits.js'
import type { RawPlugin } from '../../core/plugin/arrange.js'
import { builtInPlugins } from '../../core/plugin/find.js'
import { attributeWords, formOf } from '../../core/schema/check.js'
import { type AttributeKind, valueTypes } from '../../core/schema/field-types.js'
import { linkTypes } from '../../core/schema/link-types.js'

const texts = ['', 'a', '10', 'Ä b', '😀']
const numbers = [0, -1, 1.5, 7, 70_000, Infinity, NaN]
const samples = [null, true, ...texts, ...numbers, [], ['a'], [{}], {}, { other: 1, 'no name': {} }]

/** Values that are right and wrong in each place that a schema speaks of. */
function valuesFor(schema: AnySchemaObject): unknown[] {
  const { properties = {}, items, additionalProperties, anyOf = [], enum: words = [] } = schema
  const parts: Record<string, AnySchemaObject> = {
    ...properties,
    ...(typeof additionalProperties === 'object' && { other: additionalProperties }),
  }
  return [
    ...samples,
    ...words,
    ...anyOf.flatMap(valuesFor),
    ...(items ? valuesFor(items).map(value => [value]) : []),
    ...Object.entries(parts).flatMap(([name, part]) => valuesFor(part).map(value => ({ [name]: value }))),
  ]
}

const settings = [...Object.values(files), schemaOf('database', { connection: {} }), overrides] as AnySchemaObject[]

describe('a value that fits a schema without compiling it', async () => {
  const plugins = (await builtInPlugins()) as unknown as RawPlugin[]
  const kinds: readonly AttributeKind[] = [
    ...valueTypes,
    ...linkTypes,
    ...plugins.flatMap(({ fieldTypes = [] }) => fieldTypes),
  ]
  const schemas: AnySchemaObject[] = [
    ...settings,
    ...plugins.map(({ config }) => ({ type: 'object', additionalProperties: false, ...config })),
    ...[formOf('type'), formOf('component'), { type: 'object', properties: attributeWords }],
    ...kinds.map(kind => ({ type: 'object', properties: kind.options ?? {} })),
  ]

  it('fits it for ajv too, with the same defaults', () => {
    let certain = 0
    let right = 0
    for (const schema of schemas) {
      const validate = new Ajv({ strict: false, useDefaults: true, validateSchema: false }).compile(schema)
      for (const value of valuesFor(schema)) {
        const [one, other] = [structuredClone(value), structuredClone(value)]
        const isRight = validate(other)
        if (isRight) right += 1
        if (!fits(one, schema)) continue
        certain += 1
        assert.ok(isRight, `${JSON.stringify(value)} in ${JSON.stringify(schema)}`)
        assert.deepEqual(one, other)
      }
    }
    assert.ok(certain > 500 && certain > 0.5 * right, `${certain} of ${right}`)
  })

  it('is one only if nothing of the schema is wrong or unknown, wherever that stands', () => {
    for (const part of [{ type: 'strng' }, { minimum: 'a' }, { required: 1 }, { items: 1 }, { unknown: 1 }, 1, null]) {
      assert.equal(fits({}, part), false)
      assert.equal(fits({}, { properties: { one: part } }), false)
      assert.equal(fits([], { items: part }), false)
    }
  })
})

describe('schemas of settings', () => {
  it('say nothing that a validator would not understand', () => {
    for (const schema of settings) assert.ok(new Ajv({ strictTypes: false }).compile(schema))
  })
})

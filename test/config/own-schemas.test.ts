import assert from 'node:assert/strict'
import { Ajv, type AnySchema } from 'ajv'
import { describe, it } from 'vitest'
import { files, overrides, schemaOf } from '../../core/config/schemas.js'
import { pluginNames } from '../support/plugin-names.js'

// At a start schemas are taken as they are; here they are held against the schema of schemas.
const ajv = new Ajv({ strict: false })

function assertSchema(schema: unknown): void {
  assert.ok(schema, 'there is no schema')
  assert.ok(ajv.validateSchema(schema as AnySchema), ajv.errorsText())
}

describe('the schemas of settings are schemas', () => {
  for (const [name, schema] of Object.entries(files)) it(`config/${name}`, () => assertSchema(schema))

  it('config/database of an older project', () => assertSchema(schemaOf('database', { connection: {} })))

  it('what a caller overrides', () => assertSchema(overrides))

  const plugins = new URL('../../plugins/', import.meta.url)
  for (const name of pluginNames())
    it(`plugin ${name}`, async () => {
      const parts: object = await import(new URL(`${name}/index.ts`, plugins).href)
      const plugin = Object.values(parts).find(part => part?.name === name)
      assertSchema(plugin.config ?? {})
    })
})

import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, it } from 'vitest'
import { documentOf, outlineOf, sampleFolder } from './outline.js'

const names = ['i18n', 'draft-and-publish', 'users-permissions', 'upload', 'api-tokens']

/** Every combination of the plugins that describe themselves in the document. */
const combinations = Array.from({ length: 2 ** names.length }, (_, number) =>
  names.filter((_name, index) => (number & (1 << index)) === 0),
)

async function problemsOf(on: readonly string[], rest: object = {}, version: '3.1' | '3.2' = '3.1'): Promise<unknown> {
  const plugins = Object.fromEntries(names.map(name => [name, { enabled: on.includes(name) }]))
  const overrides = { plugins: { ...plugins, 'sample-content': { enabled: false } }, api: { rest } }
  const document = await documentOf(await outlineOf(sampleFolder, { overrides: overrides as never }), version)
  const { valid, errors } = await new Validator().validate(document as never)
  return valid ? [] : errors
}

describe('the document is valid', () => {
  for (const on of combinations)
    it(`with ${on.join(', ') || 'no plugin'}`, async () => assert.deepEqual(await problemsOf(on), []))

  it('in the dialect strapi4', async () => assert.deepEqual(await problemsOf(names, { dialect: 'strapi4' }), []))
  it('in the format of a plugin', async () => assert.deepEqual(await problemsOf(names, { format: 'files' }), []))
  it('as OpenAPI 3.2', async () => assert.deepEqual(await problemsOf(names, {}, '3.2'), []))
})

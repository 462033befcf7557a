import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, it } from 'vitest'
import { compiling, type Numbers } from '../../core/ajv.js'
import { settingsSchemas } from '../../core/config/schemas.js'
import type { built as ofSources } from '../../core/packages/validators.js'
import { folderOf } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const inDist = (file: string): string => pathToFileURL(path.join(root, 'dist', file)).href

const texts = ['', 'a', '10', 'Ä b']
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

describe('validators of the build', async () => {
  const { built } = (await import(inDist('core/packages/validators.js'))) as { built: typeof ofSources }

  it('find in every value what those find that are compiled by a start, and put the same defaults into it', () => {
    let wrong = 0
    for (const [key, write] of built) {
      const [kind] = key.split(' ') as [Numbers]
      const schema = JSON.parse(key.slice(kind.length))
      const compiled = new Ajv(compiling(kind)).compile(schema)
      const module = {} as { exports: typeof compiled }
      write(module)
      for (const value of valuesFor(schema)) {
        const [one, other] = [structuredClone(value), structuredClone(value)]
        assert.equal(module.exports(one), compiled(other), key)
        assert.deepEqual([module.exports.errors, one], [compiled.errors, other], key)
        wrong += compiled.errors?.length ?? 0
      }
    }
    assert.ok(built.size > 90 && wrong > 10_000, `${built.size} validators, ${wrong} errors`)
  })

  it('are all that the sample app needs, whose plugins come with the server', () => {
    const code = `
      import { Ajv } from ${JSON.stringify(import.meta.resolve('ajv'))}
      const { compile } = Ajv.prototype
      Ajv.prototype.compile = function (schema) {
        console.log(JSON.stringify(schema))
        return compile.apply(this, arguments)
      }
      const { createTestApp } = await import(${JSON.stringify(inDist('core/index.js'))})
      await (await createTestApp({ app: process.cwd(), config: JSON.parse(process.argv[2]) })).close()`
    const app = folderOf({
      'own.mjs': "export default { name: 'own', config: { properties: { most: { type: 'integer', default: 1 } } } }",
    })
    for (const name of ['config', 'content-types'])
      cpSync(path.join(root, name), path.join(app, name), { recursive: true })
    const script = folderOf({ 'script.mjs': code })
    const compiled = (config: object) =>
      execFileSync(process.execPath, [path.join(script, 'script.mjs'), JSON.stringify(config)], {
        cwd: app,
        env: { PATH: process.env.PATH, STELE_PACKAGES: 'installed', DATABASE_FILENAME: ':memory:' },
        encoding: 'utf8',
      })
    assert.equal(compiled({}), '')
    assert.match(compiled({ plugins: { own: { enabled: true, resolve: './own.mjs' } } }), /^[^\n]+"most"[^\n]+\n$/)
  })
})

describe('schemas of settings', () => {
  it('say nothing that a validator would not understand', () => {
    for (const schema of settingsSchemas) assert.ok(new Ajv({ strictTypes: false }).compile(schema))
  })
})

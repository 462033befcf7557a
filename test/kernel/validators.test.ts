import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
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

const samples = (): unknown[] => [
  null,
  true,
  '',
  'a',
  '10',
  'Ä b',
  0,
  -1,
  1.5,
  7,
  70_000,
  Infinity,
  NaN,
  [],
  ['a'],
  [{}],
  {},
]

/** Values that are right and wrong in each place that a schema speaks of. */
function valuesFor(schema: AnySchemaObject): unknown[] {
  const { properties = {}, items, additionalProperties, anyOf = [], enum: words = [] } = schema
  const parts: Record<string, AnySchemaObject> = {
    ...properties,
    ...(typeof additionalProperties === 'object' && { other: additionalProperties }),
  }
  return [
    ...samples(),
    { other: 1, 'no name': {} },
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
      const [numbers] = key.split(' ') as [Numbers]
      const schema = JSON.parse(key.slice(numbers.length))
      const compiled = new Ajv(compiling(numbers)).compile(schema)
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

  it('are all that an app needs whose plugins come with the server', () => {
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
      'content-types/note.json': JSON.stringify({
        info: { singularName: 'note', pluralName: 'notes' },
        options: { draftAndPublish: true, comment: 'a note' },
        pluginOptions: { i18n: { localized: true } },
        attributes: {
          text: { type: 'string', required: true, minLength: 2, pluginOptions: { i18n: { localized: true } } },
          files: { type: 'media', multiple: true, allowedTypes: ['images'] },
          parent: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
        },
      }),
      'own.mjs': "export default { name: 'own', config: { properties: { most: { type: 'integer', default: 1 } } } }",
      'config/server.json': JSON.stringify({ host: '127.0.0.1' }),
      'config/database.json': JSON.stringify({ client: 'sqlite', filename: ':memory:' }),
      'config/plugins.json': JSON.stringify(
        Object.fromEntries(
          [
            'users-permissions',
            'api-tokens',
            'draft-and-publish',
            'i18n',
            'query-body',
            'upload',
            'explorer',
            'openapi',
          ].map(name => [name, true]),
        ),
      ),
    })
    const script = folderOf({ 'script.mjs': code })
    const compiled = (config: object) =>
      execFileSync(process.execPath, [path.join(script, 'script.mjs'), JSON.stringify(config)], {
        cwd: app,
        env: { PATH: process.env.PATH, STELE_PACKAGES: 'installed' },
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

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'

const folder = mkdtempSync(path.join(tmpdir(), 'graphql-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function appWith(environment: string, schema?: string) {
  const app = await createTestApp({
    types: { article: { attributes: { title: { type: 'string', required: true } } } },
    plugins: [[graphql, { artifacts: { schema } }]],
    config: { environment },
  })
  onTestFinished(() => app.close())
  return app
}

it('the command prints the schema', async () => {
  const { commands } = await appWith('production')
  const lines: string[] = []
  const call = { print: (line: string) => lines.push(line) }
  await commands.find(({ name }) => name === 'graphql schema')?.run(call as never)
  const type = buildSchema(lines.join('\n')).getType('Article')
  assert.match(String(type?.toConfig().name), /^Article$/)
})

it('the schema is written while an app is developed, and only if it is another one', async () => {
  const file = path.join(folder, 'schema.graphql')
  await appWith('development', file)
  assert.match(readFileSync(file, 'utf8'), /^type Article \{$/m)
  const { mtimeMs } = statSync(file)
  await appWith('development', file)
  assert.equal(statSync(file).mtimeMs, mtimeMs)
})

it('the schema is not written in production, and a file that cannot be written stops no start', async () => {
  const file = path.join(folder, 'other.graphql')
  await appWith('production', file)
  assert.throws(() => statSync(file))
  await appWith('development', path.join(folder, 'absent', 'schema.graphql'))
})

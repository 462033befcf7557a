import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { stele } from '../../support/command.js'
import { folderOf } from '../../support/terminal.js'

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

it('the command opens a database, which may be an empty one in memory', async () => {
  const cwd = folderOf({
    'config/plugins.json': '{ "graphql": true }',
    'content-types/article.json': JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
      attributes: { title: { type: 'string' } },
    }),
  })
  const env = { NODE_ENV: 'development', LOG_LEVEL: 'silent' }
  const closed = { DATABASE_CLIENT: 'postgres', DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/none' }
  const refused = await stele(['graphql', 'schema'], { cwd, env: { ...env, ...closed } })
  assert.match(refused.stderr, /cannot be used: connect ECONNREFUSED/)
  assert.notEqual(refused.status, 0)
  const memory = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' }
  const { status, stdout, stderr } = await stele(['graphql', 'schema'], { cwd, env: { ...env, ...memory } })
  assert.equal(status, 0, stderr)
  assert.equal(buildSchema(stdout).getType('Article')?.name, 'Article')
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

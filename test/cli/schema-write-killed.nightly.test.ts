import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, it, vi } from 'vitest'
import type { WritePoint } from '../../core/tools/cli/serving/schema-writer.js'
import { readWrite } from '../../core/tools/cli/serving/write-record.js'
import { freePort } from '../support/free-port.js'
import { ask, folderOf, ownEnv, Server, stele } from '../support/terminal.js'

// Each test runs several commands, and a server.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const [note, page] = ['content-types/note.json', 'content-types/page.json']
const text = { type: 'string' }
const schemaOf = (singularName: string, attributes: object): string =>
  JSON.stringify({ info: { singularName, pluralName: `${singularName}s` }, attributes })
const former = schemaOf('note', { title: text, stars: text })
const next = schemaOf('note', { name: { ...text, renamedFrom: 'title' }, stars: { type: 'integer' } })
const pageSchema = schemaOf('page', { title: text })
const env = { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: '.tmp/data.db', HOST: '127.0.0.1' }
const writer = new URL('../../dist/core/tools/cli/serving/schema-writer.js', import.meta.url).href

/** Writes as `stele dev` does, in a process that ends without a word where it gets to a point. */
const dying = `
import { SchemaWriter } from '${writer}'
const { folder, task, point, reason } = JSON.parse(process.argv[2])
const writer = new SchemaWriter(folder, process, reached => {
  if (reached === point) process.kill(process.pid, 'SIGKILL')
})
writer.begin(task)
await writer.write(task, { changed: () => undefined, serve: async () => reason })
`

interface Case {
  readonly point: WritePoint
  readonly says: string
  readonly leaves: 'former' | 'next'
  /** The next server does not start. */
  readonly reason?: string
}

const by = { scope: 'admin', id: 1, actor: 'admin 1' }

const cases: readonly Case[] = [
  { point: 'begun', says: 'before anything was done', leaves: 'former' },
  { point: 'files', says: 'before the files were written', leaves: 'former' },
  { point: 'file', says: 'between two files', leaves: 'former' },
  { point: 'apply', says: 'before the database was changed', leaves: 'former' },
  { point: 'serve', says: 'before the next server started', leaves: 'next' },
  { point: 'undo', says: 'before it was undone', leaves: 'former', reason: 'it does not start' },
  { point: 'put back', says: 'before the backup was restored', leaves: 'former', reason: 'it does not start' },
]

describe('a write of schema files whose process was killed', () => {
  let filled: string
  beforeAll(async () => {
    filled = folderOf({
      [note]: former,
      'config/api.js': 'export default { rest: { public: true } }',
      'package.json': '{ "type": "module" }',
    })
    const port = String(await freePort())
    const server = new Server(filled, { ...env, PORT: port })
    await server.said(/listening on/)
    for (const stars of ['1', 'two']) {
      const data = { title: `Note ${stars}`, stars }
      assert.equal((await ask(`http://127.0.0.1:${port}/api/notes`, { method: 'POST', data })).status, 200)
    }
    assert.equal(await server.stop(), 0)
  })

  /** The changes that another server would need. */
  function changesIn(folder: string): readonly object[] {
    writeFileSync(join(folder, note), next)
    writeFileSync(join(folder, page), pageSchema)
    const { stdout, stderr } = stele(['plan', '--json', '--app', folder], { env })
    writeFileSync(join(folder, note), former)
    rmSync(join(folder, page))
    assert.notEqual(stdout, '', stderr)
    return JSON.parse(stdout).changes
  }

  for (const { point, says, leaves, reason } of cases)
    it(`leaves the ${leaves} state, whole and with its backup, if that was ${says}`, async () => {
      const folder = folderOf()
      cpSync(filled, folder, { recursive: true })
      const files = [
        { path: note, before: former, after: next },
        { path: page, before: null, after: pageSchema },
      ]
      const task = { at: new Date().toISOString(), files, applies: changesIn(folder), isUndone: true, by }
      const program = join(folderOf({ 'dying.mjs': dying }), 'dying.mjs')
      const order = JSON.stringify({ folder, task, point, reason })
      const { signal, stderr } = spawnSync(process.execPath, [program, order], {
        ...{ cwd: folder, env: { ...ownEnv, ...env }, encoding: 'utf8' },
      })
      assert.equal(signal, 'SIGKILL', stderr)
      assert.equal(readWrite(folder)?.state, 'running')
      // What a process leaves that is killed while it writes a file.
      writeFileSync(join(folder, `${note}.7.tmp`), '{')

      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const server = new Server(folder, { ...env, PORT: port }, [], 'dev')
      await server.said(/listening on/)
      while (readWrite(folder)?.state === 'running') await ask(`${url}/_health`)
      const { state, reason: told, backup } = readWrite(folder) ?? {}
      const isNext = leaves === 'next'
      assert.equal(state, isNext ? 'applied' : 'failed', server.errors)
      assert.doesNotMatch(told ?? '', /undoing it failed/)
      if (point === 'begun') assert.equal(backup, undefined)
      else assert.ok(backup !== undefined && existsSync(join(folder, backup)))
      assert.deepEqual(readdirSync(join(folder, 'content-types')), isNext ? ['note.json', 'page.json'] : ['note.json'])
      assert.equal(readFileSync(join(folder, note), 'utf8'), isNext ? next : former)
      const { body } = await ask(`${url}/api/notes?sort=id`)
      assert.deepEqual(
        body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
          attributes[isNext ? 'name' : 'title'],
          attributes.stars,
        ]),
        isNext
          ? [
              ['Note 1', 1],
              ['Note two', null],
            ]
          : [
              ['Note 1', '1'],
              ['Note two', 'two'],
            ],
      )
      assert.deepEqual(
        readdirSync(join(folder, '.tmp')).filter(name => /schema-plan|part$/.test(name)),
        [],
      )
      assert.equal(await server.stop('SIGINT'), 0)
    })
})

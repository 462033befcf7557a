import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { copyProject } from '../strapi4/project.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { membersOf, place, stele } from './transfer-app.js'

/** The rows of every table, and the other members as they are; documents as values, as PostgreSQL keeps their keys in an order of its own. */
function contentOf(archive: string): Map<string, unknown> {
  const members = [...membersOf(archive)].filter(([name]) => name !== 'archive.json' && name !== 'manifest.json')
  return new Map(
    members.map(([name, content]) => {
      const lines = () => content.split('\n').filter(Boolean)
      return [name, name.endsWith('.jsonl') ? lines().map(line => JSON.parse(line, documents)) : content]
    }),
  )
}

const documents = (_: string, value: unknown): unknown =>
  typeof value === 'string' && /^[{[]/.test(value) ? JSON.parse(value) : value

describe('a project of Strapi 4', () => {
  const folder = place()
  const project = copyProject()
  const archive = join(folder, 'project.tar.gz')
  afterAll(() => project.remove())
  beforeAll(async () => {
    const before = readFileSync(project.database)
    const { code, errors } = await stele(['export', archive, '--app', project.folder, '--with-accounts'], { env: {} })
    assert.equal(code, 0, errors)
    assert.ok(readFileSync(project.database).equals(before), 'the database was written to')
  }, 120_000)

  it('has a backup that can be proved without touching its database', async () => {
    const before = readFileSync(project.database)
    const { code, out, errors } = await stele(['doctor', '--backup', archive, '--app', project.folder], { env: {} })
    assert.equal(code, 0, out + errors)
    assert.match(out, /^note: backup: made by stele .*: [\d,]+ rows of \d+ tables, \d+ files? of upload$/m)
    assert.ok(readFileSync(project.database).equals(before), 'the database was written to')
  }, 120_000)

  onEveryEngineAtLength('moves', engine => {
    it('with all its rows and files', async () => {
      const target = copyProject()
      const database = await engine.fresh()
      try {
        const imported = await stele(['import', archive, '--app', target.folder], database)
        assert.equal(imported.code, 0, imported.errors)
        const again = join(folder, `${engine.name}.tar.gz`)
        const exported = await stele(['export', again, '--app', target.folder, '--with-accounts'], database)
        assert.equal(exported.code, 0, exported.errors)
        const found = contentOf(again)
        for (const [name, content] of contentOf(archive)) assert.deepEqual(found.get(name), content, name)
      } finally {
        await database.drop()
        target.remove()
      }
    }, 120_000)
  })
})

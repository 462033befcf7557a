import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { createTestApp } from '../../core/index.js'
import { stele } from '../support/command.js'
import { folderOf } from '../support/terminal.js'

const modeOf = (place: string) => (statSync(place).mode & 0o777).toString(8)
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
}

describe('a SQLite database', () => {
  it('is for its owner alone, with its folder and the files beside it', async () => {
    const folder = join(folderOf(), 'data')
    const filename = join(folder, 'content.db')
    const app = await createTestApp({
      types: { note: { attributes: note.attributes } },
      config: { database: { filename } },
    })
    try {
      await app.entries('api::note.note').create({ text: 'x' })
      assert.equal(modeOf(folder), '700')
      for (const suffix of ['', '-wal', '-shm']) assert.equal(modeOf(`${filename}${suffix}`), '600', suffix)
    } finally {
      await app.close()
    }
  })

  it('that others may read is a finding of doctor, which it fixes', async () => {
    const cwd = folderOf()
    mkdirSync(join(cwd, 'content-types'))
    writeFileSync(join(cwd, 'content-types/note.json'), JSON.stringify(note))
    assert.match((await stele(['apply'], { cwd })).stdout, /made/)
    const filename = join(cwd, '.tmp/data.db')
    assert.doesNotMatch((await stele(['doctor'], { cwd })).stdout, /may read/)
    chmodSync(filename, 0o644)
    const found = await stele(['doctor'], { cwd })
    assert.match(
      found.stdout,
      /^warning: settings: other users of this machine may read the database\n {2}.*data\.db \(644\)/m,
    )
    assert.equal(found.status, 0)
    assert.equal(modeOf(filename), '644', 'looking changes nothing')
    assert.match((await stele(['doctor', '--fix'], { cwd })).stdout, /(mended|fixed): /)
    assert.equal(modeOf(filename), '600')
    assert.doesNotMatch((await stele(['doctor'], { cwd })).stdout, /may read/)
  })
})

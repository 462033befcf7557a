import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
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

  it('is so beside the secrets of an app, in whatever folder it is the first file', async () => {
    for (const [environment, place, ...more] of [
      ['development', '.tmp', 'api-token-salt', 'jwt-secret'],
      ['production', 'data'],
    ] as const) {
      const cwd = folderOf()
      mkdirSync(join(cwd, 'content-types'))
      mkdirSync(join(cwd, 'config'))
      writeFileSync(join(cwd, 'content-types/note.json'), JSON.stringify(note))
      const plugins =
        environment === 'production'
          ? {
              'users-permissions': { config: { jwtSecret: 'R6dbT2nVpqk8wYJ4x0sLmZcE1aHfGuQo' } },
              'api-tokens': { config: { salt: 'w0cMZr8sJ5pXyTq2LhVnB7dKfE3gUa6i' } },
            }
          : { 'users-permissions': true, 'api-tokens': true }
      writeFileSync(join(cwd, 'config/plugins.json'), JSON.stringify(plugins))
      const former = process.umask(0o022)
      onTestFinished(() => void process.umask(former))
      const { status, stderr } = await stele(['user', 'create', 'ada', 'ada@example.test'], {
        cwd,
        env: { NODE_ENV: environment },
      })
      assert.equal(status, 0, stderr)
      assert.equal(modeOf(join(cwd, place)), '700')
      const files = readdirSync(join(cwd, place)).sort()
      assert.deepEqual(
        files.filter(name => !name.startsWith('data.db')),
        more,
      )
      for (const name of files) assert.equal(modeOf(join(cwd, place, name)), '600', name)
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

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/engines.js'
import { folderOf, started } from '../support/terminal.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}

onEveryEngine('stele plan', engine => {
  it('lists what the next start does once, with its version, until that is done', async () => {
    const fresh = await engine.fresh()
    try {
      const folder = folderOf({
        'content-types/note.json': JSON.stringify(note),
        'config/database.json': JSON.stringify(fresh.database),
        'config/plugins.json': JSON.stringify({ 'users-permissions': true, own: { resolve: './own.mjs' } }),
        'own.mjs': "export const own = { name: 'own', sync: [{ name: 'sweep', run: async () => undefined }] }",
      })
      const plan = async (...args: string[]) => await stele(['plan', '--app', folder, ...args])
      const lines =
        /^Once, by the next start\n {2}users-permissions: the first roles \(since 0\.1\.0\)\n {2}own: sweep\n/m
      const before = await plan()
      assert.equal(before.status, 2, before.stderr)
      assert.match(before.stdout, lines)
      assert.equal((await stele(['apply', '--yes', '--app', folder])).status, 0)
      const applied = await plan()
      assert.equal(applied.status, 0)
      assert.match(applied.stdout, lines)
      assert.deepEqual(JSON.parse((await plan('--json')).stdout).once, [
        { plugin: 'users-permissions', name: 'the first roles', since: '0.1.0' },
        { plugin: 'own', name: 'sweep' },
      ])
      const { server } = await started(folder)
      assert.equal(await server.stop(), 0)
      const done = await plan()
      assert.deepEqual([done.status, done.stdout], [0, 'The database is as the content types ask for.\n'])
      assert.deepEqual(JSON.parse((await plan('--json')).stdout).once, [])
    } finally {
      await fresh.drop()
    }
  })
})

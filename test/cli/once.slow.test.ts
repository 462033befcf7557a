import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'vitest'
import { ownVersion } from '../../core/kit/own-folder.js'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { folderOf, started, stele as steleProcess } from '../support/terminal.js'

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
        'own.mjs': "export const own = { name: 'own', once: [{ name: 'sweep', run: async () => undefined }] }",
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
      const day = new Date().toISOString().slice(0, 8)
      assert.equal(done.status, 0)
      assert.match(done.stdout, /^The database is as the content types ask for\.\n\nDone once\n/)
      assert.match(done.stdout, new RegExp(`^  users-permissions: the first roles \\(since 0\\.1\\.0\\): ${day}`, 'm'))
      assert.match(done.stdout, new RegExp(`\nStele ${ownVersion()} changed this database last\\.\n$`))
      const { once, version, done: steps, unknown } = JSON.parse((await plan('--json')).stdout)
      assert.deepEqual([once, version, unknown], [[], ownVersion(), []])
      assert.deepEqual(
        steps.map(({ plugin, name }: { plugin: string; name: string }) => `${plugin}: ${name}`),
        ['users-permissions: the first roles', 'own: sweep'],
      )
    } finally {
      await fresh.drop()
    }
  })

  it('refuses a database in which a newer version did what this one must not follow, until that version is back', async () => {
    const fresh = await engine.fresh()
    const stored = () =>
      run(fresh.database, "select name, value, time from stele_schema where name <> 'lease' order by name")
    try {
      const newer = `export const own = { name: 'own', once: [
        { name: 'count', since: '1.9.0', run: async () => undefined },
        { name: 'seal', since: '2.0.0', blocksOlder: true, run: async () => undefined }] }`
      const older = `export const own = { name: 'own', once: [{ name: 'count', run: async () => undefined }] }`
      const enable = async (file: string | false) =>
        await writeFile(
          path.join(folder, 'config/plugins.json'),
          JSON.stringify({ own: file && { resolve: `./${file}.mjs` } }),
        )
      const folder = folderOf({
        'content-types/note.json': JSON.stringify(note),
        'config/database.json': JSON.stringify(fresh.database),
        'newer.mjs': newer,
        'older.mjs': older,
      })
      const ran = async (...args: string[]) =>
        await (args[0] === 'start' ? steleProcess : stele)([...args, '--app', folder])
      await enable('newer')
      await startedAndStopped(folder)
      const first = await stored()
      assert.deepEqual(
        first.map(({ name }) => name),
        ['blocks older/own: seal', 'layout', 'version'],
      )
      // A start with nothing to do writes nothing.
      await startedAndStopped(folder)
      assert.deepEqual(await stored(), first)
      await enable('older')
      for (const command of [['start'], ['apply', '--yes'], ['export', path.join(folder, 'all.tar')]]) {
        const refused = await ran(...command)
        assert.equal(refused.status, 65, `${command}: ${refused.stderr}`)
        assert.match(
          refused.stderr,
          /changed by a newer version, in ways .*\n {2}own: seal \(since 2\.0\.0\)\nNothing is lost/,
        )
      }
      const planned = await ran('plan')
      assert.equal(planned.status, 65)
      assert.match(planned.stdout, /^Done by a newer version.*\n {2}own: seal \(since 2\.0\.0\)\n/m)
      const doctor = await ran('doctor')
      assert.equal(doctor.status, 1)
      assert.match(doctor.stdout, /^error: version: the database was changed by a newer version/m)
      const { database } = JSON.parse((await ran('support')).stdout)
      assert.deepEqual(database.unknown, [{ plugin: 'own', name: 'seal', since: '2.0.0' }])
      assert.deepEqual(await stored(), first, 'nothing was changed')
      // A disabled plugin leaves what it made alone, and so may any version.
      await enable(false)
      await startedAndStopped(folder)
      await enable('newer')
      await startedAndStopped(folder)
      await run(fresh.database, "update stele_schema set value = '99.0.0' where name = 'version'")
      const content = await ran('doctor')
      assert.equal(content.status, 0, content.stdout)
      assert.match(content.stdout, /^note: version: stele 99\.0\.0 changed the database last/m)
    } finally {
      await fresh.drop()
    }
  })
})

async function startedAndStopped(folder: string): Promise<void> {
  const { server } = await started(folder)
  assert.equal(await server.stop(), 0)
}

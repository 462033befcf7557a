import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { ownVersion } from '../../core/kit/own-folder.js'
import { stele } from '../support/command.js'
import { onEveryEngine } from '../support/every-engine.js'
import { folderOf } from '../support/terminal.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { text: { type: 'string' } },
}
const secret = 'dontsayme-of-any-length-at-all'
const files = {
  'content-types/note.json': JSON.stringify(note),
  'config/server.json': JSON.stringify({ port: 4711, headers: { referrerPolicy: 'no-referrer' } }),
  'config/plugins.json': JSON.stringify({
    'users-permissions': { enabled: true, config: { jwtSecret: secret } },
    upload: { enabled: true, config: { sizeLimit: 12345 } },
  }),
  'config/webhooks.json': JSON.stringify({ one: { url: `https://hooks.example.com/${secret}` } }),
  '.env': `API_TOKEN_SALT=${secret}\n`,
  'server.log': [
    ...Array.from({ length: 300 }, (_, at) => `{"level":"info","msg":"line ${at}"}`),
    `{"level":"info","password":"${secret}","url":"postgres://cms:${secret}@db/cms","msg":"last"}`,
  ].join('\n'),
}

onEveryEngine('stele support', engine => {
  it('prints what a bug report needs, and no secret', async () => {
    const fresh = await engine.fresh()
    try {
      const folder = folderOf({ ...files, 'config/database.json': JSON.stringify(fresh.database) })
      const { status, stdout, stderr } = await stele(['support', '--app', folder, '--log', join(folder, 'server.log')])
      assert.equal(status, 0, stderr)
      assert.ok(!stdout.includes('dontsayme'), stdout)
      const { versions, settings, plugins, schema, doctor, log } = JSON.parse(stdout)
      assert.equal(versions.stele, ownVersion())
      assert.equal(versions.node, process.versions.node)
      assert.deepEqual([settings.server.port, settings.server.headers.referrerPolicy], [4711, 'no-referrer'])
      assert.equal(settings.database.client, fresh.database.client)
      assert.deepEqual(settings.plugins.upload.config, { sizeLimit: 12345 })
      assert.deepEqual(settings.plugins['users-permissions'].config, { jwtSecret: '[text]' })
      for (const name of ['password', 'user', 'host', 'filename', 'database'])
        assert.ok([undefined, '[text]'].includes(settings.database[name]), name)
      assert.ok(plugins.some((one: { name: string; on: boolean }) => one.name === 'upload' && one.on))
      assert.ok(plugins.every((one: object) => !('settings' in one)))
      assert.deepEqual(schema['api::note.note'], note)
      assert.ok(doctor.checks.length > 3)
      assert.ok(doctor.findings.every((one: object) => !('examples' in one)))
      assert.equal(log.length, 200)
      assert.match(log.at(-1), /"password":"\[redacted\]".*\*\*\*@db/)
    } finally {
      await fresh.drop()
    }
  })
})

describe('stele support', () => {
  it('has the reason in the place of what cannot be read', async () => {
    const broken = folderOf({ 'content-types/note.json': '{', 'config/log.json': '{"level":"error"}' })
    const { status, stdout } = await stele(['support', '--app', broken])
    assert.equal(status, 0)
    const { settings, plugins, schema, doctor } = JSON.parse(stdout)
    assert.equal(settings.log.level, 'error')
    assert.match(plugins.failed, /note\.json is not valid JSON/)
    assert.match(schema.failed, /note\.json is not valid JSON/)
    assert.equal(doctor.findings[0].severity, 'error')
    const lost = await stele(['support', '--app', '/nowhere/at-all'])
    assert.equal(lost.status, 0)
    assert.match(JSON.parse(lost.stdout).settings.failed, /There is no app folder/)
    const unread = await stele(['support', '--app', broken, '--log', 'none.log'])
    assert.deepEqual([unread.status, unread.stdout], [64, ''])
    assert.match(unread.stderr, /none\.log cannot be read/)
  })
})

import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { allRows, copyApp, openApp, place, stele, writeApp } from '../../cli/transfer-app.js'
import { appFiles, fillApp } from '../../cli/transfer-content.js'
import { onEveryEngine } from '../../support/every-engine.js'

onEveryEngine('the job that backs up', engine => {
  const folder = place()
  const plugins = { ...(appFiles['config/plugins.json'] as object), backup: { config: { folder: 'kept', keep: 2 } } }

  it('writes what can be restored, and keeps as many as wanted', async () => {
    const [from, to] = [await engine.fresh(), await engine.fresh()]
    onTestFinished(async () => {
      await from.drop()
      await to.drop()
    })
    const source = writeApp(join(folder, 'source'), { ...appFiles, 'config/plugins.json': plugins })
    const app = await createTestApp({ app: source, config: { database: from.database } })
    onTestFinished(() => app.close())
    await fillApp(app)
    const files = () => readdirSync(join(source, 'kept')).sort()
    await app.runJob('backup/backup')
    const [first = ''] = files()
    await app.runJob('backup/backup')
    assert.equal(files()[0], first)
    await app.entries('api::author.author').create({ name: 'later' })
    await app.runJob('backup/backup')
    assert.equal(files().length, 2)
    assert.ok(!files().includes(first))
    const target = copyApp(source, join(folder, 'target'))
    const { code, errors } = await stele(['restore', join(source, 'kept', files()[1] as string), '--app', target], to)
    assert.equal(code, 0, errors)
    const restored = await openApp(target, to)
    onTestFinished(() => restored.close())
    const [wanted, found] = [await allRows(app), await allRows(restored)]
    for (const [table, rows] of Object.entries(wanted)) assert.deepEqual(found[table], rows, table)
    assert.ok(found.authors?.some(({ name }) => name === 'later'))
  }, 120_000)
})

describe('the plugin backup', () => {
  const started = (config: Readonly<Record<string, unknown>>) =>
    createTestApp({ config: { plugins: { backup: { config } } } })

  it('does nothing unless it is enabled', async () => {
    const app = await createTestApp()
    onTestFinished(() => app.close())
    await assert.rejects(app.runJob('backup/backup'), /no plugin has any/)
  })

  it('refuses settings that make no sense', async () => {
    for (const [config, message] of [
      [{ keep: 0 }, /backup\.config\.keep/],
      [{ cron: 'nightly' }, /the job "backup" has the cron expression "nightly"/],
      [{ timeZone: 'Mars' }, /in the time zone "Mars"/],
      [{ every: '1d' }, /backup\.config\.every .*cron/],
    ] as const)
      await assert.rejects(started(config), message)
  })

  it('fails where it cannot write', async () => {
    const folder = place()
    writeFileSync(join(folder, 'file'), '')
    const app = await started({ folder: join(folder, 'file/backups') })
    onTestFinished(() => app.close())
    await assert.rejects(app.runJob('backup/backup'), /the folder .* cannot be made/)
  })
})

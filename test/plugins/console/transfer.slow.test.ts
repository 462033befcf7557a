import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'vitest'
import type { App } from '../../../core/kernel.js'
import { openApp, place, stele, writeApp } from '../../cli/transfer-app.js'
import { onEveryEngine } from '../../support/every-engine.js'

const files = {
  'config/plugins.json': { admin: true, console: true },
  'content-types/note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'string' } },
  },
}
const key = 'plugin_content_manager_configuration_content_types::api::note.note'
const other = 'plugin_content_manager_configuration_content_types::api::gone.gone'

const settings = async ({ store }: App) =>
  store.reader.all(
    store
      .knex('strapi_core_store_settings')
      .select('key', 'value', 'type')
      .where('key', 'like', 'plugin_content%')
      .toString(),
    [],
  )

onEveryEngine('archives', engine => {
  it('have the layouts of the types of the app, without accounts as well', async () => {
    const [from, to] = [await engine.fresh(), await engine.fresh()]
    const folder = writeApp(place(), files)
    const archive = join(place(), 'all.tar.gz')
    try {
      const app = await openApp(folder, from)
      const rows = [key, other].map(key => ({ key, value: '{"layouts":{"list":["id"]},"own":1}', type: 'object' }))
      await app.store.transaction(async session => {
        for (const row of rows)
          await session.run(app.store.knex('strapi_core_store_settings').insert(row).toString(), [])
      })
      await app.close()
      const exported = await stele(['export', archive, '--app', folder], from)
      assert.equal(exported.code, 0, exported.errors)
      const imported = await stele(['import', archive, '--app', folder, '--yes'], to)
      assert.equal(imported.code, 0, imported.errors)
      const after = await openApp(folder, to)
      assert.deepEqual(await settings(after), [[key, '{"layouts":{"list":["id"]},"own":1}', 'object']])
      await after.close()
    } finally {
      await Promise.all([from.drop(), to.drop()])
    }
  })
})

import assert from 'node:assert/strict'
import { describe, it, vi } from 'vitest'
import { freePort } from '../../support/free-port.js'
import { ask, folderOf, started } from '../../support/terminal.js'
import { type MetricsPage, scraped, totalOf } from './scraped.js'

vi.setConfig({ testTimeout: 60_000 })

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: { text: { type: 'string' } },
}

describe('metrics of several workers', () => {
  it('are on one page, and stay when a worker is killed', async () => {
    const port = await freePort()
    const folder = folderOf({
      'content-types/note.json': JSON.stringify(note),
      'config/api.json': '{"rest":{"public":true}}',
      'config/plugins.json': JSON.stringify({ metrics: { config: { port } } }),
    })
    const { server, url } = await started(folder, { LOG_LEVEL: 'info' }, 2)
    const page = async () => scraped(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
    /** Workers report every second. */
    const when = async (isSo: (page: MetricsPage) => boolean): Promise<MetricsPage> => {
      for (;;) {
        const found = await page()
        if (isSo(found)) return found
      }
    }
    const asked = (found: MetricsPage) => totalOf(found, 'http_server_request_duration_seconds_count')
    for (let count = 0; count < 40; count += 1) assert.equal((await ask(`${url}/api/notes`)).status, 200)
    // Requests keep both busy; lines of the log arrive after the responses.
    for (const worker of [1, 2]) await server.said(new RegExp(`"worker":${worker}.*"msg":"request"`))
    const all = await when(found => asked(found) === 40 && totalOf(found, 'stele_processes') === 2)
    assert.equal(totalOf(all, 'stele_processes_wanted'), 2)

    const { pid } = server.lines.find(({ msg, worker }) => msg === 'request' && worker === 2) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await server.said(/"worker":2.*listening on/, 2)
    for (let count = 0; count < 10; count += 1) await ask(`${url}/api/notes`)
    const later = await when(found => asked(found) >= 50 && totalOf(found, 'stele_processes') === 2)
    assert.equal(asked(later), 50)
    assert.equal(await server.stop(), 0)
  })
})

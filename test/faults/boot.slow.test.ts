import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { started } from '../support/terminal.js'
import { faultApp } from './support/app.js'
import { assertUndamaged } from './support/check.js'
import { groundIn } from './support/ground.js'
import { Ledger } from './support/ledger.js'
import { isFull, times } from './support/length.js'
import { Load, seed } from './support/load.js'

onEveryEngine('servers that start at once on an empty database', engine => {
  for (const count of isFull ? [2, 3] : [3]) {
    const starts = times(1, 10)
    it(`make it once, and all of them serve: ${count}`, { timeout: 60_000 + starts * 60_000 }, async () => {
      for (let round = 0; round < starts; round += 1) {
        const { database, env } = await groundIn(engine)
        const app = faultApp()
        const servers = await Promise.all(Array.from({ length: count }, () => started(app, env)))
        const ledger = new Ledger()
        const seeds = await seed(servers[0]?.url ?? '')
        for (const { url } of servers) {
          const load = new Load(url, ledger, seeds, 2)
          load.start()
          await load.good(5)
          await load.stop()
          load.answers.assertCivil()
        }
        const folders = await run(database, 'select name from upload_folders')
        assert.ok(folders.length <= 1, `${folders.length} folders of the same name`)
        const adopted = await run(database, 'select name from stele_steps')
        assert.equal(new Set(adopted.map(({ name }) => name)).size, adopted.length)
        for (const { server } of servers) assert.equal(await server.stop(), 0)
        assert.deepEqual(
          servers.flatMap(({ server }) => server.lines.filter(({ level }) => level === 'error')),
          [],
        )
        await assertUndamaged(ledger, database, app)
      }
      console.log(`faults: ${starts} x ${count} starts at once on ${engine.name}: all served, 0 lost, 0 half done`)
    })
  }
})

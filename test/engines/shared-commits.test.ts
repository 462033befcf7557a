import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/config/load.js'
import { createLog } from '../../core/log.js'
import type { Engine } from '../../core/store/engine.js'
import { openEngine } from '../../core/store/open.js'

const turn = () => new Promise(setImmediate)

describe('writes on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stele-commits-'))
  let engine: Engine
  beforeAll(async () => {
    const env = { DATABASE_FILENAME: join(folder, 'data.db') }
    const { database } = await loadConfig(folder, { bare: true, env })
    engine = await openEngine(database, createLog('silent'))
    await engine.alter(['create table notes (id integer primary key)'])
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Whether a write that comes a few turns after another one is stored with it, while each turn does that. */
  async function isShared(work: () => Promise<unknown>): Promise<boolean> {
    let stored = 0
    const store = () =>
      engine
        .transaction(async session => session.run('insert into notes default values', []))
        .then(() => {
          stored += 1
        })
    const first = store()
    for (let count = 0; count < 4; count += 1) {
      await work()
      await turn()
    }
    const isWaiting = stored === 0
    await Promise.all([first, store()])
    return isWaiting
  }

  it('share a commit with those of the next turns while reads keep the process busy', async () => {
    const read = async () => engine.reader.all('select count(*) from notes', [])
    // A machine that stands still for a moment ends a group early.
    let isOnce = false
    for (let attempt = 0; attempt < 50 && !isOnce; attempt += 1) isOnce = await isShared(read)
    assert.ok(isOnce)
  })

  it('wait for nobody where there is nothing else to do', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await isShared(async () => undefined), false)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'

const turn = () => new Promise(setImmediate)

describe('writes on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stele-commits-'))
  let engine: Engine
  const load = { reads: 0, flushSlack: 0 }
  beforeAll(async () => {
    const env = { DATABASE_FILENAME: join(folder, 'data.db') }
    const { database } = await loadConfig(folder, { bare: true, env })
    engine = await openEngine(database, createLog('silent'))
    engine.setLoad?.(load)
    await engine.alter(['create table notes (id integer primary key)'])
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Whether a write waits for those of the next turns, when it comes shortly after a commit and so many reads. */
  async function isShared(reads: number): Promise<boolean> {
    let isBegun = false
    const store = () =>
      engine.transaction(async session => {
        isBegun = true
        session.run('insert into notes default values', [])
      })
    await store()
    isBegun = false
    load.reads += reads
    // What writes read for themselves is no request.
    for (let count = 0; count < 8; count += 1) await engine.reader.all('select count(*) from notes', [])
    const first = store()
    for (let count = 0; count < 4; count += 1) await turn()
    const isWaiting = !isBegun
    await Promise.all([first, store()])
    return isWaiting
  }

  it('share a commit with those of the next turns while there are many reads', async () => {
    // A machine that stands still for a moment ends a group early.
    let isOnce = false
    for (let attempt = 0; attempt < 50 && !isOnce; attempt += 1) isOnce = await isShared(8)
    assert.ok(isOnce)
  })

  it('do not wait where there is little else to do', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await isShared(1), false)
  })
})

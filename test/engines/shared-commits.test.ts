import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/config/load.js'
import { createLog } from '../../core/log.js'
import type { Engine } from '../../core/store/engine.js'
import { openEngine } from '../../core/store/open.js'
import { WriteQueue } from '../../core/store/write-queue.js'

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
    for (let count = 0; count < reads; count += 1) await engine.reader.all('select count(*) from notes', [])
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

  it('wait for nobody where there is little else to do', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await isShared(1), false)
  })
})

describe('a queue of writes', () => {
  interface Load {
    /** The share of the time that went into work, and for how long requests wait. */
    readonly strain: number
    readonly leeway?: number
    /** Writes that come at once. */
    readonly writes?: number
  }

  /** Milliseconds between two commits with reads in between. */
  async function distance({ strain, leeway = 0, writes = 1 }: Load): Promise<number> {
    const commits: number[] = []
    let reads = 0
    const nothing = () => undefined
    const queue = new WriteQueue({
      begin: async () => nothing(),
      commit: async () => void commits.push(performance.now()),
      ...{ rollback: nothing, save: nothing, release: nothing, undo: nothing, rest: nothing },
      reads: () => reads,
      strain: () => strain,
      leeway: () => leeway,
    })
    await queue.add(turn)
    reads += 10
    const first = queue.add(turn)
    await turn()
    await Promise.all([first, ...Array.from({ length: writes - 1 }, () => queue.add(turn))])
    const [one = 0, other = 0] = commits
    return other - one
  }

  /** A machine that stands still for a moment makes it longer. */
  async function shortest(load: Load, enough: number): Promise<number> {
    let found = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 50 && found > enough; attempt += 1) found = Math.min(found, await distance(load))
    return found
  }

  it('commits the less often the less time the process has left', async () => {
    assert.ok((await shortest({ strain: 0.5 }, 40)) <= 40)
    // A timer may come a moment before its time, never much.
    assert.ok((await distance({ strain: 0.9 })) > 63)
    assert.ok((await shortest({ strain: 0.9 }, 100)) <= 100)
  })

  it('commits even less often where requests wait, and makes nobody wait for long', async () => {
    assert.ok((await distance({ strain: 0.9, leeway: 120 })) > 115)
    assert.ok((await shortest({ strain: 0.9, leeway: 120 }, 150)) <= 150)
    assert.ok((await distance({ strain: 0.9, leeway: 1000 })) > 155)
    assert.ok((await shortest({ strain: 0.9, leeway: 1000 }, 220)) <= 220)
  })

  it('commits at once what is enough for a group', async () => {
    assert.ok((await shortest({ strain: 1, leeway: 1000, writes: 64 }, 120)) <= 120)
    assert.ok((await distance({ strain: 1, leeway: 1000, writes: 63 })) > 155)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'
import { batchOf } from '../support/batch.js'

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
    await engine.alter([
      'create table notes (id integer primary key)',
      'create table records (id integer primary key, told text not null)',
    ])
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** True if a write waits for those of the next turns, when it comes shortly after a commit and so many reads. */
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
    // Reads of writes for themselves do not count as requests.
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

  const tell = 'insert into records (told) values (?)'
  const told = async () => {
    const rows = await engine.reader.all('select told from records order by id', [])
    return rows.map(([text]) => text)
  }

  it('run what they have collected at the end, in their order, and nothing of those that were undone', async () => {
    const work = (name: string, isUndone: boolean) =>
      engine.transaction(async session => {
        for (const number of [1, 2]) void batchOf(session).run(tell, [`${name} ${number}`])
        await session.run('insert into notes default values', [])
        if (isUndone) throw new Error(`${name} is undone`)
      })
    const atOnce = engine.transaction(async session => session.run(tell, ['at once']))
    const ended = await Promise.allSettled([...['a', 'b', 'c'].map(name => work(name, name === 'b')), atOnce])
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    )
    assert.deepEqual(await told(), ['at once', 'a 1', 'a 2', 'c 1', 'c 2'])
  })

  it('run it before what names its table, and before a savepoint', async () => {
    const seen: unknown[] = []
    const look = async ({ all }: Session) =>
      seen.push((await all("select told from records where told = 'seen'", [])).length)
    await engine.transaction(async session => {
      void batchOf(session).run(tell, ['seen'])
      await look(session)
      await session.run('savepoint here', [])
      void batchOf(session).run(tell, ['seen'])
      await session.run('rollback to savepoint here', [])
      await look(session)
      void batchOf(session).run(tell, ['seen'])
      await batchOf(session).send()
    })
    assert.deepEqual(seen, [1, 1])
    assert.equal((await told()).filter(text => text === 'seen').length, 2)
  })

  it('are undone alone where a statement of theirs fails that was asked for, whatever they make of the error', async () => {
    const store = (text: unknown) =>
      engine.transaction(async session => {
        void batchOf(session).run(tell, [text])
        await Promise.resolve()
          .then(() => session.all('select told from records', []))
          .catch(() => undefined)
      })
    const ended = await Promise.allSettled([store('well'), store(null)])
    const [well, failed] = ended
    assert.equal(well?.status, 'fulfilled')
    assert.ok(failed?.status === 'rejected')
    assert.match(String(failed.reason), /NOT NULL constraint failed: records\.told/)
    assert.equal((await told()).at(-1), 'well')
  })

  it('are all undone where what one of them has left for the end fails, and the next ones are not', async () => {
    const count = async (table: string) => (await engine.reader.all(`select count(*) from ${table}`, []))[0]?.[0]
    const before = [await count('notes'), await count('records')]
    const store = (text: unknown) =>
      engine.transaction(async session => {
        await session.run('insert into notes default values', [])
        void batchOf(session).run(tell, [text])
      })
    const ended = await Promise.allSettled([store('one'), store(null), store('other')])
    for (const end of ended) {
      assert.ok(end.status === 'rejected')
      assert.match(String(end.reason), /NOT NULL constraint failed: records\.told/)
    }
    assert.deepEqual([await count('notes'), await count('records')], before)
    await store('next')
    assert.equal((await told()).at(-1), 'next')
  })
})

import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { transact } from '../../core/engines/transaction.js'
import { createLog } from '../../core/log.js'

describe('a transaction that waits for itself', () => {
  let engine: Engine
  beforeAll(async () => {
    const { database } = await loadConfig(process.cwd(), { bare: true, env: { DATABASE_FILENAME: ':memory:' } })
    engine = await openEngine(database, createLog('silent'))
    await engine.alter(['create table notes (id integer primary key, text text)'])
  })
  afterAll(() => engine.close())

  it('is undone at its deadline, and others go on', async () => {
    let kept: Session | undefined
    const stuck = transact(
      engine,
      async session => {
        kept = session
        await session.run("insert into notes (text) values ('lost')", [])
        // The only connection is busy with this very transaction.
        await engine.reader.all('select 1', [])
      },
      50,
    )
    await assert.rejects(stuck, (error: Error & { status?: number }) => {
      assert.equal(error.status, 503)
      assert.match((error.cause as Error).message, /entries\(uid, call\.session\)/)
      return true
    })
    await transact(engine, session => Promise.resolve(session.run("insert into notes (text) values ('kept')", [])))
    assert.deepEqual(await engine.reader.all('select text from notes', []), [['kept']])
    assert.throws(() => kept?.run("insert into notes (text) values ('late')", []), /has ended/)
  })
})

import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { withWriteNotes } from '../../core/engines/write-notes.js'
import { createLog } from '../../core/log.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'

/** Errors of other services, with the codes, numbers and words that errors of a database have. */
const likeErrors: readonly (readonly [string, object])[] = [
  ['another service resets its connection', { code: 'ECONNRESET' }],
  ['another service takes no connection', { code: 'ECONNREFUSED' }],
  ['another service is silent', { code: 'ETIMEDOUT' }],
  ['another service closes a pipe', { code: 'EPIPE' }],
  ['Connection lost: The server closed the connection.', { code: 'PROTOCOL_CONNECTION_LOST', fatal: true }],
  ['Deadlock found when trying to get lock', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }],
  ["Duplicate entry 'x' for key 'names_unique'", { code: 'ER_DUP_ENTRY', errno: 1062 }],
  ['deadlock detected', { code: '40P01' }],
  ['could not serialize access', { code: '40001' }],
  ['terminating connection due to administrator command', { code: '57P01' }],
  ['canceling statement due to statement timeout', { code: '57014' }],
  ['duplicate key value', { code: '23505', constraint: 'names_unique' }],
  ['Connection terminated unexpectedly', {}],
  ["Can't add new command when connection is in closed state", {}],
  ['database is locked', { code: 'ERR_SQLITE_ERROR', errcode: 5 }],
  ['database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }],
  ['UNIQUE constraint failed: notes.name', { code: 'ERR_SQLITE_ERROR', errcode: 2067 }],
  ['it was not ready in_time', {}],
]

const idOf: Readonly<Record<Engine['name'], string>> = {
  sqlite: 'select 1',
  mysql: 'select connection_id()',
  postgres: 'select pg_backend_pid()',
}

onEveryEngine('an error that code throws in a transaction', ({ fresh }) => {
  let given: FreshDatabase
  let engine: Engine
  beforeAll(async () => {
    given = await fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: given.env })
    engine = withWriteNotes(await openEngine(database, createLog('silent')))
    await engine.alter(['create table notes (name varchar(100) not null primary key)'])
  })
  afterAll(async () => {
    await engine.close()
    await given.drop()
  })
  const connection = async ({ all }: Session = engine.reader) => (await all(idOf[engine.name], []))[0]?.[0]

  for (const [message, more] of likeErrors)
    it(`is not one of the database: ${message} (${JSON.stringify(more)})`, async () => {
      const before = await connection()
      const thrown = Object.assign(new Error(message), more)
      let times = 0
      const failing = engine.transaction(async session => {
        times += 1
        await session.run("insert into notes (name) values ('undone')", [])
        throw thrown
      })
      await assert.rejects(failing, error => error === thrown)
      assert.deepEqual([times, engine.classify(thrown)], [1, undefined])
      assert.deepEqual(await engine.reader.all('select name from notes', []), [])
      assert.equal(await connection(), before)
      assert.deepEqual(await engine.notes?.(), [])
    })

  it('may be the one that it has caught of the database, or hold its own words', async () => {
    const insert = "insert into notes (name) values ('twice')"
    const failing = engine.transaction(async session => {
      await session.run(insert, [])
      try {
        await session.run(insert, [])
      } catch (error) {
        ;(error as Error).message = `deadlock, database is locked: for key 'other': ${(error as Error).message}`
        throw Object.freeze(error)
      }
    })
    const { kind, ...more } = {
      kind: 'unique',
      column: { sqlite: 'name', mysql: 'PRIMARY', postgres: 'notes_pkey' }[engine.name],
    }
    await assert.rejects(failing, error => {
      assert.deepEqual(engine.classify(error), { kind, ...more })
      return true
    })
  })
})

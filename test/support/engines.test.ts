import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import type { FreshDatabase } from './engines.js'
import { onEveryEngine } from './every-engine.js'
import { run } from './run.js'

onEveryEngine('a fresh database', engine => {
  let one: FreshDatabase
  let other: FreshDatabase
  beforeAll(async () => {
    ;[one, other] = await Promise.all([engine.fresh(), engine.fresh()])
  })
  afterAll(async () => {
    await Promise.all([one.drop(), other.drop()])
  })

  it('keeps what is written to it, in every script', async () => {
    await run(one.database, 'create table notes (id integer primary key, title varchar(50))')
    await run(one.database, "insert into notes values (1, 'héllo 🙂 日本語')")
    assert.deepEqual(await run(one.database, 'select id, title from notes'), [{ id: 1, title: 'héllo 🙂 日本語' }])
  })

  it('is not seen from another one', async () => {
    await run(one.database, 'create table mine (id integer primary key)')
    await assert.rejects(run(other.database, 'select id from mine'), /mine/)
  })

  it('is told to a process in the same words as to code', () => {
    const { client, ...place } = one.database
    const { DATABASE_CLIENT, ...told } = one.env
    assert.equal(DATABASE_CLIENT, client)
    assert.deepEqual(Object.values(told).sort(), Object.values(place).map(String).sort())
  })

  it('is gone once dropped, and may be dropped twice', async () => {
    const { database, drop } = await engine.fresh()
    await run(database, 'create table notes (id integer primary key)')
    await drop()
    await drop()
    await (database.client === 'sqlite'
      ? assert(!existsSync(database.filename))
      : assert.rejects(run(database, 'select 1'), /nknown database|does not exist/))
  })

  if (engine.name === 'sqlite') return
  it('does not open for a wrong password', async () => {
    const wrong = { ...one.database, password: 'wrong' }
    await assert.rejects(run(wrong, 'select 1'), /denied|authentication failed/)
  })
})

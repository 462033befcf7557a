import assert from 'node:assert/strict'
import { it } from 'vitest'
import { stateTable } from '../../core/engines/server/state.js'
import { onEveryServer } from '../support/every-engine.js'
import { freePort } from '../support/free-port.js'
import { run } from '../support/run.js'
import { Server, started } from '../support/terminal.js'
import { faultApp } from './support/app.js'
import { type Ground, ownServer } from './support/ground.js'
import { times } from './support/length.js'
import { seed } from './support/load.js'
import { Network } from './support/network.js'

/** Milliseconds for which a lease holds that nothing renews, and for a start on a machine that does other things as well. */
const [term, usual] = [20_000, 25_000]

onEveryServer('a server that is killed while it makes the layout', engine => {
  const ground = ownServer(engine)
  const kills = times(5, 50)

  it('keeps no start away for longer than its lease holds', { timeout: 180_000 }, async () => {
    const app = faultApp()
    const { statements } = await begun(app, await ground())
    const half = await begun(app, await ground(), { statement: Math.ceil(statements / 2), when: 'on' })
    assert.ok(await half.isHeld(), 'it was killed while it had no lease')
    const start = performance.now()
    await goesOn(app, half.place)
    const took = performance.now() - start
    assert.ok(took < term + usual, `the next start took ${Math.round(took)} ms`)
  })

  it('leaves nothing that stays half done', { timeout: 60_000 + kills * 60_000 }, async () => {
    const app = faultApp()
    const whole = await begun(app, await ground())
    const expected = await layoutOf(whole.place)
    assert.ok(expected.length > 100, 'a layout that is not found is the same for all')
    let held = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const statement = 1 + Math.floor(((kill + Math.random()) / kills) * whole.statements)
      const half = await begun(app, await ground(), { statement, when: kill % 2 === 0 ? 'on' : 'back' })
      if (await half.isHeld()) held += 1
      // As if its term had passed.
      await run(half.place.database, `update ${stateTable} set time = 1 where name = 'lease'`)
      await goesOn(app, half.place)
      assert.deepEqual(await layoutOf(half.place), expected, `killed at statement ${statement} of ${whole.statements}`)
    }
    assert.ok(held >= kills / 2, `only ${held} of ${kills} had the lease when they were killed`)
    console.log(`faults: ${kills} x kill -9 while the layout is made on ${engine.name}: all went on, 0 half done`)
  })
})

/** A statement that changes the layout, or is about the lease, which never reaches the database, or whose response never comes back. */
interface Killed {
  readonly statement: number
  readonly when: 'on' | 'back'
}

const aboutLease = /\blease\b/
const changesLayout = /create table|alter table|create (unique )?index/

/** Starts a server on an empty database, and ends it when it has begun to serve, or at a statement since it asked for the lease. */
async function begun(app: string, place: Ground, killed?: Killed) {
  const network = await Network.before(place)
  const env = { ...place.env, ...network.env, PORT: String(await freePort()), HOST: '127.0.0.1' }
  const server = new Server(app, env)
  let statements = 0
  let isKilled = false
  const passes = (now: Killed['when']) => {
    isKilled ||= killed?.when === now && statements >= killed.statement
    if (isKilled) server.child.kill('SIGKILL')
    return !isKilled
  }
  network.passesOn = (_, part) => {
    const text = String(part)
    if (aboutLease.test(text) || (statements > 0 && changesLayout.test(text))) statements += 1
    return passes('on')
  }
  network.passesBack = () => passes('back')
  if (!killed) {
    await server.said(/listening on/)
    assert.equal(await server.stop(), 0)
  }
  await server.ended
  const isHeld = async () => {
    const [lease] = await run(place.database, `select time from ${stateTable} where name = 'lease'`)
    return Number(lease?.time ?? 0) > Date.now()
  }
  return { place, statements, isHeld }
}

/** The next start serves, and stores entries. */
async function goesOn(app: string, { env }: Ground): Promise<void> {
  const { server, url } = await started(app, env)
  await seed(url)
  assert.equal(await server.stop(), 0)
  assert.deepEqual(
    server.lines.filter(({ level }) => level === 'error' || level === 'warn'),
    [],
  )
}

const parts = {
  mysql: [
    `select concat_ws(' ', table_name, column_name, column_type) as it from information_schema.columns where table_schema = database()`,
    `select concat_ws(' ', table_name, index_name, seq_in_index, column_name, non_unique) as it from information_schema.statistics
      where table_schema = database()`,
    `select concat_ws(' ', table_name, constraint_name, referenced_table_name, delete_rule) as it
      from information_schema.referential_constraints where constraint_schema = database()`,
  ],
  postgres: [
    `select concat_ws(' ', table_name, column_name, data_type) as it from information_schema.columns where table_schema = 'public'`,
    `select indexdef as it from pg_indexes where schemaname = 'public'`,
    `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as it from pg_constraint
      where connamespace = 'public'::regnamespace`,
  ],
}

/** All columns, indexes and keys of a database. */
async function layoutOf({ database }: Ground): Promise<readonly string[]> {
  if (database.client === 'sqlite') return []
  const found: string[] = []
  for (const sql of parts[database.client]) found.push(...(await run(database, sql)).map(({ it }) => String(it)))
  return found.sort()
}

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { Hosts } from '../../core/engines/server/hosts.js'
import { startOn } from '../support/contract.js'
import { mysql } from '../support/every-engine.js'
import { freePort } from '../support/free-port.js'
import { run } from '../support/run.js'

const places = ['a', 'b', 'c'].map(host => ({ host, port: 1 }))

/** Opens a connection where not all servers take one, and tells the way. */
async function open(hosts: Hosts, dead: readonly string[] = []): Promise<string[]> {
  const way: string[] = []
  await hosts
    .open(async ({ host }) => {
      way.push(host)
      if (dead.includes(host)) throw new Error(`${host} is dead`)
    })
    .catch(({ errors }) => way.push(...errors.map((error: Error) => error.message)))
  return way
}

it('the first of several servers is used that takes a connection, and from then on that one', async () => {
  const hosts = new Hosts(places)
  assert.deepEqual(await open(hosts), ['a'])
  assert.deepEqual(await open(hosts, ['a']), ['a', 'b'])
  assert.deepEqual(await open(hosts), ['b'])
})

it('a server that fails is left for the next one, with all connections to it, once', async () => {
  const hosts = new Hosts(places)
  const { turn } = hosts
  hosts.leave(turn)
  assert.notEqual(hosts.turn, turn)
  hosts.leave(turn)
  assert.deepEqual(await open(hosts, ['b']), ['b', 'c'])
  hosts.leave(hosts.turn)
  assert.deepEqual(await open(hosts), ['a'])
})

it('a server that is well is used on, with new connections', async () => {
  const hosts = new Hosts(places)
  const { turn } = hosts
  hosts.renew(turn)
  assert.notEqual(hosts.turn, turn)
  hosts.leave(turn)
  assert.deepEqual(await open(hosts), ['a'])
})

it('where none of them takes one, all reasons are told', async () => {
  const reasons = ['a is dead', 'b is dead', 'c is dead']
  assert.deepEqual(await open(new Hosts(places), ['a', 'b', 'c']), ['a', 'b', 'c', ...reasons])
})

const onMysql = it.skipIf(!mysql.available)

onMysql('a server that is not there is passed by', async () => {
  const fresh = await mysql.fresh()
  if (fresh.database.client !== 'mysql') throw new Error('a database of MySQL was asked for')
  const { host, port, ...database } = fresh.database
  const dead = `127.0.0.1:${await freePort()}`
  const types = { note: { attributes: { name: { type: 'string' } } } }
  const world = await startOn({ ...database, host: `${dead},${host}:${port}`, port } as typeof fresh.database, {
    types,
  })
  try {
    assert.equal((await world.get('/notes')).status, 200)
  } finally {
    await world.app.close()
    await fresh.drop()
  }
})

onMysql('a table that takes no part in transactions stops the start, with the statement that mends it', async () => {
  const fresh = await mysql.fresh()
  if (!fresh) throw new Error('a database of MySQL was asked for')
  const types = { note: { attributes: { name: { type: 'string' } } } }
  try {
    await run(fresh.database, 'create table notes (id int unsigned auto_increment primary key) engine = MyISAM')
    await assert.rejects(startOn(fresh.database, { types }), {
      name: 'BootError',
      message: /not kept by InnoDB; to change that, run:\n {2}alter table notes engine = InnoDB;/,
    })
    await run(fresh.database, 'alter table notes engine = InnoDB')
    await (await startOn(fresh.database, { types })).app.close()
  } finally {
    await fresh.drop()
  }
})

import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { UnavailableError } from '../../core/errors.js'
import { createLog } from '../../core/log.js'
import { onEveryServer } from '../support/every-engine.js'

onEveryServer('connections that are lent', server => {
  const isMysql = server.name === 'mysql'
  const own = isMysql ? 'select connection_id()' : 'select pg_backend_pid()'

  /** Opens engines on one database, each with one connection. */
  async function place() {
    const { env, drop } = await server.fresh()
    onTestFinished(drop)
    return async (settings: object = {}): Promise<Engine> => {
      const overrides = { database: { pool: { min: 0, max: 1 }, ...settings } }
      const { database } = await loadConfig(process.cwd(), { bare: true, env, overrides })
      const engine = await openEngine(database, createLog('silent'))
      onTestFinished(() => engine.close())
      // Reads that have not been seen to be quick wait for each other before they wait for a connection.
      await idIn(engine.reader)
      return engine
    }
  }

  /** Takes the connection until it is told to give it back, or to fail. */
  async function hold(engine: Engine) {
    let giveBack = () => {}
    let fail: (reason: Error) => void = () => {}
    const told = new Promise<void>((resolve, reject) => {
      giveBack = resolve
      fail = reject
    })
    let done: Promise<void> = told
    const id = await new Promise<number>((resolve, reject) => {
      done = engine.snapshot(async session => {
        resolve(await idIn(session))
        await told
      })
      done.catch(reject)
    })
    return { id, done, giveBack, fail }
  }

  const idIn = async (session: Pick<Session, 'all'>) => Number((await session.all(own, []))[0]?.[0])

  it('go from one piece of work to the one that has waited longest', async () => {
    const engine = await (await place())()
    const first = await hold(engine)
    const order: number[] = []
    const waiting = [1, 2, 3].map(async number => {
      const id = await idIn(engine.reader)
      order.push(number)
      return id
    })
    assert.deepEqual(engine.pool?.(), { used: 1, idle: 0, waiting: 3, most: 1 })
    first.giveBack()
    assert.deepEqual(await Promise.all(waiting), [first.id, first.id, first.id])
    assert.deepEqual(order, [1, 2, 3])
    await first.done
    assert.deepEqual(engine.pool?.(), { used: 0, idle: 1, waiting: 0, most: 1 })
  })

  it('are waited for no longer than is set, and by what came later all the same', async () => {
    const engine = await (await place())({ acquireTimeout: 300 })
    const first = await hold(engine)
    const reason = await idIn(engine.reader).catch(error => error)
    assert.ok(reason instanceof UnavailableError, String(reason))
    assert.equal(reason.message, 'The database cannot be reached right now, try again')
    assert.equal((reason.cause as Error).message, 'no connection came back in time')
    const later = idIn(engine.reader)
    first.giveBack()
    assert.equal(await later, first.id)
    await first.done
  })

  it('go back to the pool where the work has failed, and what waits is given one by it', async () => {
    const engine = await (await place())()
    const first = await hold(engine)
    const waiting = [idIn(engine.reader), idIn(engine.reader)]
    first.fail(new Error('the work has failed'))
    await assert.rejects(first.done, /the work has failed/)
    assert.deepEqual(await Promise.all(waiting), [first.id, first.id])
  })

  it('are not lent again once the server has ended them', async () => {
    const open = await place()
    const [engine, other] = [await open(), await open()]
    const first = await hold(engine)
    // A statement that may have been stored is not retried if its connection is lost.
    const waiting = engine.reader.run('select 1', [])
    if (isMysql) await other.reader.run(`kill ${first.id}`, [])
    else await other.reader.all(`select pg_terminate_backend(${first.id})`, [])
    first.giveBack()
    await waiting
    await first.done
    assert.notEqual(await idIn(engine.reader), first.id)
  })
})

import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { timeLimit } from '../../core/engines/mysql/connection.js'
import { openEngine } from '../../core/engines/open.js'
import { transact } from '../../core/engines/transaction.js'
import { createLog } from '../../core/log.js'
import { onEveryServer } from '../support/every-engine.js'
import { ownServer } from './support/ground.js'
import { Network } from './support/network.js'

/** Milliseconds far beyond the end of the test: nothing here ends because its time is over. */
const never = 600_000

onEveryServer('a session that is not heard any more', engine => {
  const ground = ownServer(engine)

  async function open(statementTimeout = never): Promise<{ engine: Engine; network: Network }> {
    const { env, ...rest } = await ground()
    const network = await Network.before({ env, ...rest })
    const { database } = await loadConfig(process.cwd(), { bare: true, env: { ...env, ...network.env } })
    const opened = await openEngine({ ...database, statementTimeout, acquireTimeout: 2000 }, createLog('silent'))
    onTestFinished(() => opened.close())
    await opened.alter(['create table notes (id integer primary key, text varchar(20))'])
    await opened.reader.run("insert into notes values (1, 'before')", [])
    return { engine: opened, network }
  }

  it('is ended with what it has locked, and its work is done on another one', async () => {
    const { engine, network } = await open()
    let attempts = 0
    await transact(engine, async session => {
      attempts += 1
      await session.run('update notes set text = ? where id = 1', [`attempt ${attempts}`])
      if (attempts === 1) network.silence()
      await session.run('update notes set text = ? where id = 1', [`attempt ${attempts} to the end`])
    })
    assert.deepEqual(await engine.reader.all('select text from notes', []), [['attempt 2 to the end']])
  })

  it('takes those down that were opened before it, and no other', async () => {
    const { engine, network } = await open()
    const several = () => Promise.all(Array.from({ length: 5 }, () => engine.reader.all('select text from notes', [])))
    await several()
    network.silence()
    assert.deepEqual(await several(), Array(5).fill([['before']]))
  })

  it('is not one whose statement takes its time, or waits for another one', async () => {
    const { engine: opened } = await open()
    const sleep = opened.name === 'mysql' ? 'select sleep(2) + 1' : 'select 1 from pg_sleep(2)'
    let begun = () => {}
    const isLocked = new Promise<void>(resolve => {
      begun = resolve
    })
    const slow = transact(opened, async session => {
      await session.run("update notes set text = 'first' where id = 1", [])
      begun()
      assert.equal(Number((await session.all(sleep, []))[0]?.[0]), 1)
    })
    await isLocked
    let attempts = 0
    const waiting = transact(opened, async session => {
      attempts += 1
      await session.run("update notes set text = 'second' where id = 1", [])
    })
    await Promise.all([slow, waiting])
    assert.equal(attempts, 1)
    assert.deepEqual(await opened.reader.all('select text from notes', []), [['second']])
  })

  it('is asked about on one connection, however many are late', async () => {
    const { engine: opened, network } = await open()
    const sleep = opened.name === 'mysql' ? 'select sleep(1.5)' : 'select pg_sleep(1.5)'
    await Promise.all(Array.from({ length: 8 }, () => opened.reader.all(sleep, [])))
    // A further connection may be open for a check, while the former one closes.
    assert.ok(network.most <= 10, `there were ${network.most} connections`)
  })

  it('is ended where its statement takes longer than the server was told, and nothing is run again', async () => {
    const { engine: opened } = await open(500)
    const [limit, sleep] =
      opened.name === 'mysql'
        ? [`set ${timeLimit(0)}`, 'select sleep(600)']
        : ['set statement_timeout = 0', 'select pg_sleep(600)']
    let attempts = 0
    const slow = transact(opened, async session => {
      attempts += 1
      await session.run("update notes set text = 'never' where id = 1", [])
      await session.run(limit as string, [])
      await session.all(sleep as string, [])
    })
    await assert.rejects(slow, error => opened.classify(error)?.kind === 'timeout')
    assert.equal(attempts, 1)
    await transact(
      opened,
      session => session.run("update notes set text = 'after' where id = 1", []) as Promise<unknown>,
    )
    assert.deepEqual(await opened.reader.all('select text from notes', []), [['after']])
  })
})

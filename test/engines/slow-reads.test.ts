import assert from 'node:assert/strict'
import { it, onTestFinished, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { openEngine } from '../../core/engines/open.js'
import { SlowReads } from '../../core/engines/server/slow-reads.js'
import { UnavailableError } from '../../core/errors.js'
import { createLog } from '../../core/log.js'
import { onEveryServer } from '../support/every-engine.js'

const message = 'Too many slow requests are running, try again'

/** Work that ends when it is told to. */
function held() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { end, ended }
}

const refusal = async (work: Promise<unknown>): Promise<string> => {
  const reason = await work.then(
    () => undefined,
    error => error,
  )
  assert.ok(reason instanceof UnavailableError, String(reason))
  return reason.message
}

it('slow reads take turns, and quick ones pass them', async () => {
  const slow = new SlowReads(4, 1000)
  await slow.run(['quick'], () => slow.timed(['quick'], async () => {}))
  const running = [held(), held(), held()]
  const begun: number[] = []
  const done = running.map(({ ended }, index) =>
    slow.run([`slow ${index}`], () => {
      begun.push(index)
      return ended
    }),
  )
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1])
  assert.equal(await slow.run(['quick'], async () => 'passed'), 'passed')
  // One of several texts is not known.
  let isMixed = false
  const mixed = slow.run(['quick', 'slow 3'], async () => {
    isMixed = true
  })
  running[1]?.end()
  await done[1]
  assert.deepEqual(begun, [0, 1, 2])
  assert.equal(isMixed, false)
  running[0]?.end()
  await mixed
  running[2]?.end()
  await Promise.all(done)
})

it('a text that has taken long is slow again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = new SlowReads(2, 1000)
  const take = (milliseconds: number) =>
    slow.run(['text'], () => slow.timed(['text'], async () => void vi.advanceTimersByTime(milliseconds)))
  const { end, ended } = held()
  await take(10)
  const other = slow.run(['other'], () => ended)
  await take(300)
  let isDone = false
  const third = take(10).then(() => {
    isDone = true
  })
  await new Promise(setImmediate)
  assert.equal(isDone, false)
  end()
  await Promise.all([other, third])
})

it('slow reads wait as long as for a connection, and only so many of them', async () => {
  const slow = new SlowReads(2, 20)
  const { end, ended } = held()
  const first = slow.run(['first'], () => ended)
  const waiting = Array.from({ length: 20 }, (_, index) => refusal(slow.run([`${index}`], async () => {})))
  assert.equal(await refusal(slow.run(['one more'], async () => {})), message)
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([message]))
  end()
  await first
  assert.equal(await slow.run(['later'], async () => 'served'), 'served')
})

onEveryServer('a pool that slow reads fill', server => {
  it('serves quick ones', async () => {
    const { env, drop } = await server.fresh()
    onTestFinished(drop)
    const overrides = { database: { pool: { min: 0, max: 2 } } }
    const { database } = await loadConfig(process.cwd(), { bare: true, env, overrides })
    const engine = await openEngine(database, createLog('silent'))
    onTestFinished(() => engine.close())
    await engine.reader.all('select 1', [])
    const sleep = server.name === 'mysql' ? 'select sleep(0.5)' : 'select pg_sleep(0.5)'
    const order: string[] = []
    const asked = async (name: string, sql: string) => {
      await engine.reader.all(sql, [])
      order.push(name)
    }
    const work = [asked('slow', sleep), asked('slow', `${sleep}, 2`), asked('slow', `${sleep}, 3`)]
    await asked('quick', 'select 1')
    assert.deepEqual(order, ['quick'])
    assert.equal(engine.isCrowded?.(), false)
    await Promise.all(work)
    assert.deepEqual(order, ['quick', 'slow', 'slow', 'slow'])
  })
})

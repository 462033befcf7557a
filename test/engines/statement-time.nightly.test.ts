import assert from 'node:assert/strict'
import { afterEach, describe, it, onTestFinished, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'

const rows = 100_000
const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) select count(*) from n where`
const looking = `${numbers} in_time()`
const working = `${numbers} length(fold(printf('%.*c', 20000, 'ä'))) + in_time()`
/** Is looked at when all is done. */
const unseen = numbers
  .replace(`${rows}) select count(*)`, `${30 * rows}) select total from (select sum(i) total`)
  .replace(/where$/, ') where total + in_time()')

describe('the time of a statement on SQLite', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is that of its work: a machine that stood still meanwhile does not end it', async () => {
    const engine = await open(1000)
    standStill(2000)
    assert.deepEqual(await engine.reader.all(looking, []), [[rows]])
  })

  it('is over for a statement that works for too long', async () => {
    const engine = await open(Math.round((await needed(working)) / 3))
    await assert.rejects(
      async () => engine.reader.all(working, []),
      error => engine.classify(error)?.kind === 'timeout',
    )
  })

  it('begins before it is looked at for the first time', async () => {
    const engine = await open(Math.round((await needed(unseen)) / 3))
    await assert.rejects(
      async () => engine.reader.all(unseen, []),
      error => engine.classify(error)?.kind === 'timeout',
    )
  })

  it('is over where a disk keeps it for much longer, however little it works', async () => {
    const engine = await open(1000)
    standStill(5000)
    await assert.rejects(
      async () => engine.reader.all(looking, []),
      error => engine.classify(error)?.kind === 'timeout',
    )
  })
})

describe('the time of all statements of a write on SQLite', () => {
  afterEach(() => vi.restoreAllMocks())
  /** A statement of so many milliseconds. */
  const lasting = (time: number) => looking.replace(String(rows), String(time))

  it('is limited together, as other writers wait for them', async () => {
    const engine = await open(250)
    workByLook()
    const write = (times: readonly number[]) =>
      engine.transaction(async session => {
        for (const time of times) await session.all(lasting(time), [])
      })
    await write([200, 200])
    await assert.rejects(write([200, 200, 200]), error => engine.classify(error)?.kind === 'timeout')
    // Statements of another write have their own time.
    await write([200, 200])
  })

  it('leaves alone what is quick, however many there are', async () => {
    const engine = await open(250)
    workByLook()
    await engine.transaction(async session => {
      for (let times = 0; times < 200; times += 1) await session.all(lasting(5), [])
      await session.all(lasting(200), [])
    })
  })
})

/** Each look at the clock finds that the process has worked for one more millisecond. */
function workByLook(): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1
    return now
  })
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }))
}

async function open(statementTimeout: number): Promise<Engine> {
  const database = { client: 'sqlite', filename: ':memory:', statementTimeout }
  const config = await loadConfig(process.cwd(), { bare: true, env: {}, overrides: { database } as never })
  const engine = await openEngine(config.database, createLog('silent'))
  onTestFinished(() => engine.close())
  return engine
}

/** Milliseconds that a statement works where there is no limit. */
async function needed(sql: string): Promise<number> {
  const engine = await open(0)
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage()
    await engine.reader.all(sql, [])
    const { user, system } = process.cpuUsage(begun)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

/** For so many milliseconds nothing works, some steps from now. */
function standStill(milliseconds: number): void {
  const now = performance.now.bind(performance)
  let looks = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    looks += 1
    return now() + (looks > 50 ? milliseconds : 0)
  })
}

import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, RawRow } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { opener } from '../../core/engines/sqlite/opener.js'
import { Reader } from '../../core/engines/sqlite/reader.js'
import { createLog } from '../../core/log.js'

/** Looks at the clock at every number, and takes some microseconds for each. */
const counted = (numbers: string) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${numbers}) select count(*) from n where in_time()`
const endless = counted('1000000000')
const chosen = counted('?')

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stele-long-reads-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data.db')
}

async function configOf(database: object) {
  const overrides = { database: { client: 'sqlite', filename: file(), ...database } } as never
  return (await loadConfig(process.cwd(), { bare: true, env: {}, overrides })).database
}

async function open(database: object = {}): Promise<Engine> {
  const engine = await openEngine(await configOf(database), createLog('silent'))
  onTestFinished(() => engine.close())
  return engine
}

/** A number of rows whose counting takes at least so many milliseconds. */
const numbersFor = async (milliseconds: number): Promise<number> => Math.ceil((await speed()) * milliseconds)

let known: Promise<number> | undefined
/** Numbers in a millisecond of this machine, measured once. */
const speed = (): Promise<number> => {
  known ??= measured()
  return known
}

/** The best of several: a neighbour on the same processor halves any of them. */
async function measured(): Promise<number> {
  const engine = await open({ filename: ':memory:', statementTimeout: 0 })
  const timed = async (count: number) => {
    const begun = process.cpuUsage()
    await engine.reader.all(chosen, [count])
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  }
  let count = 100_000
  while ((await timed(count)) < 50) count *= 2
  const times = [await timed(count), await timed(count), await timed(count), await timed(count)]
  return count / Math.min(...times)
}

const isTimeout = (engine: Engine) => (error: unknown) => engine.classify(error)?.kind === 'timeout'
const isUnavailable = { status: 503 }

describe('a statement on SQLite that takes longer than others should wait', () => {
  it('goes on in a thread, while others are answered', async () => {
    const engine = await open({ statementTimeout: 60_000 })
    const numbers = await numbersFor(1000)
    let rows: readonly RawRow[] | undefined
    const long = Promise.resolve(engine.reader.all(chosen, [numbers])).then(found => {
      rows = found
    })
    let others = 0
    for (; rows === undefined; others += 1) {
      assert.deepEqual(await engine.reader.all('select 1', []), [[1]])
      await new Promise(setImmediate)
    }
    await long
    assert.deepEqual(rows, [[numbers]])
    assert.ok(others > 10, `${others} others were answered`)
  })

  it('is ended by the limit of its time', async () => {
    const engine = await open({ statementTimeout: 600 })
    await assert.rejects(async () => engine.reader.all(endless, []), isTimeout(engine))
    assert.deepEqual(await engine.reader.all(chosen, [5]), [[5]])
  })

  it('has no thread to go on in inside a transaction', async () => {
    const engine = await open({ statementTimeout: 60_000 })
    await assert.rejects(
      engine.transaction(async session => session.all(endless, [])),
      isTimeout(engine),
    )
  })

  it('sees what was stored before it was asked, and has the functions that statements use', async () => {
    const engine = await open({ statementTimeout: 60_000 })
    const numbers = await numbersFor(400)
    await engine.alter(['create table notes (name text)'])
    for (const name of ['ÄB', 'ÖC']) {
      await engine.transaction(async session => session.run('insert into notes values (?)', [name]))
      const sql = `select group_concat(fold(name)), digits(0.1 + 0.2), (${chosen}) from notes`
      assert.deepEqual(await engine.reader.all(sql, [numbers]), [
        [name === 'ÄB' ? 'äb' : 'äb,öc', '0.30000000000000004', numbers],
      ])
    }
    await assert.rejects(async () => engine.reader.all(`select (${chosen}), too_many()`, [numbers]), /too_many/)
  })

  it('ends with the server', async () => {
    const engine = await openEngine(await configOf({ statementTimeout: 0 }), createLog('silent'))
    const [running, waiting] = [endless, `${endless} and 1`].map(async sql => engine.reader.all(sql, []))
    const ended = [
      assert.rejects(running as Promise<unknown>, isTimeout(engine)),
      assert.rejects(waiting as Promise<unknown>, isUnavailable),
    ]
    // The reads have both gone on to the thread when a later statement is answered.
    for (let round = 0; round < 10; round += 1) await engine.reader.all('select 1', [])
    await engine.close()
    await Promise.all(ended)
  })
})

describe('statements that wait for the thread', () => {
  async function opened(database: object = {}): Promise<Reader> {
    const config = await configOf({ statementTimeout: 500, ...database })
    const filename = config.filename as string
    return new Reader(await opener(filename, config), filename, config)
  }
  async function reading(database?: object): Promise<Reader> {
    const reader = await opened(database)
    onTestFinished(() => reader.close())
    return reader
  }
  const outcome = async (rows: RawRow[] | Promise<RawRow[]>): Promise<unknown> => {
    try {
      return await rows
    } catch (error) {
      return (error as { status?: number }).status ?? (error as Error).message
    }
  }

  it('run once where they are the same', async () => {
    const reader = await reading({ statementTimeout: 300 })
    // However quick the machine is, each of these is ended by its limit, with an error of its own.
    const ended = async (numbers: number) =>
      Promise.resolve(reader.all(chosen, [numbers])).catch(error => error as Error)
    const numbers = 1_000_000_000
    const all = await Promise.all([ended(numbers), ended(numbers), ended(numbers), ended(numbers + 1)])
    const [first, second, third, other] = all
    for (const error of all) assert.equal((error as Error).message, 'in_time')
    assert.equal(second, third)
    assert.deepEqual(new Set([first, second, other]).size, 3)
  })

  /** Different statements of one text, which is known to take long from the first of them on. */
  const several = (reader: Reader, count: number) =>
    Array.from({ length: count }, (_, index) => outcome(reader.all(chosen, [1_000_000_000 + index])))

  it('are sixteen at most', async () => {
    const reader = await opened({ statementTimeout: 0, acquireTimeout: 600_000 })
    const all = several(reader, 20)
    assert.deepEqual(await Promise.all(all.slice(17)), [503, 503, 503])
    await reader.close()
    assert.deepEqual(new Set(await Promise.all(all.slice(1, 17))), new Set([503]))
  })

  it('wait no longer than others do for a connection', async () => {
    const reader = await reading({ statementTimeout: 1200, acquireTimeout: 300 })
    assert.deepEqual(await Promise.all(several(reader, 3)), ['in_time', 503, 503])
  })

  it('stop others for a shorter time when they are known to take long', async () => {
    const reader = await reading()
    const stopped = async () => {
      const begun = performance.now()
      const rows = reader.all(endless, [])
      const took = performance.now() - begun
      await outcome(rows)
      return took
    }
    const first = await stopped()
    // A busy machine makes one of them longer, not all.
    const later = Math.min(await stopped(), await stopped(), await stopped())
    assert.ok(later < first / 2, `${first}, ${later}`)
    assert.deepEqual(reader.all(endless.replace('1000000000', '1'), []), [[1]])
  })
})

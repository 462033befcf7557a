import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, it, onTestFinished, vi } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, RawRow, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import type { Connection } from '../../core/engines/sqlite/connection.js'
import { opener } from '../../core/engines/sqlite/opener.js'
import { createLog } from '../../core/log.js'

const count = 'select count(*) from notes'
/** Looks at the clock at each number. */
const lookedAt = (numbers: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${numbers}) select (${count}) from n where in_time() limit 1 offset ${numbers - 1}`
/** Takes too long for the event loop, where each look takes a millisecond; in a thread it is done at once. */
const long = lookedAt(1000)
const endless = lookedAt(1_000_000_000)

/** Each look at the clock of the event loop finds that the process has worked for one more millisecond. */
function workByLook(): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1
    return now
  })
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }))
}

beforeEach(workByLook)
afterEach(() => vi.restoreAllMocks())

async function configOf(database: object) {
  const overrides = { database: { client: 'sqlite', acquireTimeout: 600_000, ...database } } as never
  return (await loadConfig(process.cwd(), { bare: true, env: {}, overrides })).database
}

/** An engine on a file with one note. */
async function open(database: object = {}): Promise<Engine & { filename: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-long-snapshots-'))
  const filename = join(folder, 'data.db')
  const engine = await openEngine(await configOf({ filename, ...database }), createLog('silent'))
  let closed: Promise<void> | undefined
  const close = () => (closed ??= engine.close())
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true })
  })
  await engine.alter(['create table notes (text text)'])
  await store(engine)
  return { ...engine, filename, close }
}

const store = (engine: Engine) => engine.transaction(async session => session.run("insert into notes values ('Ä')", []))

const numberOf = (rows: readonly RawRow[]): unknown => rows[0]?.[0]
const read = async (session: Session, sql: string): Promise<unknown> => numberOf(await session.all(sql, []))

/** The outcome of work on a session whose reads are in the thread: that is so once one has been too long for the event loop. */
async function inThread<T>(engine: Engine, work: (session: Session) => Promise<T>): Promise<T> {
  let runs = 0
  return engine.snapshot(async session => {
    runs += 1
    await session.all(long, [])
    assert.equal(runs, 2)
    return work(session)
  })
}

/** The number that was read, or the kind of the error. */
async function outcome(engine: Engine, session: Session, sql: string): Promise<unknown> {
  try {
    return await read(session, sql)
  } catch (error) {
    const { status, message } = error as Error & { status?: number }
    return engine.classify(error)?.kind ?? status ?? message
  }
}

describe('a snapshot on SQLite with a read that takes too long for the event loop', () => {
  it('shows one state in all of its reads, whatever is written between them', async () => {
    const engine = await open()
    const runs: unknown[][] = []
    const seen = await engine.snapshot(async session => {
      const run: unknown[] = []
      runs.push(run)
      for (const sql of [count, long, count, long]) {
        run.push(await read(session, sql))
        await store(engine)
      }
      return run
    })
    assert.deepEqual(runs, [[1], [2, 2, 2, 2]])
    assert.equal(seen, runs[1])
    assert.equal(await read(engine.reader, count), 6)
  })

  it('is done again also where its work has caught the error of that read', async () => {
    const engine = await open()
    const seen = await engine.snapshot(async session => {
      const first = await outcome(engine, session, long)
      await store(engine)
      return [first, await outcome(engine, session, count)]
    })
    assert.deepEqual(seen, [2, 2])
  })

  it('has the functions that statements use', async () => {
    const engine = await open()
    const functions = "select fold('ÄB'), digits(0.1 + 0.2), sort_key('de', 'Äb'), sort_key('sv', 'Äb'), in_time()"
    const rows = await engine.reader.all(functions, [])
    await inThread(engine, async session => {
      assert.deepEqual(await session.all(functions, []), rows)
      await assert.rejects(async () => session.all('select too_many()', []), /too_many/)
      // Nor does a read that failed end it.
      await store(engine)
      assert.equal(await read(session, count), 1)
      assert.throws(() => session.run('delete from notes', []), /only reads/)
    })
  })

  it('leaves the thread to others between its reads, however many it asks at once', async () => {
    const engine = await open()
    await inThread(engine, async session => {
      await store(engine)
      const all = Array.from({ length: 40 }, () => read(session, long))
      assert.equal(await read(engine.reader, long), 2)
      assert.deepEqual(new Set(await Promise.all(all)), new Set([1]))
    })
  })

  it('is one of several, each with a state of its own', async () => {
    const engine = await open()
    const seen = await inThread(engine, async first => {
      await store(engine)
      return inThread(engine, async second => {
        await store(engine)
        return Promise.all([read(first, long), read(second, long), read(first, count), read(second, count)])
      })
    })
    assert.deepEqual(seen, [1, 2, 1, 2])
  })

  /** True if a transaction keeps the log from being emptied. */
  async function isHeld(engine: { filename: string }): Promise<boolean> {
    const connection: Connection = (await opener(engine.filename, await configOf({})))()
    try {
      return numberOf(connection.all('pragma wal_checkpoint(truncate)', [])) === 1
    } finally {
      connection.close()
    }
  }

  it('ends its transaction with its work, also when that fails or does not wait for its reads', async () => {
    const engine = await open()
    const left: Promise<unknown>[] = []
    await assert.rejects(
      inThread(engine, async session => {
        await store(engine)
        assert.equal(await isHeld(engine), true)
        left.push(...[long, count].map(sql => outcome(engine, session, sql)))
        throw new Error('enough')
      }),
      /enough/,
    )
    assert.equal(await isHeld(engine), false)
    assert.deepEqual(await Promise.all(left), [1, 'the snapshot is over'])
  })

  it('has ended its transaction on the event loop, too', async () => {
    const engine = await open()
    await engine.snapshot(async session => {
      assert.equal(await read(session, count), 1)
      await store(engine)
      assert.equal(await isHeld(engine), true)
    })
    assert.equal(await isHeld(engine), false)
  })

  it('has the time limit of every statement, and goes on after it', async () => {
    const engine = await open({ statementTimeout: 300 })
    await inThread(engine, async session => {
      await store(engine)
      assert.equal(await outcome(engine, session, endless), 'timeout')
      assert.equal(await read(session, count), 1)
    })
    // On the event loop there is no more time than that either.
    const brief = await open({ statementTimeout: 100 })
    assert.equal(await brief.snapshot(session => outcome(brief, session, long)), 'timeout')
  })

  it('is refused where too many statements wait for the thread', async () => {
    const engine = await open({ statementTimeout: 0 })
    // One of them runs in the thread, and sixteen wait for it.
    const waiting = Array.from({ length: 17 }, (_, index) => outcome(engine, engine.reader, `${endless} - ${index}`))
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate)
    assert.equal(await engine.snapshot(session => outcome(engine, session, long)), 503)
    await engine.close()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['timeout', 503]))
  })

  it('ends with the server', async () => {
    const engine = await open({ statementTimeout: 0 })
    const ended = inThread(engine, async session => {
      const running = outcome(engine, session, endless)
      await new Promise(setImmediate)
      await engine.close()
      return [await running, await outcome(engine, session, count)]
    })
    assert.deepEqual(await ended, ['timeout', 503])
  })

  it('is lost with its thread, and the next one has another', async () => {
    const engine = await open()
    const started = once(process, 'worker')
    const lost = inThread(engine, async session => {
      await store(engine)
      const [worker] = (await started) as [Worker]
      await worker.terminate()
      assert.equal(await read(engine.reader, long), 2)
      return Promise.all([count, count].map(sql => outcome(engine, session, sql)))
    })
    assert.deepEqual(await lost, [503, 503])
    assert.equal(await isHeld(engine), false)
    assert.equal(await inThread(engine, session => read(session, count)), 2)
  })
})

describe('a snapshot of a database in memory', () => {
  it('shows one state in reads as long as any others, which others read meanwhile and writes wait for', async () => {
    const engine = await openEngine(
      await configOf({ filename: ':memory:', statementTimeout: 2000 }),
      createLog('silent'),
    )
    onTestFinished(() => engine.close())
    await engine.alter(['create table notes (text text)'])
    await store(engine)
    let written: Promise<unknown> | undefined
    const seen = await engine.snapshot(async session => {
      const before = await read(session, long)
      written = store(engine)
      return [before, await read(engine.reader, long), await read(session, long)]
    })
    assert.deepEqual(seen, [1, 1, 1])
    await written
    assert.equal(await read(engine.reader, count), 2)
    assert.equal(await engine.snapshot(session => outcome(engine, session, endless)), 'timeout')
  })

  it('ends where it waits for a write, which waits for its end', async () => {
    const engine = await openEngine(await configOf({ filename: ':memory:' }), createLog('silent'))
    onTestFinished(() => engine.close())
    await engine.alter(['create table notes (text text)'])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let written: Promise<unknown> | undefined
    const stuck = engine.snapshot(async () => {
      written = store(engine)
      await written
    })
    const ended = assert.rejects(stuck, (error: Error & { status?: number }) => {
      assert.equal(error.status, 503)
      assert.match((error.cause as Error).message, /cannot wait for a write/)
      return true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    await ended
    await written
    assert.equal(await read(engine.reader, count), 1)
  })
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine, Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'

// In a process of its own: a test closes a file of the engine, whose number may be another file's in the next moment.

/** More commits than it takes until a thread waits for the disk. */
const many = 400
/** Open files of a process can only be seen there. */
const isVisible = process.platform === 'linux'

describe('the log of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stele-log-'))
  const filename = join(folder, 'data.db')
  const log = `${filename}-wal`
  let engine: Engine
  beforeAll(async () => {
    const { database } = await loadConfig(folder, { bare: true, env: { DATABASE_FILENAME: filename } })
    engine = await openEngine(database, createLog('silent'))
    await engine.alter(['create table notes (id integer primary key, text text)'])
  })
  afterAll(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const store = (length = 1) =>
    engine.transaction(async session => session.run('insert into notes (text) values (?)', ['x'.repeat(length)]))
  const count = async () => Number((await engine.reader.all('select count(*) from notes', []))[0]?.[0])

  async function storeMany(length?: number): Promise<void> {
    for (let done = 0; done < many; done += 1) await store(length)
    // On a busy machine a thread takes longer to start than these writes.
    const deadline = performance.now() + 10_000
    while (isVisible && openForFlushing() === undefined && performance.now() < deadline) await store(length)
  }

  /** Number of writes that could be read before they were acknowledged. */
  async function readBeforeAnswered(writes: number): Promise<number> {
    let seen = 0
    for (let done = 0; done < writes; done += 1) {
      const before = await count()
      let isAnswered = false
      const stored = store().then(() => {
        isAnswered = true
      })
      let isSeen = false
      while (!isAnswered) {
        isSeen ||= (await count()) > before && !isAnswered
        await new Promise(setImmediate)
      }
      await stored
      if (isSeen) seen += 1
    }
    return seen
  }

  it('is flushed inside SQLite where little is written', async () => {
    assert.equal(await readBeforeAnswered(10), 0)
  })

  it('is flushed by a thread where much is written, and reads go on meanwhile', async () => {
    await storeMany()
    assert.ok((await readBeforeAnswered(20)) > 0)
  })

  it('is flushed for a change of the layout and a write at the same time, and both are told', async () => {
    const before = await count()
    // A change that takes a while is open when the others ask for the connection.
    const alter = (sql: string) =>
      engine.altering(async session => {
        await new Promise(setImmediate)
        await session.run(sql, [])
      })
    const refused = engine.altering(async session => session.run('drop table missing', []))
    await Promise.all([
      alter('create table more (id integer primary key)'),
      store(),
      assert.rejects(refused, /no such table/),
      alter('drop table more'),
      store(),
    ])
    assert.equal(await count(), before + 2)
  })

  it('has no room left: the write is known to be refused by the disk, and work goes on', async () => {
    const before = await count()
    const limit = (session: Session, pages: unknown) => session.all(`pragma max_page_count = ${pages}`, [])
    const full = engine.transaction(async session => {
      await limit(session, (await session.all('pragma page_count', []))[0]?.[0])
      await session.run('insert into notes (text) values (?)', ['x'.repeat(1_000_000)])
    })
    await assert.rejects(full, (error: Error & { status?: number }) => {
      assert.deepEqual([error.status, engine.classify(error.cause)?.kind], [503, 'unavailable'])
      return true
    })
    await engine.transaction(async session => limit(session, 2 ** 32 - 2))
    await store(1_000_000)
    assert.equal(await count(), before + 1)
  })

  it('knows nothing of writes whose transaction someone ended: all that shared it are refused', async () => {
    const before = await count()
    const end = () =>
      engine.transaction(async session => {
        await session.run('rollback', [])
        throw new Error('and that is not all')
      })
    const answers = await Promise.allSettled([store(), end()])
    assert.deepEqual(
      answers.map(answer => answer.status === 'rejected' && answer.reason.status),
      [503, 503],
    )
    assert.equal(await count(), before)
    await store()
    assert.equal(await count(), before + 1)
  })

  it('is moved into the file all the time', async () => {
    await storeMany(40_000)
    assert.ok(statSync(log).size < 6_000_000, `${statSync(log).size} bytes`)
  })

  ;(isVisible ? it : it.skip)('that cannot be flushed refuses the write, and work goes on', async () => {
    await storeMany()
    const before = await count()
    closeSync(openForFlushing() ?? assert.fail('nobody has it open'))
    await assert.rejects(store(), { status: 503 })
    await store()
    assert.equal(await count(), before + 2)
    await storeMany()
    assert.ok(openForFlushing() !== undefined, 'nobody has it open')
  })

  /** SQLite itself has its log open for writing. */
  function openForFlushing(): number | undefined {
    const found = readdirSync('/proc/self/fd').find(fd => {
      try {
        const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
        return readlinkSync(`/proc/self/fd/${fd}`) === log && Number.parseInt(flags ?? '', 8) % 4 === 0
      } catch {
        // The folder's own.
        return false
      }
    })
    return found === undefined ? undefined : Number(found)
  }

  for (const [says, end] of [
    ['is waited for by a process that has nothing else to do', 'await engine.close()'],
    ['is left in order by a process that ends at once', 'process.exit()'],
    ['keeps no process that has nothing else to do', ''],
  ])
    it(says as string, () => {
      const core = join(import.meta.dirname, '../../dist/core')
      const script = `
        import { loadConfig } from '${core}/boot/load-config.js'
        import { createLog } from '${core}/log.js'
        import { openEngine } from '${core}/engines/open.js'
        const { database } = await loadConfig('.', { bare: true, env: { DATABASE_FILENAME: 'other.db' } })
        const engine = await openEngine(database, createLog('silent'))
        await engine.alter(['create table if not exists notes (id integer primary key)'])
        for (let done = 0; done < ${many}; done += 1)
          await engine.transaction(async session => session.run('insert into notes default values', []))
        console.log('done')
        ${end}`
      const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.deepEqual({ stdout, stderr, status }, { stdout: 'done\n', stderr: '', status: 0 })
    })
})

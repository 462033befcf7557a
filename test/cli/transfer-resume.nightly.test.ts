import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { engines, type FreshDatabase } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { begin, openApp, place, type RunningCommand, stele, writeApp } from './transfer-app.js'

const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes' },
  attributes: {
    text: { type: 'string' },
    body: { type: 'text' },
    size: { type: 'integer' },
    price: { type: 'decimal' },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
  },
}
const count = 50_000
const ceiling = 200 * 1024 * 1024

const folder = place()
const app = writeApp(join(folder, 'app'), { 'content-types/note.json': note })
const archive = join(folder, 'large.tar')
let source: FreshDatabase

beforeAll(async () => {
  source = (await engines[0]?.fresh()) as FreshDatabase
  await openApp(app, source).then(opened => opened.close())
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  const body = "printf('%.*c', 200 + i % 100, 'x')"
  await run(
    source.database,
    `insert into notes (id, text, body, size, price, created_at) ${numbers} select i, 'note ' || i, ${body}, i, i / 4.0, 1700000000000 + i from n`,
  )
  await run(
    source.database,
    `insert into notes_parent_links (note_id, inv_note_id) ${numbers} select i, i / 2 + 1 from n`,
  )
}, 120_000)
afterAll(() => source.drop())

/** The most memory that a process ever had, asked until it is gone. */
async function peakOf({ child, ended }: RunningCommand): Promise<number> {
  let peak = 0
  let gone = false
  void ended.then(() => {
    gone = true
  })
  while (!gone) {
    const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : ''
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024)
    await Promise.race([ended, new Promise(done => setTimeout(done, 50))])
  }
  return peak
}

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

it(`an export of ${2 * count} rows stays below ${megabytes(ceiling)}`, async () => {
  const running = begin(['export', archive, '--app', app, '--json'], source)
  const peak = await peakOf(running)
  const { code, out, errors } = await running.ended
  assert.equal(code, 0, errors)
  assert.deepEqual(JSON.parse(out).tables, { notes: count, notes_parent_links: count })
  assert.ok(peak > 0 && peak < ceiling, megabytes(peak))
}, 120_000)

it('an export that is killed leaves no archive, and the next one begins anew', async () => {
  const file = join(folder, 'killed.tar.gz')
  const running = begin(['export', file, '--app', app], source)
  while (!existsSync(`${file}.part`)) await new Promise(done => setTimeout(done, 10))
  running.child.kill('SIGKILL')
  await running.ended
  assert.ok(!existsSync(file))
  const { code, errors } = await stele(['export', file, '--app', app], source)
  assert.equal(code, 0, errors)
  assert.ok(existsSync(file) && !existsSync(`${file}.part`) && !existsSync(`${file}.spool`))
}, 120_000)

onEveryEngineAtLength('an import of many rows', engine => {
  let target: FreshDatabase
  beforeAll(async () => {
    target = await engine.fresh()
  })
  afterAll(() => target.drop())

  const rowsOf = async (table: string) =>
    Number((await run(target.database, `select count(*) as n from ${table}`).catch(() => [{ n: 0 }]))[0]?.n)
  /** Waits until so many rows are there, and fails if the process ends before. */
  async function until(table: string, rows: number, { ended }: RunningCommand): Promise<void> {
    let over: string | undefined
    void ended.then(({ errors }) => {
      over = errors
    })
    while ((await rowsOf(table)) < rows) {
      if (over !== undefined) throw new Error(`it ended too early: ${over}`)
      await new Promise(done => setTimeout(done, 20))
    }
  }

  it('goes on after any end where it was, with every row once, below the ceiling', async () => {
    for (const [table, rows] of [
      ['notes', 5000],
      ['notes', 30_000],
      ['notes_parent_links', 10_000],
    ] as const) {
      const running = begin(['import', archive, '--app', app], target)
      await until(table, rows, running)
      running.child.kill('SIGKILL')
      await running.ended
      const stored = await rowsOf(table)
      assert.ok(stored >= rows && stored < count, `${stored} of ${table}`)
      const other = join(folder, 'killed.tar.gz')
      const refused = await stele(['import', other, '--app', app], target)
      assert.match(refused.errors, /the import of another archive is half done here/)
    }
    const running = begin(['import', archive, '--app', app], target)
    const peak = await peakOf(running)
    const { code, errors } = await running.ended
    assert.equal(code, 0, errors)
    assert.match(errors, /going on with the import/)
    assert.ok(peak > 0 && peak < ceiling, megabytes(peak))
    for (const table of ['notes', 'notes_parent_links']) assert.equal(await rowsOf(table), count, table)
    const [sums] = await run(
      target.database,
      'select sum(id) as ids, sum(size) as sizes, count(distinct text) as texts from notes',
    )
    const sum = (count * (count + 1)) / 2
    assert.deepEqual(Object.values(sums ?? {}).map(Number), [sum, sum, count])
    assert.equal(await rowsOf('stele_imports').catch(() => 0), 0)
  }, 240_000)

  it('stops in order when it is asked to, and goes on; removing goes on too', async () => {
    const first = begin(['import', archive, '--app', app, '--replace', '--yes'], target)
    await untilFewer(45_000, first)
    first.child.kill('SIGTERM')
    const { code, errors } = await first.ended
    assert.equal(code, 130)
    assert.match(errors, /stopped; the same command goes on where it stopped/)
    const again = await stele(['import', archive, '--app', app, '--replace', '--yes'], target)
    assert.equal(again.code, 0, again.errors)
    for (const table of ['notes', 'notes_parent_links']) assert.equal(await rowsOf(table), count, table)
  }, 240_000)

  async function untilFewer(rows: number, { ended }: RunningCommand): Promise<void> {
    let over = false
    void ended.then(() => {
      over = true
    })
    while ((await rowsOf('notes_parent_links')) > rows) {
      if (over) throw new Error('it ended too early')
      await new Promise(done => setTimeout(done, 20))
    }
  }
})

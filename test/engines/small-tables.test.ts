import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { describe, inject, it, onTestFinished } from 'vitest'
import { type Connection, isOutOfTime } from '../../core/engines/sqlite/connection.js'
import { opener } from '../../core/engines/sqlite/opener.js'
import { words } from '../../core/engines/sqlite/words.js'
import { createTestApp, type TestApp } from '../../core/index.js'
import { createLog } from '../../core/log.js'

const types = { note: { attributes: { title: { type: 'string' }, views: { type: 'integer' } } } }

describe('a total under a condition on SQLite', () => {
  it('looks at the clock in a large table alone, and is right in tables of any size', async () => {
    const { app, filename, counts } = await opened()
    const connection = await connected(filename)
    for (const [more, looks] of [
      [1000, false],
      [15_384, false],
      [1, true],
    ] as const) {
      await add(app, more)
      const [row] = connection.all('select count(*) from notes where views > 2', [], 1000)
      assert.equal(await total(app, 'filters[views][$gt]=2'), row?.[0])
      assert.equal(looksAtClock(connection, counts.at(-1) as string, [2, 2]), looks)
    }
  })

  it.each([
    ['a text is searched', 'filters[title][$contains]=a'],
    ['one of several conditions searches a text', 'filters[$or][0][views]=2&filters[$or][1][title][$startsWith]=a'],
    ['there are many values', Array.from({ length: 101 }, (_, at) => `filters[views][$in][${at}]=${at}`).join('&')],
  ])('looks at the clock in tables of any size where %s', async (_, query) => {
    const { app, counts } = await opened()
    await total(app, query)
    assert.match(counts.at(-1) as string, /^select count.* where \(t\.id & 255 or in_time\(\)\) and /)
  })
})

describe('a small table of SQLite', () => {
  it.each([
    ['has few rows', [], 1],
    ['has no rows', ['delete from notes'], null],
    ['has rows whose ids are near each other', ['update notes set id = id + 9007199254740000'], 1],
    ['is not one whose ids are far from each other', ['insert into notes (id) values (-90000)'], 0],
    ['is not in a file of many pages', ['create table more (x)', 'insert into more values (zeroblob(34000000))'], 0],
  ])('%s', async (_, statements, expected) => {
    const connection = await connected(file())
    const made = [
      'pragma page_size = 512',
      'create table notes (id integer primary key)',
      'insert into notes values (1), (9)',
    ]
    for (const sql of [...made, ...statements]) connection.db.exec(sql)
    assert.deepEqual(connection.all(`select ${words.isSmall?.('notes')}`, [], 1000), [[expected]])
  })
})

const file = (): string => path.join(mkdtempSync(path.join(inject('folder'), 'small-')), 'data.db')

async function opened() {
  const filename = file()
  const counts: string[] = []
  const write = (line: string) => {
    const { sql = '' } = JSON.parse(line)
    if (sql.includes('count(*)')) counts.push(sql)
  }
  const app = await createTestApp({
    types,
    log: createLog('trace', { destination: { write } }),
    config: { database: { client: 'sqlite', filename } as never },
  })
  onTestFinished(() => app.close())
  return { app, filename, counts }
}

async function connected(filename: string): Promise<Connection> {
  const connection = (await opener(filename, { synchronous: 'normal', statementTimeout: 0 }))()
  onTestFinished(() => connection.close())
  return connection
}

async function add({ store }: TestApp, count: number): Promise<void> {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  await store.transaction(async session => {
    await session.run(`insert into notes (title, views) ${numbers} select 'a', i % 5 from n`, [])
  })
}

async function total(app: TestApp, query: string): Promise<number> {
  const { statusCode, payload } = await app.inject(`/api/notes?${query}`)
  assert.equal(statusCode, 200, payload)
  return JSON.parse(payload).meta.pagination.total
}

/** The first look of a statement without time fails it. */
function looksAtClock(connection: Connection, sql: string, values: readonly unknown[]): boolean {
  try {
    connection.all(sql, values, -1)
    return false
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return true
  }
}

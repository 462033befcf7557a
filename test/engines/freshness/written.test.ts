import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { Changes } from '../../../core/cache/changes.js'
import type { Dependency, RowDependency } from '../../../core/cache/dependency.js'
import { anything, footprintOf } from '../../../core/cache/footprint.js'
import { tablesOf } from '../../../core/cache/transaction-changes.js'

const any = (table: string) => [{ table }]
const row = (table: string, keys: Record<string, number>, columns?: readonly string[]) => ({
  table,
  keys: new Map(Object.entries(keys)),
  ...(columns && { columns }),
})

describe('what a statement writes', () => {
  const cases: readonly { sql: string; writes: unknown }[] = [
    { sql: 'update `notes` set `a` = ?, `B` = ? where `id` = ?', writes: [row('notes', { id: 2 }, ['a', 'b'])] },
    { sql: 'update "notes" set "a" = $1 where "id" = $2', writes: [row('notes', { id: 1 }, ['a'])] },
    { sql: 'update "notes" set "a" = $2 where "id" = $1', writes: [row('notes', { id: 0 }, ['a'])] },
    { sql: 'update `notes` set `id` = ? where `id` = ?', writes: any('notes') },
    { sql: 'update `notes` set `a` = `a` + 1 where `id` = ?', writes: any('notes') },
    { sql: 'update `notes` set `a` = ? where `id` = ? or `b` = ?', writes: any('notes') },
    { sql: 'update `notes` set `a` = ? where `id` in (?)', writes: any('notes') },
    { sql: 'update notes set a = ? where id = ?', writes: any('notes') },
    { sql: 'insert into `links` (`x`, `Y`) values (?, ?)', writes: [row('links', { x: 0, y: 1 })] },
    { sql: 'insert into "links" ("x", "y") values ($1, $2) returning "id"', writes: [row('links', { x: 0, y: 1 })] },
    {
      sql: 'insert into `links` (`x`, `y`) values (?, ?), (?, ?)',
      writes: [row('links', { x: 0, y: 1 }), row('links', { x: 2, y: 3 })],
    },
    {
      sql: 'insert into `links` (`x`, `n`, `y`) values (?, (select coalesce(max(`n`), 0) + 1 from `links` where `y` = ?), ?)',
      writes: [row('links', { x: 0, y: 2 })],
    },
    { sql: 'insert into `links` (`x`, `y`) values (? + 1, default)', writes: [row('links', {})] },
    { sql: "insert into `links` (`x`, `y`) values ('),(', ?)", writes: any('links') },
    { sql: 'insert into `links` (`x`, `y`) select ?, ?', writes: any('links') },
    { sql: 'insert into `links` (`x`) values (?) on conflict do nothing', writes: any('links') },
    { sql: 'insert into `links` (`x`) values (?) on conflict (`x`) do update set `y` = (?)', writes: any('links') },
    { sql: 'insert into links (x) values (?)', writes: any('links') },
    { sql: 'delete from `links` where `id` = ?', writes: any(anything) },
    { sql: 'update `a`.`links` set `x` = ? where `id` = ?', writes: any(anything) },
    { sql: 'with x as (select 1) update links set x = 1', writes: any(anything) },
    { sql: 'select 1', writes: [] },
    { sql: 'savepoint w', writes: [] },
    { sql: 'start transaction', writes: [] },
  ]
  for (const { sql, writes } of cases) it(sql, () => assert.deepEqual(footprintOf(sql), writes))
})

describe('the last change to what was read', () => {
  const reach = (idsIn: RowDependency['idsIn'], asked: readonly string[] = [], by = 'id'): RowDependency => ({
    selections: new Map([['notes', { by, columns: new Set(asked) }]]),
    idsIn,
  })
  const rows = (ids: readonly number[], asked: readonly string[] = [], by = 'id'): Dependency => ({
    names: [['notes']],
    rows: { reach: () => reach(() => new Map([['notes', new Set(ids)]]), asked, by) },
  })
  const setting = (id: unknown, column = 'text') => ({ ...row('notes', { id: 1 }, [column]), values: ['new', id] })
  /** Changes after the first, which are told by row. */
  const telling = (by = 'id') => {
    const changes = new Changes()
    changes.add(any('notes'))
    changes.add([setting(0)])
    changes.last(rows([0], [], by), 1)
    return changes
  }

  it('is that of a row that was read, or of a column that was asked about', () => {
    const changes = telling()
    changes.add([setting(2)])
    assert.equal(changes.last(rows([1]), 2), 2)
    assert.equal(changes.last(rows([1, 2]), 2), 3)
    assert.equal(changes.last(rows([1], ['text']), 2), 3)
    assert.equal(changes.last(rows([1], ['other']), 2), 2)
    assert.equal(changes.last({ names: [['notes']] }, 2), 3)
    assert.equal(changes.last({ names: [['others']] }), 0)
  })

  it('is one of any row where a column was asked about: which rows were read is not found out', () => {
    const changes = telling()
    changes.add([setting(2)])
    changes.add([setting(3, 'other')])
    const asked = reach(() => assert.fail('the rows are asked for'), ['text'])
    assert.equal(changes.last({ names: [['notes']], rows: { reach: () => asked } }, 2), 4)
  })

  it('is that of any row where it is not known which were read', () => {
    const changes = telling()
    changes.add([setting(2)])
    assert.equal(changes.last({ names: [['notes']], rows: { reach: () => reach(() => undefined) } }, 2), 3)
  })

  it('is that of any row that is not known by the column by which it was read', () => {
    const changes = telling('owner')
    changes.add([{ ...row('notes', { owner: 0 }), values: [7] }])
    assert.equal(changes.last(rows([1], [], 'owner'), 2), 2)
    assert.equal(changes.last(rows([7], [], 'owner'), 2), 3)
    changes.add([setting(1)])
    assert.equal(changes.last(rows([1], [], 'owner'), 2), 4)
    for (const id of ['1', undefined, 1n]) {
      const told = telling()
      told.add([setting(id)])
      assert.equal(told.last(rows([9]), 2), 3, String(id))
    }
  })

  it('is that of any row, as long as it is not known by which column rows are told', () => {
    const changes = new Changes()
    changes.add(any('notes'))
    changes.add([setting(5)])
    assert.equal(changes.last(rows([1]), 1), 2)
    changes.add([setting(5)])
    assert.equal(changes.last(rows([1]), 2), 2)
  })

  it('is that of any row once very many have changed', () => {
    const changes = telling()
    changes.add(Array.from({ length: 10_001 }, (_, index) => setting(index + 2)))
    assert.equal(changes.last(rows([1]), 2), 3)
    assert.deepEqual(tablesOf([setting(1), setting(2), ...any('others')]), [...any('notes'), ...any('others')])
  })

  it('is that of anything', () => {
    const changes = new Changes()
    changes.add(any(anything))
    assert.equal(changes.last({ names: [] }), 1)
    assert.equal(changes.ofAnything, 1)
  })
})

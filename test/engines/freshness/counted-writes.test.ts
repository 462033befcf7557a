import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { TransactionChanges } from '../../../core/cache/transaction-changes.js'
import type { Header } from '../../../core/engines/mysql/connection.js'
import { CountedWrites } from '../../../core/engines/mysql/own-writes.js'
import { mostKnown } from '../../../core/engines/server/own-commits.js'

const header: Header = { affectedRows: 0, insertId: 0, serverStatus: 2 }

function counted() {
  const writes = new CountedWrites()
  return {
    writes,
    /** Sends the commit of a transaction that has written a table. */
    commit(table: string, answered: Promise<Header>) {
      const written = new TransactionChanges()
      written.note({ sql: `insert into ${table} (text) values (?)`, values: ['a'] })
      writes.follow(answered, written, true)
    },
    since: (mark: ReturnType<CountedWrites['mark']>) => writes.since(mark)?.map(({ table }) => table),
  }
}

describe('what counted commits may have made visible since a mark', () => {
  it('is what was sent after it, acknowledged or not', async () => {
    const { writes, commit, since } = counted()
    commit('notes', Promise.resolve(header))
    await new Promise(setImmediate)
    const mark = writes.mark()
    assert.deepEqual(since(mark), [])
    commit('comments', Promise.resolve(header))
    commit('articles', new Promise(() => {}))
    assert.deepEqual(since(mark), ['comments', 'articles'])
  })

  it('is what had been sent before and was not acknowledged', async () => {
    const { writes, commit, since } = counted()
    let acknowledge = () => {}
    commit('notes', new Promise(resolve => (acknowledge = () => resolve(header))))
    const mark = writes.mark()
    acknowledge()
    await new Promise(setImmediate)
    assert.deepEqual(since(mark), ['notes'])
    assert.deepEqual(since(writes.mark()), [])
  })

  it('is also what was lost before the server said whether it is stored', async () => {
    const { writes, commit, since } = counted()
    commit('notes', Promise.reject(new Error('lost')))
    await new Promise(setImmediate)
    assert.deepEqual(since(writes.mark()), ['notes'])
  })

  it('is nothing of a statement that commits nothing', () => {
    const { writes, since } = counted()
    const mark = writes.mark()
    writes.follow(Promise.resolve(header), new TransactionChanges(), false)
    assert.deepEqual(since(mark), [])
  })

  it('may be anything after very many, and is known again from the next mark on', () => {
    const { writes, commit, since } = counted()
    const mark = writes.mark()
    for (let times = 0; times < mostKnown; times += 1) commit('notes', Promise.resolve(header))
    assert.equal(since(mark)?.length, mostKnown)
    commit('notes', Promise.resolve(header))
    assert.equal(since(mark), undefined)
    const later = writes.mark()
    assert.equal(since(later)?.length, mostKnown + 1, 'none of them is acknowledged yet')
    commit('comments', Promise.resolve(header))
    assert.equal(since(later)?.at(-1), 'comments')
  })
})

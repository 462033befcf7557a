import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { TransactionChanges } from '../../../core/cache/transaction-changes.js'
import type { Header } from '../../../core/engines/mysql/connection.js'
import { OwnGtids } from '../../../core/engines/mysql/own-gtids.js'

/** Commits of this process: transaction 10 has written notes, 11 comments, 13 notes. */
function own(): OwnGtids {
  const commits = new OwnGtids()
  commits.add('0-1-10', [{ table: 'notes' }])
  commits.add('0-1-11', [{ table: 'comments' }])
  commits.add('0-1-13', [{ table: 'articles' }])
  return commits
}
/** A transaction that has written a table, and the reply to its commit. */
function commit(table: string, gtid: string) {
  const written = new TransactionChanges()
  written.note({ sql: `insert into ${table} (text) values (?)`, values: ['a'] })
  let acknowledge = () => {}
  const answered = new Promise<Header>(resolve => {
    acknowledge = () =>
      resolve({ affectedRows: 0, insertId: 0, serverStatus: 2, stateChanges: { systemVariables: { last_gtid: gtid } } })
  })
  return { written, answered, acknowledge }
}
const seen = (number: number, server = '1') => ({ domain: '0', server, number })

describe('the tables written between two positions of a binary log of MariaDB', () => {
  const cases = [
    { says: 'of one own commit', visible: seen(9), after: '0-1-10', tables: ['notes'] },
    { says: 'of two', visible: seen(9), after: '0-1-11', tables: ['notes', 'comments'] },
    { says: 'are none where all was visible', visible: seen(11), after: '0-1-11', tables: [] },
    {
      says: 'of one that was logged but not visible',
      visible: seen(10),
      before: '0-1-11',
      after: '0-1-11',
      tables: ['comments'],
    },
    {
      says: 'beside others that have not moved',
      visible: seen(9),
      before: '0-1-9,3-7-5',
      after: '0-1-10,3-7-5',
      tables: ['notes'],
    },
    { says: 'may be any where another program has committed', visible: seen(11), after: '0-1-13', tables: undefined },
    { says: 'may be any where another program was the last', visible: seen(11), after: '0-1-12', tables: undefined },
    {
      says: 'may be any where another log has moved',
      visible: seen(9),
      before: '0-1-9,3-7-5',
      after: '0-1-10,3-7-6',
      tables: undefined,
    },
    {
      says: 'may be any where another server was the last one in it',
      visible: seen(9),
      after: '0-2-10',
      tables: undefined,
    },
    { says: 'may be any where the log has lost transactions', visible: seen(13), after: '0-1-9', tables: undefined },
    {
      says: 'may be any where nothing of ours was visible yet',
      visible: undefined,
      after: '0-1-10',
      tables: undefined,
    },
    { says: 'may be any after very many', visible: seen(9), after: '0-1-9999', tables: undefined },
  ]
  for (const { says, visible, before = '0-1-9', after, tables } of cases)
    it(says, async () => {
      const changes = await own().between(before, after, visible)
      assert.deepEqual(
        changes?.map(({ table }) => table),
        tables,
      )
    })

  it('wait for a commit that a position shows before it is acknowledged here', async () => {
    const commits = own()
    const { written, answered, acknowledge } = commit('notes', '0-1-14')
    commits.follow(answered, written, true)
    const between = commits.between('0-1-13', '0-1-14', seen(13))
    acknowledge()
    assert.deepEqual(
      (await between)?.map(({ table }) => table),
      ['notes'],
    )
  })

  it('are those of a statement outside of transactions as well, and none where it failed', async () => {
    const commits = own()
    const { written, answered, acknowledge } = commit('comments', '0-1-14')
    commits.follow(answered, written, false)
    commits.follow(Promise.reject(new Error('refused')), new TransactionChanges(), false)
    acknowledge()
    await answered
    assert.equal((await commits.between('0-1-13', '0-1-14', seen(13)))?.length, 1)
  })

  it('know the last one that was acknowledged, in whatever order they are, and of which log', async () => {
    const commits = own()
    commits.add('0-1-12', [])
    assert.deepEqual(commits.last, seen(13))
    commits.add('0-2-5', [])
    assert.deepEqual(commits.last, seen(5, '2'))
    commits.forget()
    assert.equal(commits.last, undefined)
    assert.equal(
      await commits.between('0-1-9', '0-1-10', seen(9)),
      undefined,
      'a server may have given their numbers again',
    )
  })

  it('are told as often as they may have become visible, and no more once they were', async () => {
    const commits = own()
    const tablesOf = async (visible: number) =>
      (await commits.between('0-1-9', '0-1-11', seen(visible)))?.map(({ table }) => table)
    assert.deepEqual(await tablesOf(9), ['notes', 'comments'])
    assert.deepEqual(await tablesOf(9), ['notes', 'comments'])
    assert.deepEqual(await tablesOf(10), ['comments'])
    assert.equal(await tablesOf(9), undefined)
  })
})

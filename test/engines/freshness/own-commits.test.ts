import { strict as assert } from 'node:assert'
import { describe, it } from 'vitest'
import { endedBetween } from '../../../core/engines/postgres/snapshots.js'
import { OwnCommits } from '../../../core/engines/server/own-commits.js'

/** Commits of this process: transaction 10 has written notes, 12 comments. */
function own(): OwnCommits<number> {
  const commits = new OwnCommits<number>()
  commits.add(10, [{ table: 'notes' }])
  commits.add(12, [{ table: 'comments' }])
  return commits
}

describe('the tables written between two snapshots of PostgreSQL', () => {
  const cases = [
    { says: 'of one own commit', before: '10:10:', after: '11:11:', tables: ['notes'] },
    {
      says: 'of two, with one that still runs between them',
      before: '10:10:',
      after: '11:13:11',
      tables: ['notes', 'comments'],
    },
    { says: 'of one that ran before', before: '10:12:10,11', after: '11:12:11', tables: ['notes'] },
    { says: 'are none where nothing has ended', before: '11:13:11', after: '11:13:11', tables: [] },
    { says: 'may be any where another program has committed', before: '10:10:', after: '12:12:', tables: undefined },
    {
      says: 'may be any where one that ran before was not ours',
      before: '11:13:11',
      after: '13:13:',
      tables: undefined,
    },
    { says: 'may be any after very many', before: '10:10:', after: '9999:9999:', tables: undefined },
  ]
  for (const { says, before, after, tables } of cases)
    it(says, async () => {
      const ended = endedBetween(before, after)
      const changes = ended && (await own().take(ended))
      assert.deepEqual(
        changes?.map(({ table }) => table),
        tables,
      )
    })

  it('wait for a commit that a snapshot shows before it is acknowledged here', async () => {
    const commits = new OwnCommits<number>()
    let acknowledge = () => {}
    const acknowledged = new Promise<void>(resolve => {
      acknowledge = resolve
    })
    commits.sent(acknowledged.then(() => commits.add(10, [{ table: 'notes' }])))
    const between = commits.take(endedBetween('10:10:', '11:11:') as number[])
    acknowledge()
    assert.deepEqual(await between, [{ table: 'notes' }])
  })

  it('are not ours any more once a server may have given their ids again', async () => {
    const commits = own()
    commits.forget()
    assert.equal(await commits.take([10]), undefined)
  })

  it('are told once', async () => {
    const commits = own()
    assert.deepEqual(await commits.take([12]), [{ table: 'comments' }])
    assert.equal(await commits.take([12]), undefined)
  })
})

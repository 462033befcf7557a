import { strict as assert } from 'node:assert'
import { inject, it } from 'vitest'
import { CommitCount } from '../../../core/engines/mysql/commits.js'
import { start } from '../../support/contract.js'
import { mysql } from '../../support/every-engine.js'
import { run } from '../../support/run.js'

const types = { note: { attributes: { text: { type: 'string' } } } }

it.skipIf(inject('absent').mysql !== undefined)(
  'counted commits of connections that are gone become one row, and their sum stays',
  async () => {
    const api = await start(mysql, { types, config: { database: { soleWriter: true } as never } })
    const counted = async () => {
      const [row] = await run(api.database, 'select sum(commits) as sum, count(*) as count from stele_commits')
      return { sum: Number(row?.sum), rows: Number(row?.count) }
    }
    await api.make('/notes', { text: 'a' })
    await run(api.database, "insert into stele_commits (name, commits, time) values ('x-1', 40, 1), ('x-2', 2, 1)")
    const before = await counted()
    const fold = () => api.app.store.transaction(session => new CommitCount().fold(session))
    await fold()
    // The transaction that folds is one more commit.
    assert.deepEqual(await counted(), { sum: before.sum + 1, rows: before.rows - 1 })
    await run(api.database, "insert into stele_commits (name, commits, time) values ('x-3', 10, 1)")
    await fold()
    assert.deepEqual(await counted(), { sum: before.sum + 12, rows: before.rows - 1 })
    await api.close()
  },
)

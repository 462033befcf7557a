import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createLog } from '../../core/log.js'
import { startOn } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'
import { grantRows } from '../support/rows-only.js'

const types = { note: { attributes: { text: { type: 'string' } } } }
const account = { user: 'rows_and_keys', password: 'pass-of-rows-and-keys' }

onEveryEngine('a server whose user of the database may not make tables', engine => {
  // A file of SQLite has no users.
  it.skipIf(engine.name === 'sqlite')('takes keys once someone else has made their table', async () => {
    const { database, drop } = await engine.fresh()
    onTestFinished(drop)
    const lines: string[] = []
    const log = createLog('error', { destination: { write: line => lines.push(line) } })
    const create = async (settings: typeof database, key?: string) => {
      const { app } = await startOn(settings, { types, log })
      try {
        const headers = key === undefined ? {} : { 'idempotency-key': key }
        const { statusCode, body } = await app.inject({
          method: 'POST',
          url: '/api/notes',
          headers,
          payload: { data: { text: 'a' } },
        })
        return [statusCode, JSON.parse(body).error?.message]
      } finally {
        await app.close()
      }
    }
    assert.deepEqual(await create(database), [200, undefined])
    await grantRows(database, account)
    const limited = { ...database, ...account }
    assert.deepEqual(await create(limited), [200, undefined])
    assert.deepEqual(lines, [])
    assert.deepEqual(await create(limited, 'one'), [503, 'Idempotency keys cannot be kept right now'])
    assert.match(lines.join(), /need the table stele_requests; run `stele apply` as a user who may, or grant/)

    assert.deepEqual(await create(database, 'one'), [200, undefined])
    await grantRows(database, account)
    assert.deepEqual(await create(limited, 'two'), [200, undefined])
  })
})

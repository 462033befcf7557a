import assert from 'node:assert/strict'
import { it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Engine } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { foreignLayout } from '../../core/foreign/known.js'
import { prepareReceipts, Receipts } from '../../core/idempotency/receipts.js'
import { Retries } from '../../core/idempotency/retries.js'
import { createLog } from '../../core/log.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('a key that others take again and again without an end', engine => {
  it('is told to be at work still', async () => {
    const fresh = await engine.fresh()
    const { database } = await loadConfig(process.cwd(), { bare: true, env: fresh.env })
    const log = createLog('silent')
    const store = await openEngine(database, log)
    try {
      await prepareReceipts(store, foreignLayout)
      const receipts = new Receipts(store, { maxAge: 60, answer: 1000 }, log, foreignLayout)
      const retry = { name: 'a', print: 'b', writes: 0, isReplayed: false }
      let times = 0
      const taken: Engine = {
        ...store,
        transaction: work =>
          store.transaction(async session => {
            times += 1
            // The claim is rolled back with this transaction, so it is not found afterwards.
            assert.equal(await receipts.claim(session, 'a.1', 'theirs'), true)
            return work(session)
          }),
      }
      const asked = new Retries(taken, receipts).once(retry, {
        scope: '',
        read: async () => assert.fail('nothing is stored'),
        write: transaction => transaction(async () => assert.fail('nothing is written without the claim')),
      })
      await assert.rejects(asked, { status: 409 })
      assert.equal(times, 8)
      assert.equal(await receipts.find('a.1'), undefined)
    } finally {
      await store.close()
      await fresh.drop()
    }
  })
})

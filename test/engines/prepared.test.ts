import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp } from '../../core/index.js'

it('a statement is prepared again when a thousand others came after it', async () => {
  const app = await createTestApp()
  const numbers = [...Array.from({ length: 1002 }, (_, number) => number), 0, 1]
  for (const number of numbers)
    assert.deepEqual(await app.store.transaction(async session => session.all(`select ${number}`, [])), [[number]])
  await app.close()
})

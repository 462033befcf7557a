import assert from 'node:assert/strict'
import { it } from 'vitest'
import { developmentOf } from '../../core/tools/cli/serving/development.js'

// In a process of its own, as its way to the supervisor is cut.
it('a write that cannot be asked for fails, and nothing waits for a reply to it', async () => {
  const { send } = process
  const before = process.listenerCount('message')
  process.send = (_message, _handle, _options, done) => {
    done?.(new Error('the channel is closed'))
    return false
  }
  try {
    const asked = developmentOf('/nowhere').begin({ files: [] } as never)
    await assert.rejects(asked, /the channel is closed/)
    assert.equal(process.listenerCount('message'), before)
  } finally {
    Object.assign(process, { send })
  }
})

import assert from 'node:assert/strict'
import { it } from 'vitest'
import { developmentOf } from '../../core/tools/cli/serving/development.js'

it('a write that cannot be asked for fails, and nothing waits for a reply to it', async () => {
  const { send } = process
  const before = process.listenerCount('message')
  // Messages of the test runner take the same way.
  const withoutWrites = (message: object, ...rest: unknown[]) => {
    if (!('writes' in message)) return Reflect.apply(send as () => boolean, process, [message, ...rest])
    const told = rest.at(-1) as (error: Error) => void
    told(new Error('the channel is closed'))
    return false
  }
  Object.assign(process, { send: withoutWrites })
  try {
    const asked = developmentOf('/nowhere').begin({ files: [] } as never)
    await assert.rejects(asked, /the channel is closed/)
    assert.equal(process.listenerCount('message'), before)
  } finally {
    Object.assign(process, { send })
  }
})

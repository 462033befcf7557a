import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createLog } from '../../core/log.js'

it('the level of a log is that of all that was made of it', () => {
  const lines: string[] = []
  const log = createLog('info', { destination: { write: (line: string) => void lines.push(line) } as never })
  const plugin = log.child({ plugin: 'one' })
  const before = plugin.child({ of: 'a request' })
  log.level = 'debug'
  plugin.debug('heard')
  before.debug('heard too')
  plugin.child({ of: 'another' }).debug('and this')
  assert.deepEqual(
    lines.map(line => JSON.parse(line).msg),
    ['heard', 'heard too', 'and this'],
  )
})

it('an error that cannot be changed is written as any other', () => {
  const lines: string[] = []
  const log = createLog('info', { destination: { write: (line: string) => void lines.push(line) } as never })
  log.error({ err: Object.freeze(new TypeError('frozen', { cause: new Error('why') })) }, 'a request failed')
  const { err, msg } = JSON.parse(lines[0] as string)
  assert.deepEqual([msg, err.type, err.message], ['a request failed', 'TypeError', 'frozen'])
  assert.match(err.stack, /log-level\.test/)
})

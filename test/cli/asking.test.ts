import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, it } from 'vitest'
import { asking } from '../../core/tools/cli/asking.js'

function terminal() {
  const stdin = new PassThrough()
  const stderr = new PassThrough()
  return { stdin, ask: asking({ stdin, stderr }), shown: () => String(stderr.read() ?? '') }
}

describe('asking a person', () => {
  it('shows the question, and what is typed', async () => {
    const { stdin, ask, shown } = terminal()
    const answer = ask('E-mail: ')
    stdin.write('ada@example.test\r')
    assert.equal(await answer, 'ada@example.test')
    assert.match(shown(), /E-mail: .*ada@example\.test/s)
  })

  it('shows nothing of what is hidden, and takes one question after the other', async () => {
    const { stdin, ask, shown } = terminal()
    const first = ask('Password: ', { hidden: true })
    stdin.write('eleven elephantx\x7fs\r')
    assert.equal(await first, 'eleven elephants')
    assert.equal(shown(), 'Password: \n')
    const second = ask('Again: ', { hidden: true })
    stdin.write('eleven elephants\r')
    assert.equal(await second, 'eleven elephants')
    assert.equal(shown(), 'Again: \n')
  })

  it('ends without an answer where the terminal is closed or interrupted', async () => {
    for (const end of [(stdin: PassThrough) => stdin.write('\x03'), (stdin: PassThrough) => stdin.end()]) {
      const { stdin, ask } = terminal()
      const answer = ask('Password: ', { hidden: true })
      end(stdin)
      await assert.rejects(answer, { name: 'BootError', message: 'nothing was done' })
    }
  })
})

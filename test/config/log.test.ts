import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createLog, type Log, maskUrl } from '../../core/log.js'
import { isNightly, processorTime } from '../support/time.js'

function linesOf(write: (log: Log) => void, level = 'info'): string {
  const lines: string[] = []
  write(createLog(level, { destination: { write: line => void lines.push(line) } }))
  return lines.join('')
}

describe('the log', () => {
  it('writes a line of JSON with an ISO time', () => {
    const line = JSON.parse(linesOf(log => log.info({ port: 1 }, 'listening')))
    assert.equal(line.time, new Date(line.time).toISOString())
    assert.deepEqual([line.level, line.pid, line.port, line.msg], ['info', process.pid, 1, 'listening'])
  })

  const levels = [
    { says: 'keeps to its level', level: 'warn', gives: 1 },
    { says: 'may be silent', level: 'silent', gives: 0 },
  ]
  for (const { says, level, gives } of levels) {
    it(says, () => {
      const text = linesOf(log => {
        log.info('quiet')
        log.warn('loud')
      }, level)
      assert.equal(text.split('\n').length - 1, gives)
    })
  }

  const secrets: { says: string; write: (log: Log) => void }[] = [
    { says: 'a header', write: log => log.info({ req: { headers: { authorization: 'Bearer hidden' } } }) },
    {
      says: 'a list of cookies',
      write: log => log.info({ res: { headers: { 'set-cookie': ['a=hidden', 'b=hidden'] } } }),
    },
    { says: 'a password at the root', write: log => log.info({ password: 'hidden' }) },
    { says: 'a password with quotes in it', write: log => log.info({ password: 'a"hidden\\' }) },
    { says: 'a password at depth', write: log => log.info({ a: { b: { c: { d: [{ password: 'hidden' }] } } } }) },
    { says: 'a longer name of a token', write: log => log.info({ accessTokenOfUser: 'hidden' }) },
    { says: 'a secret that is an object', write: log => log.info({ secret: { key: 'hidden' } }) },
    { says: 'a secret in the bindings of a child', write: log => log.child({ apiKey: 'hidden' }).info('x') },
    {
      says: 'a secret on an error',
      write: log => log.error({ err: Object.assign(new Error('no'), { options: { password: 'hidden' } }) }),
    },
    { says: 'the password of a URL in a message', write: log => log.info('open mysql://u:hidden@h/d') },
    {
      says: 'the password of a URL in an error',
      write: log => log.error(new Error('postgres://u:hidden@h/d is down')),
    },
  ]
  for (const { says, write } of secrets) {
    it(`never shows ${says}`, () => {
      const text = linesOf(write)
      assert.doesNotMatch(text, /hidden/)
      assert.doesNotThrow(() => JSON.parse(text))
    })
  }

  it('shows what only looks like a secret', () => {
    assert.match(
      linesOf(log => log.info({ author: 'seen', msg2: 'password: seen' })),
      /"author":"seen".*password: seen/,
    )
  })

  it.runIf(isNightly)('takes no more time over a character of a long text than over one of a short text', async () => {
    const log = async (repeats: number) => {
      const url = `/?${'mysql://a:'.repeat(repeats)}${'token'.repeat(repeats)}`
      const times: number[] = []
      for (let round = 0; round < 3; round += 1)
        times.push(await processorTime(() => linesOf(line => line.info({ url, [url]: url }))))
      return Math.min(...times)
    }
    await log(500)
    const ratio = (await log(16_000)) / (await log(500))
    // Steps that grow with the square of the length would take 1,024 times as long.
    assert.ok(ratio < 200, `${ratio} times as long for 32 times the text`)
  })
})

describe('maskUrl', () => {
  const cases = [
    { ask: 'mysql://ann:s3cret@h:1/d', gives: 'mysql://ann:***@h:1/d' },
    { ask: 'postgres://ann:p%40ss@h/d?ssl=true', gives: 'postgres://ann:***@h/d?ssl=true' },
    { ask: 'postgres://ann:p@s/s#@h/d', gives: 'postgres://ann:***@h/d' },
    { ask: 'redis://:s3cret@h', gives: 'redis://:***@h' },
    { ask: 'postgres://ann@h/d', gives: 'postgres://ann@h/d' },
    { ask: 'https://h:80/a?b=c@d', gives: 'https://h:80/a?b=c@d' },
    { ask: 'sqlite:/var/data.db', gives: 'sqlite:/var/data.db' },
  ]
  for (const { ask, gives } of cases) it(`${ask} is shown as ${gives}`, () => assert.equal(maskUrl(ask), gives))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'vitest'
import { commonPasswords } from '../../../plugins/admin/accounts/common-passwords.js'
import { checkPassword } from '../../../plugins/admin/accounts/password-rules.js'

const rules = { email: 'Ada.Lind-Example@example.test', min: 10 }

describe('a password of an editor', () => {
  const good = [
    'eleven elephants',
    `${'🐘'.repeat(9)}x`,
    'ada.lind-example and more',
    'dragons dance',
    `${'x'.repeat(71)}y`,
  ]
  for (const password of good) it(`may be ${password}`, () => checkPassword(password, rules))

  const wrong: readonly (readonly [string, RegExp])[] = [
    ['123456789', /at least 10 characters/],
    ['🐘'.repeat(5), /at least 10 characters/],
    [`${'x'.repeat(72)}y`, /at most 72 bytes/],
    ['🐘🦒'.repeat(10), /at most 72 bytes/],
    ['eleven\0elephants', /null character/],
    ['ada.lind-example@EXAMPLE.test', /must not be the e-mail address/],
    ['Ada.Lind-Example', /must not be the e-mail address/],
    ['1234567890', /most used/],
    ['QwertyUiop', /most used/],
    ['Dragon 2024!', /most used/],
    ['xxxxxxxxxxxx', /most used/],
  ]
  for (const [password, message] of wrong)
    it(`is not ${JSON.stringify(password)}`, () => {
      const issue = { path: ['password'], name: 'ValidationError' }
      assert.throws(
        () => checkPassword(password, rules),
        error => {
          const [found, ...others] = (error as { details: { errors: { message: string }[] } }).details.errors
          assert.deepEqual([others, { ...found, message: '' }], [[], { ...issue, message: '' }])
          assert.match(found?.message ?? '', message)
          return true
        },
      )
    })

  it('is compared with as many as the page says, in small letters, each once', () => {
    const known = commonPasswords()
    const page = readFileSync(new URL('../../../plugins/admin/README.md', import.meta.url), 'utf8')
    const [, said = ''] = /nor one of the ([\d,]+) passwords/.exec(page) ?? []
    assert.equal(known.size, Number(said.replace(',', '')))
    for (const word of known) assert.equal(word, word.toLowerCase())
  })
})

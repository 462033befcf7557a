import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'vitest'
import { weaknessOf } from '../../core/kit/weakness.js'

describe('a secret is weak that', () => {
  const cases = [
    ['is empty', ''],
    ['is one that stands in examples', 'tobemodified'],
    ['is one that stands in examples', 'toBeModified1,toBeModified2'],
    ['is one that stands in examples', 'Change-Me'],
    ['is one that stands in examples', 'your_jwt_secret'],
    ['repeats a few characters', 'abcabcabcabcabcabcabcabc'],
    ['has 12 characters only', 'x7Gq-21kPz_0'],
    ['has 3 characters only', 'abc'],
  ] as const
  for (const [says, secret] of cases) it(`${says}: ${secret}`, () => assert.equal(weaknessOf(secret), says))
})

describe('a secret is good that', () => {
  it('was made at random', () => {
    for (let round = 0; round < 100; round += 1) {
      assert.equal(weaknessOf(randomBytes(16).toString('base64')), undefined)
      assert.equal(weaknessOf(randomBytes(32).toString('hex')), undefined)
    }
  })
})

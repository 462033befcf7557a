import assert from 'node:assert/strict'
import { RequestError } from '../../../../dist/core/index.js'
import { parseRaw } from '../../../../dist/core/query/raw.js'
import { questions, words } from './words.mjs'

/** The text behind a question mark becomes plain objects, lists and texts, or a refusal. */
export async function query() {
  const isPlain = value =>
    typeof value === 'string' ||
    value === null ||
    value === undefined ||
    (Array.isArray(value) && value.every(isPlain)) ||
    ([null, Object.prototype].includes(Object.getPrototypeOf(value)) && Object.values(value).every(isPlain))
  return {
    seeds: questions,
    tokens: words,
    run(input) {
      const text = input.toString('latin1')
      for (const strict of [true, false])
        try {
          assert.ok(isPlain(parseRaw(text, { maxParameters: 100, strict })))
        } catch (error) {
          if (!(error instanceof RequestError)) throw error
          assert.equal(error.status, 400)
        }
      assert.deepEqual(Object.keys(Object.prototype), [])
    },
  }
}

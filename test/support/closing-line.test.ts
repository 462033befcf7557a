import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { closingLine, failure } from './closing-line.js'

describe('the closing line', () => {
  const cases = [
    { says: 'counts', counts: [3, 0, 0], exitCode: 0, gives: '3 passed, 0 failed' },
    {
      says: 'names skipped tests when there are any',
      counts: [3, 1, 2],
      exitCode: 1,
      gives: '3 passed, 1 failed, 2 skipped',
    },
    {
      says: 'never says that a failed run had no failure',
      counts: [3, 0, 0],
      exitCode: 1,
      gives: '3 passed, 1 failed',
    },
  ] as const
  for (const { says, counts, exitCode, gives } of cases) {
    const [passed, failed, skipped] = counts
    it(says, () => assert.equal(closingLine({ passed, failed, skipped }, exitCode), gives))
  }

  it('has a line before it for what failed, however long its reason is', () => {
    const line = failure('spec/sort.test.ts > sorts', [
      { message: `Expected\n  ${'x'.repeat(500)}` },
      { message: 'and this' },
    ])
    assert.match(line, /^FAILED: spec\/sort\.test\.ts > sorts: Expected x{391} \| and this$/)
  })
})

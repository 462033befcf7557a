import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { failure } from './outcome-file.js'
import { addUp, canBeUnsteady, closingLines, type FileOutcome, type Outcome, rerunArguments } from './verdict.mjs'

const file = (name: string, passed: number, failed: number, skipped = 0): FileOutcome => ({
  name,
  passed,
  failed,
  skipped,
  failures: Array.from({ length: failed }, () => `FAILED: ${name}`),
})
const run = (...files: FileOutcome[]): Outcome => ({
  files,
  errors: [],
  status: files.some(({ failed }) => failed > 0) ? 1 : 0,
})
const linesOf = (first: Outcome, ...again: FileOutcome[]) =>
  closingLines(addUp(first, new Map(again.map(outcome => [outcome.name, run(outcome)]))))

describe('the closing lines of the tests', () => {
  it('add up the files', () => {
    assert.deepEqual(linesOf(run(file('a', 3, 0), file('b', 2, 0))), ['5 passed, 0 failed'])
  })

  it('name the skipped tests where there are any', () => {
    assert.deepEqual(linesOf(run(file('a', 3, 0, 2))), ['3 passed, 0 failed, 2 skipped'])
  })

  it('count a file that failed and passes alone by its second run, and name it as unsteady', () => {
    const lines = linesOf(run(file('a', 3, 0), file('b', 1, 1)), file('b', 2, 0))
    assert.deepEqual(lines, ['unsteady: b', '5 passed, 0 failed'])
  })

  it('count a file that fails again by its first run', () => {
    const lines = linesOf(run(file('a', 3, 0), file('b', 0, 2)), file('b', 1, 1))
    assert.deepEqual(lines, ['FAILED: b', 'FAILED: b', '3 passed, 2 failed'])
  })

  it('count a file as failed whose second run does not get to it', () => {
    const lost: Outcome = { files: [], errors: [], status: 1 }
    const lines = closingLines(addUp(run(file('b', 1, 1)), new Map([['b', lost]])))
    assert.deepEqual(lines, ['FAILED: b', '1 passed, 1 failed'])
  })

  it('never say that a failed run had no failure', () => {
    const lines = closingLines(addUp({ ...run(file('a', 3, 0)), status: 1 }, new Map()))
    assert.deepEqual(lines, ['FAILED: outside of every test: vitest ended with 1', '3 passed, 1 failed'])
  })

  it('count an error outside of every test, which no second run explains', () => {
    const broken: Outcome = { ...run(file('a', 3, 0), file('b', 0, 1)), errors: ['FAILED: outside of every test'] }
    assert.equal(canBeUnsteady(broken), false)
    assert.deepEqual(closingLines(addUp(broken, new Map())).at(-1), '3 passed, 2 failed')
  })

  it('take the failure of many files for what it is', () => {
    const names = Array.from({ length: 13 }, (_, index) => String(index))
    assert.equal(canBeUnsteady(run(...names.map(name => file(name, 0, 1)))), false)
    assert.equal(canBeUnsteady(run(...names.slice(1).map(name => file(name, 0, 1)))), true)
    assert.equal(canBeUnsteady(run(file('a', 1, 0))), false)
  })

  it('have a line before them for each failure, however long its reason is', () => {
    const line = failure('spec/sort.test.ts > sorts', [
      { message: `Expected\n  ${'x'.repeat(500)}` },
      { message: 'and this' },
    ])
    assert.match(line, /^FAILED: spec\/sort\.test\.ts > sorts: Expected x{391} \| and this$/)
  })
})

describe('a file that is run again', () => {
  it('is run alone, with the options of the first run, but not as a share of the files', () => {
    assert.deepEqual(rerunArguments(['test/spec', '--shard=2/3', '--bail=1'], 'test/spec/sort.test.ts'), [
      '--bail=1',
      'test/spec/sort.test.ts',
    ])
  })
})

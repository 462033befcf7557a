import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, it } from 'vitest'
import { testFiles, tierOf, whatWasNotRun } from './tiers.mjs'

describe('the tiers of the tests', () => {
  const cases = [
    { file: 'spec/sort.test.ts', tier: 'quick' },
    { file: 'cli/dev.slow.test.ts', tier: 'slow' },
    { file: 'cluster/cluster.nightly.test.ts', tier: 'nightly' },
  ]
  for (const { file, tier } of cases) it(`${file} is ${tier}`, () => assert.equal(tierOf(file), tier))

  it('have every file of the folder, this one too', () => {
    const files = testFiles()
    assert.ok(files.includes('support/tiers.test.ts'))
    for (const file of files) assert.ok(existsSync(new URL(`../${file}`, import.meta.url)), file)
  })

  it('are named by a run of the first, with the command that runs the others', () => {
    const lines = whatWasNotRun().join('\n')
    assert.match(lines, /^Not run: \d+ files/m)
    assert.match(lines, /npm run test:all .*\n.*npm run verify /)
  })

  it.runIf(process.env.STELE_TEST_RUN === 'quick')('start no process where they are quick', () => {
    assert.throws(() => spawnSync(process.execPath, ['--version']), /name the file \*\.slow\.test\.ts/)
  })
})

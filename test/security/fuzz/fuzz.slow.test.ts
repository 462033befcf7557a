import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { it } from 'vitest'
import { isFull } from '../whole/attacked.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))

for (const target of ['query', 'content', 'write', 'headers', 'multipart'])
  it(`a moment of the fuzzer finds nothing that the ${target} target may not do`, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['test/security/fuzz/fuzz.mjs', '--target', target, '--seconds', isFull ? '3' : '1.5', '--seed', '20240229'],
      { cwd: root, encoding: 'utf8' },
    )
    assert.equal(status, 0, stderr)
    const [, inputs] = /: (\d+) inputs/.exec(stdout) ?? []
    assert.ok(Number(inputs) >= 64, stdout)
    console.log(stdout.trim())
  })

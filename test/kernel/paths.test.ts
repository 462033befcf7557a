import { strict as assert } from 'node:assert'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, it } from 'vitest'

type Kind = 'known' | 'first' | 'create' | 'logged'

const core = new URL('../../core/', import.meta.url)
const linesOf = (file: string): number => readFileSync(new URL(file, core), 'utf8').split('\n').length - 1
const sum = (files: readonly string[]): number => files.reduce((lines, file) => lines + linesOf(file), 0)

// To understand one request is to read these files, as V8 counts them: at most as many as stand here.
// A figure may fall with a change; one that rises needs a reason.
describe('what runs in core between the socket and the response', () => {
  let measured: Readonly<Record<Kind, readonly (readonly string[])[]>>
  beforeAll(async () => {
    // A process of its own: a test runner transforms and counts what it loads.
    const script = fileURLToPath(new URL('measured-paths.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script])
    measured = JSON.parse(stdout)
  })

  const paths: readonly { says: string; kind: Kind; files: number; lines: number }[] = [
    { says: 'a list whose plan is known', kind: 'known', files: 22, lines: 3200 },
    {
      says: 'the first list with fields, two populates, a deep filter and a sort',
      kind: 'first',
      // One file more since it has one of its own how a list is counted.
      files: 39,
      lines: 6000,
    },
    // One file more than before it was told which rows have changed, and the lines that count a statement left for the end.
    { says: 'a cached list, with its line in the log', kind: 'logged', files: 21, lines: 2850 },
    // A few lines more than before writes of one moment ran together what they leave for the end.
    { says: 'a create with two relations', kind: 'create', files: 42, lines: 6525 },
  ]
  for (const { says, kind, files, lines } of paths)
    it(says, () => {
      const [least = []] = measured[kind].toSorted((a, b) => sum(a) - sum(b))
      const listed = least.map(file => `${String(linesOf(file)).padStart(5)} ${file}`).join('\n')
      const report = `${least.length} files with ${sum(least)} lines, at most ${files} with ${lines} are expected:\n${listed}`
      assert.ok(least.length > 10, `something was measured\n${report}`)
      assert.ok(least.length <= files && sum(least) <= lines, report)
    })
})

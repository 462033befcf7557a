// Runs all tests in their long form, and says which lines of the kernel (core/ without its command line) none of them reached.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Started } from './started.mjs'

/** The share of lines that have to be reached. */
const least = 0.998
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-coverage-'))
try {
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/coverage/vitest.config.ts', ...process.argv.slice(2)],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, STELE_TEST_LONG: '1', STELE_TEST_NIGHTLY: '1', STELE_COVERAGE: folder },
    },
  )
  const files = Object.values(JSON.parse(fs.readFileSync(path.join(folder, 'own/coverage-final.json'), 'utf8')))
  const started = new Started(root, path.join(folder, 'started'))
  let all = 0
  let reached = 0
  for (const file of files) {
    const name = path.relative(root, file.path)
    const lines = linesOf(file)
    const own = started.linesOf(name)
    const missed = [...lines].filter(([line, count]) => count === 0 && !own.has(line)).map(([line]) => line)
    all += lines.size
    reached += lines.size - missed.length
    if (missed.length > 0) console.log(`${name}: ${missed.sort((a, b) => a - b).join(', ')}`)
  }
  console.log(`coverage: ${reached} of ${all} lines of the kernel, in ${files.length} files`)
  process.exitCode = status || (reached < least * all ? 1 : 0)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** Lines on which statements begin, and how often one of them was run. */
function linesOf({ statementMap, s }) {
  const lines = new Map()
  for (const [id, { start }] of Object.entries(statementMap))
    lines.set(start.line, Math.max(lines.get(start.line) ?? 0, s[id]))
  return lines
}

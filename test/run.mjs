// Runs the tests: `node test/run.mjs quick|rest|all [what vitest takes]`. `quick` runs the quick files on SQLite, from the
// sources; `rest` is what it leaves of `all`, which runs what is shipped on every engine. With CI=true a file that fails is
// run once more, alone; it counts as failed only if it fails again, and is named as unsteady if it does not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runs, whatWasNotRun } from './support/tiers.mjs'
import { addUp, canBeUnsteady, closingLines, rerunArguments } from './support/verdict.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs')
const [tests, ...args] = process.argv.slice(2)
if (!runs.includes(tests)) throw new Error(`node test/run.mjs ${runs.join('|')}: which tests?`)
const isQuick = tests === 'quick'
const engines = process.env.STELE_TEST_ENGINES ?? (isQuick ? 'sqlite' : '')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-verdict-'))

try {
  const first = await run(args)
  const again = new Map()
  if (process.env.CI === 'true' && canBeUnsteady(first)) {
    for (const file of first.files.filter(({ failed }) => failed > 0)) {
      console.log(`\n${file.name} failed; it is run once more, alone`)
      again.set(file.name, await run(rerunArguments(args, file.name)))
    }
  }
  const verdict = addUp(first, again)
  console.log([...closingLines(verdict), ...(isQuick ? whatWasNotRun() : [])].join('\n'))
  process.exitCode = verdict.failed > 0 ? 1 : 0
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** The outcome that the reporter writes; a run that ends without one has failed outside of every test. */
async function run(vitestArgs) {
  const file = path.join(folder, `${Math.random()}.json`)
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'test/vitest.config.ts', ...vitestArgs], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, STELE_TEST_OUTCOME: file, STELE_TEST_RUN: tests, STELE_TEST_ENGINES: engines },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
  const [status, signal] = await once(child, 'exit')
  const outcome = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { files: [], errors: [] }
  return { ...outcome, status: status ?? `a signal (${signal})` }
}

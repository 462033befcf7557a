import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the attack suite, and closes with how much was tried. */
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = spawn(
  process.execPath,
  [vitest, 'run', '--config', 'test/vitest.config.ts', 'test/security', ...process.argv.slice(2)],
  { cwd: root, stdio: ['inherit', 'pipe', 'inherit'], env: { ...process.env, STELE_SECURITY: 'full' } },
)
let output = ''
run.stdout.on('data', chunk => {
  output += chunk
  process.stdout.write(chunk)
})
run.on('close', status => {
  const sum = pattern => [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  const worst = Math.max(0, ...[...output.matchAll(/worst wait of others (\d+) ms/g)].map(([, wait]) => Number(wait)))
  const passed = /(\d+) passed, \d+ failed/.exec(output)?.[1] ?? 0
  console.log(
    [
      `\nsecurity: ${passed} named cases passed`,
      `${sum(/(\d+) requests, 0 server errors/g)} requests looked at, worst wait of others ${worst} ms`,
      `${sum(/(\d+) queries agree/g)} queries as the evaluator has them`,
      `${sum(/(\d+) inputs,/g)} inputs fuzzed`,
    ].join('; '),
  )
  process.exitCode = status ?? 1
})

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the attack suite, and closes with how much was tried. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = spawn(process.execPath, ['test/run.mjs', 'all', 'test/security', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
  env: { ...process.env, STELE_SECURITY: 'full', STELE_TEST_NIGHTLY: '1' },
})
let output = ''
run.stdout.on('data', chunk => {
  output += chunk
  process.stdout.write(chunk)
})
run.on('close', status => {
  const sum = pattern => [...output.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
  const worst = Math.max(0, ...[...output.matchAll(/worst wait of others (\d+) ms/g)].map(([, wait]) => Number(wait)))
  const agreed = engine => sum(new RegExp(`properties, ${engine}: (\\d+) queries agree`, 'g'))
  const figures = [
    ['named cases passed', Number(/(\d+) passed, \d+ failed/.exec(output)?.[1] ?? 0), 500],
    ['requests looked at', sum(/(\d+) requests, 0 server errors/g), 10_000],
    ['queries as the evaluator has them on SQLite', agreed('sqlite'), 20_000],
    ['on MariaDB', agreed('mysql'), 2000],
    ['on PostgreSQL', agreed('postgres'), 2000],
    ['inputs fuzzed', sum(/(\d+) inputs,/g), 1],
  ]
  console.log(
    `\nsecurity: ${figures.map(([what, count]) => `${count} ${what}`).join('; ')}; worst wait of others ${worst} ms`,
  )
  // A part of the suite may be run as well; the whole of it must have tried enough.
  const short = process.argv.length > 2 ? [] : figures.filter(([, count, least]) => count < least)
  for (const [what, count, least] of short) console.log(`security: ${count} ${what} are fewer than ${least}`)
  process.exitCode = short.length > 0 ? 1 : (status ?? 1)
})

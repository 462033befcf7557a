import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs the fault suite at length, and closes with how much was done to the servers and what came of it. */
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = spawn(process.execPath, ['test/run.mjs', 'all', 'test/faults', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'pipe', 'inherit'],
  env: { ...process.env, STELE_FAULTS: 'full', STELE_TEST_NIGHTLY: '1' },
})
let output = ''
run.stdout.on('data', chunk => {
  output += chunk
  process.stdout.write(chunk)
})
run.on('close', status => {
  const lines = output.split('\n').filter(line => line.includes('faults: '))
  const figures = pattern => lines.map(line => Number(pattern.exec(line)?.[1] ?? 0))
  const sum = pattern => figures(pattern).reduce((all, figure) => all + figure, 0)
  const worst = pattern => Math.max(0, ...figures(pattern))
  const passed = /(\d+) passed, \d+ failed/.exec(output)?.[1] ?? 0
  console.log(
    [
      `\nfaults: ${passed} named cases passed`,
      `${sum(/faults: (\d+) x/)} faults`,
      `${sum(/(\d+) acknowledged writes/)} acknowledged writes, ${sum(/(\d+) lost/)} lost, ${sum(/(\d+) half done/)} half done`,
      `first good answer after at most ${worst(/first good answer after (\d+) ms/)} ms`,
      `${sum(/(\d+) deadlocks/)} deadlocks`,
      `${sum(/answers cut (\d+)/)} answers cut by stops of at most ${worst(/slowest stop (\d+) ms/)} ms`,
    ].join('; '),
  )
  process.exitCode = status ?? 1
})

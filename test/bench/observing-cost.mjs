// Cost of a request's log line for a cached read, and of the plugin `metrics` on top: both are switched on and off by
// turns, in one process. `npm run build && node test/bench/observing-cost.mjs`
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const rounds = Number(process.env.ROUNDS ?? 40)
const requests = 3000
const apps = { plain: {}, measured: { metrics: true } }
const variants = {
  nothing: { app: 'plain', level: 'warn' },
  line: { app: 'plain', level: 'info' },
  idle: { app: 'measured', level: 'info' },
  metrics: { app: 'measured', level: 'info', measures: true },
}
const names = Object.keys(variants)

if (process.send) await serve()
else await measure()

async function serve() {
  const core = new URL('../../dist/core/', import.meta.url)
  const { findPlugins, loadConfig } = await import(`${core}boot/load-config.js`)
  const { boot } = await import(`${core}kernel.js`)
  const { wings } = await import(`${core}wings.js`)
  const { createLog } = await import(`${core}log.js`)
  const { standardOutput } = await import(`${core}tools/cli/log-to.js`)
  const started = {}
  for (const [name, plugins] of Object.entries(apps)) {
    const config = await loadConfig(fileURLToPath(new URL('../..', import.meta.url)), {
      env: { NODE_ENV: 'development', DATABASE_FILENAME: path.join(process.argv[2], `${name}.db`) },
      overrides: {
        server: { host: '127.0.0.1', port: 0 },
        plugins: {
          'users-permissions': { enabled: true, config: { jwtSecret: 'a secret for measuring' } },
          'api-tokens': { enabled: true, config: { salt: 'a salt for measuring' } },
          upload: { enabled: true, config: { folder: process.argv[2] } },
          explorer: { enabled: true, config: { timing: 'never' } },
          ...plugins,
        },
      },
    })
    const app = await boot({
      wings,
      config,
      log: createLog('silent', { destination: standardOutput() }),
      plugins: await findPlugins(config),
    })
    const service = app.plugins.find(({ spec }) => spec.name === 'metrics')?.service
    started[name] = { port: (await app.listen()).port, log: app.log, service, request: service?.request }
  }
  process.on('message', name => {
    const { app, level, measures } = variants[name]
    const { port, log, service, request } = started[app]
    log.level = level
    if (service) service.request = measures ? request : () => undefined
    const { user, system } = process.cpuUsage()
    process.send({ port, spent: user + system })
  })
  process.send('ready')
}

async function measure() {
  const folder = mkdtempSync(path.join(tmpdir(), 'stele-observing-cost-'))
  const server = fork(fileURLToPath(import.meta.url), [folder], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const said = () => new Promise(resolve => server.once('message', resolve))
  const turnTo = name => {
    const told = said()
    server.send(name)
    return told
  }
  await said()
  const agent = new http.Agent({ keepAlive: true, maxSockets: 10 })
  const read = port =>
    new Promise((resolve, reject) => {
      const url = { agent, host: '127.0.0.1', port, path: '/api/articles?fields[0]=title&sort=title' }
      http.get(url, response => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject)
    })
  const readAll = async port => {
    let left = requests
    const reader = async () => {
      while (left > 0) {
        left -= 1
        if ((await read(port)) !== 200) throw new Error('a read failed')
      }
    }
    await Promise.all(Array.from({ length: 10 }, reader))
  }
  const times = Object.fromEntries(names.map(name => [name, []]))
  for (let round = -5; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const before = await turnTo(name)
      await readAll(before.port)
      const after = await turnTo(name)
      if (round >= 0) times[name].push((after.spent - before.spent) / requests)
    }
  server.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
  agent.destroy()
  const middle = list => list.toSorted((a, b) => a - b)[list.length >> 1]
  // Ratios are taken within a round: other load of the machine changes from round to round.
  const ratio = (name, base) => middle(times[name].map((time, index) => time / times[base][index]))
  for (const name of names) console.log(`${name}: ${middle(times[name]).toFixed(2)} µs of CPU time for a cached read`)
  const more = (name, base) => `${(100 * (ratio(name, base) - 1)).toFixed(1)} %`
  console.log(`the line: ${more('line', 'nothing')}, metrics on top: ${more('metrics', 'idle')}`)
}

// Time that `stele dev` takes from the save of a content type to the first response that knows of it: npm run build && node
// test/cli/measure-dev.mjs
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = path.join(root, 'core/tools/cli/stele.js')
const times = Number(process.argv[2] ?? 15)
// The clock of /proc counts in hundredths of a second.
const tick = 10

const folder = mkdtempSync(path.join(tmpdir(), 'stele-dev-'))
try {
  const small = path.join(folder, 'small')
  await once(spawn(process.execPath, [program, 'init', small], { stdio: 'ignore' }), 'close')
  await report('an app of stele init', small, 'content-types/article.json', 'articles')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function report(says, app, file, plural) {
  const results = await measure(app, file, plural)
  const [wall, cpu] = ['wall', 'cpu'].map(key => results.map(one => one[key]).sort((a, b) => a - b))
  const middle = list => list[Math.floor(list.length / 2)]
  console.log(
    `${says}: ${middle(wall)} ms (${wall[0]} to ${wall.at(-1)}), of which the new server ran for ${middle(cpu)} ms of CPU time; ${times} restarts`,
  )
}

async function measure(app, file, plural) {
  const port = await freePort()
  const child = spawn(process.execPath, [program, 'dev', '--app', app, '--port', String(port)], {
    env: { PATH: process.env.PATH },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}/api/${plural}?fields[0]=`
  try {
    await answered(`${url}id`)
    const place = path.join(app, file)
    const type = JSON.parse(readFileSync(place, 'utf8'))
    const results = []
    for (let time = 0; time < times; time += 1) {
      type.attributes[`more${time}`] = { type: 'string' }
      const before = children(child.pid)
      const begun = performance.now()
      writeFileSync(place, JSON.stringify(type))
      await answered(`${url}more${time}`)
      const wall = Math.round(performance.now() - begun)
      results.push({ wall, cpu: cpuOfNew(before, children(child.pid)) })
      // Work of a server after its first response is not counted to the next restart.
      await wait(1000)
    }
    return results
  } finally {
    child.kill()
    await once(child, 'close')
  }
}

/** Asks until the response is good. */
async function answered(url) {
  const end = performance.now() + 60_000
  for (;;) {
    if (performance.now() > end) throw new Error(`no good response: ${url}`)
    const status = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }).then(
      response => response.status,
      () => 0,
    )
    if (status === 200) return
    await wait(2)
  }
}

/** The children of a process, with their user and system time in ms. */
function children(parent) {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return new Map(
    pids.flatMap(pid => {
      try {
        const fields = statOf(pid)
        return Number(fields[1]) === parent ? [[pid, (Number(fields[11]) + Number(fields[12])) * tick]] : []
      } catch {
        return []
      }
    }),
  )
}

/** CPU time since the save of the server that took over: one that was prepared before, or the only new one. */
function cpuOfNew(before, after) {
  const [[pid, cpu]] = [...after].sort(([one], [other]) => before.has(other) - before.has(one) || one - other)
  return cpu - (before.get(pid) ?? 0)
}

/** The fields behind the name of the program: the state, the parent, and so on. */
function statOf(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

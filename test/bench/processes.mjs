import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import os from 'node:os'

const hasTaskset = os.availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0
/** A command bound to a CPU: servers have the first one, the load the second, when there are two. */
export const pinned = (cpu, command) => (hasTaskset ? ['taskset', '-c', String(cpu), ...command] : command)
export const pinning = hasTaskset ? 'servers on CPU 0, load on CPU 1' : 'not pinned'

export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server and waits for its first answer, at `probe`; `startupMs` is the time between the two. */
export async function startServer({ name, command, env, log, cwd, cpus = 0, probe = '/api/articles/1' }) {
  const port = await freePort()
  const output = fs.openSync(log, 'a')
  const [file, ...args] = pinned(cpus, command)
  const began = performance.now()
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1', NODE_ENV: 'production', LOG_LEVEL: 'warn' },
    stdio: ['ignore', output, output],
  })
  fs.closeSync(output)
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(`${url}${probe}`))) {
    const ended = child.exitCode !== null || child.signalCode !== null
    if (ended || performance.now() - began > 120_000) {
      child.kill('SIGKILL')
      throw new Error(
        `${name} ${ended ? 'ended while starting' : 'never answered'}:\n${fs.readFileSync(log, 'utf8').slice(-2000)}`,
      )
    }
    await sleep(2)
  }
  return { name, port, url, pid: child.pid, startupMs: performance.now() - began, stop: () => stop(child) }
}

function answers(url) {
  return new Promise(resolve => {
    const request = http.get(url, { agent: false, timeout: 5000 }, response => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
    })
    request.on('error', () => resolve(false)).on('timeout', () => request.destroy())
  })
}

export async function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(timer)
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK']))

/** CPU seconds that a process has used so far, all its threads together, and those that it started. */
export function cpuSeconds(pid) {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ownCpuSeconds(one), 0)
}

const childrenOf = pid => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []

function ownCpuSeconds(pid) {
  let stat
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // A process that a database server had for a moment.
    return 0
  }
  // The name in parentheses may hold spaces; utime and stime are the 12th and 13th value after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** Seconds for which a CPU was wanted here and given to other machines. */
export function stolenSeconds(cpu) {
  const line = fs.readFileSync('/proc/stat', 'utf8').match(new RegExp(`^cpu${cpu} .*`, 'm'))
  return line ? Number(line[0].split(/ +/)[8]) / ticks : 0
}

/** Memory in MB: `VmRSS` is what it takes now, `VmHWM` the most it has taken. */
export function memory(pid, field) {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}

/** Memory in MB of a server and of the processes that it started; shared memory counts once. */
export function memoryInAll(pid) {
  const sizes = [pid, ...childrenOf(pid)].map(one => {
    try {
      return Number(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))[1]) / 1024
    } catch {
      // The process has ended meanwhile.
      return 0
    }
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Runs one job of load.mjs in a process of its own. */
export async function runLoad({ cpus = 1, ...job }) {
  const [file, ...args] = pinned(cpus, [process.execPath, new URL('load.mjs', import.meta.url).pathname])
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', part => {
    text += part
  })
  child.stdin.end(JSON.stringify(job))
  const [code] = await once(child, 'close')
  if (code) throw new Error(`the load generator failed with code ${code}`)
  return JSON.parse(text)
}

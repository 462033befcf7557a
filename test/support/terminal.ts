import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished, TestRunner } from 'vitest'
import { freePort } from './free-port.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const program = join(root, 'core/tools/cli/stele.js')

type Env = Readonly<Record<string, string>>

/** Variables of this process for programs: the places of other programs, and the folder for coverage, if it is measured. */
export const ownEnv: Env = Object.fromEntries(
  ['PATH', 'NODE_V8_COVERAGE'].flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
)

/** Runs a command to its end, as at a terminal. */
export function stele(args: readonly string[], { cwd = tmpdir(), env = {} }: { cwd?: string; env?: Env } = {}) {
  return spawnSync(process.execPath, [program, ...args], {
    cwd,
    env: { ...ownEnv, ...env },
    encoding: 'utf8',
  }) as SpawnSyncReturns<string>
}

/** Cleans up when the test ends; without a test that is left to the caller. */
const atEnd = (work: () => unknown): void => {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await work()))
}

/** A folder with these files, gone when the test ends, or else the run. */
export function folderOf(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(inject('folder'), 'terminal-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** A server in a process of its own, which ends with the test at the latest. */
export class Server {
  readonly child: ChildProcess
  output = ''
  errors = ''
  readonly ended: Promise<number | null>

  constructor(folder: string, env: Env = {}, args: readonly string[] = [], command: 'start' | 'dev' = 'start') {
    this.child = spawn(process.execPath, [program, command, '--app', folder, ...args], {
      env: { ...ownEnv, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout?.on('data', part => {
      this.output += part
      this.child.emit('words')
    })
    this.child.stderr?.on('data', part => {
      this.errors += part
    })
    this.ended = once(this.child, 'close').then(([code]) => code as number | null)
    atEnd(async () => {
      // A killed process writes no coverage, so it is asked to stop first.
      if (ownEnv.NODE_V8_COVERAGE) await Promise.race([this.stop(), once(AbortSignal.timeout(5_000), 'abort')])
      await this.stop('SIGKILL')
    })
  }

  get lines(): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }

  /** Waits for words of the log, and fails with everything that was said if the process ends before them. */
  async said(words: RegExp, times = 1): Promise<void> {
    const all = new RegExp(words, 'g')
    const isSaid = () => [...this.output.matchAll(all)].length >= times
    while (!isSaid()) {
      const ended = await Promise.race([once(this.child, 'words').then(() => false), this.ended.then(() => true)])
      if (ended && !isSaid()) throw new Error(`it ended without ${words}: ${this.output}${this.errors}`)
    }
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal)
    return this.ended
  }
}

/** Starts an app and waits until so many processes of it listen. */
export async function started(folder: string, env: Env = {}, workers = 1) {
  const port = await freePort()
  const args = workers === 1 ? [] : ['--workers', String(workers)]
  const server = new Server(folder, { PORT: String(port), HOST: '127.0.0.1', ...env }, args)
  await server.said(/listening on/, workers)
  return { server, port, url: `http://127.0.0.1:${port}` }
}

/** Status and body of an answer; `connection: close`, so that each request may come to another process. */
export async function ask(url: string, init: { method?: string; headers?: Env; data?: unknown; body?: unknown } = {}) {
  const { method = 'GET', headers = {}, data } = init
  const body = data === undefined ? init.body : { data }
  const answer = await fetch(url, {
    method,
    headers: { connection: 'close', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that know them
  return { status: answer.status, headers: answer.headers, body: (text === '' ? undefined : JSON.parse(text)) as any }
}

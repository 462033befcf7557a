import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { type Absences, chooseEngines, engineNames } from './engine-choice.js'
import { type Guard, guard } from './guard.js'
import { reaches } from './reaches.js'
import { type Address, type DatabaseServer, mysqlKind, startMysqlKind, startPostgres } from './servers.js'
import { quickFolder } from './workplace.js'

declare module 'vitest' {
  export interface ProvidedContext {
    mysql: Address | null
    postgres: Address | null
    /** The engines that no test of this run may use, with the reason. */
    absent: Absences
    /** The reason why no test of this project may use SQLite. */
    withoutSqlite: string | undefined
    /** The folder of SQLite files for the length of this run. */
    folder: string
  }
}

let servers: DatabaseServer[] = []
let folder: Guard | undefined
let summary: string[] = []

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds, and starts each engine once for all test files, at the same time, and only when a selected file can use one. */
export async function setup(project: TestProject): Promise<void> {
  const absent = chooseEngines(process.env)
  const begun = performance.now()
  const files = project.vitest.state.getPaths()
  const needed = reaches(files, fileURLToPath(new URL('./engines.ts', import.meta.url)))
  // The quick tests load the sources.
  const isBuilt = process.env.STELE_TEST_RUN !== 'quick'
  const built = isBuilt ? build(files.some(hasPage)) : undefined
  const [mysql, postgres] = await startAll([
    needed && absent.mysql === undefined ? startSharedMysql : undefined,
    needed && absent.postgres === undefined ? startSharedPostgres : undefined,
  ])
  await built
  const place = mkdtempSync(join(quickFolder(), 'stele-sqlite-'))
  folder = guard(place, 'KILL')

  project.provide('mysql', mysql ? addressOf(mysql) : null)
  project.provide('postgres', postgres ? addressOf(postgres) : null)
  project.provide('absent', absent)
  project.provide('folder', place)

  if (!needed) return
  const runs = {
    sqlite: 'runs',
    mysql: `runs, ${mysqlKind() === 'mysql' ? 'MySQL ' : ''}${mysql?.version}`,
    postgres: `runs, ${postgres?.version}`,
  }
  summary = [
    ...engineNames.map(name => `${name.padEnd(9)}${absent[name] ? `SKIPPED: ${absent[name]}` : runs[name]}`),
    `ready in ${Math.round(performance.now() - begun)} ms`,
  ]
  console.log(framed(summary))
}

/** Builds what is shipped, as that is tested; its types are checked by another command. */
async function build(withPages: boolean): Promise<void> {
  // Coverage is measured on compiled code and reported by the lines of its sources.
  const maps = process.env.STELE_COVERAGE ? ['--sourceMap'] : []
  // Otherwise vite would build the page for tests, in the environment that vitest has set.
  const env = { ...process.env, NODE_ENV: 'production' }
  const run = (program: string, ...args: string[]) =>
    once(spawn(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: root, env }), 'exit')
  await Promise.all([run('typescript/bin/tsc', ...maps), ...(withPages ? [run('../.ci/pages.mjs')] : [])])
  const bundle = join(root, 'dist/bundle')
  // Without it, processes run what the compiler has written.
  if (process.env.STELE_COVERAGE) rmSync(bundle, { recursive: true, force: true })
  else if (isOlder('dist/bundle/licenses.txt', 'dist/.tsbuildinfo', '.ci/bundle.mjs', 'package-lock.json'))
    await run('../.ci/bundle.mjs')
}

/** True for tests of a plugin that serves a page. */
function hasPage(file: string): boolean {
  const [, plugin] = /\/test\/plugins\/([^/]+)\//.exec(file) ?? []
  return plugin !== undefined && existsSync(join(root, 'plugins', plugin, 'page/index.html'))
}

const isOlder = (file: string, ...sources: string[]): boolean => written(file) < Math.max(...sources.map(written))
const written = (file: string): number => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0

export async function teardown(): Promise<void> {
  await Promise.all([...servers.map(server => server.stop()), folder?.release()])
  if (summary.length > 0) console.log(framed(summary.slice(0, -1)))
}

/** A file for each table is most of what the many tables of a suite cost. */
const startSharedMysql = () => startMysqlKind({ settings: { loose_innodb_file_per_table: 0 } })

/** Thousands of connections are opened, and SCRAM takes a client thousands of rounds of hashing for each. */
const startSharedPostgres = () => startPostgres({ auth: 'md5' })

type Start = () => Promise<DatabaseServer>

async function startAll(starts: readonly (Start | undefined)[]): Promise<(DatabaseServer | undefined)[]> {
  const outcomes = await Promise.allSettled(starts.map(start => start?.()))
  const started = outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : undefined))
  servers = started.filter(server => server !== undefined)
  const failure = outcomes.find(outcome => outcome.status === 'rejected')
  if (failure === undefined) return started
  // Vitest does not tear down after a setup that failed.
  await teardown()
  throw failure.reason
}

function addressOf({ host, port, user, password }: Address): Address {
  return { host, port, user, password }
}

function framed(lines: readonly string[]): string {
  const rows = ['test engines', ...lines]
  const width = Math.max(...rows.map(row => row.length))
  const rule = '─'.repeat(width + 2)
  return [`\n┌${rule}┐`, ...rows.map(row => `│ ${row.padEnd(width)} │`), `└${rule}┘`].join('\n')
}

import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { external, fromDist } from './support/from-dist.js'
import { LongestFirst } from './support/longest-first.js'
import { OutcomeFile } from './support/outcome-file.js'
import { reaches } from './support/reaches.js'
import { testFiles, tierOf } from './support/tiers.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The package has a module for bundlers too: tests and the built server share the one that Node.js takes. */
const graphql = { find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }
const absolute = (file: string): string => join(root, 'test', file)
const tests = process.env.STELE_TEST_RUN ?? 'all'

const files = testFiles().filter(file => tierOf(file) !== 'nightly' || process.env.STELE_TEST_NIGHTLY === '1')
const quick = files.filter(file => tierOf(file) === 'quick')
const slow = files.filter(file => tierOf(file) !== 'quick')

/** Text of test files that change their process in a way that others would notice, or that ask for one of their own. */
const touches =
  /process\.(env(\.\w+|\[\w+\])? =(?!=)|on\b|once\b|chdir|umask)|delete process|defineProperty|useFakeTimers|vi\.(mock|stub|spyOn)|In a process of its own/
const sharesProcess = (file: string): boolean => !touches.test(readFileSync(absolute(file), 'utf8'))

// A third of their time tests wait: for databases, disks, processes and limits of time.
const workers = availableParallelism() + 1
// A limit ends a test that hangs; it says nothing about speed, and a busy machine may take ten times as long.
const run = { pool: 'forks', maxWorkers: workers, testTimeout: 120_000, hookTimeout: 180_000 } as const
const outcome = process.env.STELE_TEST_OUTCOME
// Lines are counted by what vite makes of the sources, and the quick tests need no build.
const isFromSources = process.env.STELE_COVERAGE !== undefined || tests === 'quick'

/** The tests; `env` is for their processes. */
export function suite(env: Readonly<Record<string, string>> = {}) {
  const project = (name: string, included: readonly string[], isolate: boolean, more: object) => ({
    root,
    plugins: isFromSources ? [] : [fromDist],
    resolve: { alias: [graphql] },
    test: {
      ...run,
      name,
      isolate,
      env,
      server: { deps: { external } },
      include: included.map(file => `test/${file}`),
      ...more,
    },
  })
  const projects = (name: string, chosen: readonly string[], more: object = {}) => [
    // Loading the server takes longer than most of these files, so that each worker loads it once.
    project(`${name}shared`, chosen.filter(sharesProcess), false, more),
    // A process per file: environment, clocks and signals of the process are part of what is tested.
    project(
      `${name}own`,
      chosen.filter(file => !sharesProcess(file)),
      true,
      more,
    ),
  ]
  const onServers = () => {
    const everyEngine = absolute('support/every-engine.ts')
    const chosen = quick.filter(file => reaches([absolute(file)], everyEngine))
    return projects('servers ', chosen, { provide: { withoutSqlite: 'npm test runs them on it' } })
  }
  const chosen = {
    quick: () => projects('', quick, { setupFiles: 'test/support/no-processes.ts' }),
    rest: () => [...projects('', slow), ...onServers()],
    all: () => projects('', files),
  }
  return defineConfig({
    root,
    test: {
      globalSetup: 'test/support/global-setup.ts',
      reporters: ['default', ...(outcome ? [new OutcomeFile(outcome)] : [])],
      projects: chosen[tests as keyof typeof chosen](),
      sequence: { sequencer: LongestFirst },
    },
  })
}

export default suite()

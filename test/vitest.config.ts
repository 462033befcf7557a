import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { external, fromDist } from './support/from-dist.js'
import { LongestFirst } from './support/longest-first.js'
import { OutcomeFile } from './support/outcome-file.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts') && !/^(bench|fixtures)\//.test(file))
  // Their verdict depends on processes that are killed, on seconds that pass, or on the speed of the machine.
  .filter(file => !file.endsWith('.nightly.test.ts') || process.env.STELE_TEST_NIGHTLY === '1')
  .sort()

/** What a test does to its process, which others would notice, and what it says where others would disturb it. */
const touches =
  /process\.(env(\.\w+|\[\w+\])? =(?!=)|on\b|once\b|chdir|umask)|delete process|defineProperty|useFakeTimers|vi\.(mock|stub|spyOn)|In a process of its own/
const sharesProcess = (file: string): boolean => !touches.test(readFileSync(join(root, 'test', file), 'utf8'))

// A third of their time tests wait: for databases, disks, processes and limits of time.
const workers = availableParallelism() + 1
// A limit ends a test that hangs; it says nothing about speed, and a busy machine may take ten times as long.
const run = { pool: 'forks', maxWorkers: workers, testTimeout: 120_000, hookTimeout: 180_000 } as const
const outcome = process.env.STELE_TEST_OUTCOME
/** The whole suite; `env` is for its processes. */
export function suite(env: Readonly<Record<string, string>> = {}) {
  const project = (name: string, isIn: (file: string) => boolean, isolate: boolean) => ({
    root,
    // Lines are counted by what vite makes of the sources.
    plugins: process.env.STELE_COVERAGE ? [] : [fromDist],
    test: {
      ...run,
      name,
      isolate,
      env,
      server: { deps: { external } },
      include: files.filter(isIn).map(file => `test/${file}`),
    },
  })
  return defineConfig({
    root,
    test: {
      globalSetup: 'test/support/global-setup.ts',
      reporters: ['default', ...(outcome ? [new OutcomeFile(outcome)] : [])],
      projects: [
        // Loading the server takes longer than most of these files, so that each worker loads it once.
        project('shared', sharesProcess, false),
        // A process per file: environment, clocks and signals of the process are part of what is tested.
        project('own', file => !sharesProcess(file), true),
      ],
      sequence: { sequencer: LongestFirst },
    },
  })
}

export default suite()

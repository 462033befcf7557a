import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import type { FileOutcome, Outcome } from './verdict.mjs'

/** Tells `test/run.mjs` what became of each file, in the file that it names. */
export class OutcomeFile implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly Message[]): void {
    const errors = unhandledErrors.map(error => failure('outside of every test', [error]))
    const outcome: Omit<Outcome, 'status'> = { files: modules.map(outcomeOf), errors }
    writeFileSync(this.#file, JSON.stringify(outcome))
  }
}

interface Message {
  readonly message: string
}

function outcomeOf(module: TestModule): FileOutcome {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    counts[state === 'pending' ? 'skipped' : state]++
  }
  // A file that does not load, or a suite whose hook throws, fails although none of its tests does.
  const inHooks = [module, ...module.children.allSuites()].filter(suite => suite.errors().length > 0)
  const failures = [
    ...[...module.children.allTests('failed')].map(test =>
      failure(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
    ),
    ...inHooks.map(suite => failure(module.relativeModuleId, suite.errors())),
  ]
  return { name: module.relativeModuleId, ...counts, failed: counts.failed + inHooks.length, failures }
}

/** A line for an error, whatever its message is. */
export function failure(where: string, errors: readonly Message[]): string {
  const why = errors.map(error => error.message.replace(/\s+/g, ' ').slice(0, 400)).join(' | ')
  return `FAILED: ${where}: ${why}`
}

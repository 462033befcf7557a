import { writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with what failed and `N passed, N failed`, for those who read only the last lines. */
export class ClosingLine implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 }
  #failures: readonly string[] = []

  onInit(): void {
    // The servers are stopped, with a word about them, after the last report: only the exit itself comes later.
    process.once('exit', code => {
      writeSync(1, `${[...this.#failures, closingLine(this.#counts, code)].join('\n')}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly { readonly message: string }[]): void {
    this.#counts = countTests(modules)
    this.#counts.failed += unhandledErrors.length
    this.#failures = [
      ...modules.flatMap(failuresOf),
      ...unhandledErrors.map(error => failure('outside of every test', [error])),
    ]
  }
}

function failuresOf(module: TestModule): string[] {
  const inTests = [...module.children.allTests('failed')].map(test =>
    failure(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors ?? []),
  )
  const inHooks = [module, ...module.children.allSuites()].filter(suite => suite.errors().length > 0)
  return [...inTests, ...inHooks.map(suite => failure(module.relativeModuleId, suite.errors()))]
}

/** One line, whatever the message is. */
export function failure(where: string, errors: readonly { readonly message: string }[]): string {
  const why = errors.map(error => error.message.replace(/\s+/g, ' ').slice(0, 400)).join(' | ')
  return `FAILED: ${where}: ${why}`
}

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** A run that fails without a failing test, such as one whose servers do not start, still may not say "0 failed". */
export function closingLine({ passed, failed, skipped }: Counts, exitCode: number): string {
  const shown = exitCode === 0 ? failed : Math.max(failed, 1)
  return `${passed} passed, ${shown} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

function countTests(modules: readonly TestModule[]): { -readonly [name in keyof Counts]: number } {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'skipped' : state]++
    }
    // A file that does not load, or a suite whose hook throws, fails although none of its tests does.
    for (const suite of [module, ...module.children.allSuites()]) {
      if (suite.errors().length > 0) counts.failed++
    }
  }
  return counts
}

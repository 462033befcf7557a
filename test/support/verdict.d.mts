/** The results of one test file, with a line for each failure. */
export interface FileOutcome {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
}

/** The results of one run; `errors` were thrown outside of every test. */
export interface Outcome {
  readonly files: readonly FileOutcome[]
  readonly errors: readonly string[]
  readonly status: number | string
}

export interface Verdict {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
  readonly unsteady: readonly string[]
}

export function canBeUnsteady(outcome: Outcome): boolean
export function rerunArguments(args: readonly string[], file: string): string[]
export function addUp(first: Outcome, again: ReadonlyMap<string, Outcome>): Verdict
export function closingLines(verdict: Verdict): string[]

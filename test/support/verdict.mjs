/** More failed files than this are a defect and not bad luck, and running them again would only take time. */
const maxReruns = 12

/** A run that broke outside of its tests, or in many files, is not run again. */
export function canBeUnsteady({ files, errors }) {
  const failed = files.filter(file => file.failed > 0).length
  return errors.length === 0 && failed > 0 && failed <= maxReruns
}

/** The same options, for one file of the whole suite. */
export function rerunArguments(args, file) {
  return [...args.filter(arg => arg.startsWith('-') && !arg.startsWith('--shard')), file]
}

/**
 * Counts each file by its last run. A run that fails without a failing test, such as one whose servers do not start,
 * fails all the same.
 */
export function addUp(first, again) {
  const verdict = { passed: 0, failed: 0, skipped: 0, failures: [...first.errors], unsteady: [] }
  verdict.failed += first.errors.length
  for (const file of first.files) {
    const rerun = again.get(file.name)
    const last = rerun?.files.find(({ name }) => name === file.name)
    const isSteady = rerun === undefined || rerun.status !== 0 || last === undefined
    const counted = isSteady ? file : last
    if (!isSteady) verdict.unsteady.push(file.name)
    verdict.passed += counted.passed
    verdict.failed += counted.failed
    verdict.skipped += counted.skipped
    verdict.failures.push(...counted.failures)
  }
  if (first.status !== 0 && verdict.failed === 0 && verdict.unsteady.length === 0) {
    verdict.failed = 1
    verdict.failures.push(`FAILED: outside of every test: vitest ended with ${first.status}`)
  }
  return verdict
}

export function closingLines({ passed, failed, skipped, failures, unsteady }) {
  return [
    ...failures,
    ...unsteady.map(file => `unsteady: ${file}`),
    `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  ]
}

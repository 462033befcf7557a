/**
 * Runs of `.ci/nightly`, on a machine that does nothing else. Tests whose verdict depends on its speed, on processes that
 * are killed or on seconds that pass belong there: whole files as `*.nightly.test.ts`, single tests by
 * `it.runIf(isNightly)`.
 */
export const isNightly = process.env.STELE_TEST_NIGHTLY === '1'

let ahead = 0

/**
 * Moves the monotonic clock of this process on, instead of waiting: checks that happen once a second are due again. It
 * never goes back, as no server could live with that; dates stay as they are. The next turn of the event loop begins,
 * since some checks happen once in each.
 */
export async function passTime(milliseconds: number): Promise<void> {
  if (ahead === 0) {
    const now = performance.now.bind(performance)
    performance.now = () => now() + ahead
  }
  ahead += milliseconds
  await new Promise(setImmediate)
}

/** Milliseconds of the processor that work takes: on a busy machine they are about the same. */
export async function processorTime(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/** The clocks of jobs: a monotonic one for leases, and the calendar for turns. Tests set their own. */
export interface JobClock {
  /** Milliseconds since some moment; they never go back. */
  now(): number
  /** Milliseconds since 1970: operators and time servers may set them. */
  time(): number
  /** Runs a step after so many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, step: () => void): () => void
}

export const realJobClock: JobClock = {
  now: () => performance.now(),
  time: () => Date.now(),
  after(milliseconds, step) {
    const timer = setTimeout(step, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}

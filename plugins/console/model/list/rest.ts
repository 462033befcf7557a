/** Work begins to say how long it still takes after this time: before, it may be over at once. */
const silent = 5000

interface Course {
  /** Milliseconds since the work began. */
  readonly since: number
  readonly done: number
  readonly total: number
}

/** Seconds until work is done that goes on as it has gone; undefined while nothing can be said. */
export function restOf({ since, done, total }: Course): number | undefined {
  if (since < silent || done === 0 || total <= done) return undefined
  return Math.ceil(((since / done) * (total - done)) / 1000)
}
